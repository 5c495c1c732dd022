/** The page's files, which packaging/bundle.ts writes into the bundle; undefined when run from the sources. */
declare const HOSTNODE_PAGE: readonly PageFile[] | undefined;

export interface PageFile {
  /** Its URL path: `/`, `/assets/page.js`. */
  path: string;
  type: string;
  body: string;
}

export const pageFiles: readonly PageFile[] | undefined =
  typeof HOSTNODE_PAGE === 'object' ? HOSTNODE_PAGE : undefined;
