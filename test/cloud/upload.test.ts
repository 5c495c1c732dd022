import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CloudClientOptions } from '../../src/cloud/client.ts';
import { CloudUploadError } from '../../src/cloud/errors.ts';
import type { AppFile, UploadOptions, UploadProgress } from '../../src/cloud/upload.ts';
import { TestServer } from '../support/cloud-server.ts';
import { apiKey, overEach, TestedClient, username } from './exchange.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostnode-upload-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

const contents = Buffer.alloc(3_000_001, 'shop');
const file = join(folder, 'shop.apk');
writeFileSync(file, contents);

/** More than the system takes on a connection that nobody reads. */
const large = join(folder, 'large.apk');
writeFileSync(large, '');
truncateSync(large, 32_000_000);

const SIGNATURE = 'c2VjcmV0c2lnbmF0dXJl';
const query = `X-Acme-SignedHeaders=host%3Bx-acme-tagging&X-Acme-Signature=${SIGNATURE}`;
const appPath = 'uploads/4711/shop.apk';

interface Sent {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  sha256: string;
}

/** Takes the whole body, then answers. */
const taking =
  (sent: Sent[], status = 200, text = ''): RequestListener =>
  async (request, response) => {
    const hash = createHash('sha256');
    try {
      for await (const chunk of request) hash.update(chunk);
    } catch {
      return; // the client has ended it
    }
    const { method, url, headers } = request;
    sent.push({ method, url, headers, sha256: hash.digest('hex') });
    response.writeHead(status).end(text);
  };

interface Setting extends UploadOptions {
  path?: AppFile;
  storage?: (sent: Sent[]) => RequestListener;
  query?: string;
  /** The pre-signed URL in place of the ordinary one. */
  target?: (port: number) => string;
  api?: (url: string) => { status: number; text?: string } | undefined;
  options?: Partial<CloudClientOptions>;
}

/** Uploads once, to a cloud and a storage of its own. */
async function upload({
  path = file,
  storage,
  target,
  api,
  options,
  query: ownQuery,
  ...rest
}: Setting = {}) {
  const sent: Sent[] = [];
  const store = createServer(storage?.(sent) ?? taking(sent)).listen(0, '127.0.0.1');
  await new Promise((resolve) => store.once('listening', resolve));
  const { port } = store.address() as AddressInfo;
  const url = target?.(port) ?? `http://127.0.0.1:${port}/bucket/${appPath}?${ownQuery ?? query}`;
  await using cloud = await TestServer.listen((request, response) => {
    const answer = api?.(request.url ?? '');
    if (answer) response.writeHead(answer.status).end(answer.text ?? '');
    else if (request.url === '/v1/apps/uploadUrl') response.end(JSON.stringify({ appPath, url }));
    else response.end('{"appId":null,"versionId":7}');
  });
  const baseUrl = `http://127.0.0.1:${cloud.port}/v1`;
  const client = new TestedClient({ baseUrl, username, apiKey, retryForMs: 0, ...options });
  const progress: UploadProgress[] = [];
  const onProgress = (each: UploadProgress) => {
    progress.push(each);
    rest.onProgress?.(each);
  };
  const outcome: unknown = await client
    .uploadApp(path, { ...rest, onProgress })
    .catch((error: unknown) => error);
  client.close();
  store.closeAllConnections();
  store.close();
  const steps = cloud.received.map(({ method, url: at, body }) => [method, at, JSON.parse(body || 'null')]);
  return { outcome, sent, steps, progress, url, port };
}

/** Nothing of the pre-signed URL but its origin is in there. */
function hidesUrl(value: unknown): void {
  const shown = inspect(value, { depth: 10, showHidden: true });
  expect(shown).not.toMatch(/Acme-Signature|c2VjcmV0|bucket/);
}

overEach(() => {
  describe('an upload', () => {
    it('takes three steps, and sends the file whole, with its length and tag, without credentials', async () => {
      const { outcome, sent, steps } = await upload({ appId: 12 });
      expect(outcome).toEqual({ appId: null, versionId: 7 });
      expect(steps).toEqual([
        ['POST', '/v1/apps/uploadUrl', { filename: 'shop.apk', appId: 12 }],
        ['POST', '/v1/apps', { appPath, filename: 'shop.apk' }],
      ]);
      expect(sent).toHaveLength(1);
      expect(sent[0]).toMatchObject({
        method: 'PUT',
        url: `/bucket/${appPath}?${query}`,
        sha256: createHash('sha256').update(contents).digest('hex'),
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(contents.length),
          'x-acme-tagging': 'unsaved=true',
        },
      });
      expect(sent[0]?.headers).not.toHaveProperty('authorization');
      expect(sent[0]?.headers).not.toHaveProperty('cookie');
      expect(sent[0]?.headers).not.toHaveProperty('transfer-encoding');
    });

    it.each<[string, AppFile, UploadOptions]>([
      ['a Buffer', contents, { filename: 'shop.apk' }],
      ['a Blob', new Blob([contents]), { filename: 'shop.apk' }],
      ['a File', new File([contents], 'shop.apk'), {}],
      [
        'a stream',
        Readable.from([contents.subarray(0, 9), contents.subarray(9)]),
        { filename: 'shop.apk', sizeBytes: contents.length },
      ],
    ])('takes %s', async (_, path, options) => {
      const { outcome, sent, steps } = await upload({ path, ...options });
      expect(outcome).toEqual({ appId: null, versionId: 7 });
      expect(steps[0]).toEqual(['POST', '/v1/apps/uploadUrl', { filename: 'shop.apk' }]);
      expect(sent[0]?.sha256).toBe(createHash('sha256').update(contents).digest('hex'));
    });

    it.each<[AppFile, UploadOptions, string]>([
      [contents, {}, 'filename is missing'],
      [Readable.from([contents]), { filename: 'a' }, 'sizeBytes is missing'],
      [Buffer.of(), { filename: 'a' }, 'file: is empty'],
      [
        7 as unknown as AppFile,
        { filename: 'a' },
        'must be the path of a file, a Blob, a Buffer or a stream',
      ],
    ])('%# says what is missing before anything is sent', async (path, options, problem) => {
      const { outcome, steps } = await upload({ path, ...options });
      expect(outcome).toMatchObject({
        code: 'CLOUD_ARGUMENT_INVALID',
        message: expect.stringContaining(problem),
      });
      expect(steps).toEqual([]);
    });

    it.each([-1, 1])(
      'ends with a stream of another size than it was said to have: %i bytes',
      async (more) => {
        const path = Readable.from([contents]);
        const { outcome } = await upload({ path, filename: 'a', sizeBytes: contents.length + more });
        expect(outcome).toMatchObject({
          step: 'transfer',
          message: expect.stringContaining('it was changed'),
        });
      },
    );

    it('says how far it is: steps in order, bytes that only grow', async () => {
      const { progress } = await upload();
      expect([...new Set(progress.map(({ step }) => step))]).toEqual(['target', 'transfer', 'register']);
      const bytes = progress.map(({ sentBytes }) => sentBytes);
      expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
      expect(bytes.at(-1)).toBe(contents.length);
      expect(progress.length).toBeGreaterThan(10);
      expect(progress.at(-1)).toMatchObject({ totalBytes: contents.length, appPath });
      hidesUrl(progress);
    });

    it.each<[string, Partial<CloudClientOptions>, string]>([
      ['X-Acme-SignedHeaders=host&X-Acme-Signature=abcdefgh', {}, 'x-acme-tagging'],
      ['X-Acme-SignedHeaders=host;x-other-tagging&X-Acme-Signature=abcdefgh', {}, 'x-other-tagging'],
      ['sig=abcdefgh', { storageVendor: 'Acme' }, 'x-acme-tagging'],
      ['X-Acme-Signature=abcdefgh', { storageVendor: 'mine' }, 'x-acme-tagging'],
    ])(
      'takes the name of the tagging header from the URL (%s), else from the option',
      async (own, options, name) => {
        const { sent } = await upload({ query: own, options });
        expect(sent[0]?.headers[name]).toBe('unsaved=true');
      },
    );

    it('sends the file again while the storage is unavailable', async () => {
      let count = 0;
      const onRetry = vi.fn();
      const { outcome, sent } = await upload({
        options: { retryForMs: 60_000, onRetry },
        storage: (all) => (request, response) => taking(all, ++count === 1 ? 503 : 200)(request, response),
      });
      expect(outcome).toMatchObject({ versionId: 7 });
      expect(onRetry).toHaveBeenCalledOnce();
      expect(sent.map(({ sha256 }) => sha256 === sent[0]?.sha256)).toEqual([true, true]);
    });
  });

  describe('an upload that fails', () => {
    it.each<[string, Setting, object]>([
      [
        'the cloud gives no URL',
        { api: () => ({ status: 403 }) },
        {
          step: 'target',
          status: 403,
          leftBehind: 'Nothing was uploaded or registered',
          operation: 'apps.uploadUrl',
        },
      ],
      [
        'the URL is no address',
        { target: () => 'bucket' },
        { step: 'target', message: expect.stringContaining('it is no https:// address') },
      ],
      [
        'the URL has a password in it',
        { target: (port) => `http://bucket:c2VjcmV0@127.0.0.1:${port}/?${query}` },
        { step: 'target', message: expect.stringContaining('a user or a password') },
      ],
      [
        'the vendor is not known',
        { query: 'sig=c2VjcmV0' },
        { step: 'target', message: expect.stringContaining('set storageVendor') },
      ],
      [
        'the storage refuses it',
        {
          storage: (sent) =>
            taking(
              sent,
              403,
              `<Error><Code>SignatureDoesNotMatch</Code><Message>not ${SIGNATURE}</Message><StringToSign>bucket ${SIGNATURE}</StringToSign></Error>`,
            ),
        },
        {
          step: 'transfer',
          status: 403,
          cause: { excerpt: 'SignatureDoesNotMatch: not [redacted]' },
          appPath,
          leftBehind: `No app was registered; the storage may have the file, or a part of it, as "${appPath}"`,
        },
      ],
      [
        'the storage redirects',
        {
          storage: () => (request, response) => {
            request.resume();
            response.writeHead(307, { location: '/other' }).end();
          },
        },
        { step: 'transfer', status: 307 },
      ],
      [
        'the storage cuts the connection',
        { storage: () => (request) => void request.once('data', () => request.socket.destroy()) },
        { step: 'transfer', status: undefined },
      ],
      [
        'the cloud does not register it',
        { api: (url) => (url === '/v1/apps' ? { status: 400, text: 'no room' } : undefined) },
        {
          step: 'register',
          status: 400,
          leftBehind: `The storage has the file as "${appPath}", but it is not registered: apps.create does that`,
        },
      ],
      ...[504, 408, 200].map((status): [string, Setting, object] => [
        `the cloud answers ${status} without a version`,
        { api: (url) => (url === '/v1/apps' ? { status, text: 'upstream' } : undefined) },
        {
          step: 'register',
          leftBehind: `The storage has the file as "${appPath}"; whether it was registered is not known: see apps.list`,
        },
      ]),
      [
        'the cloud cannot register it, and quotes the URL',
        {
          api: (url) =>
            url === '/v1/apps'
              ? { status: 400, text: `{"message":"cannot fetch https://s.example/?${query}"}` }
              : undefined,
        },
        {
          cause: { excerpt: expect.stringContaining('cannot fetch https://s.example/?X-Acme-SignedHeaders') },
        },
      ],
      [
        'the cloud gives no key',
        {
          api: (url) => (url === '/v1/apps' ? undefined : { status: 200, text: '{"appPath":"","url":"x"}' }),
        },
        { step: 'target', leftBehind: 'Nothing was uploaded or registered' },
      ],
      [
        'the URL is too long to send',
        { target: (port) => `http://127.0.0.1:${port}/?${query}&a=${'x'.repeat(20_000)}` },
        { step: 'target', message: expect.stringContaining('it is longer than 16384 characters') },
      ],
      [
        'the storage says that it has the file before all was sent',
        { path: large, storage: () => (_, response) => void response.end() },
        { step: 'transfer', status: 200, message: expect.stringContaining('before the whole file was sent') },
      ],
      [
        'the storage never ends its answer',
        {
          options: { requestTimeoutMs: 300 },
          storage: () => (request, response) => {
            const drip = setInterval(() => response.write('.'), 20);
            response.once('close', () => clearInterval(drip));
            request.resume();
          },
        },
        { step: 'transfer', message: expect.stringContaining('no answer within 0.3 s') },
      ],
    ])('because %s says which step failed, and what is left behind', async (_, setting, expected) => {
      const { outcome, sent, steps } = await upload(setting);
      expect(outcome).toBeInstanceOf(CloudUploadError);
      expect(outcome).toMatchObject({ code: 'CLOUD_UPLOAD_FAILED', ...expected });
      hidesUrl(outcome);
      expect(sent.length).toBeLessThanOrEqual(1);
      expect(steps.filter(([, url]) => url === '/v1/apps').length).toBe(
        (outcome as CloudUploadError).step === 'register' ? 1 : 0,
      );
    });

    it('sends no file over plain http if the API is https', async () => {
      const client = new TestedClient({ baseUrl: 'https://cloud.example/v1', username, apiKey });
      vi.spyOn(client.apps, 'uploadUrl').mockResolvedValue({
        appPath,
        url: `http://127.0.0.1:9/bucket?${query}`,
      });
      const error: unknown = await client.uploadApp(file).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        step: 'target',
        message: expect.stringContaining('no https:// address'),
      });
      client.close();
    });

    it('because its signal ends it says so', async () => {
      const stopping = new AbortController();
      const { outcome, steps } = await upload({
        signal: stopping.signal,
        onProgress: ({ sentBytes }) => {
          if (sentBytes > 1_000_000) stopping.abort(new Error('Ctrl-C'));
        },
      });
      expect(outcome).toBeInstanceOf(CloudUploadError);
      expect(outcome).toMatchObject({ step: 'transfer', cause: { message: 'Ctrl-C' }, appPath });
      expect(steps).toHaveLength(1);
    });

    it.each([
      ['shorter', (path: string) => truncateSync(path, 10)],
      ['another one', (path: string) => writeFileSync(path, Buffer.alloc(contents.length, 'x'))],
    ])('because the file became %s registers nothing', async (_, change) => {
      const path = join(folder, 'changing.apk');
      writeFileSync(path, contents);
      const { outcome, steps } = await upload({
        path,
        onProgress: ({ sentBytes }) => {
          if (sentBytes === 256 * 1024) change(path);
        },
      });
      expect(outcome).toMatchObject({
        step: 'transfer',
        message: expect.stringContaining('it was changed while it was sent'),
      });
      expect(steps).toHaveLength(1);
    });

    it.each<[string, () => string, string]>([
      ['is not there', () => join(folder, 'nothing.apk'), 'there is no such file'],
      ['is a directory', () => folder, 'is a directory'],
      ['is no regular file', () => '/dev/null', 'is not a regular file'],
      [
        'is empty',
        () => {
          writeFileSync(join(folder, 'empty.apk'), '');
          return join(folder, 'empty.apk');
        },
        'is empty',
      ],
      [
        'is a pipe',
        () => {
          const pipe = join(mkdtempSync(join(folder, 'pipe-')), 'pipe.apk');
          execFileSync('mkfifo', [pipe]);
          return pipe;
        },
        'is not a regular file',
      ],
    ])('because the file %s sends nothing', async (_, make, words) => {
      const { outcome, steps } = await upload({ path: make() });
      expect(outcome).toMatchObject({
        code: 'CLOUD_ARGUMENT_INVALID',
        message: expect.stringContaining(words),
      });
      expect(steps).toEqual([]);
    });

    it('because onProgress throws ends with that error', async () => {
      const own = new Error('a fault of the caller');
      const { outcome, steps } = await upload({
        options: { retryForMs: 60_000 },
        onProgress: ({ sentBytes }) => {
          if (sentBytes > 0) throw own;
        },
      });
      expect(outcome).toBe(own);
      expect(steps).toHaveLength(1);
    });

    it('because no file is named says so', async () => {
      const { outcome, steps } = await upload({ path: 7 as never });
      expect(outcome).toMatchObject({
        code: 'CLOUD_ARGUMENT_INVALID',
        message: expect.stringContaining('file:'),
      });
      expect(steps).toEqual([]);
    });

    it('because the app’s id is wrong sends nothing', async () => {
      const { outcome, steps } = await upload({ appId: -1 });
      expect(outcome).toMatchObject({ code: 'CLOUD_ARGUMENT_INVALID' });
      expect(steps).toEqual([]);
    });
  });
});
