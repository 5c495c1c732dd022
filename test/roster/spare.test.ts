import { randomBytes, randomUUID } from 'node:crypto';
import type { PathLike } from 'node:fs';
import fs, { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import type { Logger } from '../../src/base/log.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { openRoster } from '../../src/daemon/opening.ts';
import type { RosterDevice, RosterRecord } from '../../src/roster/device.ts';
import { RosterKeeper } from '../../src/roster/keeper.ts';
import { Roster } from '../../src/roster/roster.ts';
import { RosterSpare, readSpareRoster } from '../../src/roster/spare.ts';
import { readRoster, writeRoster } from '../../src/roster/store.ts';
import { keptLog, type LogLine } from '../support/log.ts';

/** From now on no disk has room, as far as it says. */
function fillDisks(): void {
  const { statfs } = fs;
  const filled = async (path: PathLike) => ({ ...(await statfs(path)), bavail: 0 });
  const spy = vi.spyOn(fs, 'statfs').mockImplementation(filled as never);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

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
let lines: LogLine[];
let log: Logger;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostnode-spare-'));
  [stateDir, runtimeDir] = [join(folder, 'state'), join(folder, 'run')];
  await mkdir(stateDir);
  vi.stubEnv('RUNTIME_DIRECTORY', runtimeDir);
  ({ log, lines } = keptLog());
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
    roster.phones.announced(['OLD', 'NEW-1', 'NEW-2']);
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

const hex = (bytes: number) => randomBytes(bytes).toString('hex');
const chinese = (length: number) =>
  String.fromCharCode(...Array.from(randomBytes(length), (byte, at) => 0x4e00 + 64 * byte + (at % 64)));

const honest = (): RosterDevice => ({
  udid: hex(6),
  serial: hex(6),
  connection: 'usb',
  devpath: '1-4.2',
  attached: true,
  state: 'device',
  lastSeenAt: now,
  identity: {
    serialNumber: hex(6),
    androidRelease: '15',
    model: 'Pixel 9',
    brand: 'google',
    isEmulator: false,
  },
  givenName: `phone ${hex(2)}`,
  boot: { id: randomUUID(), bootTimeSeconds: now / 1000 },
  reported: true,
  wasStored: true,
});

/** One phone may come under many serials, with other names each time. */
function hostile(): RosterDevice {
  const serial = chinese(100);
  const [model, brand, manufacturer, marketingName] = [256, 256, 256, 256].map(chinese);
  const identity = omitUndefined({ model, brand, manufacturer, marketingName, isEmulator: false });
  return {
    ...honest(),
    udid: serial,
    serial,
    identity: { ...identity, serialNumber: serial },
    givenName: chinese(256),
  };
}

const many = (count: number, make: () => RosterDevice) => Array.from({ length: count }, make);

describe.each([
  ['2000 honest phones', () => many(2000, honest)],
  ['20 honest phones and 20 records of a hostile one', () => [...many(20, honest), ...many(20, hostile)]],
  ['2000 records of hostile phones', () => many(2000, hostile)],
])('a roster of %s', (_, make) => {
  const roster = (): RosterRecord => ({ devices: make(), sharedSerials: [], partedPlaces: [] });
  const owed = (record: RosterRecord | undefined) =>
    record?.devices.map(({ udid, serial, reported, wasStored }) => [udid, serial, reported, wasStored]);

  it.each([
    ['while the disk has room', true],
    ['and the room was taken earlier', false],
  ])('is kept in two places, and read from each: %s', async (_when, isLate) => {
    const spare = new RosterSpare(stateDir, process.env);
    const record = roster();
    await spare.isNotNeeded(isLate ? undefined : record);
    expect(await spare.keep(record)).toHaveLength(2);
    const whole = await readSpareRoster(stateDir, process.env);
    expect(whole?.roster.devices).toEqual(record.devices);
    await rm(runtimeDir, { recursive: true });
    const { record: restored } = await openRoster(stateDir, log);
    expect(owed(restored)).toEqual(owed(record));
  });
});

describe('the spare of a roster', () => {
  it('leaves out the names first, then the phones that need not be reported', async () => {
    const env = { RUNTIME_DIRECTORY: join(stateDir, 'roster.json', 'none') };
    await writeFile(join(stateDir, 'roster.json'), '');
    const spare = new RosterSpare(stateDir, env);
    const file = join(stateDir, 'roster.spare');
    const [owed, other] = [many(50, honest), many(700, honest)];
    const stored = other.map((phone) => ({ ...phone, attached: false, isGoneStored: true }));
    const kept = async (devices: RosterDevice[]) => {
      await writeFile(file, randomBytes(16 * 1024)); // as made on a small disk
      await spare.keep({ devices, sharedSerials: [], partedPlaces: [] });
      return (await readSpareRoster(stateDir, env))?.roster.devices;
    };
    fillDisks();
    const some = [...owed, ...stored.slice(0, 40)];
    expect((await kept(some))?.map(({ udid }) => udid)).toEqual(some.map(({ udid }) => udid));
    expect((await kept([...owed, ...stored]))?.map(({ udid }) => udid)).toEqual(owed.map(({ udid }) => udid));
  });

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
