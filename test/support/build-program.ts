/**
 * Builds the program once for all end-to-end tests, in a folder of their own, and removes it after them. HOSTNODE_TEST_BUILT:
 * where it was just built.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with hostnode.cjs and main.cjs; the one above it is the tests' own. */
    programFolder: string;
  }
}

/** Of this run of the tests; each project loads this file anew. */
const run = globalThis as { hostnodeBuilt?: { folder: string; users: number } };

export default function buildProgram({ provide }: TestProject): () => void {
  run.hostnodeBuilt ??= { folder: build(), users: 0 };
  const built = run.hostnodeBuilt;
  built.users += 1;
  provide('programFolder', join(built.folder, 'program'));
  return () => {
    built.users -= 1;
    if (built.users === 0) rmSync(built.folder, { recursive: true, force: true });
  };
}

function build(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hostnode-built-'));
  const program = join(folder, 'program');
  const dist = process.env.HOSTNODE_TEST_BUILT;
  if (dist === undefined) {
    const bundle = fileURLToPath(new URL('../../packaging/bundle.ts', import.meta.url));
    execFileSync(process.execPath, [bundle, program], { stdio: 'inherit' });
  } else {
    mkdirSync(program);
    const files = readdirSync(dist, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of files) copyFileSync(join(dist, name), join(program, name));
  }
  return folder;
}
