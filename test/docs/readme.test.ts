import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { flagsOf } from '../../src/cli/cloud/flags.ts';
import { operations } from '../../src/cloud/contract/index.ts';
import { settings } from '../../src/config/schema.ts';
import { codeBlocks, codeSpans, documents, pages, readText, rows, section } from './pages.ts';

const readme = readText('README.md');
const packageJson = JSON.parse(readText('package.json'));

describe('the README', () => {
  it('is short', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });

  it('has the two commands of a newcomer, the demo first', () => {
    const commands = codeBlocks(readme, 'sh').map((block) => block.trim());
    const [demo, test] = ['npm ci && npm run demo', 'npm ci && npm test'].map((one) => commands.indexOf(one));
    expect(demo).toBe(0);
    expect(test).toBeGreaterThan(0);
  });

  it('has a finished configuration of ten lines, which hostnode accepts', () => {
    const [file = ''] = codeBlocks(readme, 'yaml');
    expect(file.split('\n')).toHaveLength(10);
    expect(settings.safeParse(parse(file)).error).toBeUndefined();
    expect(parse(file).cloud).toEqual({ baseUrl: expect.any(String), username: expect.any(String) });
  });

  it('gives a reason for every dependency, and names no other', () => {
    const { dependencies, optionalDependencies } = packageJson;
    const table = rows(section('README.md', '## Dependencies'));
    expect(table.flatMap(([names = '']) => codeSpans(names)).toSorted()).toEqual(
      Object.keys({ ...dependencies, ...optionalDependencies }).toSorted(),
    );
    expect(table.filter(([, reason]) => !reason)).toEqual([]);
  });
});

describe('every page', () => {
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
    const inputs = operations.flatMap(flagsOf).map(({ option }) => option.long);
    const fixed = ['src/main.ts', 'src/cli/program.ts', 'src/cli/cloud/commands.ts'].flatMap((file) =>
      optionsOf(readText(file)),
    );
    const known = new Set([...fixed, ...inputs]);
    const named = documents.flatMap((page) =>
      [...readText(page).matchAll(/(?:^|[ `])hostnode (?:-- )?[a-z]+(?: [^\n#`]*)?/gm)].flatMap(([line]) =>
        optionsOf(line),
      ),
    );
    expect(named).toEqual(expect.arrayContaining(['--json', '--until', '--end', '--reason', '--now']));
    expect(named.filter((option) => !known.has(option))).toEqual([]);
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
