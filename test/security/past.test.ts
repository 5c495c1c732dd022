/** Who tries to erase what the agent knows of others: by names, by a clock, by floods of events, on the disk. */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import type { NewEvent } from '../../src/history/events/event.ts';
import { openDatabase } from '../../src/history/store/database.ts';
import type { Change } from '../../src/history/store/history.ts';
import { StoreOpener } from '../../src/history/store/opener.ts';
import { Store } from '../../src/history/store/store.ts';
import { Roster } from '../../src/roster/roster.ts';
import { DAY_MS } from '../support/history-days.ts';
import { Lab, poco } from '../support/lab.ts';
import { temporaryFolder } from '../support/program-lab.ts';

const NOW = Date.UTC(2027, 5, 1, 12);
const bounds = { days: 90, maxMegabytes: 16 };

const write = (store: Store, ...changes: Change[]) => store.write(changes);
const noteOf = (at: number, text = 'x'): NewEvent => ({ kind: 'note', udid: 'A', at, text, where: {} });
const ofPhone = (udid: string, event: NewEvent) => ({ ...event, udid }) as NewEvent;
const attachedTo = (udid: string, at: number, usbPath = '1-9'): NewEvent => ({
  ...{ kind: 'attached', udid, at, state: 'device' },
  where: { usbPath },
});

describe('a phone that has a new name each time', () => {
  const usb = (name: string, devpath: string): ListedDevice => ({ serial: name, state: 'device', devpath });
  const identity = { model: 'Pixel 8', isEmulator: false };

  it.each([
    ['newest', 'at one port go first, whatever they answer and whatever the cloud holds', () => '3-1', 30],
    ['oldest', 'go first where each has a port of its own', (index: number) => `3-${index}`, 0],
  ])('in a full roster: the %s %s', (_, __, portOf, quiet) => {
    const roster = new Roster({ nodeId: 'node-1', offlineNetworkMs: 1000, maxPhones: 60, now: 9000 });
    const come = (device: ListedDevice, at: number, isQuiet: boolean) => {
      roster.observe([device], at);
      if (!isQuiet) roster.learn(device, { identity }, at);
      roster.observe([], at + 1);
    };
    for (let port = 0; port < 30; port += 1) come(usb(`QUIET${port}`, `1-${port}`), port, port % 2 === 0);
    for (let index = 0; index < 500; index += 1) {
      come(usb(`NEW${index}`, portOf(index)), 100 + index, false);
      roster.phones.announced([`NEW${index}`]);
    }
    const udids = roster.devices.map(({ udid }) => udid);
    expect(udids.filter((udid) => udid.startsWith('QUIET'))).toHaveLength(quiet);
    expect(udids.includes('NEW0')).toBe(quiet > 0);
    expect(udids).toHaveLength(60);
  });
});

describe('phones that the roster loses', () => {
  let lab: Lab;
  beforeEach(async () => {
    lab = await Lab.open();
  });
  afterEach(() => lab[Symbol.asyncDispose]());

  const env = { HOSTNODE_ROSTER_FORGET_AFTER_DAYS: '0.00000001', HOSTNODE_ROSTER_MAX_PHONES: '20' };

  it('by their age are not forgotten before the clock was steady for an hour', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running({ env });
    lab.adb.unplug('POCO');
    await lab.untilState('POCO', 'disconnected');
    await agent.round();
    await agent.round();
    expect(lab.said('phone forgotten')).toEqual([]);
  });

  it('by their age are forgotten once it was', async () => {
    lab.adb.plug(poco());
    const agent = await lab.running({ env, timing: { steadyClockMs: 0 } });
    lab.adb.unplug('POCO');
    await lab.untilState('POCO', 'disconnected');
    await agent.round();
    await agent.round();
    expect(lab.said('phone forgotten')).toHaveLength(1);
  });

  it('for lack of room are named, and keep their past', async () => {
    const forgotten: string[] = [];
    const observer = { forgotten: (udids: readonly string[]) => forgotten.push(...udids) };
    lab.adb.plug(poco());
    await lab.running({ env, observer });
    lab.adb.unplug('POCO');
    for (let index = 0; index < 25; index += 1) {
      lab.adb.plug(poco(`NEW-${index}`, '3-1'));
      await lab.untilState(`NEW-${index}`, 'device');
      lab.adb.unplug(`NEW-${index}`);
    }
    await lab.until(() => lab.said('phone dropped from the full roster').length >= 5);
    const dropped = lab.said('phone dropped from the full roster').map(({ udid }) => udid);
    expect(dropped).not.toContain('POCO');
    expect(forgotten).toEqual([]);
  });
});

describe('a full history', () => {
  it.each([
    ['a phone', (index: number) => ({ ...noteOf(NOW + index, 'x'.repeat(900)), udid: 'FLAPS' })],
    [
      'a port whose phone changes its name',
      (index: number) => ({
        ...noteOf(NOW + index, 'x'.repeat(900)),
        ...{ udid: `FLAPS ${index}`, where: { usbPath: '1-4.2' } },
      }),
    ],
    [
      'the network, by names that come once,',
      (index: number) => ({
        ...{ kind: 'state', state: 'x'.repeat(900), at: NOW + index, udid: `NEW ${index}` },
        where: {},
      }),
    ],
    [
      'five phones',
      (index: number) => ({
        ...{ kind: 'state', state: 'x'.repeat(900), at: NOW + index },
        ...{ udid: `FLAPS ${index % 5}`, where: { usbPath: `1-4.${index % 5}` } },
      }),
    ],
    ['the adb server', (index: number) => ({ kind: 'adbLost', at: NOW + index, failure: 'x'.repeat(900) })],
  ])('that %s fills costs the others neither events nor readings, and no notes', (_, flap) => {
    const store = new Store(openDatabase(':memory:'), () => NOW);
    const quiet = Array.from({ length: 50 }, (_, index) => attachedTo('A', NOW + index));
    write(store, { kind: 'events', events: [...quiet, ofPhone('FLAPS 1', noteOf(NOW))] });
    const samples = [1, 2, 3].map((day) => ({ udid: 'A', at: NOW - day * DAY_MS, levelPercent: 50 }));
    write(store, { kind: 'samples', samples });
    for (let batch = 0; batch < 12; batch++) {
      const events = Array.from({ length: 500 }, (_, index) => flap(batch * 500 + index)) as NewEvent[];
      write(store, { kind: 'events', events });
      store.keepWithin({ days: 90, mostBytes: 2 * 1024 ** 2 });
    }
    expect(store.events().length).toBeLessThan(2500);
    expect(store.events({ udids: ['A'] })).toHaveLength(50);
    expect(store.samples('A', 0)).toHaveLength(3);
    expect(store.events({ udids: ['FLAPS 1'], kinds: ['note'] }).map(({ at }) => at)).toContain(NOW);
    store.close();
  });

  it('is none where as much happens to harmless phones: nothing is erased', () => {
    const store = new Store(openDatabase(':memory:'), () => NOW);
    const ordinary = (index: number) => attachedTo(`B${index % 50}`, NOW + index, `1-${index % 50}`);
    write(store, { kind: 'events', events: Array.from({ length: 6000 }, (_, index) => ordinary(index)) });
    store.keepWithin({ days: 90, mostBytes: 2 * 1024 ** 2 });
    expect(store.events()).toHaveLength(6000);
    store.close();
  });
});

describe('the file of the history', () => {
  it('has in itself what a person was told is kept: a note, also where somebody removes SQLite’s log', async () => {
    const stateDir = await temporaryFolder();
    const path = join(stateDir, 'history.sqlite');
    /** As after a kill, without SQLite's log. */
    const killed = async () => {
      const copy = join(await temporaryFolder(), 'history.sqlite');
      await copyFile(path, copy);
      const store = new Store(openDatabase(copy));
      const found = store
        .events()
        .map(({ at }) => at)
        .toReversed();
      store.close();
      return found;
    };
    const opener = new StoreOpener({ ...bounds, stateDir }, { say: () => {} });
    onTestFinished(() => opener.close());
    const write = (...events: NewEvent[]) => {
      return opener.write([{ kind: 'events', events }]);
    };
    const attached = (at: number) => attachedTo('PHONE7', at);
    await write(noteOf(1));
    expect(await killed()).toEqual([1]);
    await write(attached(2));
    expect(await killed()).toEqual([1]);
    await write(noteOf(3));
    expect(await killed()).toEqual([1, 2, 3]);
    await rm(`${path}-wal`);
    await write(noteOf(4));
    expect(await killed()).toEqual([1, 2, 3, 4]);
  });
});
