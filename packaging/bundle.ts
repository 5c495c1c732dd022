/**
 * Bundles the program: dist/hostnode.cjs starts it, dist/main.cjs is it, dist/cloud.cjs is it for `hostnode
 * cloud`; dist/otlp.cjs is loaded where metrics are pushed; dist/apk-worker.cjs and dist/history-worker.cjs
 * are threads. Run by `npm run build`; another folder than dist may be given as the argument, and
 * after it a file for what went into the bundle (esbuild's metafile).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
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
  // comments go: Node keeps the whole text in memory
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 200, // the line of an error is printed
  legalComments: 'linked',
  logLevel: 'warning',
  metafile: true,
  absWorkingDir: root,
  define: {
    HOSTNODE_VERSION: JSON.stringify(version),
    HOSTNODE_BUILD_NUMBER: JSON.stringify(`${year}${month}.${day}`),
    HOSTNODE_PAGE: JSON.stringify(page.files),
    'import.meta.url': 'bundleUrl',
  },
};

/** What a module of the bundle takes for its own address. */
const banner = { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" };

/** What only some agents need lies beside main.cjs, which then loads it. */
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

const built = await Promise.all([
  build({
    ...common,
    entryPoints: [`${root}src/main.ts`],
    outfile: `${outdir}/main.cjs`,
    banner,
    plugins: [apart],
  }),
  build({ ...common, entryPoints: [`${root}${OTLP}`], outfile: `${outdir}/otlp.cjs`, banner }),
  build({ ...common, entryPoints: [`${root}src/cli/cloud/main.ts`], outfile: `${outdir}/cloud.cjs`, banner }),
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
    external: ['./main.cjs', './cloud.cjs'],
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
