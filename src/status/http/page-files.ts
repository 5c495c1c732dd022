/** The page's files, which packaging/bundle.ts writes beside the bundle. */
import { readFile } from 'node:fs/promises';
import { isBuilt } from '../../base/version.ts';

export interface PageFile {
  /** Its URL path: `/`, `/assets/page.js`. */
  path: string;
  type: string;
  body: string;
}

/** Undefined when run from the sources. */
export async function readPageFiles(): Promise<PageFile[] | undefined> {
  if (!isBuilt) return undefined;
  return JSON.parse(await readFile(new URL('./page.json', import.meta.url), 'utf8'));
}
