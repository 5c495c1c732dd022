import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { archiveOf } from '../../../src/cli/support/archive.ts';

const tar = (args: string[], archive: Buffer) =>
  execFileSync('tar', args, { input: archive, encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } });

it('is an archive that tar reads: each file whole, for its owner only', () => {
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
