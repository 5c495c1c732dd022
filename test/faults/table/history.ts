/** Faults of the history's file: no event that was said to be written is lost, and none is made up or doubled. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { buildRecorder, eventsIn, Ledger, Recorder } from '../recorder.ts';
import { remountHere, setClock, withSetClock } from '../surroundings.ts';
import type { World } from '../world.ts';
import { nothing } from './common.ts';

const KILLS = 200;
const DAMAGES = 30;

/** A state directory, and the program that records into it. */
async function newPlace(world: World): Promise<{ stateDir: string; program: string }> {
  const stateDir = join(world.folder, 'history');
  await mkdir(stateDir, { mode: 0o700 });
  return { stateDir, program: await buildRecorder(join(world.folder, 'recorder')) };
}

/** The same on a small disk of its own. */
async function smallDisk(world: World): Promise<{ stateDir: string; program: string }> {
  const place = await newPlace(world);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place.stateDir]);
  world.onClose(async () => void execFileSync('umount', ['--lazy', place.stateDir]));
  return place;
}

/** A row that is about a process of its own, beside the agent. */
const row = (name: string, fault: (world: World) => Promise<void>, needs?: Fault['needs']): Fault => ({
  ...{ name, fault, observed: nothing, mend: nothing },
  ...(needs !== undefined && { needs }),
});

/** How often each text is in the log of a recorder. */
const countIn = (log: string, text: string): number => log.split(text).length - 1;

async function killedAtWrites(world: World): Promise<void> {
  const place = await newPlace(world);
  const dir = place.stateDir;
  const ledger = new Ledger();
  for (let kill = 0; kill < KILLS; kill += 1) {
    await using recorder = new Recorder({ ...place, ledger });
    await recorder.record();
    for (let more = randomInt(12); more > 0; more -= 1) void recorder.record();
    await pause(randomInt(40));
    await recorder.end('SIGKILL');
    if (kill % 10 === 0) ledger.compare(await eventsIn(dir));
    assert.equal(recorder.log, '');
  }
  assert.ok(ledger.onDisk.size >= KILLS);
  ledger.compare(await eventsIn(dir));
}

/** The disk takes nothing while it runs: said once, and what waits is written when it can be. */
async function takesNothing(
  world: World,
  { spoil, mend }: { spoil(dir: string): Promise<void>; mend(dir: string): Promise<void> },
): Promise<void> {
  const place = await smallDisk(world);
  const dir = place.stateDir;
  const ledger = new Ledger();
  await using recorder = new Recorder({ ...place, ledger });
  assert.equal(await recorder.record(), true);
  await spoil(dir);
  while (await recorder.record()); // SQLite's log may have room left
  for (let count = 0; count < 3; count += 1) {
    recorder.happen();
    void recorder.record();
  }
  await pause(3000);
  await mend(dir);
  await recorder.recordUntilOnDisk();
  await recorder.end();
  assert.equal(
    countIn(recorder.log, 'the history cannot be written: the agent tries again'),
    1,
    recorder.log,
  );
  assert.equal(countIn(recorder.log, 'the history can be written again'), 1);
  ledger.isComplete(await eventsIn(dir));
}

const fill = async (dir: string): Promise<void> => {
  const error = await writeFile(join(dir, 'filler'), Buffer.alloc(8 * 1024 ** 2)).catch(
    (cause: NodeJS.ErrnoException) => cause.code,
  );
  assert.equal(error, 'ENOSPC');
};

async function damagedAtRandom(world: World): Promise<void> {
  const place = await newPlace(world);
  const dir = place.stateDir;
  const path = join(dir, 'history.sqlite');
  const ledger = new Ledger();
  for (let damage = 0; damage < DAMAGES; damage += 1) {
    await using recorder = new Recorder({ ...place, ledger });
    for (let count = 0; count < 40; count += 1) void recorder.record();
    await recorder.recordUntilOnDisk();
    await recorder.end();
    // what the damage cost is gone; nothing else may be
    ledger.compare(await eventsIn(dir), { lostAtMost: Number.POSITIVE_INFINITY });
    await using file = await open(path, 'r+');
    const { size } = await stat(path);
    for (let count = randomInt(1, 5); count > 0; count -= 1)
      await file.write(Buffer.from([randomInt(256)]), 0, 1, randomInt(100, size));
  }
  const aside = (await readdir(dir)).filter((name) => name.includes('damaged'));
  assert.ok(aside.length <= 1, 'damaged files fill the disk');
}

async function clockIsSet(world: World): Promise<void> {
  const place = await newPlace(world);
  const dir = place.stateDir;
  const ledger = new Ledger();
  await setClock(world, '+0');
  const env = withSetClock(world);
  const numbers: number[] = [];
  for (const offset of ['+0', '-365d', '+400d', '+0', '-20000d', '+0']) {
    await using recorder = new Recorder({ ...place, ledger, env });
    await recorder.recordUntilOnDisk();
    await setClock(world, offset);
    for (let count = 0; count < 5; count += 1) await recorder.recordUntilOnDisk();
    await recorder.end();
    assert.equal(recorder.log, '');
    numbers.push(ledger.onDisk.size);
  }
  await setClock(world, '+0');
  const events = await eventsIn(dir);
  ledger.compare(events);
  const texts = events.map((event) => Number(event.kind === 'note' && event.text));
  assert.deepEqual(
    texts,
    texts.toSorted((one, other) => other - one),
    'they are not in their order',
  );
  const times = events.map(({ at }) => at);
  assert.ok(Math.max(...times) - Math.min(...times) > 365 * 86_400_000, 'the clock was not set');
}

async function twoAgents(world: World): Promise<void> {
  const place = await newPlace(world);
  const dir = place.stateDir;
  const ledger = new Ledger();
  await using one = new Recorder({ ...place, ledger });
  await one.recordUntilOnDisk();
  await using other = new Recorder({ ...place, ledger });
  assert.equal(await other.record(), false);
  for (let count = 0; count < 20; count += 1) {
    other.happen();
    await Promise.all([one.record(), other.record()]);
  }
  assert.match(other.log, /another agent uses it/);
  await one.end();
  await other.recordUntilOnDisk();
  await other.end();
  assert.equal(one.log, '');
  ledger.isComplete(await eventsIn(dir));
}

export const history: Fault[] = [
  row(`the history: SIGKILL at ${KILLS} random writes`, killedAtWrites),
  row(
    'the history: its disk is full, and has room again',
    (world) => takesNothing(world, { spoil: fill, mend: (dir) => rm(join(dir, 'filler')) }),
    'mounts',
  ),
  row(
    'the history: its disk is read-only at the start, and can be written later',
    async (world) => {
      const place = await smallDisk(world);
      const dir = place.stateDir;
      const ledger = new Ledger();
      remountHere(dir, 'ro');
      await using recorder = new Recorder({ ...place, ledger });
      recorder.happen();
      assert.equal(await recorder.record(), false);
      remountHere(dir, 'rw');
      await recorder.recordUntilOnDisk();
      await recorder.end();
      ledger.isComplete(await eventsIn(dir));
    },
    'mounts',
  ),
  row(`the history: damaged at random bytes ${DAMAGES} times`, damagedAtRandom),
  row('the history: the clock is set back a year, and ahead', clockIsSet, 'clock'),
  row('the history: two agents use it at once', twoAgents),
];
