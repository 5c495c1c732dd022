import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { Roster } from '../../src/roster/roster.ts';
import { readRoster, writeRoster } from '../../src/roster/store.ts';

const usb = (name: string): ListedDevice => ({
  serial: `RIG-${name}`,
  state: 'device',
  devpath: `1-${name}`,
});
const rosterOf = (maxPhones: number, record?: Roster['record']) =>
  new Roster({ nodeId: 'node-1', offlineNetworkMs: 1000, maxPhones, now: 9000, ...(record && { record }) });
const identity = { model: 'Pixel 8', isEmulator: false };
const udids = (roster: Roster) => roster.devices.map(({ udid }) => udid.replace(/^RIG-/, ''));

/** Plugged in at `at` for a moment. */
function come(roster: Roster, serial: string, at: number, { answers = false } = {}): void {
  roster.observe([usb(serial)], at);
  if (answers) roster.learn(usb(serial), { identity }, at);
  roster.observe([], at + 1);
}

describe('the bound of the roster', () => {
  it('has those go first that never answered, then those that are gone for longest', () => {
    const roster = rosterOf(4);
    come(roster, 'A', 10, { answers: true });
    come(roster, 'G', 20);
    come(roster, 'B', 30, { answers: true });
    come(roster, 'H', 40);
    come(roster, 'C', 50, { answers: true });
    expect(udids(roster).sort()).toEqual(['A', 'B', 'C', 'H']);
    expect(roster.phones.takeDropped()).toEqual(['RIG-G']);
    expect(roster.phones.takeDropped()).toEqual([]);
    roster.observe([usb('D'), usb('E')], 60);
    expect(udids(roster).sort()).toEqual(['B', 'C', 'D', 'E']);
    expect(roster.phones.isFull).toBe(true);
  });

  it('has what the cloud may hold as plugged in go last', () => {
    const roster = rosterOf(3);
    come(roster, 'TOLD', 10);
    roster.phones.announced(['RIG-TOLD']);
    come(roster, 'STORED', 20, { answers: true });
    roster.phones.announced(['RIG-STORED']);
    roster.phones.stored([{ udid: 'RIG-STORED', status: 'UNPLUGGED' }]);
    come(roster, 'A', 30);
    come(roster, 'B', 40);
    expect(udids(roster).sort()).toEqual(['B', 'STORED', 'TOLD']);
    come(roster, 'C', 50);
    come(roster, 'D', 60, { answers: true });
    come(roster, 'E', 70, { answers: true });
    expect(udids(roster)).toContain('TOLD');
    roster.phones.stored([{ udid: 'RIG-TOLD', status: 'UNPLUGGED' }]);
    come(roster, 'F', 80, { answers: true });
    expect(udids(roster)).not.toContain('TOLD');
  });

  it('takes no more phones that are attached than it knows at most, and keeps those that it has', () => {
    const roster = rosterOf(3);
    roster.observe(['X', 'Y'].map(usb), 10);
    roster.observe(['A', 'B', 'C', 'X', 'Y'].map(usb), 20);
    expect(udids(roster).sort()).toEqual(['A', 'X', 'Y']);
    expect([roster.beyond, roster.phones.isFull]).toEqual([2, true]);
    expect(roster.devices.every(({ attached }) => attached)).toBe(true);
    roster.observe(['B', 'C', 'X'].map(usb), 30);
    expect(udids(roster).sort()).toEqual(['B', 'C', 'X']);
    expect(roster.beyond).toBe(0);
  });

  it('holds against serials that come once and never again, in memory and on the disk', () => {
    const roster = rosterOf(50);
    for (let index = 0; index < 3_000; index += 1) come(roster, `S${index}`, index);
    expect(roster.devices).toHaveLength(50);
    expect(udids(roster)).toContain('S2999');
    const twins = (serial: string) => [1, 2].map((port) => ({ ...usb(serial), devpath: `2-${port}` }));
    for (let index = 0; index < 200; index += 1) roster.observe(twins(`T${index}`), 5_000 + index);
    const { devices, sharedSerials, partedPlaces } = roster.record;
    expect([devices.length, sharedSerials.length, partedPlaces.length]).toEqual([50, 50, 0]);
    expect(sharedSerials).toContain('RIG-T199');
    expect(JSON.stringify(roster.record).length).toBeLessThan(20_000);
  });

  it('names a phone with an impossible serial by a hash of it, steadily, with few bytes', () => {
    const serial = `\u001b[2J\n${'A'.repeat(900_000)}`;
    const listed = {
      ...usb('X'),
      serial,
      devpath: '1-1',
      state: 's'.repeat(5_000),
      reason: 'r\u001b'.repeat(5_000),
    };
    const roster = rosterOf(10);
    const [device] = roster.observe([listed], 10);
    expect(device?.udid).toMatch(/^sha256-[0-9a-f]{32}$/);
    expect(roster.udidAt(listed)).toBe(device?.udid);
    expect(roster.listed(device?.udid ?? '')).toBe(listed); // adb is asked by the serial as it is
    expect(JSON.stringify(roster.record).length).toBeLessThan(1_000);
    const after = rosterOf(10, roster.record);
    after.observe([listed], 20);
    expect(udids(after)).toEqual([device?.udid]);
  });

  it('is kept when an earlier version has written more, and longer texts', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'hostnode-roster-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const long = '\u001b[2J'.padEnd(20_000, 'x');
    const device = (index: number) => ({
      udid: index === 0 ? long : `S${index}`,
      serial: index === 0 ? long : `S${index}`,
      connection: 'usb' as const,
      devpath: index === 0 ? long : `1-${index}`,
      attached: index % 10 === 0,
      state: long,
      reason: long,
      lastSeenAt: index,
      givenName: long,
      identity: { serialNumber: long, model: long, cpuAbi: long, isEmulator: false },
    });
    await writeRoster(dir, {
      devices: Array.from({ length: 100 }, (_, index) => device(index)),
      sharedSerials: [long],
      partedPlaces: [long],
    });
    const { value, problem } = await readRoster(dir);
    expect(problem).toBeUndefined();
    const roster = rosterOf(20, value);
    expect(roster.devices).toHaveLength(20);
    expect(roster.attachedBefore).toHaveLength(10); // they go last
    expect(udids(roster)).toContainEqual(expect.stringMatching(/^sha256-/));
    expect(JSON.stringify(roster.record).length).toBeLessThan(40_000);
    expect(JSON.stringify(roster.record)).not.toContain('\\u001b');
    await writeFile(join(dir, 'roster.json'), '{}');
    expect((await readRoster(dir)).problem).toBeDefined();
  });
});
