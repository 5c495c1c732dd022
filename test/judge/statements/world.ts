/** What the statements are looked at with: a sandbox as a process, the built command, the client, the OpenAPI document. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { OperationId } from '../../../src/cloud/contract/index.ts';
import { CloudClient } from '../../../src/cloud/index.ts';
import type { SandboxInfo } from '../../../src/sandbox/sandbox.ts';
import { TestServer } from '../../support/cloud-server.ts';
import { cleanEnvironment, programFile } from '../../support/program.ts';
import { madeAnswers } from './made-answers.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
export type Json = any;

/** An answer of the sandbox. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly text: string;
}

export interface Asked {
  user?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const APK = new URL('../../fixtures/apk/hello.apk', import.meta.url);

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const hostnode = (words: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [programFile(), ...words],
      { env: cleanEnvironment(env), maxBuffer: 64 * 1024 ** 2 },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end();
  });

export class World implements AsyncDisposable {
  readonly info: SandboxInfo;
  /** The answers of the sandbox by operation, after something was put into it. */
  readonly samples: Record<string, Json> = {};
  readonly openApi: Json;
  readonly #program: ChildProcess;

  private constructor(info: SandboxInfo, openApi: Json, program: ChildProcess) {
    this.info = info;
    this.openApi = openApi;
    this.#program = program;
  }

  static async start(): Promise<World> {
    const program = spawn(process.execPath, [programFile(), 'sandbox', '--control', '--json'], {
      env: cleanEnvironment({}),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: program.stdout }), 'line');
    const { stdout } = await hostnode(['cloud', 'openapi', '--json']);
    const world = new World(JSON.parse(line), JSON.parse(stdout), program);
    await world.#furnish();
    return world;
  }

  /** A request to the sandbox; paths begin with the version. By default as `admin`. */
  async call(
    method: string,
    path: string,
    { user = 'admin', body, headers = {} }: Asked = {},
  ): Promise<Answer> {
    const key = this.info.users.find(({ username, email }) => [username, email].includes(user))?.apiKey;
    const response = await fetch(new URL(path, this.info.baseUrl), {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:${key ?? 'none'}`).toString('base64')}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let value: Json;
    try {
      value = JSON.parse(text);
    } catch {
      value = undefined;
    }
    return { status: response.status, body: value, text };
  }

  control = (method: string, name: string, body?: unknown): Promise<Answer> =>
    this.call(method, `/control/${name}`, { body });

  /** The built `hostnode cloud …`, for this sandbox. */
  command = (words: readonly string[], user = 'admin'): Promise<Ended> =>
    hostnode(['cloud', ...words], this.environment(user));

  environment = (user = 'admin') => ({
    HOSTNODE_CLOUD_BASE_URL: this.info.baseUrl,
    HOSTNODE_CLOUD_USERNAME: user,
    HOSTNODE_CLOUD_API_KEY: `${user}-key`,
    HOSTNODE_NEW_USER_PASSWORD: 'correct horse',
  });

  /** Uploads the package, and waits until the sandbox has read it. */
  async upload(
    filename: string,
    appId?: number,
    user = 'admin',
  ): Promise<{ versionId: number; answer: Answer }> {
    const { body: target } = await this.call('POST', '/v1/apps/uploadUrl', {
      user,
      body: { filename, appId },
    });
    await this.store(target.url);
    const answer = await this.call('POST', '/v1/apps', { user, body: { appPath: target.appPath } });
    await this.control('PUT', 'clock', { advanceSeconds: 60 });
    const { versionId } = answer.body;
    for (;;) {
      const { body } = await this.call('GET', `/v1/app/versions/${versionId}`, { user });
      if (body.state !== 'PARSING') return { versionId, answer };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** PUT to the storage, as the document says. */
  async store(url: string, headers: Record<string, string> = { 'x-amz-tagging': 'unsaved=true' }) {
    const type = { 'content-type': 'application/octet-stream' };
    const body = await readFile(APK);
    return (await fetch(url, { method: 'PUT', headers: { ...type, ...headers }, body })).status;
  }

  /** Begins anew: app 1 with version 1, tagged `stable`, data set 1, gesture 1, reservation 1, and an uploaded file. */
  async fresh(): Promise<{ appPath: string }> {
    await this.control('POST', 'reset');
    await this.upload('a.apk');
    await this.call('POST', '/v1/app/versions/1/tag/stable');
    await this.call('POST', '/v1/data-sets/by-command', { body: { exploringSessionId: 1 } });
    await this.call('POST', '/v1/gestures', { body: { name: 'tap', command: 'down 50% 50%; up' } });
    await this.control('POST', 'bookings', { udid: 'R5CT40TB77X' });
    const { body } = await this.call('POST', '/v1/apps/uploadUrl', { body: { filename: 'again.apk' } });
    await this.store(body.url);
    return body;
  }

  async #furnish(): Promise<void> {
    const { samples } = this;
    const keep = async (name: string, answer: Promise<Answer>) => {
      samples[name] = (await answer).body;
      return samples[name];
    };
    const target = await keep(
      'apps.uploadUrl',
      this.call('POST', '/v1/apps/uploadUrl', { body: { filename: 'a.apk' } }),
    );
    samples.stored = await this.store(target.url);
    await keep('apps.create', this.call('POST', '/v1/apps', { body: { appPath: target.appPath } }));
    await this.upload('b.apk', 1);
    await this.call('POST', '/v1/apps/1/team/assign', { body: { teamIds: this.info.teamIds.slice(0, 1) } });
    await keep('apps.get', this.call('GET', '/v1/apps/1', { user: 'member' }));
    await this.call('PUT', '/v1/apps/1/public', { user: 'member' });
    await keep('apps.list', this.call('GET', '/v1/apps'));
    await keep('versions.get', this.call('GET', '/v1/app/versions/1'));
    await keep('v2.getApp', this.call('GET', '/v2/apps/1?includeAllAppVersions=true'));
    const { body: other } = await this.upload('c.apk').then(() => this.call('GET', '/v1/apps'));
    await keep('apps.delete', this.call('DELETE', '/v1/apps', { body: { appIds: [other.at(-1).id, 4711] } }));
    const session = this.info.exploringSessionId;
    const byCommand = { exploringSessionId: session, dataSetActions: [{ commandId: 2, value: 'Pune' }] };
    await keep(
      'dataSets.createByCommand',
      this.call('POST', '/v1/data-sets/by-command', { body: byCommand }),
    );
    const element = { elementProperty: { 'resource-id': 'city' }, value: 'Austin' };
    const byElement = { exploringSessionId: session, dataSetActions: [element] };
    await keep(
      'dataSets.createByElement',
      this.call('POST', '/v1/data-sets/by-element', { body: byElement }),
    );
    const actions = [
      { commandId: 2, value: 'Berlin' },
      { commandId: 4, value: 'longer than the field takes' },
    ];
    const update = { body: { dataSetActions: actions } };
    await keep('dataSets.updateByCommand', this.call('PUT', '/v1/data-sets/1/actions/by-command', update));
    const elements = [
      element,
      { elementProperty: { 'resource-id': 'coupon' }, value: 'longer than the field' },
    ];
    await keep(
      'dataSets.updateByElement',
      this.call('PUT', '/v1/data-sets/1/actions/by-element', { body: { dataSetActions: elements } }),
    );
    await keep('dataSets.list', this.call('GET', `/v1/data-sets?exploringSessionId=${session}`));
    const machine = { hostname: 'judge' };
    const devices = [{ udid: 'JUDGE', status: 'PLUGGED', platformName: 'ANDROID' }, { udid: 'INCOMPLETE' }];
    const body = { nodeId: 'judge', machine, devices };
    await keep('devices.report', this.call('PUT', '/v1/devices', { body }));
    await this.call('POST', '/v1/devices/1/favorite');
    await keep('devices.list', this.call('GET', '/v1/devices'));
    await keep('devices.get', this.call('GET', '/v1/devices/9B281FFAZ00AB1'));
    await keep('devices.status', this.call('GET', '/v1/devices/1/status'));
    await this.call('POST', '/v1/gestures', { body: { name: 'swipe', command: 'down 50% 80%; up' } });
    await keep('gestures.list', this.call('GET', '/v1/gestures'));
    const groups = this.call('GET', `/v1/organizations/${this.info.organizationId}/groups/own`, {
      user: 'member',
    });
    await keep('groups.list', groups);
    await this.control('POST', 'bookings', { udid: 'R5CT40TB77X' });
    const terminated = { reservation_ids: [1], device_udids: ['9B281FFAZ00AB1'] };
    await keep(
      'v2.terminateReservations',
      this.call('DELETE', '/v2/reservations/terminate', { body: terminated }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#program, 'exit');
    this.#program.kill('SIGTERM');
    await ended;
  }
}

/**
 * What the client makes of an answer, and what it sent.
 *
 * @param answer a value, or text that is sent as it is
 */
export async function throughClient(id: OperationId, input: object, answer?: unknown) {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer ?? madeAnswers[id] ?? '');
  await using server = await TestServer.listen((_, response) => response.end(text));
  const client = new CloudClient({
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    username: 'lab',
    apiKey: 'k',
    untagMethod: 'DELETE',
    retryForMs: 0,
  });
  try {
    const received: Json = await client.request(id, input as never);
    const [request] = server.received;
    return { received, request, sent: request?.body ? (JSON.parse(request.body) as Json) : undefined };
  } finally {
    client.close();
  }
}
