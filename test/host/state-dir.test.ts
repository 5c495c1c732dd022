import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultStateDirectory, openStateDirectory } from '../../src/host/state-dir.ts';

describe('defaultStateDirectory', () => {
  it.each([
    [{ STATE_DIRECTORY: '/var/lib/hostnode:/var/lib/other', HOME: '/home/lab' }, 1000, '/var/lib/hostnode'],
    [{ HOME: '/root' }, 0, '/var/lib/hostnode'],
    [{ HOME: '/home/lab', XDG_STATE_HOME: '/data' }, 1000, '/data/hostnode'],
    [{ HOME: '/home/lab', XDG_STATE_HOME: '' }, 1000, '/home/lab/.local/state/hostnode'],
  ])('for %j and user %i is %s', (env, uid, dir) => {
    expect(defaultStateDirectory(env, uid)).toBe(dir);
  });
});

describe('openStateDirectory', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hostnode-state-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('makes the directory for its owner alone', async () => {
    const made = join(dir, 'a', 'b');
    await openStateDirectory(made);
    expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it('says that a file is in its place', async () => {
    writeFileSync(join(dir, 'file'), '');
    await expect(openStateDirectory(join(dir, 'file'))).rejects.toMatchObject({
      code: 'STATE_UNWRITABLE',
      message: `cannot write ${dir}/file: a file is in its place`,
    });
  });
});
