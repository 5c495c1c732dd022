/** The page's files, written into the bundle by packaging/bundle.ts; run from the sources there are none. */
declare const HOSTNODE_PAGE: readonly PageFile[] | undefined;

export interface PageFile {
  /** Where the server has it: `/`, `/assets/page.js`. */
  path: string;
  /** Its Content-Type. */
  type: string;
  body: string;
}

export const pageFiles: readonly PageFile[] | undefined =
  typeof HOSTNODE_PAGE === 'object' ? HOSTNODE_PAGE : undefined;
