import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { SMALL } from '../../src/base/v8-flags.ts';

const startedWith = (flag: string) => {
  const { status, stderr } = spawnSync(process.execPath, [flag, '-e', '0'], { encoding: 'utf8', env: {} });
  return { status, stderr };
};

describe('the flags of V8', () => {
  it.each(SMALL)('%s is one that this Node knows', (flag) => {
    expect(startedWith(flag)).toEqual({ status: 0, stderr: '' });
  });

  it('would be refused where Node did not know them', () => {
    expect(startedWith('--no-such-flag')).toEqual({
      status: 9,
      stderr: expect.stringContaining('bad option'),
    });
  });
});
