import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasCode } from '../../src/base/errors.ts';
import { lockHolder, lockStateDirectory, type StateLock } from '../../src/host/lock.ts';

const program = fileURLToPath(new URL('lock-process.ts', import.meta.url));

let dir: string;
let children: ChildProcess[] = [];
let unmount = () => {};
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hostnode-lock-'));
});
afterEach(async () => {
  unmount();
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

/** Has the state directory read-only, by a mount above it; @returns what ends that */
function readOnlyDisk(skip: (why: string) => void) {
  const mount = (...args: string[]) => void execFileSync('mount', [...args, dir], { stdio: 'ignore' });
  try {
    mount('--bind', dir);
  } catch {
    skip('needs the right to mount');
  }
  unmount = () => {
    execFileSync('umount', ['--lazy', dir]);
    unmount = () => {};
  };
  mount('-o', 'remount,bind,ro');
  return unmount;
}

const files = ['agent.lock', 'agent.pid'];

describe('lockStateDirectory', () => {
  it('refuses a second agent and says who the first one is', async () => {
    const first = await contender();
    expect(await first.take()).toBe('locked');
    await expect(lockStateDirectory(dir)).rejects.toMatchObject({
      code: 'STATE_LOCKED',
      message: `another agent (process ${first.child.pid}) is using ${dir}`,
    });
  });

  it('refuses a second agent also while the first one is stopped', async () => {
    const first = await contender();
    await first.take();
    first.child.kill('SIGSTOP');
    await expect(lockStateDirectory(dir)).rejects.toThrow(
      `another agent (process ${first.child.pid}) is using ${dir}`,
    );
  });

  it('refuses a second agent also where the disk has become read-only', async ({ skip }) => {
    const lock = await lockStateDirectory(dir);
    readOnlyDisk(skip);
    const message = `another agent (process ${process.pid}) is using ${dir}`;
    await expect(lockStateDirectory(dir)).rejects.toMatchObject({ code: 'STATE_LOCKED', message });
    expect(await lockHolder(dir)).toBe(process.pid);
    await lock.release();
  });

  it('is given free also where the disk has become read-only: its files stay and block nobody', async ({
    skip,
  }) => {
    const lock = await lockStateDirectory(dir);
    const writable = readOnlyDisk(skip);
    await lock.release();
    expect([readdirSync(dir).toSorted(), await lockHolder(dir)]).toEqual([files, undefined]);
    await expect(lockStateDirectory(dir)).rejects.toThrow('the file system is read-only');
    writable();
    await (await lockStateDirectory(dir)).release();
    expect(readdirSync(dir)).toEqual([]);
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
    await lock.release();
    expect(await next.isInPlace()).toBe(true);
    rmSync(join(dir, 'agent.lock'));
    expect(await next.isInPlace()).toBe(false);
    await next.release();
  });

  it('is free again after its holder was killed', async () => {
    const first = await contender();
    await first.take();
    await end(first.child);
    expect(readdirSync(dir).toSorted()).toEqual(files);
    expect(await lockHolder(dir)).toBeUndefined();
    await (await lockStateDirectory(dir)).release();
    expect(readdirSync(dir)).toEqual([]);
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

  it('is not taken where another file is in its place', async () => {
    writeFileSync(join(dir, 'agent.lock'), 'what somebody has written');
    await expect(lockStateDirectory(dir)).rejects.toMatchObject({
      code: 'STATE_UNWRITABLE',
      message: `cannot write ${dir}: Error: another file is in place of the lock`,
    });
    expect(readFileSync(join(dir, 'agent.lock'), 'utf8')).toBe('what somebody has written');
  });

  it('goes to the next one while its holder ends', async () => {
    for (let times = 0; times < 20; times += 1) {
      const lock = await lockStateDirectory(dir);
      const [next] = await Promise.all([
        lockStateDirectory(dir).catch((error: unknown) => error),
        lock.release(),
      ]);
      if (hasCode(next, 'STATE_LOCKED')) continue;
      expect(await (next as StateLock).isInPlace()).toBe(true);
      expect(await lockHolder(dir)).toBe(process.pid);
      await (next as StateLock).release();
    }
  });

  it('works in a directory whose path is long', async () => {
    const deep = join(dir, 'd'.repeat(120), 'd'.repeat(120));
    mkdirSync(deep, { recursive: true });
    const lock = await lockStateDirectory(deep);
    const message = `another agent (process ${process.pid}) is using ${deep}`;
    await expect(lockStateDirectory(deep)).rejects.toMatchObject({ code: 'STATE_LOCKED', message });
    await lock.release();
  });

  it('says that a directory is not there', async () => {
    await expect(lockStateDirectory(join(dir, 'missing'))).rejects.toMatchObject({
      code: 'STATE_UNWRITABLE',
    });
  });
});
