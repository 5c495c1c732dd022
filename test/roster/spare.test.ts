import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { createLogger, type Logger } from '../../src/base/log.ts';
import { openRoster } from '../../src/daemon/opening.ts';
import type { RosterRecord } from '../../src/roster/device.ts';
import { RosterKeeper } from '../../src/roster/keeper.ts';
import { Roster } from '../../src/roster/roster.ts';
import { RosterSpare } from '../../src/roster/spare.ts';
import { readRoster, writeRoster } from '../../src/roster/store.ts';

const full = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
const now = Date.now();
const usb = (serial: string, index: number): ListedDevice => ({
  serial,
  state: 'device',
  devpath: `1-${index + 1}`,
});

let folder: string;
let stateDir: string;
let runtimeDir: string;
let lines: { msg: string; keptIn?: string[] }[];
let log: Logger;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostnode-spare-'));
  [stateDir, runtimeDir] = [join(folder, 'state'), join(folder, 'run')];
  await mkdir(stateDir);
  vi.stubEnv('RUNTIME_DIRECTORY', runtimeDir);
  lines = [];
  log = createLogger({
    level: 'info',
    format: 'json',
    destination: (line) => lines.push(JSON.parse(line)),
  }).logger;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const rosterOf = (record?: RosterRecord) =>
  new Roster({ nodeId: 'node-1', offlineNetworkMs: 60_000, ...(record && { record }) });

/** @param write how the disk takes it; absent where it does */
const keeperOf = (roster: Roster, write?: () => Promise<void>) =>
  new RosterKeeper({
    stateDir,
    roster,
    log,
    spare: new RosterSpare(stateDir, process.env),
    ...(write && { write }),
  });

/** An agent that knows these phones, and has written them as long as it could. */
async function known(...serials: string[]): Promise<Roster> {
  const roster = rosterOf();
  roster.observe(serials.map(usb), now);
  await keeperOf(roster).save();
  return roster;
}

const udidsIn = (record: RosterRecord | undefined) => record?.devices.map(({ udid }) => udid);

describe.each([
  ['beside the roster', () => rm(runtimeDir, { recursive: true, force: true })],
  ['in memory', () => rm(join(stateDir, 'roster.spare'))],
])('a roster that the disk does not take, kept %s', (_, loseTheOther) => {
  it('is there at the next start, whole', async () => {
    const roster = await known('OLD');
    roster.observe(['OLD', 'NEW-1', 'NEW-2'].map(usb), now);
    roster.announced(['OLD', 'NEW-1', 'NEW-2']);
    await keeperOf(roster, full).save();
    await loseTheOther();
    expect(udidsIn((await readRoster(stateDir)).value)).toEqual(['OLD']);
    expect(await openRoster(stateDir, log)).toEqual({ record: { version: 1, ...roster.record } });
    expect(lines.map(({ msg }) => msg)).toContain('the roster is taken from its spare file');
  });

  it('is the newest of several', async () => {
    const roster = await known('OLD');
    const keeper = keeperOf(roster, full);
    for (const serials of [
      ['OLD', 'NEW-A'],
      ['OLD', 'NEW-A', 'NEW-B'],
      ['OLD', 'NEW-A', 'NEW-B', 'NEW-C'],
    ]) {
      roster.observe(serials.map(usb), now);
      await keeper.save();
    }
    await loseTheOther();
    expect(udidsIn((await openRoster(stateDir, log)).record)).toEqual(['OLD', 'NEW-A', 'NEW-B', 'NEW-C']);
  });

  it('counts no more once the roster was written, also where it could not be removed', async () => {
    const roster = await known('OLD');
    roster.observe(['OLD', 'NEW'].map(usb), now);
    await keeperOf(roster, full).save();
    roster.observe([usb('OTHER', 5)], now);
    await writeRoster(stateDir, roster.record);
    await loseTheOther();
    const forgotten = { ...roster.record, devices: [] };
    await writeRoster(stateDir, forgotten);
    expect((await openRoster(stateDir, log)).record).toMatchObject(forgotten);
    expect(lines.map(({ msg }) => msg)).not.toContain('the roster is taken from its spare file');
  });

  it('stands in for a roster that is damaged', async () => {
    const roster = await known('OLD');
    roster.observe(['OLD', 'NEW'].map(usb), now);
    await keeperOf(roster, full).save();
    await loseTheOther();
    await writeFile(join(stateDir, 'roster.json'), '{"version":1,"devi');
    expect(udidsIn((await openRoster(stateDir, log)).record)).toEqual(['OLD', 'NEW']);
  });
});

describe('the spare of a roster', () => {
  it('says where it is kept, once, and is emptied when the disk takes it again', async () => {
    const roster = await known('OLD');
    let isFull = true;
    const keeper = keeperOf(roster, () => (isFull ? full() : writeRoster(stateDir, roster.record)));
    roster.observe(['OLD', 'NEW'].map(usb), now);
    await keeper.save();
    await keeper.save();
    expect(lines.flatMap(({ keptIn }) => (keptIn ? [keptIn] : []))).toEqual([
      [join(stateDir, 'roster.spare'), join(runtimeDir, 'roster.spare')],
    ]);
    isFull = false;
    await keeper.save();
    await expect(stat(join(runtimeDir, 'roster.spare'))).rejects.toThrow('ENOENT');
    await writeFile(join(stateDir, 'roster.json'), 'damaged');
    expect((await openRoster(stateDir, log)).record).toBeUndefined();
  });

  it('is not said to be kept where no place takes it', async () => {
    await writeFile(runtimeDir, '');
    const roster = rosterOf();
    roster.observe([usb('NEW', 0)], now);
    await rm(stateDir, { recursive: true });
    await keeperOf(roster, full).save();
    expect(lines).toEqual([expect.not.objectContaining({ keptIn: expect.anything() })]);
  });

  it('of another state directory is left alone', async () => {
    const roster = rosterOf();
    roster.observe([usb('NEW', 0)], now);
    await keeperOf(roster, full).save();
    const other = join(folder, 'other');
    await mkdir(other);
    expect((await openRoster(other, log)).record).toBeUndefined();
    expect(udidsIn((await openRoster(stateDir, log)).record)).toEqual(['NEW']);
  });
});
