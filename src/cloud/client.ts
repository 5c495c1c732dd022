/** The client of the whole API, for scripts and the command line: `import { CloudClient } from 'hostnode/cloud'`. */
import { ConfigError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { LONGEST_TIMER_MS, sleep } from '../base/time.ts';
import { CloudConnection, type ConnectionOptions } from './connection.ts';
import { type Contract, contract, operationOf } from './contract/index.ts';
import { type Operation, operation } from './contract/operation.ts';
import { CloudArgumentError, CloudVersionError } from './errors.ts';
import type { Engine } from './http.ts';
import { type CallOptions, type PreparedRequest, type PrepareOptions, prepare } from './request.ts';
import type { Calls, Resources } from './resources.ts';
import { type Retry, withRetry } from './retry.ts';
import { checkRoot } from './roots.ts';
import { type AppFile, type UploaderOptions, type UploadOptions, upload } from './upload.ts';

export interface CloudClientOptions extends Omit<ConnectionOptions, 'engine'> {
  /** Allow a plain http:// address of another host. The API key then crosses the network unencrypted. */
  allowInsecure?: boolean;
  /** The vendor's part of the object storage's headers, `x-<vendor>-tagging`, if the upload URL does not show it. */
  storageVendor?: string;
  /**
   * For how long to repeat a request while the cloud is unavailable, ms; 0 never repeats. Requests that are not
   * idempotent are sent once. Default 20 s.
   */
  retryForMs?: number;
  /** Called before each further attempt. */
  onRetry?: (retry: Retry) => void;
}

/** What a request would be: nothing was sent. */
export interface Preview {
  readonly method: string;
  readonly url: string;
  /** JSON, without secrets and identifiers. */
  readonly body?: string;
}

export interface VersionWait {
  /** Ends the wait, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For how long to wait, ms. Default 10 minutes. */
  forMs?: number | undefined;
  /** The time between two requests, ms. Default 2 s. */
  everyMs?: number | undefined;
}

/** What `client.apps` has besides its operations. */
export interface VersionWaiting {
  /**
   * Waits until the cloud has parsed this version: `const { versionId } = await client.uploadApp(…)`.
   *
   * @returns the version, whose state is OK
   * @throws {CloudVersionError} its state says that it failed, or it is not OK in time
   * @throws {CloudError} a request failed; or the signal's reason
   */
  waitForVersion(versionId: number, options?: VersionWait): ReturnType<Calls['versions.get']>;
}

const RETRY_FOR_MS = 20_000;

/** The client over any engine; the one that scripts import is over Node's own. */
export class CloudClient implements Resources {
  readonly apps: Resources['apps'] & VersionWaiting = {
    ...this.#resource('apps'),
    waitForVersion: (versionId, options) => waitForVersion(this, versionId, options),
  };
  readonly versions: Resources['versions'] = this.#resource('versions');
  readonly organization: Resources['organization'] = this.#resource('organization');
  readonly dataSets: Resources['dataSets'] = this.#resource('dataSets');
  readonly devices: Resources['devices'] = this.#resource('devices');
  readonly gestures: Resources['gestures'] = this.#resource('gestures');
  readonly groups: Resources['groups'] = this.#resource('groups');
  readonly v2: Resources['v2'] = this.#resource('v2');

  readonly #connection: CloudConnection;
  readonly #options: UploaderOptions;

  /** @throws {ConfigError} an option is wrong */
  constructor(options: CloudClientOptions, engine: Engine) {
    const baseUrl = checkedOptions(options);
    const { allowInsecure, storageVendor, retryForMs = RETRY_FOR_MS, onRetry, ...connection } = options;
    const own = { ...connection, engine, baseUrl };
    this.#connection = new CloudConnection(own);
    this.#options = { ...own, storageVendor, retryForMs, onRetry };
  }

  /**
   * Calls the operation with this id: `client.request('apps.get', { appId: 12 })` is `client.apps.get({ appId: 12 })`.
   *
   * @throws {CloudArgumentError} an input is wrong; nothing was sent
   * @throws {CloudError}, or the signal's reason
   */
  async request<Id extends keyof Calls>(
    id: Id,
    ...args: Parameters<Calls[Id]>
  ): Promise<Awaited<ReturnType<Calls[Id]>>> {
    const [input, options = {}] = args as [object?, CallOptions?];
    const { body, signal, timeoutMs, retryForMs = this.#options.retryForMs } = options;
    const refuse = (name: string) => new CloudArgumentError(id, [`${name}: must be a number of ms`]);
    if (timeoutMs !== undefined && !isTimeLimit(timeoutMs)) throw refuse('timeoutMs');
    if (!isDuration(retryForMs)) throw refuse('retryForMs');
    const request = this.#prepare(id, input, { body });
    const send = () => this.#connection.send(request, { signal, timeoutMs });
    const answer = request.operation.isIdempotent
      ? withRetry(send, { signal, forMs: retryForMs, onRetry: this.#options.onRetry })
      : send();
    return (await answer) as Awaited<ReturnType<Calls[Id]>>;
  }

  /**
   * Sends a request that the contract does not have, once.
   *
   * @param path below the root of v1; with a version of its own, below that: `/v2/apps/12`
   * @returns the text of the answer
   * @throws {CloudError} the status is no success, or there is no answer; or the signal's reason
   */
  async raw(
    method: string,
    path: string,
    { body, ...options }: Pick<CallOptions, 'body' | 'signal' | 'timeoutMs'> = {},
  ): Promise<string> {
    const { pathname, searchParams: query } = new URL(path.replace(/^\/v1(?=[/?]|$)/, ''), 'http://cloud');
    const own = operation('api', `${method as 'GET'} ${pathname as '/'}`, { summary: `${method} ${path}` });
    const request = { ...prepare(own, {}), query, ...(body && { body }) };
    return (await this.#connection.sendRaw(request, options)).text;
  }

  /**
   * What `request` would send, for people to read.
   *
   * @throws {CloudArgumentError} an input is wrong
   */
  preview<Id extends keyof Calls>(id: Id, ...args: Parameters<Calls[Id]>): Preview {
    const [input, options = {}] = args as [object?, CallOptions?];
    const request = this.#prepare(id, input, options);
    const { method, url } = this.#connection.addressOf(request);
    const { body, hide } = request;
    return { method, url: url.href, ...(body && { body: hide(JSON.stringify(body)) }) };
  }

  /**
   * Uploads the file of an app, and registers it as a new app, or as a new version of `appId`. The file is streamed.
   *
   * @param file its path, or what is in it; a stream needs `sizeBytes`, and is sent once
   * @throws {CloudArgumentError} the file or an option is wrong; nothing was sent
   * @throws {CloudUploadError} a step failed, or the signal ended it: `step` says which, `leftBehind` what is left
   */
  uploadApp(file: AppFile, options: UploadOptions = {}): ReturnType<Calls['apps.create']> {
    return upload(this, file, options, this.#options);
  }

  /** Closes the idle connections. Those of running calls close with their answers. */
  close(): void {
    this.#connection.close();
  }

  #prepare(id: string, input: object = {}, options: PrepareOptions = {}): PreparedRequest {
    const operation = operationOf(id);
    if (operation === undefined) throw new CloudArgumentError(id, ['there is no such operation']);
    return prepare(operation, input as Record<string, unknown>, options);
  }

  #resource<Name extends keyof Contract>(name: Name): Resources[Name] {
    const calls = Object.entries<Operation>(contract[name]).map(([verb, { id }]) => [
      verb,
      (...args: unknown[]) => this.request(id as keyof Calls, ...(args as [])),
    ]);
    return Object.fromEntries(calls);
  }
}

/** Nothing tells that the cloud has parsed a version, so it is asked again and again. */
async function waitForVersion(
  { versions }: Pick<Resources, 'versions'>,
  versionId: number,
  { signal, forMs = 600_000, everyMs = 2_000 }: VersionWait = {},
): ReturnType<Calls['versions.get']> {
  for (const endAt = performance.now() + forMs; ; await sleep(everyMs, signal)) {
    const found = await versions.get({ versionId }, { signal });
    const state = printable(found.state ?? 'unknown', 100);
    if (state === 'OK') return found;
    // other states are not known: one that says that it failed ends the wait
    if (/fail|error|invalid/i.test(state) || performance.now() > endAt)
      throw new CloudVersionError(versionId, state);
  }
}

const isTimeLimit = (ms: unknown): boolean => typeof ms === 'number' && ms > 0 && ms <= LONGEST_TIMER_MS;
const isDuration = (ms: unknown): boolean => typeof ms === 'number' && ms >= 0;

/** @returns the base URL without a slash at its end */
function checkedOptions(options: CloudClientOptions): string {
  const { baseUrl, username, apiKey, allowInsecure, storageVendor, userAgent, untagMethod } = options;
  const root = checkRoot(baseUrl, {
    isInsecureAllowed: allowInsecure ?? false,
    insecure: 'https://, or allowInsecure: true',
    credentials: 'username and apiKey',
  });
  const problems: string[] = [];
  if ('mustBe' in root) problems.push(`baseUrl: must be ${root.mustBe}`);
  const demand = (name: keyof CloudClientOptions, isRight: boolean, mustBe: string) => {
    if (!isRight) problems.push(`${name}: must be ${mustBe}`);
  };
  const matches = (text: unknown, pattern: RegExp) => typeof text === 'string' && pattern.test(text);
  demand(
    'username',
    matches(username, /^[^:\p{Cc}]+$/u),
    'text without ":" (HTTP Basic authentication ends the name at a colon)',
  );
  demand('apiKey', matches(apiKey, /^\P{Cc}+$/u), 'one line of text');
  demand('storageVendor', matches(storageVendor ?? 'a', /^[A-Za-z\d]{1,40}$/), 'letters and digits');
  demand('userAgent', matches(userAgent ?? 'a', /^[ -~]+$/), 'one line of ASCII text');
  const begin = '-----BEGIN CERTIFICATE-----';
  demand('ca', options.ca?.includes?.(begin) ?? true, `PEM text with "${begin}"`);
  demand('untagMethod', ['DEL', 'DELETE'].includes(untagMethod ?? 'DEL'), 'DEL or DELETE');
  for (const name of ['connectTimeoutMs', 'requestTimeoutMs'] as const) {
    demand(name, isTimeLimit(options[name] ?? 1), `a number of ms from 1 to ${LONGEST_TIMER_MS}`);
  }
  const { retryForMs = 0 } = options;
  demand('retryForMs', isDuration(retryForMs), 'a number of ms from 0');
  if ('mustBe' in root || problems.length > 0) throw new ConfigError(problems);
  return root.url;
}
