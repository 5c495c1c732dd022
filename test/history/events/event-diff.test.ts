import { describe, expect, it } from 'vitest';
import { parseBoot } from '../../../src/facts/boot.ts';
import { parseIdentity } from '../../../src/facts/identity.ts';
import { parseProperties } from '../../../src/facts/properties.ts';
import {
  eventDiff,
  nothingBefore,
  type Previous,
  previousOf,
} from '../../../src/history/events/event-diff.ts';
import type { RosterDevice } from '../../../src/roster/device.ts';
import { collectedDevice } from '../../../src/roster/device-changes.ts';
import { samples } from '../../support/corpus.ts';

const identity = {
  serialNumber: 'R58M1',
  model: 'Pixel 5',
  brand: 'google',
  androidRelease: '14',
  build: '611',
  isEmulator: false,
};
const boot = { id: 'one', bootTimeSeconds: 1_000_000 };
const other = { id: 'two', bootTimeSeconds: 1_005_000 };

const phone = (changes: Partial<RosterDevice> = {}): RosterDevice => ({
  udid: 'R58M1',
  serial: 'R58M1',
  connection: 'usb',
  attached: true,
  state: 'device',
  lastSeenAt: 0,
  identity,
  boot,
  ...changes,
});
const previous: Previous = phone();

const between = (before: Partial<Previous>, now: Partial<RosterDevice>, circumstances = {}) =>
  eventDiff({ ...previous, ...before }, phone(now), circumstances);

describe('a phone’s connection', () => {
  it('is told when it comes, goes or has another state, and only then', () => {
    expect(
      eventDiff(nothingBefore, phone({ state: 'unauthorized', identity: undefined } as never), {}),
    ).toEqual([{ kind: 'attached', state: 'unauthorized' }]);
    expect(between({}, { attached: false, state: 'disconnected' })).toEqual([{ kind: 'detached' }]);
    expect(between({}, { state: 'no permissions', reason: 'udev' })).toEqual([
      { kind: 'state', state: 'no permissions', before: 'device', reason: 'udev' },
    ]);
    expect(between({}, {})).toEqual([]);
    expect(
      between({ attached: false, state: 'disconnected' }, { attached: false, state: 'disconnected' }),
    ).toEqual([]);
  });
});

describe('who a phone is', () => {
  it('is told the first time, and when a phone of another model has its name', () => {
    const told = { kind: 'identity', model: 'Pixel 5', brand: 'google' };
    expect(eventDiff({ ...previous, identity: undefined } as never, phone(), {})).toEqual([told]);
    const b = { ...identity, serialNumber: 'B', model: 'Pixel 9', androidRelease: '16' };
    expect(between({}, { identity: b, boot: other })).toEqual([{ ...told, model: 'Pixel 9' }]);
  });

  it('is no change of its Android, SIM or boot where another phone answers', () => {
    const b = { ...identity, serialNumber: 'B', androidRelease: '16', build: '700' };
    const now = { identity: b, boot: other, simState: 'ABSENT', batteryHealth: 'DEAD' } as const;
    expect(between({ simState: 'LOADED', batteryHealth: 'GOOD' }, now)).toEqual([]);
    expect(
      previousOf({ ...previous, simState: 'LOADED' }, phone({ identity: b, boot: other })),
    ).not.toHaveProperty('simState');
  });

  it('is known still where it says nothing of it over another connection, but for being root', () => {
    const { boot: _, ...silent } = phone();
    const before: Previous = { ...previous, simState: 'LOADED', isAdbRoot: true, cloudAnswer: 'stored' };
    const after = previousOf(before, silent);
    expect(after).toMatchObject({ boot, simState: 'LOADED', cloudAnswer: 'stored' });
    expect(after).not.toHaveProperty('isAdbRoot');
    expect(eventDiff(after, phone({ boot: other }), {})).toEqual([{ kind: 'rebooted' }]);
  });
});

describe('a reboot', () => {
  it('is another boot id, with why and for how long it runs', () => {
    const facts = { bootId: 'two', uptimeSeconds: 31, bootReason: 'kernel_panic' };
    expect(between({}, { boot: other }, { boot: facts })).toEqual([
      { kind: 'rebooted', reason: 'kernel_panic', uptimeSeconds: 31 },
    ]);
  });

  it('has no reason from the facts of another boot', () => {
    const facts = { bootId: 'one', uptimeSeconds: 900, bootReason: 'reboot,adb' };
    expect(between({}, { boot: other }, { boot: facts })).toEqual([{ kind: 'rebooted' }]);
  });

  it('is none where a cable was pulled: the boot is the same, also where the phone hides its id', () => {
    const hidden = { id: '', bootTimeSeconds: 1_000_000 };
    expect(between({ attached: false, state: 'disconnected' }, {})).toEqual([
      { kind: 'attached', state: 'device' },
    ]);
    expect(between({ boot: hidden }, { boot: { id: '', bootTimeSeconds: 1_000_090 } })).toEqual([]);
  });

  it('of a phone that hides its boot id is an uptime that went back', () => {
    const hidden = { id: '', bootTimeSeconds: 1_000_000 };
    expect(between({ boot: hidden }, { boot: { id: '', bootTimeSeconds: 1_000_200 } })).toEqual([
      { kind: 'rebooted' },
    ]);
    expect(between({ boot: hidden }, { boot: { id: '', bootTimeSeconds: 990_000 } })).toEqual([]);
  });

  it('is none where the time of the former boot is not known and its id was hidden, or is hidden now', () => {
    const timeless = { id: 'one', bootTimeSeconds: Number.NaN };
    expect(between({ boot: timeless }, { boot: { id: '', bootTimeSeconds: 2_000_000 } })).toEqual([]);
    expect(between({ boot: timeless }, { boot: other })).toEqual([{ kind: 'rebooted' }]);
  });

  it('is none where containers of one host got its new boot id', () => {
    expect(between({}, { boot: other }, { isBootShared: true })).toEqual([]);
  });

  it('of a phone with a placeholder for its serial may be a swap: it is not told', () => {
    const nameless = { ...identity, serialNumber: '0123456789ABCDEF' };
    expect(between({ identity: nameless }, { identity: nameless, boot: other })).toEqual([]);
  });
});

describe('Android, SIM and battery', () => {
  it('are told when they change, not when they become known', () => {
    const updated = { ...identity, androidRelease: '15', build: '700' };
    const now = { identity: updated, boot: other, simState: 'ABSENT', batteryHealth: 'OVERHEAT' } as const;
    expect(between({ simState: 'LOADED', batteryHealth: 'GOOD' }, now)).toEqual([
      { kind: 'rebooted' },
      { kind: 'os', release: '15', before: '14', build: '700', buildBefore: '611' },
      { kind: 'sim', state: 'ABSENT', before: 'LOADED' },
      { kind: 'batteryHealth', health: 'OVERHEAT', before: 'GOOD' },
    ]);
    const { build: _, ...unbuilt } = identity;
    expect(between({ identity: unbuilt }, { simState: 'ABSENT', batteryHealth: 'GOOD' })).toEqual([]);
  });

  it('are told of adb root, also at first, and of its end', () => {
    expect(between({}, { isAdbRoot: true })).toEqual([{ kind: 'adbRoot', isRoot: true }]);
    expect(between({ isAdbRoot: true }, { isAdbRoot: true })).toEqual([]);
    expect(between({ isAdbRoot: true }, {})).toEqual([{ kind: 'adbRoot', isRoot: false }]);
  });

  it('are told of a security update, which changes the build only', () => {
    expect(between({}, { identity: { ...identity, build: '612' } })).toEqual([
      { kind: 'os', release: '14', before: '14', build: '612', buildBefore: '611' },
    ]);
  });
});

describe('the cloud’s answer', () => {
  it('is told when it is the first or another one', () => {
    expect(between({}, { cloudAnswer: 'stored' })).toEqual([{ kind: 'stored' }]);
    expect(between({ cloudAnswer: 'stored' }, { cloudAnswer: 'stored' })).toEqual([]);
    expect(between({ cloudAnswer: 'stored' }, { cloudAnswer: 'refused' }, { said: 'no rack' })).toEqual([
      { kind: 'refused', said: 'no rack' },
    ]);
    expect(between({ cloudAnswer: 'refused' }, {})).toEqual([]);
  });
});

describe('what is recorded of a phone', () => {
  const bare: RosterDevice = {
    udid: 'A',
    serial: 'A',
    connection: 'usb',
    attached: true,
    state: 'device',
    lastSeenAt: 0,
  };

  it.each(samples('getprop'))('holds no identifier of telephony of $device', ({ text }) => {
    const properties = parseProperties(text);
    const identifiers = [...properties]
      .filter(([key, value]) => /imei|meid|iccid|imsi|psno|msisdn/i.test(key) && /\d{8}/.test(value))
      .map(([, value]) => value);
    const facts = parseBoot({ properties: text });
    const device = collectedDevice(bare, { identity: parseIdentity(text), boot: facts });
    const told = JSON.stringify([
      ...eventDiff(nothingBefore, device, { boot: facts }),
      ...eventDiff(
        { ...device, simState: 'PIN_REQUIRED,PIN_REQUIRED', boot },
        { ...device, boot: other },
        { boot: facts },
      ),
    ]);
    if (device.identity?.serialNumber) expect(told).toContain('rebooted');
    for (const identifier of identifiers) expect(told).not.toContain(identifier);
    expect(told).not.toMatch(/\d{14}/);
  });

  it('holds none that a phone writes where its state of the SIM or the reason of its boot belongs', () => {
    const iccid = '8949020000123456789';
    const facts = parseBoot({
      properties: `[sys.boot_completed]: [1]\n[gsm.sim.state]: [${iccid},ABSENT]\n[sys.boot.reason]: [reboot,${iccid}]\n`,
    });
    const before = phone({ simState: 'LOADED,LOADED' });
    const now = collectedDevice(phone({ simState: 'LOADED,LOADED' }), { boot: facts });
    expect(eventDiff(before, { ...now, boot: other }, { boot: facts })).toEqual([
      { kind: 'rebooted' },
      { kind: 'sim', state: 'LOADED,ABSENT', before: 'LOADED,LOADED' },
    ]);
  });
});
