import { describe, expect, it } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { Places } from '../../src/roster/places.ts';

const HOUR_MS = 3_600_000;
const OFFLINE_MS = 60_000;
const usb: ListedDevice = { serial: 'PIXEL', state: 'device', devpath: '1-4', transportId: 1 };
const wifi: ListedDevice = { serial: '192.168.1.7:5555', state: 'device', transportId: 2 };
const identity = { serialNumber: 'PIXEL', model: 'Pixel 8', isEmulator: false };
const boot = { bootId: 'boot-1', uptimeSeconds: 100 };

const places = (most = 10) => new Places(OFFLINE_MS, most);

/** What an earlier run wrote down of the phone on the network. */
const remembered = (lastSeenAt: number, attached = true) =>
  ({
    udid: 'PIXEL',
    serial: wifi.serial,
    connection: 'tcp',
    attached,
    state: 'device',
    lastSeenAt,
    identity,
  }) as const;

describe('a place', () => {
  it('keeps what its phone said, until another make answers there', () => {
    const all = places();
    all.observe([usb], 1_000);
    all.learn(usb, { identity, boot, uptimeAt: 200_000 });
    expect(all.at(usb).known).toMatchObject({ identity, bootId: 'boot-1', startedAt: 100 });
    all.learn(usb, { identity: { ...identity, model: 'Pixel 9' } });
    expect(all.at(usb).known).not.toHaveProperty('bootId');
  });

  it('doubts what its phone said after a new connection, and after adb did not list it', () => {
    const all = places();
    all.observe([usb], 1_000);
    all.learn(usb, { identity, boot, uptimeAt: 200_000 });
    all.observe([usb], 2_000);
    expect(all.at(usb).known.isStale).toBeUndefined();
    all.observe([{ ...usb, transportId: 9 }], 3_000);
    expect(all.at(usb).known.isStale).toBe(true);
    all.learn(usb, { identity, boot, uptimeAt: 200_000 });
    expect(all.at(usb).known.isStale).toBeUndefined();
    all.observe([], 4_000);
    expect(all.at(usb).known.isStale).toBe(true);
  });

  it('doubts every phone where another server may answer', () => {
    const all = places();
    all.observe([usb, wifi], 1_000);
    all.learn(wifi, { identity });
    all.observe([usb, wifi], 2_000, true);
    expect(all.unproven([usb, wifi])).toEqual([wifi]);
  });

  it('is forgotten a day after adb listed it last', () => {
    const all = places();
    all.observe([usb], 0);
    all.learn(usb, { identity });
    all.observe([], 1_000);
    all.observe([], 1_000 + 24 * HOUR_MS);
    expect(all.isKnown(usb)).toBe(true);
    all.observe([], 2_000 + 24 * HOUR_MS);
    expect(all.isKnown(usb)).toBe(false);
  });

  it('moves with a phone to another USB port', () => {
    const all = places();
    all.observe([usb], 0);
    all.learn(usb, { identity });
    all.observe([], 1_000);
    const moved = { ...usb, devpath: '2-1', transportId: 5 };
    all.observe([moved], 2_000);
    expect(all.at(moved).known).toMatchObject({ identity, isStale: true });
  });

  it('does not move to a phone whose serial is the beginning of another', () => {
    const all = places();
    const other = { ...usb, serial: 'AB@x', devpath: '1-4' };
    all.observe([other], 0);
    all.learn(other, { identity });
    all.observe([], 1_000);
    const short = { ...usb, serial: 'AB', devpath: '2-1', transportId: 5 };
    all.observe([short], 2_000);
    expect(all.isKnown(short)).toBe(false);
    const moved = { ...other, devpath: '2-2', transportId: 6 };
    all.observe([short, moved], 3_000);
    expect(all.isKnown(moved)).toBe(true);
  });

  it('doubts only the phone whose number the list lacks', () => {
    const all = places();
    const other = { ...usb, serial: 'OTHER', devpath: '1-5', transportId: 3 };
    all.observe([usb, other], 0);
    for (const one of [usb, other]) {
      all.at(one).udid = one.serial;
      all.learn(one, { identity, boot, uptimeAt: 200_000 });
    }
    const { transportId: _, ...numberless } = other;
    all.observe([usb, numberless], 1_000);
    expect(all.at(other).known.isStale).toBe(true);
    expect(all.at(usb).known.isStale).toBeUndefined();
  });

  it('is not another’s because both have the serial that a factory forgot to write', () => {
    const all = places();
    const [first, second] = ['1-1', '1-2'].map((devpath) => ({
      ...usb,
      serial: '0123456789ABCDEF',
      devpath,
    }));
    if (first === undefined || second === undefined) throw new Error('two are listed');
    all.observe([first], 0);
    all.learn(first, { identity });
    all.observe([], 1_000);
    all.observe([second], 2_000);
    expect(all.isKnown(second)).toBe(false);
  });

  it('is forgotten before younger ones where there are too many', () => {
    const all = places(1);
    const listed = ['A', 'B', 'C'].map((serial, index) => ({ ...usb, serial, devpath: `1-${index + 1}` }));
    all.observe(listed, 0);
    for (const device of listed) all.learn(device, { identity });
    all.observe(listed.slice(1), 1_000);
    all.observe(listed.slice(2), 2_000);
    all.observe(listed.slice(2), 3_000);
    expect(listed.map((device) => all.isKnown(device))).toEqual([false, true, true]);
  });
});

describe('a network name', () => {
  it('counts as attached for a while after it turned offline', () => {
    const all = places();
    const offline = { ...wifi, state: 'offline' };
    all.observe([offline], 1_000);
    expect(all.attachments([offline], 1_000 + OFFLINE_MS)).toHaveLength(1);
    expect(all.attachments([offline], 1_001 + OFFLINE_MS)).toEqual([]);
    all.observe([wifi], 100_000);
    expect(all.attachments([wifi], 100_000)).toHaveLength(1);
  });

  it('that an earlier run gave up does not count again while it is offline', () => {
    const all = places();
    const offline = { ...wifi, state: 'offline' };
    all.restore(remembered(1_000, false), new Set(), 2_000);
    all.observe([offline], 2_000);
    expect(all.attachments([offline], 2_000)).toEqual([]);
  });
});

describe('what an earlier run has written down', () => {
  it('is taken for a day, in doubt', () => {
    const all = places();
    all.restore(remembered(0), new Set(), 24 * HOUR_MS);
    expect(all.udidAt(wifi)).toBe('PIXEL');
    expect(all.at(wifi).known).toMatchObject({ identity, isStale: true });
    const later = places();
    later.restore(remembered(0), new Set(), 24 * HOUR_MS + 1);
    expect(later.udidAt(wifi)).toBeUndefined();
  });

  it('does not replace what has been seen meanwhile', () => {
    const all = places();
    all.observe([wifi], 1_000);
    all.learn(wifi, { identity: { ...identity, model: 'Pixel 9' } });
    all.restore(remembered(0), new Set(), 2_000);
    expect(all.at(wifi).known.identity?.model).toBe('Pixel 9');
  });

  it('keeps two phones of one name apart', () => {
    const all = places();
    all.observe([usb], 0);
    all.part([usb]);
    expect(all.parted).toHaveLength(1);
    const next = places();
    next.restore({ ...remembered(0), ...usb, connection: 'usb' }, new Set(all.parted), 1_000);
    expect(next.at(usb).known.isParted).toBe(true);
  });
});

describe('two places', () => {
  const told = (over: object = {}) => {
    const all = places();
    all.observe([usb, wifi], 0);
    all.learn(usb, { identity, boot, uptimeAt: 200_000 });
    all.learn(wifi, { identity, boot: { ...boot, ...over }, uptimeAt: 200_000 });
    return all;
  };

  it('have one phone where it says the same make and the same boot', () => {
    expect(told().areOne(usb, wifi)).toBe(true);
    expect(told({ bootId: 'boot-2' }).areOne(usb, wifi)).toBe(false);
    const silent = places();
    silent.observe([usb, wifi], 0);
    expect(silent.areOne(usb, wifi)).toBe(false);
  });

  it('begin at one moment once they are joined', () => {
    const all = told({ uptimeSeconds: 101 });
    all.join(usb, [usb, wifi]);
    expect(all.at(wifi).known.startedAt).toBe(100);
  });

  it('are forgotten with their phone only where adb does not list them', () => {
    const all = places();
    all.restore(remembered(0), new Set(), 1_000);
    all.observe([usb], 1_000);
    all.at(usb).udid = 'PIXEL';
    all.forget(new Set(['PIXEL']));
    expect([all.udidAt(usb), all.udidAt(wifi)]).toEqual(['PIXEL', undefined]);
  });
});

describe('the host’s clock', () => {
  it('moves the moments with it when it is set', () => {
    const all = places();
    const offline = { ...wifi, state: 'offline' };
    all.observe([offline], 1_000);
    all.learn(offline, { identity, boot, uptimeAt: 200_000 });
    all.clockSet((at) => at + HOUR_MS);
    expect(all.at(wifi)).toMatchObject({ offlineSince: 1_000 + HOUR_MS, known: { startedAt: 100 + 3_600 } });
  });
});

describe('a phone that is collected and does not identify itself', () => {
  it('is news once, and only while a phone is on the network', () => {
    const all = places();
    all.observe([usb, wifi], 0);
    expect([all.silent(usb), all.silent(usb)]).toEqual([true, false]);
    const wired = places();
    wired.observe([usb], 0);
    expect(wired.silent(usb)).toBe(false);
  });
});
