/** The sandbox: a device cloud on 127.0.0.1 that follows the API, for trying things out and for tests. */

import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attempt, parseJson } from '../base/errors.ts';
import { close, listen, portOf, readBody } from '../base/http.ts';
import type { DocumentedMachine } from '../cloud/contract/report.ts';
import { answerControl, book, endOver } from './control.ts';
import type { Database } from './database.ts';
import { acceptDel, sentMethod } from './del-method.ts';
import { CloudFaults, misbehave } from './fault.ts';
import { problem, type Services, sendReply } from './handler.ts';
import { RequestLog, type SandboxRequest, withoutSecrets } from './log.ts';
import { Parsing } from './parsing.ts';
import { Seed, seedDatabase, standardSeed } from './seed.ts';
import { answer, findOperation } from './service.ts';
import { createState, type State, type StoredDevice } from './state.ts';
import { ObjectStorage } from './storage.ts';

export interface SandboxOptions {
  /** 0 or left out: any free port. */
  port?: number;
  /** SQLite file that keeps everything; by default nothing is kept. */
  data?: string;
  /** What it has at its start, and after a reset; not used if `data` has something already. */
  seed?: Seed;
  /** Serves `/control` too: whoever reaches the port can then change anything. */
  control?: boolean;
  /** The answer of `GET /gestures`: the API's document leaves it open. */
  gestures?: 'array' | 'object';
  /** `GET /devices` also says which host reported a device last (`nodeId`): the API's document does not. Default false. */
  nameHosts?: boolean;
  /** A longer body gets 413. */
  bodyLimitBytes?: number;
  /** How long an uploaded app is shown as being parsed, at least, ms. */
  parseForMs?: number;
  /** An app whose file takes longer to read is FAILED, ms. */
  parseDeadlineMs?: number;
}

/** Where it is and who may use it. */
export interface SandboxInfo {
  baseUrl: string;
  v2BaseUrl: string;
  storageUrl: string;
  /** Null without the control API. */
  controlUrl: string | null;
  organizationId: number;
  /** Null if the first organization has no session. */
  exploringSessionId: number | null;
  teamIds: number[];
  users: { username: string; email: string; apiKey: string; role: string }[];
}

/** Emits `received` when a request has been read and `answered` when its answer has been sent. */
export class Sandbox extends EventEmitter<{ received: [SandboxRequest]; answered: [SandboxRequest] }> {
  readonly faults = new CloudFaults();
  bodyLimitBytes: number;
  readonly #log = new RequestLog();
  readonly #refusals = new Map<string, string>();
  readonly #seed: Seed;
  readonly #database: Database | undefined;
  readonly #storage: ObjectStorage;
  readonly #scratch: string | undefined;
  readonly #parsing: Parsing;
  readonly #services: Services;
  readonly #hasControl: boolean;
  readonly #server: Server;
  #state: State;
  #aheadMs = 0;

  private constructor(options: SandboxOptions, database?: Database) {
    super();
    const { data, seed = standardSeed } = options;
    this.bodyLimitBytes = options.bodyLimitBytes ?? 16 * 1024 * 1024;
    this.#seed = seed;
    this.#database = database;
    this.#state = createState(database?.kept);
    if (this.#state.organizations.all().length === 0) seedDatabase(this.#state, seed);
    this.#scratch = data === undefined ? join(tmpdir(), `hostnode-sandbox-${randomUUID()}`) : undefined;
    this.#storage = new ObjectStorage(this, this.#scratch ?? `${data}-uploads`);
    this.#parsing = new Parsing(this, this.#storage.fileOf, options.parseDeadlineMs ?? 10_000);
    this.#services = {
      now: () => this.now(),
      parseForMs: options.parseForMs ?? 2000,
      gestures: options.gestures ?? 'array',
      namesHosts: options.nameHosts ?? false,
      refusalOf: (udid) => this.#refusals.get(udid),
      signedUrl: (appPath) => this.#storage.signedUrl(appPath),
      iconUrl: this.#storage.iconUrl,
      parse: (versionId) => this.#parsing.start(versionId),
    };
    this.#hasControl = options.control === true;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: Error) => {
        // a client that hangs up in the middle of its request gets no answer
        if (response.headersSent || response.destroyed) response.destroy();
        else sendReply(response, problem(500, `the sandbox failed: ${error.message}`));
      });
    });
    acceptDel(this.#server);
  }

  /** @throws {Error} the port is taken, the data file cannot be used, or the seed is wrong */
  static async start(options: SandboxOptions = {}): Promise<Sandbox> {
    const other = ['Bun', 'Deno'].find((name) => name in globalThis);
    if (other) throw new Error(`the sandbox needs Node.js: the HTTP server of ${other} takes no method DEL`);
    const { data, port = 0 } = options;
    if (options.seed !== undefined) Seed.parse(options.seed); // before anything is opened
    const database = data === undefined ? undefined : await openDatabase(data);
    const sandbox = new Sandbox(options, database);
    try {
      await sandbox.#storage.start();
      await listen(sandbox.#server, { port, host: '127.0.0.1' });
    } catch (error) {
      await sandbox.#leave();
      throw error;
    }
    sandbox.#commit();
    sandbox.#parsing.resume();
    return sandbox;
  }

  get origin(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  /** The v1 root, e.g. `http://127.0.0.1:40123/v1`. */
  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  get info(): SandboxInfo {
    const { organizations, sessions, teams, users } = this.#state;
    const { id: organizationId = 0 } = organizations.all()[0] ?? {};
    const isOwn = (row: { organizationId: number }) => row.organizationId === organizationId;
    return {
      baseUrl: this.baseUrl,
      v2BaseUrl: `${this.origin}/v2`,
      storageUrl: this.#storage.origin,
      controlUrl: this.#hasControl ? `${this.origin}/control` : null,
      organizationId,
      exploringSessionId: sessions.find(isOwn)?.id ?? null,
      teamIds: teams.filter(isOwn).map(({ id }) => id),
      users: users.all().map(({ username, email, apiKey, role }) => ({ username, email, apiKey, role })),
    };
  }

  /** All that it knows. */
  get state(): State {
    return this.#state;
  }

  /** The last requests, oldest first. */
  get requests(): SandboxRequest[] {
    return this.#log.requests;
  }

  /** The devices, in the order in which they were first reported. */
  devices(): StoredDevice[] {
    return this.#state.devices.all();
  }

  /** What a host last reported about itself. */
  machine(nodeId: string): DocumentedMachine | undefined {
    return this.#state.hosts.find((host) => host.nodeId === nodeId)?.machine;
  }

  /** Rejects this device from now on, with this reason. */
  refuse(udid: string, message: string): void {
    this.#refusals.set(udid, message);
  }

  accept(udid: string): void {
    this.#refusals.delete(udid);
  }

  /** A user books a device, by default until somebody ends that. */
  book(udid: string, username?: string, seconds?: number): void {
    this.change((state) => book(state, this.now(), udid, username, seconds));
  }

  /** The sandbox's clock, ms since the epoch. */
  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Sets the clock; it goes on from there. */
  setNow(ms: number): void {
    this.#aheadMs = ms - Date.now();
  }

  /** Changes the state, and keeps the change. */
  change<T>(make: (state: State) => T): T {
    const made = make(this.#state);
    this.#commit();
    return made;
  }

  /** Begins anew with this seed; by default with that of the start. Without faults, and by the machine's clock. */
  reset(seed: Seed = this.#seed): void {
    Seed.parse(seed); // before anything is forgotten
    this.#state = createState();
    seedDatabase(this.#state, seed);
    this.#commit();
    this.#refusals.clear();
    this.faults.clear();
    this.requests.length = 0;
    this.#aheadMs = 0;
  }

  #commit(): void {
    this.#database?.commit(this.#state);
  }

  async stop(): Promise<void> {
    await close(this.#server);
    await this.#leave();
  }

  async #leave(): Promise<void> {
    await this.#storage.close();
    await this.#parsing.end();
    this.#database?.close();
    if (this.#scratch !== undefined) await rm(this.#scratch, { recursive: true, force: true });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '/' } = request;
    const method = sentMethod(request);
    const url = URL.parse(path, 'http://sandbox');
    if (url === null) return void sendReply(response, problem(400, 'the path is no part of a URL'));
    const { pathname, search } = url;
    const text = readBody(request, this.bodyLimitBytes);
    if (this.#hasControl && /^\/control(\/|$)/.test(pathname))
      return void sendReply(response, answerControl(this, request, pathname, await text));
    const noted = this.#log.note(method, path);
    const body = await text;
    const json = body ? parseJson(body) : undefined;
    if (body) {
      noted.body = attempt(() => withoutSecrets(json)); // as nested as one likes
      this.#log.grown(noted, Buffer.byteLength(body));
    }
    this.emit('received', noted);
    response.on('finish', () => {
      noted.status = response.statusCode;
      this.emit('answered', noted);
    });
    const found = findOperation(method, `${pathname}${search}`);
    const operation = 'operation' in found ? found.operation : undefined;
    const fault = this.faults.take(operation?.id);
    if (fault !== undefined && (await misbehave(fault, response))) return;
    const { authorization, 'content-type': contentType } = request.headers;
    const read = { method, pathname, found, authorization, contentType, text: body, json };
    const reply = this.change((state) => {
      endOver(state, this.now());
      return answer(read, state, this.#services);
    });
    if (reply.body !== undefined && !operation?.isAnswerSecret) noted.answer = reply.body;
    this.#log.grown(noted, sendReply(response, reply));
  }
}

/** The data file cannot be used. */
export class DataFileError extends Error {}

async function openDatabase(file: string): Promise<Database> {
  const { Database } = await import('./database.ts');
  try {
    return new Database(file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataFileError(`cannot use ${file}: ${reason}`, { cause });
  }
}
