/**
 * Builds the status page: a document, a script and a style, which ask for nothing but themselves and the host's data; and
 * the documents that it links to, as text.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import type { PageFile } from '../src/status/http/routes.ts';

export interface BuiltPage {
  files: PageFile[];
  /** What went into it. */
  outputs: Metafile['outputs'];
}

/** Those that help while one looks at the page. */
const DOCUMENTS = ['docs/status.md', 'docs/troubleshooting.md'];

const source = fileURLToPath(new URL('../src/status/page', import.meta.url));

/** @param root the outputs name their files from here */
export async function buildPage(root: string): Promise<BuiltPage> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { page: `${source}/main.tsx`, style: `${source}/page.css` },
    outdir: 'assets',
    entryNames: '[dir]/page',
    bundle: true,
    format: 'esm',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    minify: true,
    legalComments: 'inline',
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  const built = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return {
    files: [
      { path: '/', type: 'text/html; charset=utf-8', body: readFileSync(`${source}/index.html`, 'utf8') },
      { path: '/assets/page.js', type: 'text/javascript; charset=utf-8', body: built('.js') },
      { path: '/assets/page.css', type: 'text/css; charset=utf-8', body: built('.css') },
      ...DOCUMENTS.map((name) => ({
        path: `/${name}`,
        type: 'text/plain; charset=utf-8',
        body: readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'),
      })),
    ],
    outputs: metafile.outputs,
  };
}
