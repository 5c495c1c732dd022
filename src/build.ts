/**
 * Bundles the program: dist/hostnode.cjs starts it, dist/main.cjs is it. Run by `npm run build`; another folder than
 * dist may be given as the argument.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? `${root}dist`;
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

const [year = '', month, day] = sourceDate().toISOString().slice(2, 10).split('-');

const common: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  minifySyntax: true,
  legalComments: 'linked',
  logLevel: 'warning',
  define: {
    HOSTNODE_VERSION: JSON.stringify(version),
    HOSTNODE_BUILD_NUMBER: JSON.stringify(`${year}${month}.${day}`),
    'import.meta.url': 'bundleUrl',
  },
};

/** What a module of the bundle takes for its own address. */
const banner = { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" };

await Promise.all([
  build({ ...common, entryPoints: [`${root}src/main.ts`], outfile: `${folder}/main.cjs`, banner }),
  build({
    ...common,
    entryPoints: [`${root}src/launch.ts`],
    outfile: `${folder}/hostnode.cjs`,
    external: ['./main.cjs'],
    target: 'es2015', // to be understood by the Node that it refuses
    banner: { js: '#!/usr/bin/env node' },
  }),
]);
