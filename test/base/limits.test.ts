import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectionsFor, lackOf, limitOf } from '../../src/base/limits.ts';

/** As Linux writes it. */
function limits(files: string, threads: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'hostnode-limits-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const row = (name: string, soft: string, hard: string, unit: string) =>
    `${name.padEnd(26)}${soft.padEnd(21)}${hard.padEnd(21)}${unit.padEnd(10)}\n`;
  const file = join(dir, 'limits');
  writeFileSync(
    file,
    row('Limit', 'Soft Limit', 'Hard Limit', 'Units') +
      row('Max processes', threads, threads, 'processes') +
      row('Max open files', files, '524288', 'files'),
  );
  return file;
}

describe('what the system grants', () => {
  it('is read of this process, and infinite where it says nothing', () => {
    expect(limitOf('open files')).toBeGreaterThan(0);
    expect(limitOf('open files', limits('64', 'unlimited'))).toBe(64);
    expect(limitOf('processes', limits('64', 'unlimited'))).toBe(Number.POSITIVE_INFINITY);
    expect(limitOf('open files', '/nonexistent')).toBe(Number.POSITIVE_INFINITY);
  });

  it('is shared among the parts of the agent, one connection each at least', () => {
    expect([16, 64, 1024].map((files) => connectionsFor(1 / 2, files))).toEqual([1, 12, 492]);
    expect(connectionsFor(1 / 2, Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is too little below what the agent needs itself', () => {
    expect(lackOf(limits('47', '1000'), false)).toContain('may open 47 files');
    expect(lackOf(limits('48', '15'), false)).toContain('may have 15 threads');
    expect(lackOf(limits('48', '15'), true)).toBeUndefined();
    expect(lackOf(limits('48', '16'), false)).toBeUndefined();
  });
});
