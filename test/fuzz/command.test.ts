import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('the command that fuzzes', { timeout: 180_000 }, () => {
  let folder: string;
  const fuzz = (...args: string[]) =>
    spawnSync(process.execPath, ['test/fuzz/fuzz.ts', ...args, '--findings', join(folder, 'found')], {
      encoding: 'utf8',
      env: { ...process.env, HOSTNODE_FUZZ_REPORT: join(folder, 'report.json') },
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hostnode-fuzz-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('runs one target, says how much it did, and writes the report', () => {
    const { status, stdout } = fuzz('--target', 'probe-shell-v2', '--minutes', '0.01', '--seed', '1');
    expect(stdout).toMatch(
      /^seed 1, 0.01 minutes\nprobe-shell-v2 +[1-9]\d* .*ok\n1 targets, [1-9]\d* inputs/,
    );
    expect(status).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toMatchObject({
      numPassedTests: 1,
    });
    expect(readdirSync(folder)).toEqual(['report.json']);
  });

  it('refuses what it does not know with exit code 2', () => {
    const { status, stderr } = fuzz('--target', 'x');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^fuzz: --target "x": must be one of .*\n$/);
  });
});
