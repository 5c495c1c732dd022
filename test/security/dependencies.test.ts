import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { judged, ofThePage } from '../../packaging/audit.ts';
import { bundledPackages, type Metafile } from '../../packaging/bundled.ts';
import { temporaryFolder } from '../support/program-lab.ts';

interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

const { '': own, ...packages }: Record<string, Locked> = readJson('package-lock.json').packages;
const locked = Object.entries(packages);

/** Licences that ask for no more than that their text is kept. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Python-2.0',
];

const isShipped = ([folder, { dev }]: [string, Locked]) => dev !== true || ofThePage.includes(folder);

/** What the package itself says, where it is installed: one for another processor is not. */
const licenceOf = ([folder, { license = '' }]: [string, Locked]): string =>
  existsSync(join(root, folder)) ? readJson(`${folder}/package.json`).license : license;

/** Is this licence allowed, or one of those that it leaves to choose? */
const isAllowed = (licence: string): boolean =>
  licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((each) => allowed.includes(each));

describe('the dependencies', () => {
  it('have licences, if they are shipped, that ask for no more than to be kept', () => {
    const shipped = locked.filter(isShipped);
    expect(shipped.length).toBeGreaterThan(50);
    expect(shipped.filter((each) => !isAllowed(licenceOf(each))).map(([folder]) => folder)).toEqual([]);
    expect(['GPL-3.0', '(GPL-2.0 OR AGPL-3.0)', 'MIT AND GPL-2.0', ''].filter(isAllowed)).toEqual([]);
  });

  it('are pinned: to one version each, and in the lock to what it holds, wherever it is fetched from', () => {
    const { dependencies, devDependencies, optionalDependencies } = readJson('package.json');
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
    expect(own).toMatchObject({ dependencies, devDependencies, optionalDependencies });
    expect(locked.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))).toEqual([]);
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it('run no script when they are installed, but for the bundler, which is not shipped', () => {
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(scripted.map(([folder, { dev }]) => [folder, dev])).toEqual([['node_modules/esbuild', true]]);
  });

  it('are looked up among those with a known flaw, and what could not be asked is said', () => {
    const flaw = (folder: string) => ({
      severity: 'high',
      via: [{ title: 'Reads any file', url: 'https://advisories.example/1' }],
      nodes: [folder],
    });
    const of = (vulnerabilities: Record<string, ReturnType<typeof flaw>>) =>
      judged({ vulnerabilities }, packages);
    expect(of({})).toEqual({ lines: ['audit: no dependency has a known flaw'], isFlawed: false });
    expect(of({ vitest: flaw('node_modules/vitest') })).toEqual({
      lines: ['audit: vitest: high, development only: Reads any file https://advisories.example/1'],
      isFlawed: false,
    });
    for (const name of ['got', 'preact'])
      expect(of({ [name]: flaw(`node_modules/${name}`) }).isFlawed).toBe(true);
    expect(judged({ message: '405 Method Not Allowed' }, packages)).toEqual({
      lines: ['audit: the registry cannot be asked for known flaws (405 Method Not Allowed)'],
      isFlawed: false,
    });
  });

  it('are in the bundle only if they are meant to be shipped, and the bill of materials is made from that', async () => {
    const folder = await temporaryFolder();
    const metafile = join(folder, 'metafile.json');
    execFileSync(process.execPath, [join(root, 'packaging/bundle.ts'), folder, metafile]);
    const { outputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Metafile;
    const bundled = bundledPackages(root, { outputs });
    const shipped = locked.filter(isShipped).map(([path]) => path);
    expect(bundled.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['pino', 'find-my-way', 'preact', 'uplot']),
    );
    expect(bundled.filter((each) => !shipped.includes(each.folder))).toEqual([]);
    const [thread = ''] = Object.keys(outputs).filter((file) => file.endsWith('history-worker.cjs'));
    const ofThread = bundledPackages(root, { outputs: { [thread]: outputs[thread] ?? { inputs: {} } } });
    expect(thread).not.toBe('');
    expect(ofThread, 'it starts again and again, and a library is most of what it would hold').toEqual([]);
  });
});
