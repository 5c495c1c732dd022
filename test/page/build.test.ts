import { beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../../packaging/bundle-page.ts';
import { findingCodes } from '../../src/diagnosis/rules/index.ts';
import type { PageFile } from '../../src/status/http/routes.ts';

let files: PageFile[];
const bodyAt = (path: string) => files.find((file) => file.path === path)?.body ?? '';

beforeAll(async () => {
  files = (await buildPage(process.cwd())).files;
});

describe('the built page', () => {
  it('is a document, a script and a style, and the documents it links to', () => {
    expect(files.map(({ path, type }) => [path, type])).toEqual([
      ['/', 'text/html; charset=utf-8'],
      ['/assets/page.js', 'text/javascript; charset=utf-8'],
      ['/assets/page.css', 'text/css; charset=utf-8'],
      ['/docs/status.html', 'text/html; charset=utf-8'],
      ['/docs/status.md', 'text/plain; charset=utf-8'],
      ['/docs/troubleshooting.html', 'text/html; charset=utf-8'],
      ['/docs/troubleshooting.md', 'text/plain; charset=utf-8'],
      ['/docs/findings.html', 'text/html; charset=utf-8'],
      ['/docs/findings.md', 'text/plain; charset=utf-8'],
    ]);
    expect(files.filter(({ body }) => body.length < 500)).toEqual([]);
  });

  it('asks for its own files only, wherever it is mounted', () => {
    const wanted = [...bodyAt('/').matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(wanted).toEqual(['data:,', 'assets/page.css', 'assets/page.js']);
    expect(bodyAt('/assets/page.css')).not.toMatch(/url\(|@import/);
  });

  it.each(['status', 'troubleshooting', 'findings'])(
    'has the document %s as a page without a dead link',
    (name) => {
      const body = bodyAt(`/docs/${name}.html`);
      expect(body).toMatch(/<h1 id="[a-z-]+">/);
      expect(body).toContain('<table>');
      const links = [...body.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to).slice(2);
      for (const link of links) {
        const [, document, anchor] = /^(?:([a-z]+)\.html)?(?:#(.*))?$/.exec(link) ?? [link, 'none'];
        const target = bodyAt(`/docs/${document ?? name}.html`);
        if (anchor !== undefined) expect(target).toContain(`id="${anchor}"`);
      }
    },
  );

  it('has the row of each finding, to which alerts lead', () => {
    for (const code of findingCodes)
      expect(bodyAt('/docs/findings.html')).toContain(`<tr id="${code.toLowerCase()}">`);
  });

  it('has nothing that the strict policy refuses', () => {
    expect(bodyAt('/')).not.toMatch(/<style|<script(?! type="module" src=)| style=| on[a-z]+=/);
    expect(bodyAt('/assets/page.js')).not.toMatch(/\beval\(|new Function\(/);
  });

  it('is small: script and style stay under 148 kB', () => {
    expect(bodyAt('/assets/page.js').length + bodyAt('/assets/page.css').length).toBeLessThan(148_000);
  });
});
