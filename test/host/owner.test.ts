import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  lchownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { writeFileWhole, writeJsonFile } from '../../src/host/json-file.ts';
import { lockStateDirectory } from '../../src/host/lock.ts';
import { openStateDirectory } from '../../src/host/state-dir.ts';
import { readStateText } from '../../src/host/state-file.ts';

const NOBODY = 65_534;
const WRITES = 30;

/** A program of another user's: whatever root makes in its directory, it puts a link in the place of. */
async function attacker(dir: string, victim: string): Promise<ChildProcess> {
  const code = `
    const { readdirSync, symlinkSync, unlinkSync } = require('node:fs');
    console.log('ready');
    for (;;) for (const name of readdirSync('.')) {
      if (!name.endsWith('.tmp')) continue;
      try { unlinkSync(name); symlinkSync(${JSON.stringify(victim)}, name); } catch {}
    }`;
  const child = spawn(process.execPath, ['-e', code], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: dir,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  await once(child.stdout, 'data');
  return child;
}

describe.skipIf(process.getuid?.() !== 0)('root in the state directory of another user', () => {
  let above: string;
  let dir: string;
  let victim: string;
  beforeEach(() => {
    above = mkdtempSync(join(tmpdir(), 'hostnode-owner-'));
    chmodSync(above, 0o755);
    dir = join(above, 'state');
    victim = join(above, 'victim');
    mkdirSync(dir);
    chownSync(dir, NOBODY, NOBODY);
    writeFileSync(victim, 'root’s', { mode: 0o600 });
  });
  afterEach(() => rmSync(above, { recursive: true, force: true }));

  const victimIsWhole = () =>
    expect([statSync(victim).uid, statSync(victim).mode & 0o777, readFileSync(victim, 'utf8')]).toEqual([
      0,
      0o600,
      'root’s',
    ]);

  it('leaves nothing there that its owner cannot use', async () => {
    await writeJsonFile(join(dir, 'roster.json'), {});
    const lock = await lockStateDirectory(dir);
    const owners = readdirSync(dir).map((name) => [name, statSync(join(dir, name)).uid]);
    expect(Object.fromEntries(owners)).toEqual({
      'roster.json': NOBODY,
      'agent.lock': NOBODY,
      'agent.pid': NOBODY,
    });
    await lock.release();
  });

  it('gives away no file of its own, although that user puts links in the place of what it writes', async () => {
    await attacker(dir, victim);
    for (let count = 0; count < WRITES && statSync(victim).uid === 0; count += 1) {
      await writeFileWhole(join(dir, 'roster.json'), `${count}`).catch(() => {});
      await lockStateDirectory(dir).then(
        (lock) => lock.release(),
        () => {},
      );
    }
    victimIsWhole();
  });

  it('takes no lock of a file that has another name, and of no link', async () => {
    for (const put of [linkSync, symlinkSync]) {
      put(victim, join(dir, 'agent.lock'));
      await expect(lockStateDirectory(dir)).rejects.toThrow('another file is in place of the lock');
      rmSync(join(dir, 'agent.lock'));
    }
    victimIsWhole();
  });

  it('reads through no link of that user’s, and sets the damaged aside without touching what it leads to', async () => {
    symlinkSync(victim, join(dir, 'roster.json'));
    expect(await readStateText(join(dir, 'roster.json'))).toMatchObject({ kind: 'unreadable' });
    chownSync(dir, 0, 0);
    expect(await readStateText(join(dir, 'roster.json'))).toEqual({ kind: 'text', text: 'root’s' });
    victimIsWhole();
  });

  it('takes no file of a third user', async () => {
    writeFileSync(join(dir, 'roster.json'), '{}');
    chownSync(join(dir, 'roster.json'), 1, 1);
    expect(await readStateText(join(dir, 'roster.json'))).toMatchObject({
      kind: 'unreadable',
      why: `it belongs to user 1, its directory to user ${NOBODY}`,
    });
  });

  it('does not begin to, unless it is allowed', async () => {
    await expect(openStateDirectory(dir)).rejects.toMatchObject({ code: 'STATE_OWNER', uid: NOBODY });
    expect(await openStateDirectory(dir, { allowOtherOwner: true })).toBe(0o755);
  });

  it('goes through links that only root may make, and no others', async () => {
    symlinkSync(above, join(above, 'ours'));
    const theirs = join(dir, 'theirs');
    symlinkSync(above, theirs);
    expect(await openStateDirectory(join(above, 'ours'))).toBe(0o755);
    await expect(openStateDirectory(theirs)).rejects.toMatchObject({ code: 'STATE_LINK' }); // root’s, in their directory
    const moved = join(above, 'moved');
    symlinkSync(above, moved);
    lchownSync(moved, NOBODY, NOBODY);
    await expect(openStateDirectory(moved)).rejects.toMatchObject({ code: 'STATE_LINK' }); // theirs, in root’s directory
    await expect(openStateDirectory(join(moved, 'below'))).rejects.toMatchObject({ code: 'STATE_LINK' });
    expect(readdirSync(above).toSorted()).toEqual(['moved', 'ours', 'state', 'victim']);
  });
});
