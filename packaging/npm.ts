/**
 * Makes the npm package in dist/npm (or in the folder given as the argument): what can be imported, as ESM and as
 * CommonJS with types, and the commands `cloud` and `sandbox`.
 * `npm run package:npm && npm pack ./dist/npm`. A module more is one line in `MODULES` and in tsconfig.npm.json.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { billOfMaterials } from './bill-of-materials.ts';
import { bundledPackages, licenceTexts } from './bundled.ts';
import { readCommands } from './command-help.ts';
import { bashCompletion, fishCompletion, zshCompletion } from './completion.ts';
import { resourceTypes } from './npm-types.ts';

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

const { name, version, license, engines, dependencies } = JSON.parse(
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
  alias: { 'cacheable-request': join(root, 'packaging/instead/cacheable-request.cjs') },
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
/** For `require`. */
const CJS = join(target, 'cjs');
const forRequire: BuildOptions = {
  format: 'cjs',
  // what a module takes for its own address
  define: { ...common.define, 'import.meta.url': 'bundleUrl' },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
};
const others = await Promise.all([
  build({ ...common, entryPoints: files(THREADS), format: 'cjs', outExtension: { '.js': '.cjs' } }),
  build({ ...common, ...forRequire, entryPoints: files(MODULES), outdir: CJS }),
  build({
    ...common,
    ...forRequire,
    external: [],
    entryPoints: { hostnode: join(root, 'packaging/npm-bin.ts') },
    outExtension: { '.js': '.cjs' },
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: `#!/usr/bin/env node\n${forRequire.banner?.js}` },
  }),
]);
const metafile = {
  inputs: Object.assign({}, modules.metafile.inputs, ...others.map((each) => each.metafile?.inputs)),
  outputs: Object.assign({}, modules.metafile.outputs, ...others.map((each) => each.metafile?.outputs)),
};

const types = join(target, 'types');
execFileSync(join(root, 'node_modules/.bin/tsc'), [
  ...['-p', join(root, 'packaging/tsconfig.npm.json')],
  ...['--outDir', types],
]);

writeFileSync(join(types, 'cloud/resources.d.ts'), resourceTypes());
// TypeScript 7 loads the types of Node for whom names them
for (const path of Object.values(MODULES)) {
  const file = join(types, path.replace(/^src\//, '').replace(/\.ts$/, '.d.ts'));
  writeFileSync(file, `/// <reference types="node" />\n${readFileSync(file, 'utf8')}`);
}
writeFileSync(join(CJS, 'package.json'), '{"type":"commonjs"}\n');
cpSync(types, join(CJS, 'types'), { recursive: true });
for (const thread of Object.keys(THREADS))
  copyFileSync(join(target, `${thread}.cjs`), join(CJS, `${thread}.cjs`));

const exported = Object.entries(MODULES).map(([key, path]) => {
  const declared = `types/${path.replace(/^src\//, '').replace(/\.ts$/, '.d.ts')}`;
  return [
    `./${key}`,
    {
      import: { types: `./${declared}`, default: `./${key}.js` },
      require: { types: `./cjs/${declared}`, default: `./cjs/${key}.js` },
    },
  ];
});
const description = 'A typed client, a command and a sandbox for the API of a device cloud.';
const manifest = {
  ...{ name, version, description, license, type: 'module', engines },
  bin: { hostnode: './hostnode.cjs' },
  exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
  dependencies: { zod: dependencies.zod },
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const bundled = bundledPackages(root, metafile);
writeFileSync(join(target, 'bundled-licences'), licenceTexts(root, bundled));
writeFileSync(join(target, 'hostnode.cdx.json'), billOfMaterials({ version, bundled }));
/** Copies a file, and the pages of the documents that it links to. */
function copyPage(file: string): void {
  const to = join(target, file);
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(join(root, file), to);
  if (!file.endsWith('.md') || !file.startsWith('docs/')) return;
  const links = readFileSync(to, 'utf8').matchAll(/\]\(([\w./-]+\.(?:md|yaml|png))(?:#[^)]*)?\)/g);
  for (const [, link = ''] of links) if (!link.startsWith('..')) copyPage(join(dirname(file), link));
}
for (const file of ['LICENSE', 'CHANGELOG.md', 'docs/api.md', 'docs/sandbox.md', 'docs/openapi.yaml'])
  copyPage(file);
copyFileSync(join(root, 'packaging/npm-readme.md'), join(target, 'README.md'));
const commands = await readCommands(process.execPath, join(target, 'hostnode.cjs'));
writeFileSync(join(target, 'completion.bash'), bashCompletion(commands));
writeFileSync(join(target, 'completion.zsh'), zshCompletion(commands));
writeFileSync(join(target, 'completion.fish'), fishCompletion(commands));
