import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { archiveOf, bundleOf, listLines } from '../../src/cli/support.ts';

const fixed = { name: 'status.json', what: 'the status', value: { udid: 'R58M12ABCDE' } };
const log = (count: number) => ({
  name: 'log.jsonl',
  what: 'the log',
  entries: Array.from({ length: count }, (_, index) => ({ index, msg: 'x'.repeat(90) })),
});

describe('a support bundle', () => {
  it('lists each file, its size and what is in it; a part that failed is a line of the list', () => {
    const problem = 'the agent of R58M12ABCDE\nis away';
    const { files, list } = bundleOf([fixed, { name: 'gone.json', what: 'gone', problem }], []);
    expect(files.map(({ name }) => name)).toEqual(['README.txt', 'status.json']);
    const lines = listLines(list);
    expect(lines).toEqual([
      'status.json       28 B  the status',
      expect.stringMatching(
        /^gone\.json {4}not there {2}gone: the agent of [A-Z]\d\d[A-Z]\d\d[A-Z]{5} is away$/,
      ),
    ]);
    expect(files[0]?.text).toBe(`${lines.join('\n')}\n`);
    expect(JSON.stringify(files)).not.toContain('R58M12ABCDE');
  });

  it('is at most so long: the oldest lines go first, and the list says how many', () => {
    const { files, list } = bundleOf([fixed, log(2000), { ...log(3), name: 'short' }], [], 100_000);
    const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThan(100_000);
    const kept =
      files
        .find(({ name }) => name === 'log.jsonl')
        ?.text.trim()
        .split('\n') ?? [];
    expect(JSON.parse(kept.at(-1) ?? '')).toMatchObject({ index: 1999 });
    const leftOut = JSON.parse(kept[0] ?? '').index;
    expect(leftOut).toBeGreaterThan(1000);
    expect(list.find(({ name }) => name === 'log.jsonl')?.problem).toBe(
      `the oldest ${leftOut} lines left out: no room`,
    );
  });

  it('leaves out a file for which there is no room', () => {
    const huge = { name: 'huge.json', what: 'huge', value: 'x y '.repeat(30_000) };
    const { files, list } = bundleOf([huge, fixed], [], 100_000);
    expect(files.map(({ name }) => name)).toEqual(['README.txt', 'status.json']);
    expect(list[0]).toMatchObject({ name: 'huge.json', problem: 'left out: it is too long' });
  });

  it('keeps texts of a phone plain: no second line in the list, nothing that breaks a file of lines', () => {
    const hostile = '\u001b[2J\n{"a":1}\n../../etc/passwd';
    const { files, list } = bundleOf(
      [
        { name: 'bad.json', what: 'bad', problem: hostile },
        { name: 'log.jsonl', what: 'log', entries: [hostile, { msg: hostile }] },
      ],
      [hostile, '', ' ', '(((', '\\'],
    );
    expect(listLines(list)).toHaveLength(2);
    const lines =
      files
        .find(({ name }) => name === 'log.jsonl')
        ?.text.trim()
        .split('\n') ?? [];
    expect(lines.map((line) => typeof JSON.parse(line))).toEqual(['string', 'object']);
  });
});

const tar = (args: string[], archive: Buffer) =>
  execFileSync('tar', args, { input: archive, encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } });

describe('the archive', () => {
  it('is one that tar reads: each file whole, for its owner only', () => {
    const long = 'ä\n'.repeat(10_000);
    const files = [
      { name: 'README.txt', text: 'what is in it\n' },
      { name: 'empty', text: '' },
      { name: 'block', text: 'x'.repeat(512) },
      { name: 'long.jsonl', text: long },
    ];
    const archive = archiveOf(files, new Date('2026-01-31T12:00:00Z'));
    const list = tar(['-tvzf', '-', '--numeric-owner'], archive).trim().split('\n');
    expect(list.map((line) => line.split(/ +/))).toEqual(
      files.map(({ name, text }) => [
        ...['-rw-------', '0/0', String(Buffer.byteLength(text)), '2026-01-31', '12:00', name],
      ]),
    );
    for (const { name, text } of files) expect(tar(['-xOzf', '-', name], archive)).toBe(text);
  });
});
