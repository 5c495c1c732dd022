/** Builds the program once for all end-to-end tests, in a folder of their own, and removes it after them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with hostnode.cjs and main.cjs. */
    programFolder: string;
  }
}

export default function buildProgram({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'hostnode-built-'));
  const build = fileURLToPath(new URL('../../packaging/bundle.ts', import.meta.url));
  execFileSync(process.execPath, [build, folder], { stdio: 'inherit' });
  provide('programFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
