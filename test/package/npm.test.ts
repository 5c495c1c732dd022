/** The npm package: made, packed, installed into an empty project without a network, type-checked and run there. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from '../support/cloud-server.ts';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'hostnode-npm-'));
const project = join(folder, 'project');
afterAll(() => rmSync(folder, { recursive: true }));

const script = `import { CloudClient, CloudError, CloudForbiddenError, operations } from 'hostnode/cloud';

const [, , baseUrl = ''] = process.argv;
const client = new CloudClient({ baseUrl, username: 'lab', apiKey: 'key', retryForMs: 0 });
const apps = await client.apps.list();
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
  const quiet = ['--offline', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...quiet, ...tarballs], { cwd: project });
}, 120_000);

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
        'cloud.js',
        'sandbox.js',
        'apk-worker.cjs',
        'docs',
      ]),
    );
    expect(readFileSync(join(installed, 'bundled-licences'), 'utf8')).toMatch(/^p-retry 9/m);
  });

  it.each([
    ['checks all types, those of Node included', ['--skipLibCheck', 'false', '--types', 'node']],
    ['needs no library check', ['--skipLibCheck', '--types', 'node']],
  ])('has types: TypeScript %s', (_, options) => {
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2024'];
    const typeRoots = ['--typeRoots', join(root, 'node_modules/@types')];
    execFileSync(
      join(root, 'node_modules/.bin/tsc'),
      ['--noEmit', '--ignoreConfig', ...strict, ...typeRoots, ...options, 'script.ts', 'sandbox.ts'],
      { cwd: project, stdio: 'pipe' },
    );
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
