/**
 * Makes the npm package in dist/npm (or in the folder given as the argument): what can be imported, as ESM with types.
 * `npm run package:npm && npm pack ./dist/npm`. A module more is one line in `MODULES` and in tsconfig.npm.json.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { bundledPackages, licenceTexts } from './bundled.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, , folder = join(root, 'dist/npm')] = process.argv;
const target = resolve(folder);

/** By their names for `import`: `hostnode/cloud`. */
const MODULES: Readonly<Record<string, string>> = {
  cloud: 'src/cloud/index.ts',
  sandbox: 'src/sandbox/index.ts',
};
/** Threads, which are started by their file names. */
const THREADS: Readonly<Record<string, string>> = { 'apk-worker': 'src/sandbox/apk-worker.ts' };

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const { name, version, description, license, engines, dependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

const files = (paths: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(paths).map(([key, path]) => [key, join(root, path)]));

const common: BuildOptions & { metafile: true } = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  external: ['zod'], // its types are part of ours
  outdir: target,
  define: { HOSTNODE_VERSION: JSON.stringify(version) },
  legalComments: 'none', // the licences are in a file of their own
  logLevel: 'warning',
  metafile: true,
  absWorkingDir: root,
};
const modules = await build({
  ...common,
  entryPoints: files(MODULES),
  splitting: true, // what is loaded later stays apart
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
});
const threads = await build({
  ...common,
  entryPoints: files(THREADS),
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
});
const metafile = {
  inputs: { ...modules.metafile.inputs, ...threads.metafile.inputs },
  outputs: { ...modules.metafile.outputs, ...threads.metafile.outputs },
};

const types = join(target, 'types');
execFileSync(join(root, 'node_modules/.bin/tsc'), [
  ...['-p', join(root, 'packaging/tsconfig.npm.json')],
  ...['--outDir', types],
]);

const exported = Object.entries(MODULES).map(([key, path]) => [
  `./${key}`,
  { types: `./types/${path.replace(/^src\//, '').replace(/\.ts$/, '.d.ts')}`, default: `./${key}.js` },
]);
const manifest = {
  ...{ name, version, description, license, type: 'module', engines },
  exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
  dependencies: { zod: dependencies.zod },
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(join(target, 'bundled-licences'), licenceTexts(root, bundledPackages(root, metafile)));
for (const file of ['LICENSE', 'CHANGELOG.md', 'docs/api.md']) {
  mkdirSync(join(target, file, '..'), { recursive: true });
  copyFileSync(join(root, file), join(target, file));
}
