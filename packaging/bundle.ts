/**
 * Bundles the program: dist/hostnode.cjs starts dist/main.cjs, or for a command with a bundle of its own that one, e.g.
 * dist/run.cjs; dist/otlp.cjs is loaded where metrics are pushed, dist/page.json where the page is served;
 * dist/apk-worker.cjs and dist/history-worker.cjs are threads. Run by `npm run build`; another folder than dist may be
 * given as the argument, and after it a file for what went into the bundles (esbuild's metafile).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { ownBundles } from '../src/base/version.ts';
import { buildPage } from './bundle-page.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, , folder = `${root}dist`, metafile] = process.argv;
const outdir = resolve(folder);
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** The day of what is built: SOURCE_DATE_EPOCH, else the last commit, else today; UTC. */
function sourceDate(): Date {
  if (process.env.SOURCE_DATE_EPOCH) return new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000);
  try {
    const committed = execFileSync('git', ['log', '-1', '--format=%ct'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return new Date(Number(committed.toString()) * 1000);
  } catch {
    return new Date();
  }
}

const page = await buildPage(root);
const [year = '', month, day] = sourceDate().toISOString().slice(2, 10).split('-');

const common: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  supported: { 'dynamic-import': false }, // a script of node:vm has no import()
  // comments go: Node keeps the whole text in memory
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 200, // the line of an error is printed
  legalComments: 'linked',
  logLevel: 'warning',
  metafile: true,
  absWorkingDir: root,
  alias: {
    bluebird: `${root}packaging/instead/bluebird.cjs`,
    'cacheable-request': `${root}packaging/instead/cacheable-request.cjs`,
    debug: `${root}packaging/instead/debug.cjs`,
    'node:http2': `${root}packaging/instead/http2.cjs`,
  },
  define: {
    HOSTNODE_VERSION: JSON.stringify(version),
    HOSTNODE_BUILD_NUMBER: JSON.stringify(`${year}${month}.${day}`),
    'import.meta.url': 'bundleUrl',
    'Intl.ListFormat': 'ListFormatWhenUsed',
    'Intl.Segmenter': 'SegmenterWhenUsed',
  },
  inject: [`${root}packaging/instead/intl.js`],
};

const banner = {
  js: [
    // what a module of the bundle takes for its own address
    "const bundleUrl = require('node:url').pathToFileURL(__filename).href;",
    // zod would make code of each schema, which takes longer than the few texts that are parsed
    'globalThis.__zod_globalConfig = { jitless: true };',
  ].join('\n'),
};

/** What only some agents need lies beside their bundle, which then loads it. */
const OTLP = 'src/status/metrics/otlp/encoder.ts';
const apart: Plugin = {
  name: 'apart',
  setup: (into) =>
    into.onResolve({ filter: /\/encoder\.ts$/ }, ({ path, resolveDir, kind }) =>
      kind === 'dynamic-import' && resolve(resolveDir, path) === resolve(root, OTLP)
        ? { path: './otlp.cjs', external: true }
        : undefined,
    ),
};

/** Of the commands that main.ts declares, a bundle has the code of those that it is for. */
const onlyOf = (bundle: string): Plugin => ({
  name: 'only-of',
  setup: (into) =>
    into.onResolve({ filter: /^\.\/cli\// }, ({ path, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const command = basename(path, '.ts');
      if (command === 'trouble') return undefined; // what went wrong, every command says
      const home = ownBundles.includes(command) ? command : 'main';
      return home === bundle ? undefined : { path: `./${home}.cjs`, external: true };
    }),
});

mkdirSync(outdir, { recursive: true });
writeFileSync(`${outdir}/page.json`, JSON.stringify(page.files));

const built = await Promise.all([
  ...['main', ...ownBundles].map((bundle) =>
    build({
      ...common,
      entryPoints: [`${root}src/${bundle === 'cloud' ? 'cli/cloud/main.ts' : 'main.ts'}`],
      outfile: `${outdir}/${bundle}.cjs`,
      banner,
      plugins: [apart, onlyOf(bundle)],
    }),
  ),
  build({ ...common, entryPoints: [`${root}${OTLP}`], outfile: `${outdir}/otlp.cjs`, banner }),
  ...['sandbox/apk-worker', 'diagnosis/history-worker'].map((file) =>
    build({
      ...common,
      entryPoints: [`${root}src/${file}.ts`],
      outfile: `${outdir}/${basename(file)}.cjs`,
      banner,
    }),
  ),
  build({
    ...common,
    entryPoints: [`${root}src/launch.ts`],
    outfile: `${outdir}/hostnode.cjs`,
    target: 'es2015', // to be understood by the Node that it refuses
    banner: { js: '#!/usr/bin/env node' },
  }),
]);

// Node keeps the text in memory at two bytes a character if one of them is not in Latin-1. esbuild escapes those in texts,
// not in regular expressions.
for (const path of built.flatMap((result) => Object.keys(result.metafile?.outputs ?? {}))) {
  if (!path.endsWith('.cjs')) continue;
  const [found] = /.{0,60}[^\x00-\x7f].{0,20}/.exec(readFileSync(resolve(root, path), 'utf8')) ?? [];
  if (found !== undefined) throw new Error(`${path}: write this character as \\u…: ${found}`);
}

if (metafile !== undefined) {
  const outputs = Object.assign({}, page.outputs, ...built.map((result) => result.metafile?.outputs));
  writeFileSync(metafile, JSON.stringify({ outputs }));
}
