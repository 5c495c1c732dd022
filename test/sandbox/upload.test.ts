import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { attempt } from '../../src/base/errors.ts';
import type { CloudClient } from '../../src/cloud/client.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { clientOf, folder, startSandbox, statusOf } from './lab.ts';

const APK = new URL('../fixtures/apk/hello.apk', import.meta.url).pathname;
const HEADERS = { 'x-amz-tagging': 'unsaved=true', 'content-type': 'application/octet-stream' };

async function put(url: string, headers: Record<string, string> = HEADERS, body: Buffer | string = 'x') {
  const response = await fetch(url, { method: 'PUT', headers, body });
  const [, code, message] = /<Code>(.*)<\/Code><Message>(.*)<\/Message>/.exec(await response.text()) ?? [];
  return [response.status, code, message];
}

/** Until the version is parsed, by the clock of the sandbox. */
async function parsed(sandbox: Sandbox, versionId: number): Promise<void> {
  await vi.waitFor(() => expect(sandbox.state.versions.get(versionId)).toHaveProperty('parsed'), 20_000);
  sandbox.setNow(sandbox.now() + 10_000);
}

/** A zip file with one entry, whose sizes may be false. */
function zipOf(name: string, content: Buffer, saidBytes = content.length): Buffer {
  const data = deflateRawSync(content);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(saidBytes, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00'),
    fields,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end]);
}

async function uploaded(client: CloudClient, content: Buffer | string, filename = 'broken.apk') {
  const { appPath, url } = await client.apps.uploadUrl({ filename });
  expect(await put(url, HEADERS, content)).toEqual([200, undefined, undefined]);
  return client.apps.create({ appPath });
}

describe('an upload', () => {
  it('is read: the app has its label, package, version and icon after a while', async () => {
    const sandbox = await startSandbox();
    const client = clientOf(sandbox);
    expect(await client.uploadApp(APK)).toEqual({ appId: null, versionId: 1 });
    const { appId = 0, ...version } = await client.versions.get({ versionId: 1 });
    expect(version).toEqual({ id: 1, name: 'hello.apk', state: 'PARSING' });
    expect((await client.v2.getApp({ appId: appId ?? 0 })).latest_version).toBeUndefined();
    await parsed(sandbox, 1);
    const [app] = await client.apps.list();
    const iconUrl = `${sandbox.info.storageUrl}/icons/1`;
    expect(app).toMatchObject({ id: appId, name: 'HelloApp', os: 'ANDROID', state: 'OK', iconUrl });
    expect(app?.versions).toMatchObject([
      {
        version: '1.0',
        nativeProperties: {
          package: 'com.example.hello.helloapp.app',
          application: { icon: 'res/drawable-xxhdpi/ic_launcher.png', label: 'HelloApp', versionName: '1.0' },
        },
      },
    ]);
    const icon = await fetch(iconUrl);
    expect(icon.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await icon.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG');
  });

  it('is a version of the app that it was meant for; latest_version waits until it is parsed', async () => {
    const sandbox = await startSandbox();
    const client = clientOf(sandbox);
    await client.uploadApp(APK);
    await parsed(sandbox, 1);
    expect(await client.uploadApp(APK, { appId: 1 })).toEqual({ appId: 1, versionId: 2 });
    for (const includeAllAppVersions of [true, false])
      expect(await client.v2.getApp({ appId: 1, includeAllAppVersions })).toMatchObject({
        latest_version: { id: 1 },
      });
    await parsed(sandbox, 2);
    expect(await client.v2.getApp({ appId: 1 })).toMatchObject({ latest_version: { id: 2, state: 'OK' } });
  });

  it.each([
    ['text', Buffer.from('no app')],
    ['an empty file', Buffer.alloc(0)],
    ['a cut package', undefined],
    ['a package without a manifest', zipOf('readme.txt', Buffer.from('hello'))],
    ['a manifest of other bytes', zipOf('AndroidManifest.xml', Buffer.alloc(1000, 7))],
    // a chunk of no length, which a reader may read for ever
    ['a manifest that has no end', zipOf('AndroidManifest.xml', endlessManifest())],
    ['a large manifest', zipOf('AndroidManifest.xml', Buffer.alloc(20 * 1024 * 1024))],
    ['a manifest larger than it says', zipOf('AndroidManifest.xml', Buffer.alloc(20 * 1024 * 1024), 100)],
  ])(
    'of %s ends in the state FAILED',
    async (_, content) => {
      const sandbox = await startSandbox({ parseDeadlineMs: 3000 });
      const client = clientOf(sandbox);
      const { versionId } = await uploaded(client, content ?? (await readFile(APK)).subarray(0, 20_000));
      await parsed(sandbox, versionId);
      expect(await client.versions.get({ versionId })).toMatchObject({ state: 'FAILED' });
      expect((await client.apps.list())[0]).toMatchObject({ name: 'broken.apk', state: 'FAILED' });
    },
    40_000,
  );

  it('ends no sandbox whose thread runs out of memory when the time is over', async () => {
    const ended = new Promise<boolean>((resolve) => {
      process.once('worker', (thread) => {
        vi.spyOn(thread, 'terminate').mockImplementationOnce(() => {
          resolve(attempt(() => thread.emit('error', new Error('out of memory'))) === true);
          return thread.terminate();
        });
      });
    });
    const sandbox = await startSandbox({ parseDeadlineMs: 1 });
    const { versionId } = await uploaded(clientOf(sandbox), await readFile(APK));
    expect(await ended).toBe(true);
    await parsed(sandbox, versionId);
  });

  it('is refused by the storage as S3 does', async () => {
    const sandbox = await startSandbox();
    const client = clientOf(sandbox);
    const { appPath, url } = await client.apps.uploadUrl({ filename: 'a b/ü.apk' });
    expect(appPath).toMatch(/\/a b_ü\.apk$/);
    const { 'x-amz-tagging': _, ...untagged } = HEADERS;
    expect((await put(url, untagged)).slice(0, 2)).toEqual([403, 'SignatureDoesNotMatch']);
    expect((await put(url, { ...HEADERS, 'x-amz-tagging': 'saved' }))[1]).toBe('SignatureDoesNotMatch');
    expect((await put(url.replace(/Signature=./, 'Signature=x')))[1]).toBe('SignatureDoesNotMatch');
    expect((await put(url.replace('Expires=900', 'Expires=9000')))[1]).toBe('SignatureDoesNotMatch');
    expect((await put(url.replace('uploads/1', 'uploads/2')))[1]).toBe('SignatureDoesNotMatch');
    expect(await put(new URL('/uploads', url).href)).toEqual([403, 'AccessDenied', 'Access Denied']);
    const twice = { ...HEADERS, authorization: 'Basic eA==' };
    expect((await put(url, twice)).slice(0, 2)).toEqual([400, 'InvalidArgument']);
    expect(await statusOf(client.apps.create({ appPath }))).toBe(404);
    sandbox.setNow(sandbox.now() + 901_000);
    expect(await put(url)).toEqual([403, 'AccessDenied', 'Request has expired']);
  });

  it('is registered once, by its organization, under the name that it was given', async () => {
    const sandbox = await startSandbox();
    const client = clientOf(sandbox);
    const { appPath, url } = await client.apps.uploadUrl({ filename: 'shop.apk' });
    await put(url);
    expect(await statusOf(clientOf(sandbox, 'other').apps.create({ appPath }))).toBe(404);
    const { versionId } = await client.apps.create({ appPath, filename: 'renamed.apk' });
    expect(await client.versions.get({ versionId })).toMatchObject({ name: 'renamed.apk' });
    expect(await statusOf(client.apps.create({ appPath }))).toBe(409);
  });

  it('is read after a restart if it was not before', async () => {
    const data = join(await folder(), 'sandbox.db');
    const first = await startSandbox({ data });
    const { appPath, url } = await clientOf(first).apps.uploadUrl({ filename: 'shop.apk' });
    await put(url, HEADERS, await readFile(APK));
    await first.stop();
    const second = await startSandbox({ data });
    await clientOf(second).apps.create({ appPath });
    await second.stop();
    const third = await startSandbox({ data });
    await parsed(third, 1);
    expect(await clientOf(third).versions.get({ versionId: 1 })).toMatchObject({
      state: 'OK',
      version: '1.0',
    });
  });

  it("that ends after a reset is nobody else's", async () => {
    const data = join(await folder(), 'sandbox.db');
    const sandbox = await startSandbox({ data });
    const { url } = await clientOf(sandbox).apps.uploadUrl({ filename: 'old.apk' });
    const sent = request(url, { method: 'PUT', headers: { ...HEADERS, 'content-length': 2 } });
    const answered = once(sent, 'response');
    sent.write('x');
    await vi.waitFor(async () => expect(await readdir(`${data}-uploads`)).toHaveLength(1));
    sandbox.reset();
    const { appPath } = await clientOf(sandbox).apps.uploadUrl({ filename: 'new.apk' });
    sent.end('x');
    const [response] = await answered;
    response.resume();
    expect(response.statusCode).toBe(404);
    expect(await statusOf(clientOf(sandbox).apps.create({ appPath }))).toBe(404);
    await vi.waitFor(async () => expect(await readdir(`${data}-uploads`)).toEqual([]));
  });

  it.each(['..', '.', '../x', '%2e%2e'])('has a URL that works for a file named %s', async (filename) => {
    const { url } = await clientOf(await startSandbox()).apps.uploadUrl({ filename });
    expect(await put(url)).toEqual([200, undefined, undefined]);
  });

  it('leaves nothing behind if the sandbox was killed meanwhile', async () => {
    const data = join(await folder(), 'sandbox.db');
    await mkdir(`${data}-uploads`);
    for (const name of ['1', '2.part-345']) await writeFile(join(`${data}-uploads`, name), 'x');
    await startSandbox({ data });
    expect(await readdir(`${data}-uploads`)).toEqual(['1']);
  });

  it('gets an answer where its file cannot be kept', async () => {
    const data = join(await folder(), 'sandbox.db');
    await writeFile(`${data}-uploads`, 'no folder');
    const { url } = await clientOf(await startSandbox({ data })).apps.uploadUrl({ filename: 'shop.apk' });
    expect((await put(url)).slice(0, 2)).toEqual([500, 'InternalError']);
  });

  it.each(['/%zz', '//'])('to %s is refused', async (path) => {
    const sandbox = await startSandbox();
    const { hostname: host, port } = new URL(sandbox.info.storageUrl);
    const [response] = await once(request({ host, port, path, method: 'PUT' }).end('x'), 'response');
    expect([response.statusCode, await text(response)]).toEqual([
      400,
      expect.stringContaining('<Code>InvalidURI</Code>'),
    ]);
  });
});

/** Binary XML whose second chunk says that it has no bytes. */
function endlessManifest(): Buffer {
  const bytes = Buffer.alloc(1000);
  bytes.writeUInt32LE(0x00080003, 0);
  bytes.writeUInt32LE(1000, 4);
  bytes.writeUInt32LE(0x001c0001, 8); // an empty string pool
  bytes.writeUInt32LE(28, 12);
  bytes.writeUInt32LE(0x00080180, 36);
  return bytes;
}
