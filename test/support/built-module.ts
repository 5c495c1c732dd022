import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll } from 'vitest';

/**
 * A module with all that it imports as one file, for as long as the tests of a file run: started from the sources, each
 * thread and each program would load and strip a hundred of them.
 */
export function builtModule(file: URL): URL {
  const folder = mkdtempSync(join(tmpdir(), 'hostnode-built-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, 'module.mjs');
  buildSync({
    entryPoints: [fileURLToPath(file)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire as from } from 'node:module'; const require = from(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return pathToFileURL(outfile);
}
