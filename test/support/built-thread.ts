import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll } from 'vitest';

/**
 * A thread's file with all that it imports, for as long as the tests of a file run: started from the sources, each thread
 * would load and strip a hundred of them.
 */
export function builtThread(file: URL): URL {
  const folder = mkdtempSync(join(tmpdir(), 'hostnode-thread-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, 'thread.mjs');
  buildSync({
    entryPoints: [fileURLToPath(file)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  return pathToFileURL(outfile);
}
