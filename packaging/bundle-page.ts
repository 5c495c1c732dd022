/**
 * Builds the status page: a document, a script and a style, which ask for nothing but themselves and the host's data; and
 * the documents that it links to, as pages and as text.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { Marked } from 'marked';
import type { PageFile } from '../src/status/http/routes.ts';

export interface BuiltPage {
  files: PageFile[];
  /** What went into it. */
  outputs: Metafile['outputs'];
}

/** Those that help while one looks at the page. */
const DOCUMENTS = ['status', 'troubleshooting', 'findings'];

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
      ...DOCUMENTS.flatMap((name): PageFile[] => {
        const text = readFileSync(new URL(`../docs/${name}.md`, import.meta.url), 'utf8');
        return [
          { path: `/docs/${name}.html`, type: 'text/html; charset=utf-8', body: documentPage(name, text) },
          { path: `/docs/${name}.md`, type: 'text/plain; charset=utf-8', body: text },
        ];
      }),
    ],
    outputs: metafile.outputs,
  };
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/<[^>]*>|[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** A document as a page. A link to what this host does not serve is its text: none is dead. */
function documentPage(name: string, text: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const words = this.parser.parseInline(tokens);
        return `<h${depth} id="${slugOf(words)}">${words}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const [, document, anchor = ''] = /^(?:([a-z]+)\.md)?(#.*)?$/.exec(href) ?? [];
        if (document === undefined ? anchor === '' : !DOCUMENTS.includes(document)) return words;
        return `<a href="${document === undefined ? '' : `${document}.html`}${anchor}">${words}</a>`;
      },
      image: () => '',
    },
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>hostnode: ${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../assets/page.css">
<body class="document">
<main>
${rowsWithCodes(marked.parse(text, { async: false }))}</main>
</body>
</html>
`;
}

/** The row of a code can be linked to: `findings.html#hub_lost`, as alerts do. */
const rowsWithCodes = (html: string): string =>
  html.replace(
    /<tr>\n<td><code>([A-Z_]+)<\/code><\/td>/g,
    (row, code: string) => `<tr id="${code.toLowerCase()}">${row.slice('<tr>'.length)}`,
  );
