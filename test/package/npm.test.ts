/** The npm package: made, packed, installed into an empty project without a network, type-checked and run there. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/cloud/contract/index.ts';
import { TestServer } from '../support/cloud-server.ts';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'hostnode-npm-'));
const project = join(folder, 'project');
afterAll(() => rmSync(folder, { recursive: true }));

const script = `import { CloudClient, CloudError, CloudForbiddenError, operations } from 'hostnode/cloud';
import type { App, AppsGetInput, CloudErrorCode, Device, DeviceInfo } from 'hostnode/cloud';

const [, , baseUrl = ''] = process.argv;
const client = new CloudClient({ baseUrl, username: 'lab', apiKey: 'key', retryForMs: 0 });
const apps: App[] = await client.apps.list({}, { timeoutMs: 5_000, retryForMs: 0 });
export const input: AppsGetInput = { appId: 1 };
export const code: CloudErrorCode = 'CLOUD_FORBIDDEN';
export const info: DeviceInfo = { udid: 'A', orientation: 1, status: undefined };
export const list = () => client.devices.list({ udid: undefined });
// @ts-expect-error: it is modelName
export const misspelled = (device: Device) => device.modelNmae;
const names: (string | null | undefined)[] = apps.map(({ name }) => name);
try {
  await client.versions.assignTag({ versionId: 77, name: 'nightly' });
} catch (error) {
  if (!(error instanceof CloudError)) throw error;
  names.push(error instanceof CloudForbiddenError ? \`\${error.operation} \${error.status}\` : undefined);
}
// @ts-expect-error: the tag has no name
await client.versions.assignTag({ versionId: 77 }).catch((error: Error) => names.push(error.name));
client.close();
console.log(JSON.stringify({ names, operations: operations.length }));
`;

const pack = (what: string): string => {
  const packed = execFileSync('npm', [
    'pack',
    what,
    '--ignore-scripts',
    '--silent',
    '--pack-destination',
    folder,
  ]);
  return join(folder, packed.toString().trim());
};

beforeAll(() => {
  const made = join(folder, 'made');
  execFileSync(process.execPath, [join(root, 'packaging/npm.ts'), made]);
  const tarballs = [pack(join(root, 'node_modules/zod')), pack(made)];
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}');
  writeFileSync(join(project, 'script.ts'), script);
  writeFileSync(join(project, 'sandbox.ts'), sandboxScript);
  writeFileSync(join(project, 'common.cts'), commonScript);
  writeFileSync(join(project, 'small.js'), smallScript);
  const quiet = ['--offline', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...quiet, ...tarballs], { cwd: project });
}, 300_000);

/** Uploads a real package to a sandbox, and waits until it was read there. */
const sandboxScript = `import { CloudClient } from 'hostnode/cloud';
import { Sandbox } from 'hostnode/sandbox';

const [, , apk = ''] = process.argv;
const sandbox = await Sandbox.start({ parseForMs: 0 });
const { baseUrl, users } = sandbox.info;
const { username, apiKey } = users[0] as (typeof users)[number];
const client = new CloudClient({ baseUrl, username, apiKey });
await client.uploadApp(apk);
const read = async () => (await client.versions.get({ versionId: 1 })).version ?? undefined;
while ((await read()) === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
console.log(await read());
client.close();
await sandbox.stop();
`;

const commonScript = `import { CloudClient } from 'hostnode/cloud';
import { Sandbox } from 'hostnode/sandbox';

void Sandbox.start().then(async (sandbox) => {
  const { baseUrl, users } = sandbox.info;
  const { username, apiKey } = users[0] as (typeof users)[number];
  const client = new CloudClient({ baseUrl, username, apiKey });
  const { privateDevices } = await client.devices.list();
  console.log(privateDevices.length);
  client.close();
  await sandbox.stop();
});
`;

const smallScript = `import { CloudClient } from 'hostnode/cloud';
const client = new CloudClient({ baseUrl: 'https://cloud.example/v1', username: 'lab', apiKey: 'key' });
console.log(await client.devices.list());
`;

describe('the npm package', () => {
  it('is also what a checkout exports, below dist/npm', () => {
    const exportsIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')).exports;
    const made = JSON.stringify(exportsIn(join(folder, 'made/package.json')));
    const below = JSON.parse(made, (_, value) =>
      typeof value === 'string' && value !== './package.json' ? value.replace('./', './dist/npm/') : value,
    );
    expect(exportsIn(join(root, 'package.json'))).toEqual(below);
  });

  it('brings what it names, and depends on zod alone', () => {
    const installed = join(project, 'node_modules/hostnode');
    const { dependencies, exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies)).toEqual(['zod']);
    expect(Object.keys(exports)).toEqual(['./cloud', './sandbox', './package.json']);
    expect(readdirSync(installed)).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'bundled-licences',
        'hostnode.cdx.json',
        'cloud.js',
        'sandbox.js',
        'apk-worker.cjs',
        'docs',
        'hostnode.cjs',
        'README.md',
      ]),
    );
    const licences = readFileSync(join(installed, 'bundled-licences'), 'utf8');
    expect(licences).toMatch(/^got 16/m);
    const { components } = JSON.parse(readFileSync(join(installed, 'hostnode.cdx.json'), 'utf8'));
    const listed = components.map(
      ({ name: each, version }: Record<string, string>) => `${each} ${version} — `,
    );
    expect(listed).toContainEqual(expect.stringMatching(/^zod \d/));
    expect(listed.filter((each: string) => !licences.includes(each))).toEqual([]);
  });

  it.each([
    ['checks all types, those of Node included', ['--skipLibCheck', 'false', '--types', 'node']],
    ['needs no library check, and no entry in types', ['--skipLibCheck']],
  ])('has types: TypeScript %s', (_, options) => {
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2024'];
    const typeRoots = ['--typeRoots', join(root, 'node_modules/@types')];
    execFileSync(
      join(root, 'node_modules/.bin/tsc'),
      ['--noEmit', '--ignoreConfig', ...strict, ...typeRoots, ...options, 'script.ts', 'sandbox.ts'],
      { cwd: project, stdio: 'pipe' },
    );
  });

  it('has types for CommonJS, and runs there', async () => {
    const strict = [
      '--strict',
      '--module',
      'node16',
      '--target',
      'es2024',
      '--skipLibCheck',
      '--types',
      'node',
    ];
    const typeRoots = ['--typeRoots', join(root, 'node_modules/@types')];
    const tsc = join(root, 'node_modules/.bin/tsc');
    execFileSync(tsc, ['--ignoreConfig', ...strict, ...typeRoots, 'common.cts'], {
      cwd: project,
      stdio: 'pipe',
    });
    expect((await run(process.execPath, ['common.cjs'], { cwd: project })).stdout).toBe('3\n');
  });

  it.each(['cloud', 'sandbox'])('says in a sentence that a Node is too old: hostnode/%s', async (module) => {
    // one without what this package uses of node:tls
    const old = `import { registerHooks } from 'node:module';
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
      registerHooks({ resolve: (name, context, next) => name === 'node:tls'
        ? { url: 'data:text/javascript,export const connect = 1', shortCircuit: true } : next(name, context) });`;
    const preload = ['--import', `data:text/javascript,${encodeURIComponent(old)}`];
    const sentence = 'hostnode needs Node 22.21, 24.5 or newer, and this is ';
    const imported = run(
      process.execPath,
      [...preload, '--input-type=module', '-e', `import 'hostnode/${module}'`],
      { cwd: project },
    );
    await expect(imported).rejects.toMatchObject({ stderr: expect.stringContaining(`Error: ${sentence}`) });
    const program = join(project, 'node_modules/hostnode/hostnode.cjs');
    await expect(run(process.execPath, [...preload, program, 'cloud'])).rejects.toMatchObject({
      code: 78,
      stderr: expect.stringMatching(new RegExp(`^${sentence}.*\n$`)),
    });
  });

  it('has the words of the contract on every method and every input', () => {
    const file = join(project, 'node_modules/hostnode/types/cloud/resources.d.ts');
    const text = readFileSync(file, 'utf8');
    for (const { id, summary } of operations) {
      const [, verb = ''] = id.split('.');
      expect(text).toMatch(new RegExp(`\\* ${summary}: [\\s\\S]*?\\*/\\n  ${verb}\\(`));
    }
    for (const [, body = ''] of text.matchAll(/export interface \w+Input \{\n([\s\S]*?)\n\}/g))
      expect(body.match(/^ {2}\w+\??:/gm)).toHaveLength(body.match(/^ {2}\/\*\* /gm)?.length ?? 0);
  });

  it('is at most 200 kB in the bundle of a script with one call', async () => {
    const { outputFiles } = await build({
      absWorkingDir: project,
      entryPoints: ['small.js'],
      ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'node', logLevel: 'error' },
    });
    expect(outputFiles[0]?.contents.byteLength).toBeLessThan(200_000);
  });

  it('has the commands cloud and sandbox', async () => {
    const program = join(project, 'node_modules/.bin/hostnode');
    const { stdout } = await run(program, ['cloud', 'devices', 'list', '--dry-run'], {
      env: {
        PATH: process.env.PATH ?? '',
        HOME: folder,
        HOSTNODE_CLOUD_BASE_URL: 'https://cloud.example/v1',
        HOSTNODE_CLOUD_USERNAME: 'lab',
        HOSTNODE_CLOUD_API_KEY: 'key',
      },
    });
    expect(stdout).toBe('GET https://cloud.example/v1/devices\n');
    expect((await run(program, ['sandbox', '--help'])).stdout).toContain('--control');
    const file = join(project, 'node_modules/hostnode/completion.bash');
    expect(readFileSync(file, 'utf8')).toContain("'cloud devices list') words='--group-id");
  });

  it('has a sandbox, which reads an uploaded package', async () => {
    const apk = join(root, 'test/fixtures/apk/hello.apk');
    expect((await run(process.execPath, ['sandbox.ts', apk], { cwd: project })).stdout).toBe('1.0\n');
  });

  it('runs', async () => {
    await using server = await TestServer.listen((request, response) =>
      request.method === 'GET' ? response.end('[{"id":1,"name":"Shop"}]') : response.writeHead(403).end(),
    );
    const { stdout } = await run(process.execPath, ['script.ts', `http://127.0.0.1:${server.port}/v1`], {
      cwd: project,
    });
    expect(JSON.parse(stdout)).toEqual({
      names: ['Shop', 'versions.assignTag 403', 'CloudArgumentError'],
      operations: 35,
    });
    expect(server.received[0]?.headers['user-agent']).toMatch(/^hostnode\/\d/);
  });
});
