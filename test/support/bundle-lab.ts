import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Writes lab-program.ts as one file that needs nothing but Node. */
export async function bundleLab(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('lab-program.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}
