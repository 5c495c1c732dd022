import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import type { CloudClient, CloudClientOptions } from '../../src/cloud/client.ts';
import { contract, type OperationId, operations } from '../../src/cloud/contract/index.ts';
import * as errors from '../../src/cloud/errors.ts';
import { body, TestServer } from '../support/cloud-server.ts';
import { delServer, SENT_METHOD } from './del-server.ts';
import { answering, apiKey, credentials, overEach, TestedClient, username } from './exchange.ts';

// no delays between attempts
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

const optionsFor = (port: number, more: Partial<CloudClientOptions> = {}): CloudClientOptions => ({
  ...{ baseUrl: `http://127.0.0.1:${port}/v1`, username, apiKey },
  ...more,
});

/** Uses a client of a server that answers so; returns what came of it, and the requests. */
async function using<T>(
  answer: RequestListener,
  use: (client: CloudClient) => Promise<T>,
  options: Partial<CloudClientOptions> = {},
) {
  await using server = await TestServer.listen(answer, delServer());
  const client = new TestedClient({ ...optionsFor(server.port), retryForMs: 0, ...options });
  const outcome = await use(client).catch((error: unknown) => error);
  client.close();
  const received = server.received.map((each) => ({
    ...each,
    method: each.headers[SENT_METHOD] ?? each.method,
  }));
  return { outcome, received, port: server.port };
}

const json = (value: unknown, status = 200) => answering(status, JSON.stringify(value));

/** A plausible answer for each operation that has one. */
const answers: Partial<Record<OperationId, unknown>> = {
  'apps.list': [{ id: 1, name: 'Shop', tier: 'gold' }],
  'apps.get': { id: 1, versions: [{ id: 7, state: 'OK', version: '1.0' }], assignedTeams: [{ teamId: 3 }] },
  'apps.uploadUrl': { appPath: 'a/b.apk', url: 'https://storage.example/a' },
  'apps.create': { appId: null, versionId: 7 },
  'apps.delete': { deleted: 1, failed: 1, result: [{ message: 'not found', appIds: [13] }] },
  'versions.get': { id: 7, state: 'OK' },
  'dataSets.list': [{ id: 8, name: 'cities', assignedDevice: null }],
  'dataSets.createByCommand': { message: 'created', data: { id: 8 } },
  'dataSets.createByElement': { message: 'created', data: { id: 8 }, error: 'one', errors: ['two'] },
  'dataSets.updateByCommand': { message: 'done', data: { successfulActions: [], failedActions: [] } },
  'dataSets.updateByElement': {
    message: 'done',
    data: { successfulActions: [{ id: 1 }], failedActions: [] },
  },
  'devices.list': { privateDevices: [{ id: 1, udid: 'A' }], favoriteDevices: [], cloudDevices: [] },
  'devices.report': { failedDevices: [{ udid: 'A', message: 'no' }] },
  'devices.get': { id: 1, udid: 'A', lab: 'Pune' },
  'devices.status': { isBooked: false, isOnline: true },
  'gestures.list': [{ id: 9, name: 'swipe', command: 'down' }],
  'groups.list': [{ id: 4, organizationId: 2, name: 'QA', description: '' }],
  'v2.terminateReservations': { failed: ['A'] },
  'v2.getApp': { versions: [], latest_version: { id: 7 } },
};

describe.each(operations.map((operation) => [operation.id, operation] as const))(
  'client, %s',
  (id, operation) => {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(operation.example[name]));
    const answer = answers[id as OperationId];

    it('sends one authenticated request as the contract says, and returns the whole answer', async () => {
      const { outcome, received } = await using(json(answer ?? 'ignored'), (client) =>
        client.request(id as 'devices.list', operation.example),
      );
      expect(outcome).toEqual(answer);
      expect(received).toHaveLength(1);
      const [{ method, url = '', headers, body: sent = '' } = {}] = received;
      expect(method).toBe(operation.method);
      expect(url.split('?')[0]).toBe(`/${operation.api}${path}`);
      expect(headers).toMatchObject({ authorization: `Basic ${credentials}`, accept: 'application/json' });
      const inBody = Object.keys(operation.body?.shape ?? {});
      const expected = Object.fromEntries(
        Object.entries(operation.example).filter(([name]) => inBody.includes(name)),
      );
      expect(sent === '' ? undefined : JSON.parse(sent)).toEqual(operation.body && expected);
      expect(headers?.['content-type']).toBe(operation.body && 'application/json');
    });

    it('is a method of its own', async () => {
      const [resource = '', verb = ''] = id.split('.');
      const call = async (client: CloudClient) => {
        const methods = client[resource as 'apps'] as unknown as Record<
          string,
          (input: object) => Promise<unknown>
        >;
        return methods[verb]?.(operation.example);
      };
      const { outcome, received } = await using(json(answer ?? 'ignored'), call);
      expect(outcome).toEqual(answer);
      expect(received).toHaveLength(1);
    });

    it('is repeated while the cloud is unavailable if it may be, else never', async () => {
      let count = 0;
      const flaky: RequestListener = (request, response) => {
        count += 1;
        if (count < 3) response.writeHead(503, { 'retry-after': '0' }).end();
        else json(answer ?? '')(request, response);
      };
      const retries: number[] = [];
      const { outcome, received } = await using(
        flaky,
        (client) => client.request(id as 'devices.list', operation.example),
        { retryForMs: 60_000, onRetry: ({ attempt }) => retries.push(attempt) },
      );
      expect(received).toHaveLength(operation.isIdempotent ? 3 : 1);
      expect(retries).toEqual(operation.isIdempotent ? [1, 2] : []);
      if (operation.isIdempotent) expect(outcome).toEqual(answer);
      else expect(outcome).toMatchObject({ code: 'CLOUD_UNAVAILABLE', status: 503, operation: id });
    });
  },
);

overEach(() => {
  describe('the client', () => {
    it('has the resources of the contract, and types that follow from it', () => {
      const client = new TestedClient(optionsFor(1));
      for (const [resource, verbs] of Object.entries(contract))
        expect(Object.keys(client[resource as 'apps']).filter((name) => name !== 'waitForVersion')).toEqual(
          Object.keys(verbs),
        );
      expectTypeOf(client.apps.list).returns.resolves.items.toHaveProperty('id').toEqualTypeOf<number>();
      expectTypeOf(client.versions.assignTag)
        .parameter(0)
        .toEqualTypeOf<{ versionId: number; name: string }>();
      expectTypeOf(client.versions.assignTag).returns.resolves.toEqualTypeOf<undefined>();
      // @ts-expect-error: an id is required
      const wrong = () => client.apps.get();
      // @ts-expect-error: no such input
      const unknown = () => client.apps.list({ page: 2 });
      expect([wrong, unknown]).toHaveLength(2);
      client.close();
    });

    it('makes a list of a single gesture', async () => {
      const only = { id: 9, name: 'swipe', command: 'down' };
      expect((await using(json(only), (client) => client.gestures.list())).outcome).toEqual([only]);
    });

    it('encodes what goes into the path, and joins lists with commas', async () => {
      const tag = await using(answering(200), (client) =>
        client.versions.assignTag({ versionId: 7, name: 'a/b?c#é' }),
      );
      expect(tag.received[0]?.url).toBe('/v1/app/versions/7/tag/a%2Fb%3Fc%23%C3%A9');
      const list = await using(answering(500), (client) =>
        client.devices.list({ deviceName: ['Pixel 8', 'A&B'], isBooked: false }),
      );
      expect(list.received[0]?.url).toBe('/v1/devices?isBooked=false&deviceName=Pixel+8%2CA%26B');
    });

    it('counts any 2xx as a success, and ignores a body where only the status counts', async () => {
      const page = answering(204);
      expect((await using(page, (client) => client.apps.makePublic({ appId: 1 }))).outcome).toBeUndefined();
      const created = json({ appId: 1, versionId: 2 }, 201);
      expect((await using(created, (client) => client.apps.create({ appPath: 'a' }))).outcome).toMatchObject({
        versionId: 2,
      });
    });

    it('sends DELETE for DEL only if told so', async () => {
      const untag = (client: CloudClient) => client.versions.unassignTag({ versionId: 7, name: 'nightly' });
      expect((await using(answering(200), untag)).received[0]?.method).toBe('DEL');
      expect((await using(answering(200), untag, { untagMethod: 'DELETE' })).received[0]?.method).toBe(
        'DELETE',
      );
      const { outcome } = await using((request) => request.socket.end('HTTP/1.1 405 Nope\r\n\r\n'), untag);
      expect(outcome).toMatchObject({ message: expect.stringContaining('set untagMethod to DELETE') });
    });

    it('finds v2 beside v1, or where it is told', async () => {
      const read = (client: CloudClient) => client.v2.getApp({ appId: 12 });
      expect((await using(json({}), read)).received[0]?.url).toBe('/v2/apps/12');
      await using server2 = await TestServer.listen(json({ latest_version: { id: 1 } }));
      const v2BaseUrl = `http://127.0.0.1:${server2.port}/api/v2/`;
      expect((await using(json({}), read, { v2BaseUrl })).outcome).toEqual({ latest_version: { id: 1 } });
      expect(server2.received[0]?.url).toBe('/api/v2/apps/12');
      const client = new TestedClient({ ...optionsFor(9), baseUrl: 'http://127.0.0.1:9/api' });
      await expect(read(client)).rejects.toMatchObject({
        code: 'CLOUD_ARGUMENT_INVALID',
        message: /set v2BaseUrl/,
      });
    });

    it('sends a body of the caller where the API shows it in part, and nowhere else', async () => {
      const own = { userEmail: 'asha@example.com' };
      const { received } = await using(answering(200), (client) =>
        client.v2.createMember({} as never, { body: own }),
      );
      expect(JSON.parse(received[0]?.body ?? '')).toEqual(own);
      const shown = new TestedClient(optionsFor(9)).preview('v2.createMember', {} as never, {
        body: { users: [{ passwords: ['hunter2'] }] },
      });
      expect(shown.body).toBe('{"users":[{"passwords":["[redacted]"]}]}');
      const endless: Record<string, unknown> = {};
      endless.self = endless;
      for (const wrong of [endless, 'text', [1]]) {
        const { outcome } = await using(answering(200), (client) =>
          client.v2.createMember({} as never, { body: wrong as never }),
        );
        expect(outcome).toMatchObject({ message: expect.stringContaining('must be an object that JSON') });
      }
      const refused = await using(answering(200), (client) => client.apps.delete({} as never, { body: own }));
      expect(refused.outcome).toMatchObject({ code: 'CLOUD_ARGUMENT_INVALID' });
      expect(refused.received).toEqual([]);
    });

    it('sends what was checked, whatever the caller does with the input meanwhile', async () => {
      let count = 0;
      const appIds = [1, 2];
      const { received } = await using(
        (_, response) => {
          appIds.length = 0;
          count += 1;
          if (count === 1) response.writeHead(503, { 'retry-after': '0' }).end();
          else response.end('{"deleted":2,"failed":0}');
        },
        (client) => client.apps.delete({ appIds }),
        { retryForMs: 60_000 },
      );
      expect(received.map(({ body: sent }) => sent)).toEqual(['{"appIds":[1,2]}', '{"appIds":[1,2]}']);
    });

    it('answers a call that runs when it is closed, by the same request', async () => {
      let close = () => {};
      const { outcome, received } = await using(
        (_, response) => {
          close();
          response.end('[]');
        },
        (client) => {
          close = () => client.close();
          return client.apps.list();
        },
        { retryForMs: 60_000 },
      );
      expect(outcome).toEqual([]);
      expect(received).toHaveLength(1);
    });

    it('ends a call with the reason of its signal, also between two attempts', async () => {
      const stopping = new AbortController();
      const { outcome, received } = await using(
        answering(503),
        (client) => client.apps.list({}, { signal: stopping.signal }),
        { retryForMs: 60_000, onRetry: () => stopping.abort(new Error('enough')) },
      );
      expect(outcome).toMatchObject({ message: 'enough' });
      expect(received).toHaveLength(1);
    });

    it('sends no POST again, not even over a connection that was closed while it was idle, or by a redirect', async () => {
      const cut = await using(
        (request, response) => {
          if (request.method === 'POST') request.socket.destroy();
          else response.end('[]');
        },
        async (client) => {
          await client.apps.list();
          await client.gestures.save({ name: 'a', command: 'b' });
        },
      );
      expect(cut.received.map(({ method }) => method)).toEqual(['GET', 'POST']);
      expect(cut.outcome).toMatchObject({ code: 'CLOUD_UNAVAILABLE', operation: 'gestures.save' });
      const redirected = await using(answering(307, '', { location: '/v1/other' }), (client) =>
        client.gestures.save({ name: 'a', command: 'b' }),
      );
      expect(redirected.received).toHaveLength(1);
      expect(redirected.outcome).toMatchObject({ code: 'CLOUD_REDIRECTED' });
    });

    it('takes the path of a request of its own below v1, with and without that', async () => {
      for (const path of ['/v1?a=1', '/?a=1', '/v1/?a=1'])
        expect((await using(json([]), (client) => client.raw('GET', path))).received[0]?.url).toBe(
          '/v1/?a=1',
        );
    });

    it('gives no part of an answer to a request of its own for the whole', async () => {
      const long = answering(200, 'x'.repeat(1024 * 1024 + 1));
      expect((await using(long, (client) => client.raw('POST', '/v1/other'))).outcome).toMatchObject({
        code: 'CLOUD_ANSWER_INVALID',
        message: expect.stringMatching(/\/v1\/other: 200, the answer is over 1 MiB$/),
      });
    });

    it('shows what it would send, without secrets', () => {
      const client = new TestedClient({ ...optionsFor(1), baseUrl: 'https://cloud.example/v1' });
      expect(client.preview('apps.delete', { appIds: [1, 2] })).toEqual({
        method: 'DELETE',
        url: 'https://cloud.example/v1/apps',
        body: '{"appIds":[1,2]}',
      });
      const user = { email: 'a@b.c', username: 'asha', password: 'hunter2 again' };
      expect(client.preview('v2.createMember', user).body).toBe(
        '{"email":"a@b.c","username":"asha","password":"[redacted]"}',
      );
      client.close();
    });

    it.each([
      [{ baseUrl: 'cloud' }, /baseUrl: must be an https:\/\/ address/],
      [{ baseUrl: 'http://cloud.example/v1' }, /allowInsecure/],
      [{ baseUrl: 'https://u:hunter2@cloud.example/v1' }, /without user and password/],
      [{ username: 'a:b' }, /username/],
      [{ apiKey: '' }, /apiKey/],
      [{ storageVendor: 'a b' }, /storageVendor/],
      [{ v2BaseUrl: 'https://cloud.example/v2' }, /v2BaseUrl/],
      [{ v2BaseUrl: 'http://cloud.example/v2' }, /v2BaseUrl: must be https/],
      [{ v2BaseUrl: 'http://u:hunter2@127.0.0.1/v2' }, /v2BaseUrl: must be an address without user/],
      [{ v2BaseUrl: 'http://127.0.0.1/v2?team=1' }, /v2BaseUrl: must be an address without query/],
      [{ apiKey: undefined as never }, /apiKey: must be one line/],
      [{ username: undefined as never }, /username: must be text/],
      [{ userAgent: 'a\r\nx-evil: 1' }, /userAgent/],
      [{ untagMethod: 'REMOVE' as never }, /untagMethod: must be DEL or DELETE/],
      [{ requestTimeoutMs: Number.POSITIVE_INFINITY }, /requestTimeoutMs: must be a number of ms/],
      [{ ca: 'ca.pem' }, /ca: must be PEM text/],
      [{ connectTimeoutMs: -1 }, /connectTimeoutMs/],
      [{ retryForMs: Number.NaN }, /retryForMs/],
    ])('rejects options that are wrong: %j', (options, message) => {
      const make = () => new TestedClient({ ...optionsFor(1), ...options });
      expect(make).toThrow(ConfigError);
      expect(make).toThrow(message);
      expect(make).not.toThrow(/hunter2/);
    });
  });

  describe('an error of the client', () => {
    it.each([
      [400, errors.CloudRefusedError, 'ask the cloud’s administrator why'],
      [401, errors.CloudUnauthorizedError, 'check the user name and the API key'],
      [403, errors.CloudForbiddenError, 'check that this account may show an app'],
      [404, errors.CloudNotFoundError, 'check the id: the cloud has nothing with it'],
      [409, errors.CloudConflictError, 'ask the cloud’s administrator why'],
      [
        413,
        errors.CloudTooLargeError,
        'ask the cloud’s administrator to allow larger bodies: the request is too large',
      ],
      [429, errors.CloudRateLimitedError, 'wait, the cloud cannot answer now'],
      [500, errors.CloudServerError, 'wait, the cloud cannot answer now'],
    ])('for %i has a class and words of its own', async (status, errorClass, words) => {
      const answer = answering(status, '{"message":"so it is"}', { 'retry-after': '3' });
      const { outcome, port } = await using(answer, (client) => client.apps.get({ appId: 12 }));
      expect(outcome).toBeInstanceOf(errorClass);
      expect(outcome).toMatchObject({
        name: errorClass.name,
        operation: 'apps.get',
        request: `GET http://127.0.0.1:${port}/v1/apps/12`,
        ...{ status, excerpt: 'so it is', retryAfterMs: 3_000 },
        message: expect.stringContaining(`("so it is"); ${words}`),
      });
    });

    it('quotes the condition that the API documents, and the role that it needs', async () => {
      const tag = await using(answering(400), (client) =>
        client.versions.assignTag({ versionId: 7, name: 'a' }),
      );
      expect(tag.outcome).toMatchObject({
        message: expect.stringContaining('is not unique in the organization'),
      });
      const member = await using(answering(403), (client) =>
        client.organization.deactivateMember({ email: 'a@b.c' }),
      );
      expect(member.outcome).toMatchObject({
        message: expect.stringContaining('may deactivate a member: it needs the organization admin role'),
      });
    });

    it('holds neither the key nor a password nor an identifier that the cloud echoes', async () => {
      const password = 'correct horse';
      const echo = [apiKey, credentials, password, encodeURIComponent(password)].join(' ');
      const { outcome } = await using(answering(400, JSON.stringify({ message: echo })), (client) =>
        client.organization.createMember({ email: 'a@b.c', password }),
      );
      const shown = inspect(outcome, { depth: 10, showHidden: true });
      expect(shown).toContain('[redacted]');
      for (const secret of [apiKey, credentials, password]) expect(shown).not.toContain(secret);
      const report = await using(answering(400, '{"message":"IMEI001017003000018x"}'), (client) =>
        client.devices.report({ ...body, machine: { ...body.machine, hostname: '001017003000018' } }),
      );
      expect(inspect(report.outcome)).toContain('IMEI[number]x');
      expect(inspect(report.outcome)).not.toContain('001017003000018');
    });

    it('never quotes an answer with an upload URL in it', async () => {
      const { outcome } = await using(json({ url: 'https://s.example/?X-S-Signature=abcdef' }), (client) =>
        client.apps.uploadUrl({ filename: 'a.apk' }),
      );
      expect(outcome).toMatchObject({ code: 'CLOUD_ANSWER_INVALID' });
      expect(inspect(outcome)).not.toMatch(/abcdef|s\.example/);
    });

    it('says that an answer is too large, or is not of this API', async () => {
      const page = await using(answering(200, '<html>hotel'), (client) => client.apps.list());
      expect(page.outcome).toMatchObject({ code: 'CLOUD_ANSWER_INVALID', operation: 'apps.list' });
      const list = JSON.stringify(Array.from({ length: 30_000 }, (_, id) => ({ id, name: 'x'.repeat(40) })));
      expect((await using(answering(200, list), (client) => client.apps.list())).outcome).toHaveLength(
        30_000,
      );
    });
  });

  describe('the options of one call', () => {
    it('limit its time, and how long it is repeated', async () => {
      await using server = await TestServer.listen((_, response) => response.writeHead(503).end());
      const client = new TestedClient(optionsFor(server.port, { retryForMs: 60_000 }));
      await expect(client.apps.list({}, { retryForMs: 0 })).rejects.toMatchObject({ status: 503 });
      expect(server.received).toHaveLength(1);
      await using silent = await TestServer.listen(() => {});
      const waiting = new TestedClient(optionsFor(silent.port, { retryForMs: 0 }));
      await expect(waiting.apps.list({}, { timeoutMs: 20 })).rejects.toThrow('no answer within 0.02 s');
      for (const timeoutMs of [-1, 2 ** 31])
        await expect(waiting.apps.list({}, { timeoutMs })).rejects.toThrow(
          'timeoutMs: must be a number of ms',
        );
      await expect(waiting.apps.list({}, { retryForMs: -0.5 })).rejects.toThrow(
        'retryForMs: must be a number of ms',
      );
      client.close();
      waiting.close();
    });
  });

  describe('the hooks', () => {
    it('see each request and each answer, and may add headers', async () => {
      await using server = await TestServer.listen((_, response) => response.end('[]'));
      const seen: unknown[] = [];
      const client = new TestedClient(
        optionsFor(server.port, {
          onRequest: ({ operation, method, headers }) => {
            headers['x-trace'] = '7';
            seen.push([operation, method]);
          },
          onAnswer: ({ status, url, durationMs }) => {
            seen.push([status, new URL(url).pathname, durationMs > 0]);
          },
        }),
      );
      await client.apps.list();
      expect(seen).toEqual([
        ['apps.list', 'GET'],
        [200, '/v1/apps', true],
      ]);
      expect(server.received[0]?.headers['x-trace']).toBe('7');
      client.close();
    });
  });

  describe('an error of the cloud', () => {
    it('has the headers and the value of the body, without our key', async () => {
      await using server = await TestServer.listen((_, response) =>
        response
          .writeHead(409, { 'x-id': '7' })
          .end(JSON.stringify({ message: 'taken', code: 17, key: credentials })),
      );
      const client = new TestedClient(optionsFor(server.port));
      const error = await client.apps.list().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'CLOUD_CONFLICT',
        headers: { 'x-id': '7' },
        body: { message: 'taken', code: 17, key: '[redacted]' },
      });
      client.close();
    });
  });

  describe('apps.waitForVersion', () => {
    const states = (...each: string[]): RequestListener => {
      const left = [...each];
      return (_, response) =>
        response.end(JSON.stringify({ id: 7, state: left.length > 1 ? left.shift() : left[0] }));
    };
    const wait = (answer: RequestListener, options: object) =>
      using(answer, ({ apps }) => apps.waitForVersion(7, { everyMs: 1, ...options }));

    it('asks until the version is parsed', async () => {
      const { outcome, received } = await wait(states('PARSING', 'PARSING', 'OK'), {});
      expect(outcome).toMatchObject({ id: 7, state: 'OK' });
      expect(received.map(({ url }) => url)).toEqual(Array(3).fill('/v1/app/versions/7'));
    });

    it.each([
      [['PARSING', 'FAILED'], {}, 'FAILED'],
      [['PARSING'], { forMs: 0 }, 'PARSING'],
    ])('says of %j which state it has', async (each, options, state) => {
      const { outcome } = await wait(states(...each), options);
      expect(outcome).toBeInstanceOf(errors.CloudVersionError);
      expect(outcome).toMatchObject({
        ...{ versionId: 7, state, message: `version 7: the cloud has it in the state ${state}` },
      });
    });

    it('ends with its signal', async () => {
      const { outcome } = await wait(states('PARSING'), { signal: AbortSignal.abort(new Error('enough')) });
      expect(outcome).toMatchObject({ message: 'enough' });
    });
  });

  describe('a list with odd entries', () => {
    it('has them as they are, and is refused where they are no objects or too many', async () => {
      let answer = '[{"id":"x"},{"id":9007199254740993},{"id":1}]';
      await using server = await TestServer.listen((_, response) => response.end(answer));
      const client = new TestedClient(optionsFor(server.port));
      expect(await client.apps.list()).toEqual([{ id: 'x' }, { id: '9007199254740993' }, { id: 1 }]);
      for (const other of [
        '[7]',
        JSON.stringify(Array.from({ length: 10_001 }, () => ({}))),
        '[{"id":1},[]]',
      ]) {
        answer = other;
        await expect(client.apps.list()).rejects.toMatchObject({ code: 'CLOUD_ANSWER_INVALID' });
      }
      client.close();
    });
  });
});
