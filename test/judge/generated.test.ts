/** A client that somebody else's tool makes of the OpenAPI document, against the sandbox. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../src/cloud/contract/index.ts';
import { inputsOf } from '../../src/cloud/contract/inputs.ts';
import { openApi } from '../../src/cloud/openapi.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { furnish, inputs } from '../sandbox/each-operation.ts';
import { describeWhere } from '../support/machine-needs.ts';

const generator = fileURLToPath(new URL('node_modules/@hey-api/openapi-ts/bin/run.js', import.meta.url));
const missing = existsSync(generator)
  ? []
  : ['@hey-api/openapi-ts: npm ci --prefix test/judge --ignore-scripts'];
/** OpenAPI 3.1 cannot express the method DEL. */
const expressible = operations.filter(({ method }) => method !== 'DEL');

interface Outcome {
  data?: unknown;
  error?: unknown;
  response: Response;
}
type Call = (options: object) => Promise<Outcome>;

describeWhere('a client made by @hey-api/openapi-ts', { missing }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hostnode-generated-'));
  let calls: Record<string, Call>;
  let sandbox: Sandbox;

  beforeAll(async () => {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApi('3.1')));
    const words = ['-i', 'openapi.json', '-o', 'made'];
    execFileSync(process.execPath, [generator, ...words], { cwd: folder, stdio: 'pipe' });
    const outfile = join(folder, 'client.mjs');
    await build({ entryPoints: [join(folder, 'made/index.ts')], bundle: true, format: 'esm', outfile });
    calls = await import(pathToFileURL(outfile).href);
    sandbox = await Sandbox.start();
  });
  afterAll(async () => {
    await sandbox?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Calls an operation with these inputs, each in its place. */
  async function call(id: string, given: Record<string, unknown>): Promise<Outcome> {
    const [resource = '', verb = ''] = id.split('.');
    const operation = operations.find((each) => each.id === id);
    const all = operation ? inputsOf(operation) : [];
    const at = (place: string) => {
      const names = all.filter((input) => input.place === place && given[input.name] !== undefined);
      return Object.fromEntries(names.map(({ name }) => [name, given[name]]));
    };
    const made = calls[`${resource}${verb.charAt(0).toUpperCase()}${verb.slice(1)}`];
    if (made === undefined) throw new Error(`no call for ${id}`);
    const body = operation?.body && { body: at('body') };
    const auth = 'admin:admin-key'; // it makes Basic authentication of it
    return made({ baseUrl: sandbox.origin, auth, path: at('path'), query: at('query'), ...body });
  }

  it.each(expressible.map(({ id }) => id))('%s: does what it is for', async (id) => {
    sandbox.reset();
    const appPath = await furnish(sandbox);
    const { data, error, response } = await call(id, {
      ...inputs[id],
      ...(id === 'apps.create' && { appPath }),
    });
    expect({ status: response.status, error }).toEqual({ status: 200, error: undefined });
    if (operations.find((each) => each.id === id)?.answer) expect(data).toBeTypeOf('object');
  });

  it('joins the values of a list, and gets the devices of both versions', async () => {
    const { data } = await call('devices.list', { platformVersion: ['13', '14'] });
    const { privateDevices } = data as { privateDevices: { platformVersion: string }[] };
    expect(privateDevices.map(({ platformVersion }) => platformVersion)).toEqual(['14', '13']);
  });

  it('sends optional bodies without what is optional', async () => {
    expect((await call('apps.delete', {})).response.status).toBe(200);
    expect((await call('organization.activateMember', {})).response.status).toBe(200);
    expect((await call('devices.report', { nodeId: 'n', machine: {} })).data).toEqual({ failedDevices: [] });
  });
});
