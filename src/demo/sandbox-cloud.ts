import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { DevicesBody, type Machine } from '../cloud/contract/report.ts';
import { CloudFaults, misbehave } from './cloud-fault.ts';
import { Query, type StoredDevice, StoredDevices, viewDevice, viewStatus } from './sandbox-devices.ts';
import { invalid, okReply, parseJson, problem, type Reply, readBody, sendReply } from './sandbox-http.ts';

export interface SandboxOptions {
  username: string;
  apiKey: string;
  /** The user's second name. */
  email?: string;
  /** 0: any free port. */
  port?: number;
  basePath?: string;
  /** A longer body gets 413. */
  bodyLimitBytes?: number;
}

/** A received request, without its credentials. */
export interface SandboxRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The body, if it was JSON. */
  body?: unknown;
  status?: number;
  /** The answer, unless a fault produced it. */
  answer?: unknown;
}

const remembered = 1000;

/**
 * A device cloud on 127.0.0.1 that follows the API strictly: Basic authentication, a check of every body, and
 * storage of devices. `refuse` makes it reject a device, `faults` makes it misbehave.
 *
 * Emits `received` when a request has been read and `answered` when its answer has been sent.
 */
export class SandboxCloud extends EventEmitter<{ received: [SandboxRequest]; answered: [SandboxRequest] }> {
  readonly faults = new CloudFaults();
  /** The last requests, oldest first. */
  readonly requests: SandboxRequest[] = [];
  bodyLimitBytes: number;
  readonly #server: Server;
  readonly #basePath: string;
  #credentials: readonly string[];
  readonly #devices = new StoredDevices();
  readonly #machines = new Map<string, Machine>();

  private constructor({
    username,
    apiKey,
    email,
    basePath = '/v1',
    bodyLimitBytes = 16 * 1024 * 1024,
  }: SandboxOptions) {
    super();
    this.bodyLimitBytes = bodyLimitBytes;
    this.#basePath = basePath.replace(/(?<!\/)\/+$/, '');
    this.#credentials = credentialsOf(apiKey, username, email);
    this.#server = createServer((request, response) => {
      // a client that hangs up in the middle of its request gets no answer
      this.#handle(request, response).catch(() => response.destroy());
    });
  }

  static async start(options: SandboxOptions): Promise<SandboxCloud> {
    const cloud = new SandboxCloud(options);
    cloud.#server.listen(options.port ?? 0, '127.0.0.1');
    await once(cloud.#server, 'listening');
    return cloud;
  }

  /** The base address, e.g. `http://127.0.0.1:40123/v1`. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the sandbox cloud has stopped');
    return `http://127.0.0.1:${address.port}${this.#basePath}`;
  }

  /** The stored devices, in the order in which they were first reported. */
  devices(): StoredDevice[] {
    return this.#devices.all();
  }

  /** What a host last reported about itself. */
  machine(nodeId: string): Machine | undefined {
    return this.#machines.get(nodeId);
  }

  /** Rejects this device from now on, with this reason. */
  refuse(udid: string, message: string): void {
    this.#devices.refuse(udid, message);
  }

  accept(udid: string): void {
    this.#devices.refuse(udid, undefined);
  }

  /** Accepts only this user and key from now on. */
  letIn(username: string, apiKey: string): void {
    this.#credentials = credentialsOf(apiKey, username);
  }

  /** A user books a device, or returns it. */
  book(udid: string, isBooked = true): void {
    this.#devices.mark(udid, { isBooked });
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/' } = request;
    const noted: SandboxRequest = { method, path: url };
    if (this.requests.push(noted) > remembered) this.requests.shift();
    const text = await readBody(request, this.bodyLimitBytes);
    if (text) noted.body = parseJson(text);
    this.emit('received', noted);
    response.on('finish', () => {
      noted.status = response.statusCode;
      this.emit('answered', noted);
    });
    const fault = this.faults.take();
    if (fault !== undefined && (await misbehave(fault, response))) return;
    const reply = this.#reply(request, text);
    if (reply.body !== undefined) noted.answer = reply.body;
    sendReply(response, reply);
  }

  #reply(request: IncomingMessage, text: string | undefined): Reply {
    if (!this.#credentials.includes(request.headers.authorization ?? '')) {
      const headers = { 'www-authenticate': 'Basic realm="sandbox cloud", charset="UTF-8"' };
      return { ...problem(401, 'the user name or the API key is wrong'), headers };
    }
    if (text === undefined) {
      return {
        ...problem(413, `the body is longer than ${this.bodyLimitBytes} bytes`),
        headers: { connection: 'close' },
      };
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox');
    const segments = this.#segments(pathname);
    const route = segments.map((segment, index) => (index === 1 ? '*' : segment)).join('/');
    const methods = this.#methods(route, segments[1] ?? '', searchParams, () => this.#store(request, text));
    if (methods === undefined) return problem(404, `there is no ${pathname}`);
    const allow = Object.keys(methods).join(', ');
    const answer = methods[request.method ?? ''];
    return answer?.() ?? { ...problem(405, `${request.method} is not allowed here`), headers: { allow } };
  }

  /** The methods of a resource; undefined if it does not exist. */
  #methods(
    route: string,
    name: string,
    query: URLSearchParams,
    store: () => Reply,
  ): Record<string, () => Reply> | undefined {
    switch (route) {
      case 'devices':
        return { GET: () => this.#list(query), PUT: store };
      case 'devices/*':
        return { GET: () => this.#named(name, (stored) => okReply(viewDevice(stored))) };
      case 'devices/*/status':
        return { GET: () => this.#named(name, (stored) => okReply(viewStatus(stored))) };
      case 'devices/*/favorite':
        return {
          POST: () => this.#named(name, (stored) => this.#favor(stored, true)),
          DELETE: () => this.#named(name, (stored) => this.#favor(stored, false)),
        };
      default:
        return undefined;
    }
  }

  /** The parts of a path below the base path; empty if it is not below it, or not a valid address. */
  #segments(pathname: string): string[] {
    if (!pathname.startsWith(`${this.#basePath}/`)) return [];
    try {
      return pathname
        .slice(this.#basePath.length + 1)
        .split('/')
        .map(decodeURIComponent);
    } catch {
      return [];
    }
  }

  #list(searchParams: URLSearchParams): Reply {
    const query = Query.safeParse(Object.fromEntries(searchParams));
    return query.success ? okReply(this.#devices.list(query.data)) : invalid(query.error);
  }

  #store(request: IncomingMessage, text: string): Reply {
    if (text === '') return okReply({ failedDevices: [] });
    if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
      return problem(415, 'the body must be application/json');
    }
    const body = DevicesBody.safeParse(parseJson(text));
    if (!body.success) return invalid(body.error);
    const { nodeId, machine, devices = [] } = body.data;
    this.#machines.set(nodeId, machine);
    return okReply({ failedDevices: this.#devices.store(nodeId, devices) });
  }

  #favor(stored: StoredDevice, isFavorite: boolean): Reply {
    this.#devices.mark(stored.info.udid, { isFavorite });
    return { status: 200 };
  }

  /** Answers for the device with this udid, or with this number. */
  #named(name: string, answer: (stored: StoredDevice) => Reply): Reply {
    const stored = this.#devices.find(name);
    return stored === undefined ? problem(404, `there is no device ${name}`) : answer(stored);
  }
}

const credentialsOf = (apiKey: string, ...names: (string | undefined)[]): string[] =>
  names
    .filter((name) => name !== undefined)
    .map((name) => `Basic ${Buffer.from(`${name}:${apiKey}`).toString('base64')}`);
