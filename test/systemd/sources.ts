/** A folder as the guide wants it: a checkout after `npm ci && npm run build`, with what the lab runs beside it. */
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const COPIED = ['README.md', 'CHANGELOG.md', 'LICENSE', 'config', 'systemd'];

export async function prepareSources(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hostnode-systemd-'));
  const node = join(folder, 'node_modules/.bin/node');
  await mkdir(dirname(node), { recursive: true });
  await Promise.all([
    cp(process.execPath, node),
    cp(inject('programFolder'), join(folder, 'dist'), { recursive: true }),
    ...COPIED.map((name) => cp(join(root, name), join(folder, name), { recursive: true })),
    build({
      entryPoints: [fileURLToPath(new URL('lab-program.ts', import.meta.url))],
      outfile: join(folder, 'lab.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      logLevel: 'warning',
    }),
  ]);
  return folder;
}
