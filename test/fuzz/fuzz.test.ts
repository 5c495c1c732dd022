import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkGrowth } from './growth.ts';
import { vocabularyOf } from './literals.ts';
import { readOptions, UsageError } from './options.ts';
import { asTestReport, writeFinding } from './report.ts';
import { targets } from './targets/index.ts';
import { hostile, pieces, spelt, texts } from './texts.ts';

const names = ['config', 'globs'];

describe('the options', () => {
  it('have defaults, and a seed of their own', () => {
    expect(readOptions([], names)).toEqual({
      minutes: 1,
      seed: expect.any(Number),
      findings: 'fuzz-findings',
    });
  });

  it('take minutes, a seed, a target and a path', () => {
    const args = [
      '--minutes',
      '0.5',
      '--seed',
      '7',
      '--target',
      'globs',
      '--path',
      '17:0:2',
      '--findings',
      'f',
    ];
    expect(readOptions(args, names)).toEqual({
      minutes: 0.5,
      seed: 7,
      target: 'globs',
      path: '17:0:2',
      findings: 'f',
    });
  });

  it.each([
    [['--minuets', '1'], /--minuets/],
    [['fast'], /fast/],
    [['--minutes', '0'], /--minutes "0": must be a number above 0/],
    [['--minutes', '1e9'], /--minutes "1e9"/],
    [['--minutes', ''], /--minutes ""/],
    [['--seed', '-1'], /--seed/],
    [['--seed', '2147483648'], /--seed "2147483648": must be a whole number from 0 to 2147483647/],
    [['--target', 'gloobs'], /--target "gloobs": must be one of config, globs/],
    [['--target', 'globs', '--path', '1'], /--path: must stand beside --target and --seed/],
    [['--target', 'globs', '--seed', '1', '--path', 'x'], /--path "x"/],
  ])('refuse %j in one line', (args, message) => {
    expect(() => readOptions(args, names)).toThrow(UsageError);
    expect(() => readOptions(args, names)).toThrow(message);
  });
});

describe('a text', () => {
  it('is repeated to the length wanted, each time with another number where it is counted', () => {
    expect(spelt({ before: '<', piece: 'ab', after: '>' }, 8)).toBe('<ababab>');
    expect(spelt({ before: '', piece: 'com.x/y\n', after: '', isCounted: true }, 27)).toBe(
      'com0.x/y\ncom1.x/y\ncom2.x/y\n',
    );
    expect(spelt('as it is', 2)).toBe('as it is');
  });

  it('is made again by the same seed', () => {
    const arbitrary = texts({ samples: ['level: 87\n'], vocabulary: { words: ['level'], phrases: [] } });
    const made = () => fc.sample(arbitrary, { seed: 7, numRuns: 50 });
    expect(made()).toEqual(made());
  });

  it('is cut into pieces that are the whole', () => {
    const cut = pieces(Buffer.from('abcdefgh'), [1, 3, 2]);
    expect(cut.map(String)).toEqual(['a', 'bcd', 'ef', 'gh']);
    expect(pieces(Buffer.from('ab'), [5, 5]).map(String)).toEqual(['ab']);
  });

  it('is made of what the parser looks for', () => {
    const { words } = vocabularyOf('facts/battery.ts');
    const { phrases } = vocabularyOf('facts/network.ts');
    expect(words).toEqual(
      expect.arrayContaining(['temperature', 'Current Battery Service state:', '(UPDATES STOPPED']),
    );
    expect(phrases.length).toBeGreaterThan(3);
    expect(hostile).toEqual(expect.arrayContaining(['\u202e', '\ud800', '__proto__']));
  });
});

describe('the growth of the work', () => {
  const repeated = { before: '', piece: 'a', after: '!' };

  /** What came of work that takes so many steps for a text. */
  const check = (stepsFor: (length: number) => number) => {
    let steps = 0;
    const work = ([text = '']: string[]) => {
      steps = stepsFor(text.length);
    };
    const measure = (once: () => unknown) => {
      once();
      return steps;
    };
    return () => checkGrowth([repeated], work, measure);
  };

  it('is found where it is the square of the input', () => {
    expect(check((length) => length ** 2 / 1000)).toThrow('grows faster than the input');
  });

  it('is nothing to say where it is that of the input, or the work is done soon', () => {
    expect(check((length) => length * 1000)).not.toThrow();
    expect(check((length) => length ** 2 / 1_000_000)).not.toThrow();
  });

  it('throws what the work throws', () => {
    const failing = () => {
      throw new RangeError('no');
    };
    expect(() => checkGrowth([repeated], failing)).toThrow(RangeError);
  });
});

describe('the report', () => {
  const finding = { target: 'globs', seed: 7, path: '17:0', what: 'Error: x', input: '"*"' };
  const tallies = [
    { target: 'config', runs: 10, ms: 100 },
    { target: 'globs', runs: 18, ms: 100, finding },
  ];

  it('counts a target as a test', () => {
    const { numPassedTests, numFailedTests, testResults } = asTestReport(tallies);
    expect([numPassedTests, numFailedTests]).toEqual([1, 1]);
    expect(testResults[0]?.assertionResults.map(({ status }) => status)).toEqual(['passed', 'failed']);
  });

  it('has a file for each finding, with the command that shows it again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hostnode-fuzz-'));
    const file = writeFinding(join(folder, 'found'), finding);
    expect(readFileSync(file, 'utf8')).toBe(
      'npm run fuzz -- --target globs --seed 7 --path 17:0\n\nError: x\n\n"*"\n',
    );
    rmSync(folder, { recursive: true });
  });
});

describe('the targets', () => {
  it('are there for each section, adb, the wire, the cloud, the configuration, the state and the HTTP side', () => {
    const all = targets.map(({ name }) => name);
    expect(new Set(all).size).toBe(all.length);
    for (const part of [
      'facts-',
      'adb-',
      'probe-',
      'cloud-',
      'config',
      'state-',
      'status-',
      'slots',
      'globs',
      'privacy-',
    ])
      expect(all.some((name) => name.startsWith(part))).toBe(true);
  });
});
