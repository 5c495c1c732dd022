import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCode } from '../../src/exit-code.ts';
import { codeSpans, readme, readText, root, rows, section } from './readme.ts';

const packageJson = JSON.parse(readText('package.json'));

/** All files below a folder of the project that end so. */
const filesOf = (folder: string, end: string): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}${name}`);

const pages = [
  'README.md',
  'docs/security.md',
  'docs/faults.md',
  'systemd/README.md',
  'config/kubernetes/README.md',
  'CHANGELOG.md',
];

describe('the README', () => {
  it('begins with the two commands', () => {
    const [, first, second] = readme.split('```sh\n').map((text) => text.split('```', 1)[0]?.trim());
    expect([first, second]).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
  });

  it('names npm scripts that are there', () => {
    const scripts = pages.flatMap((page) =>
      [...readText(page).matchAll(/npm (?:run (?:--silent )?([\w:-]+)|(test))/g)].map(
        ([, a, b]) => a ?? b ?? '',
      ),
    );
    expect(scripts).toContain('demo');
    expect(scripts.filter((script) => packageJson.scripts[script] === undefined)).toEqual([]);
  });

  it('names options that the command line has', () => {
    const optionsOf = (text: string) => text.match(/--[a-z][\w-]*/g) ?? [];
    const known = new Set(optionsOf(readText('src/main.ts')));
    const named = [...readme.matchAll(/hostnode (?:-- )?[a-z]+[^\n#]*/g)].flatMap(([line]) =>
      optionsOf(line),
    );
    expect(named).toEqual(expect.arrayContaining(['--json', '--until', '--end', '--reason', '--now']));
    expect(named.filter((option) => !known.has(option))).toEqual([]);
  });

  it('lists every exit code, and no other', () => {
    const codes = rows(section('## Exit codes')).map(([code]) => Number(code));
    expect(codes).toEqual(Object.values(exitCode));
  });

  it('gives a reason for every dependency, and names no other', () => {
    const { dependencies, optionalDependencies, devDependencies } = packageJson;
    const table = rows(section('## Dependencies'));
    expect(table.flatMap(([names = '']) => codeSpans(names)).toSorted()).toEqual(
      Object.keys({ ...dependencies, ...optionalDependencies }).toSorted(),
    );
    expect(table.filter(([, reason]) => !reason)).toEqual([]);
    const named = codeSpans(section('## Dependencies'));
    expect(Object.keys(devDependencies).filter((name) => !named.includes(name))).toEqual([]);
  });

  it('quotes in its troubleshooting what hostnode really says', () => {
    const sources = filesOf('src/', '.ts').map(readText).join('\n');
    const quoted = rows(section('## Troubleshooting')).flatMap(([symptom = '']) => codeSpans(symptom));
    expect(quoted.length).toBeGreaterThan(20);
    expect(quoted.filter((text) => !text.startsWith('@') && !sources.includes(text))).toEqual([]);
  });

  it('names folders that are there, and every folder of src', () => {
    const named = rows(section('## Layout')).flatMap(([folders = '']) => codeSpans(folders));
    expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
    const folders = readdirSync(new URL('src/', root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `src/${name}/`);
    expect(folders.filter((folder) => !named.includes(folder))).toEqual([]);
  });
});

describe('every page', () => {
  it.each(pages)('%s links to what is there', (page) => {
    const targets = [...readText(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(
      ([, target = '']) => target,
    );
    const here = new URL(page, root);
    expect(targets.filter((target) => !existsSync(new URL(target, here)))).toEqual([]);
  });

  it.each([...pages, 'Containerfile', 'package-lock.json', '.npmrc'])(
    '%s names no address of a package source and no absolute path of a home',
    (page) => {
      expect(
        readText(page).match(
          /https?:\/\/[^\s/]*(?:registry|mirror|artifact)[^\s"]*|"resolved"|\/(?:home|root)\b/g,
        ),
      ).toBeNull();
    },
  );
});
