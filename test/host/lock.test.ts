import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockHolder, lockStateDirectory } from '../../src/host/lock.ts';

const program = fileURLToPath(new URL('lock-process.ts', import.meta.url));

let dir: string;
let children: ChildProcess[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hostnode-lock-'));
});
afterEach(async () => {
  await Promise.all(children.map(end));
  children = [];
  rmSync(dir, { recursive: true, force: true });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A process that is ready to take the lock; `take` lets it try and gives its answer. */
async function contender() {
  const child = spawn(process.execPath, [program, dir], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const take = async (): Promise<string | undefined> => {
    child.stdin.write('go\n');
    return (await lines.next()).value;
  };
  return { child, take };
}

/** Gives the state directory a disk of its own; @returns what mounts it anew */
function ownDisk(skip: (why: string) => void): (...args: string[]) => void {
  const mount = (...args: string[]) => void execFileSync('mount', [...args, dir], { stdio: 'ignore' });
  try {
    mount('-t', 'tmpfs', 'tmpfs');
  } catch {
    skip('needs the right to mount');
  }
  return mount;
}

describe('lockStateDirectory', () => {
  it('refuses a second agent and says who the first one is', async () => {
    const first = await contender();
    expect(await first.take()).toBe('locked');
    await expect(lockStateDirectory(dir)).rejects.toMatchObject({
      code: 'STATE_LOCKED',
      pid: first.child.pid,
      message: `another agent (process ${first.child.pid}) is using ${dir}`,
    });
  });

  it('refuses a second agent also while the first one is stopped', async () => {
    const first = await contender();
    await first.take();
    first.child.kill('SIGSTOP');
    await expect(lockStateDirectory(dir)).rejects.toThrow(`another agent is using ${dir}`);
  });

  it('refuses a second agent also where the disk has become read-only', async ({ skip }) => {
    const mount = ownDisk(skip);
    try {
      const lock = await lockStateDirectory(dir);
      mount('-o', 'remount,ro');
      await expect(lockStateDirectory(dir)).rejects.toMatchObject({ code: 'STATE_LOCKED', pid: process.pid });
      mount('-o', 'remount,rw');
      await lock.release();
    } finally {
      execFileSync('umount', [dir]);
    }
  });

  it('is given free also where the disk has become read-only: its file stays and is dead', async ({
    skip,
  }) => {
    const mount = ownDisk(skip);
    try {
      const lock = await lockStateDirectory(dir);
      mount('-o', 'remount,ro');
      expect(await lock.release()).toMatchObject({
        message: `cannot write ${dir}: the file system is read-only`,
      });
      expect([readdirSync(dir), await lockHolder(dir)]).toEqual([['agent.lock.1'], undefined]);
      mount('-o', 'remount,rw');
      const next = await lockStateDirectory(dir);
      expect(readdirSync(dir)).toEqual(['agent.lock.2']);
      await next.release();
    } finally {
      execFileSync('umount', [dir]);
    }
  });

  it('is free again after a release, and leaves nothing behind', async () => {
    await (await lockStateDirectory(dir)).release();
    expect(readdirSync(dir)).toEqual([]);
    await (await lockStateDirectory(dir)).release();
  });

  it('knows whether it is at its path still', async () => {
    const lock = await lockStateDirectory(dir);
    expect(await lock.isInPlace()).toBe(true);
    rmSync(dir, { recursive: true });
    expect(await lock.isInPlace()).toBe(false);
    mkdirSync(dir);
    const next = await lockStateDirectory(dir);
    expect(await Promise.all([lock.isInPlace(), next.isInPlace()])).toEqual([false, true]);
    expect(await lock.release()).toBeUndefined();
    expect(await next.isInPlace()).toBe(true);
    rmSync(join(dir, 'agent.lock.1'));
    expect(await next.isInPlace()).toBe(false);
    await next.release();
  });

  it('is free again after its holder was killed', async () => {
    const first = await contender();
    await first.take();
    await end(first.child);
    const lock = await lockStateDirectory(dir);
    expect(readdirSync(dir)).toEqual(['agent.lock.2']);
    await lock.release();
  });

  it('goes to exactly one of ten that start at once, also over a dead one', async () => {
    const contenders = await Promise.all(Array.from({ length: 10 }, contender));
    for (let round = 0; round < 2; round++) {
      const free = contenders.filter(({ child }) => child.signalCode === null);
      const answers = await Promise.all(free.map(({ take }) => take()));
      expect(answers.toSorted()).toEqual(['locked', ...Array(free.length - 1).fill('refused')]);
      const holder = free[answers.indexOf('locked')];
      if (holder) await end(holder.child);
      // those who were refused have had their one try
      await Promise.all(free.map(({ child }) => end(child)));
      contenders.push(...(await Promise.all(Array.from({ length: 10 }, contender))));
    }
  }, 120_000); // thirty processes start

  it.each([
    ['9007199254740992', ['agent.lock.1', 'agent.lock.9007199254740992']],
    ['9'.repeat(21), ['agent.lock.1', `agent.lock.${'9'.repeat(21)}`]],
    ['999999999999999', ['agent.lock.1']],
    ['1000000000', ['agent.lock.1000000001']],
    ['007', ['agent.lock.007', 'agent.lock.1']],
    ['7', ['agent.lock.8']],
  ])('can be taken beside a dead file with the number %s', async (number, names) => {
    writeFileSync(join(dir, `agent.lock.${number}`), '');
    const lock = await lockStateDirectory(dir);
    expect(readdirSync(dir).toSorted()).toEqual(names);
    await expect(lockStateDirectory(dir)).rejects.toMatchObject({ code: 'STATE_LOCKED', pid: process.pid });
    await lock.release();
  });

  it('is found again beyond the highest number that it follows', async () => {
    for (const number of [1_000_000_000, 1_000_000_001]) writeFileSync(join(dir, `agent.lock.${number}`), '');
    const lock = await lockStateDirectory(dir);
    expect(readdirSync(dir)).toEqual(['agent.lock.1000000002']);
    await expect(lockStateDirectory(dir)).rejects.toMatchObject({ code: 'STATE_LOCKED', pid: process.pid });
    await lock.release();
  });

  it('works in a directory whose path is longer than a socket address', async () => {
    const deep = join(dir, 'd'.repeat(120), 'd'.repeat(120));
    mkdirSync(deep, { recursive: true });
    const lock = await lockStateDirectory(deep);
    await expect(lockStateDirectory(deep)).rejects.toMatchObject({ code: 'STATE_LOCKED', pid: process.pid });
    await lock.release();
  });

  it('says that a directory is not there', async () => {
    await expect(lockStateDirectory(join(dir, 'missing'))).rejects.toMatchObject({
      code: 'STATE_UNWRITABLE',
    });
  });
});
