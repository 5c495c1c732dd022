import { describe, expect, it } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { Roster } from '../../src/roster/roster.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const pixel: ListedDevice = { serial: 'PIXEL', state: 'device', devpath: '1-4', transportId: 1 };
const wifi: ListedDevice = { serial: '192.168.1.7:5555', state: 'device', transportId: 2 };
const identity = { serialNumber: 'PIXEL', model: 'Pixel 8', isEmulator: false };

const rosterOf = (record?: Roster['record'], now = 0) =>
  new Roster({ nodeId: 'node-1', offlineNetworkMs: 10 * MINUTE, now, ...(record && { record }) });

const attachedIn = ({ devices }: Roster) =>
  devices
    .filter(({ attached }) => attached)
    .map(({ udid }) => udid)
    .sort();

describe('Roster', () => {
  it('keeps a phone that was unplugged', () => {
    const roster = rosterOf();
    roster.observe([pixel], 1000);
    roster.learn(pixel, { identity, name: { givenName: 'Shelf 3' } }, 1000);
    roster.observe([], 2000);
    expect(roster.devices).toEqual([
      {
        udid: 'PIXEL',
        serial: 'PIXEL',
        connection: 'usb',
        devpath: '1-4',
        attached: false,
        state: 'disconnected',
        lastSeenAt: 1000,
        goneAt: 2000,
        identity,
        givenName: 'Shelf 3',
      },
    ]);
  });

  it('remembers its phones across a restart, as unplugged until adb lists them', () => {
    const before = rosterOf();
    before.observe([pixel], 1000);
    before.learn(pixel, { identity }, 1000);
    const after = rosterOf(before.record);
    expect(after.devices.map(({ udid, attached, state }) => [udid, attached, state])).toEqual([
      ['PIXEL', false, 'disconnected'],
    ]);
    after.observe([pixel], 5000);
    expect(after.get('PIXEL')).toMatchObject({ attached: true, state: 'device', identity });
  });

  it.each(['PHONE-A', 'PHONE-B'])('knows after a restart that %s was the last one at an address', (last) => {
    const now = Date.now();
    const before = rosterOf();
    const come = (serialNumber: string, transportId: number, at: number) => {
      const listed = { ...wifi, transportId };
      before.observe([], at);
      before.observe([listed], at);
      before.learn(listed, { identity: { ...identity, serialNumber } }, at);
    };
    come('PHONE-A', 1, now - 3000);
    come('PHONE-B', 2, now - 2000);
    if (last === 'PHONE-A') come('PHONE-A', 3, now - 1000);
    const { record } = before;
    const after = new Roster({ nodeId: 'node-1', offlineNetworkMs: 10 * MINUTE, record, now });
    const joined = rosterOf();
    joined.join(record, now);
    for (const roster of [after, joined]) roster.observe([{ ...wifi, transportId: 9 }], now);
    expect([before, after, joined].map(attachedIn)).toEqual([[last], [last], [last]]);
  });

  it('joins what an earlier run has kept and could not be read until now, as far as nothing newer is known', () => {
    const other: ListedDevice = { serial: 'OTHER', state: 'device', devpath: '1-5', transportId: 3 };
    const before = rosterOf();
    before.observe([pixel, other, wifi], 1000);
    before.learn(pixel, { identity, name: { givenName: 'Shelf 3' } }, 1000);
    before.phones.stored([
      { udid: 'PIXEL', status: 'PLUGGED' },
      { udid: 'OTHER', status: 'PLUGGED' },
    ]);
    const after = rosterOf();
    after.observe([{ ...pixel, devpath: '1-5' }], 5000);
    after.join(before.record, 6000);
    expect(after.get('PIXEL')).toMatchObject({
      ...{ attached: true, devpath: '1-5', lastSeenAt: 5000, wasStored: true },
      ...{ identity, givenName: 'Shelf 3' },
    });
    expect(after.get('OTHER')).toMatchObject({
      attached: false,
      state: 'disconnected',
      wasStored: true,
      goneAt: 6000,
    });
    expect(after.devices).toHaveLength(3);
    after.observe([{ ...pixel, devpath: '1-5' }], 7000);
    expect(attachedIn(after)).toEqual(['PIXEL']);
  });

  it('joins it before adb has listed anything as if it had been there from the start', () => {
    const at = Date.UTC(2026, 5, 1);
    const before = rosterOf();
    before.observe([pixel], at);
    const after = rosterOf();
    after.join(before.record, at + 5000);
    expect(after.record).toEqual(rosterOf(before.record).record);
    expect(after.attachedBefore.map(({ udid }) => udid)).toEqual(['PIXEL']);
  });

  it('remembers the names of a port until the phone is listed again', () => {
    const portPaths = ['pci-0000:00:14.0-usb-0:4', '1-4'];
    const before = rosterOf();
    before.observe([pixel], 1000);
    before.phones.seat('PIXEL', portPaths);
    before.observe([{ ...pixel, state: 'offline' }], 2000);
    const after = rosterOf(before.record);
    expect(after.get('PIXEL')).toMatchObject({ attached: false, portPaths });
    after.observe([pixel], 3000);
    expect(after.get('PIXEL')).not.toHaveProperty('portPaths');
  });

  it('knows over which other connections a phone can be reached too, while they work', () => {
    const roster = rosterOf();
    const boot = { bootId: 'b-1', uptimeSeconds: 100 };
    const listen = (state: string) => {
      const entries = [pixel, { ...wifi, state }];
      roster.observe(entries, 1000);
      for (const entry of entries) roster.learn(entry, { identity, boot, uptimeAt: 1000 }, 1000);
      return roster.alsoAt;
    };
    expect(listen('device')).toEqual(new Map([['PIXEL', ['192.168.1.7:5555']]]));
    expect(attachedIn(roster)).toEqual(['PIXEL']);
    expect(listen('offline').size).toBe(0);
    roster.observe([wifi], 2000);
    expect(roster.alsoAt.size).toBe(0);
  });

  it('keeps the state and the reason as adb words them', () => {
    const roster = rosterOf();
    roster.observe([{ ...pixel, state: 'no permissions', reason: 'missing udev rules?' }], 1);
    expect(roster.get('PIXEL')).toMatchObject({ state: 'no permissions', reason: 'missing udev rules?' });
    roster.observe([pixel], 2);
    expect(roster.get('PIXEL')).not.toHaveProperty('reason');
  });

  it('takes back the name that the owner has taken back, and keeps it where nobody said otherwise', () => {
    const roster = rosterOf();
    roster.observe([pixel], 1);
    roster.learn(pixel, { name: { givenName: 'Shelf 3' } }, 2);
    roster.learn(pixel, { identity }, 3);
    expect(roster.get('PIXEL')).toMatchObject({ givenName: 'Shelf 3' });
    roster.learn(pixel, { name: {} }, 4);
    expect(roster.get('PIXEL')).not.toHaveProperty('givenName');
  });

  it('forgets what has been gone for too long, and nothing that is attached', () => {
    const roster = rosterOf();
    roster.observe([pixel, { ...pixel, serial: 'OTHER', devpath: '1-5' }], 1000);
    roster.observe([pixel], 2000);
    expect(roster.phones.forget(2001)).toEqual(['OTHER']);
    expect(roster.devices.map(({ udid }) => udid)).toEqual(['PIXEL']);
  });

  it('drops the address once the serial is known, if the address was never reported', () => {
    const roster = rosterOf();
    roster.observe([wifi], 1);
    roster.learn(wifi, { identity }, 2);
    expect(roster.devices.map(({ udid, serial }) => [udid, serial])).toEqual([['PIXEL', '192.168.1.7:5555']]);
  });

  it('reports the address unplugged, if it was reported before, and then forgets it', () => {
    const roster = rosterOf();
    roster.observe([wifi], 1);
    roster.phones.announced(['192.168.1.7:5555']);
    roster.learn(wifi, { identity }, 2);
    expect(roster.get('192.168.1.7:5555')).toMatchObject({ attached: false, supersededBy: 'PIXEL' });
    roster.phones.stored([
      { udid: '192.168.1.7:5555', status: 'UNPLUGGED' },
      { udid: 'PIXEL', status: 'PLUGGED' },
    ]);
    expect(roster.devices.map(({ udid }) => udid)).toEqual(['PIXEL']);
  });

  it('reports an emulator unplugged under the name that it had before its host got another one', () => {
    const emulator: ListedDevice = { serial: 'emulator-5554', state: 'device', transportId: 1 };
    const before = rosterOf();
    before.observe([emulator], 1);
    before.phones.announced(['emulator-5554@node-1']);
    const { record } = before;
    const roster = new Roster({ nodeId: 'node-2', offlineNetworkMs: MINUTE, record, now: 2 });
    roster.observe([emulator], 3);
    expect(roster.devices.map(({ udid, attached, supersededBy }) => [udid, attached, supersededBy])).toEqual([
      ['emulator-5554@node-1', false, 'emulator-5554@node-2'],
      ['emulator-5554@node-2', true, undefined],
    ]);
    expect(roster.takeRenamed()).toEqual([{ from: 'emulator-5554@node-1', to: 'emulator-5554@node-2' }]);
    roster.phones.stored([{ udid: 'emulator-5554@node-1', status: 'UNPLUGGED' }]);
    expect(roster.devices.map(({ udid }) => udid)).toEqual(['emulator-5554@node-2']);
  });

  it('sees another phone at the same address as another phone', () => {
    const roster = rosterOf();
    roster.observe([wifi], 1);
    roster.learn(wifi, { identity }, 2);
    roster.observe([], 3);
    roster.observe([wifi], 4);
    roster.learn(wifi, { identity: { ...identity, serialNumber: 'GALAXY' } }, 5);
    expect(roster.devices.map(({ udid, attached }) => [udid, attached])).toEqual([
      ['PIXEL', false],
      ['GALAXY', true],
    ]);
  });

  it('renames a phone whose twin arrives, and keeps both names when one leaves', () => {
    const twin = { ...pixel, devpath: '1-5', transportId: 3 };
    const roster = rosterOf();
    roster.observe([pixel], 1);
    roster.observe([pixel, twin], 2);
    expect(roster.devices.map(({ udid }) => udid)).toEqual(['PIXEL@1-4', 'PIXEL@1-5']);
    roster.observe([twin], 3);
    expect(roster.devices.map(({ udid, attached }) => [udid, attached])).toEqual([
      ['PIXEL@1-4', false],
      ['PIXEL@1-5', true],
    ]);
  });

  it('counts a network phone that stays offline for over ten minutes as gone', () => {
    const roster = rosterOf();
    roster.observe([wifi], 0);
    const offline = { ...wifi, state: 'offline' };
    roster.observe([offline], MINUTE);
    roster.observe([offline], 11 * MINUTE);
    expect(roster.get(wifi.serial)).toMatchObject({ attached: true, state: 'offline' });
    roster.observe([offline], 11 * MINUTE + 1);
    expect(roster.get(wifi.serial)).toMatchObject({ attached: false, state: 'disconnected' });
    roster.observe([wifi], 12 * MINUTE);
    expect(roster.get(wifi.serial)).toMatchObject({ attached: true, state: 'device' });
  });

  it.each([
    ['forward', 365 * DAY],
    ['back', -365 * DAY],
  ])('makes nothing older or younger when the clock of the host is set %s', (_, byMs) => {
    const start = 1000 * DAY;
    const roster = rosterOf();
    const offline = { ...wifi, state: 'offline' };
    roster.observe([pixel, offline], start);
    roster.observe([offline], start + MINUTE);
    roster.clockSet(byMs, start + 2 * MINUTE + byMs);
    expect(roster.devices).toEqual([
      expect.objectContaining({ udid: 'PIXEL', lastSeenAt: start + byMs, goneAt: start + MINUTE + byMs }),
      expect.objectContaining({ udid: wifi.serial, lastSeenAt: start + MINUTE + byMs }),
    ]);
    roster.observe([offline], start + 10 * MINUTE + byMs);
    expect(roster.get(wifi.serial)?.attached).toBe(true);
    roster.observe([offline], start + 11 * MINUTE + byMs);
    expect(roster.get(wifi.serial)?.attached).toBe(false);
  });

  it('leaves as it is what an earlier run timed by a clock that was right', () => {
    const before = rosterOf();
    before.observe([pixel], 1000 * DAY);
    const { record } = before;
    const roster = new Roster({ nodeId: 'node-1', offlineNetworkMs: MINUTE, record, now: DAY });
    roster.clockSet(1000 * DAY, 1001 * DAY + MINUTE);
    expect(roster.get('PIXEL')).toMatchObject({ lastSeenAt: 1000 * DAY, goneAt: 1001 * DAY });
  });

  it('counts a phone that stays offline on USB as attached', () => {
    const roster = rosterOf();
    roster.observe([{ ...pixel, state: 'offline' }], 0);
    roster.observe([{ ...pixel, state: 'offline' }], 60 * MINUTE);
    expect(roster.get('PIXEL')).toMatchObject({ attached: true, state: 'offline' });
  });

  it('moves the boot time along when the clock of the host is set', () => {
    const roster = rosterOf();
    roster.observe([pixel], 0);
    roster.learn(pixel, { boot: { bootId: 'a', uptimeSeconds: 100 }, uptimeAt: 1_000_000 }, 1_000_000);
    roster.clockSet(1000 * DAY, 1000 * DAY + 1_060_000);
    expect(roster.get('PIXEL')?.boot).toEqual({ id: 'a', bootTimeSeconds: 86_400_000 + 900 });
  });

  it('takes a phone for one while it reboots and adb still lists its network name', () => {
    const roster = rosterOf();
    roster.observe([pixel, wifi], 1);
    for (const way of [pixel, wifi]) roster.learn(way, { identity, boot: { bootId: 'a' } }, 2);
    expect(roster.devices.map(({ udid }) => udid)).toEqual(['PIXEL']);
    roster.observe([wifi], 3);
    roster.observe([pixel, wifi], 4);
    roster.learn(pixel, { identity, boot: { bootId: 'b' } }, 5);
    expect(roster.devices.map(({ udid, attached }) => [udid, attached])).toEqual([['PIXEL', true]]);
  });

  it('keeps the boot time of a boot, whatever the clocks say later', () => {
    const roster = rosterOf();
    roster.observe([pixel], 0);
    roster.learn(pixel, { boot: { bootId: 'a', uptimeSeconds: 100 }, uptimeAt: 1_000_000 }, 1);
    roster.learn(pixel, { boot: { bootId: 'a', uptimeSeconds: 200 }, uptimeAt: 9_000_000 }, 2);
    expect(roster.get('PIXEL')?.boot).toEqual({ id: 'a', bootTimeSeconds: 900 });
    roster.learn(pixel, { boot: { bootId: 'b', uptimeSeconds: 10 }, uptimeAt: 9_000_000 }, 3);
    expect(roster.get('PIXEL')?.boot).toEqual({ id: 'b', bootTimeSeconds: 8990 });
  });

  it('takes a jump of the boot time for a reboot only on a phone without boot id', () => {
    const roster = rosterOf();
    roster.observe([pixel], 0);
    roster.learn(pixel, { boot: { uptimeSeconds: 100 }, uptimeAt: 1_000_000 }, 1);
    roster.learn(pixel, { boot: { uptimeSeconds: 160 }, uptimeAt: 1_100_000 }, 2);
    expect(roster.get('PIXEL')?.boot?.bootTimeSeconds).toBe(900);
    roster.learn(pixel, { boot: { uptimeSeconds: 20 }, uptimeAt: 1_200_000 }, 3);
    expect(roster.get('PIXEL')?.boot?.bootTimeSeconds).toBe(1180);
  });

  it('counts from when a phone was found gone, also when the agent was not there to see it go', () => {
    const before = rosterOf();
    before.observe([pixel], 1000);
    const roster = new Roster({
      nodeId: 'node-1',
      offlineNetworkMs: MINUTE,
      record: before.record,
      now: 9000,
    });
    expect(roster.phones.forget(9000)).toEqual([]);
    expect(roster.phones.forget(9001)).toEqual(['PIXEL']);
  });

  describe('when an earlier run had another clock', () => {
    const right = Date.parse('2026-11-22T12:00:00Z');
    const boot = { bootId: 'a', uptimeSeconds: 100 };

    /** A phone that is unplugged, as it is a minute after it was told of. */
    const unpluggedAt = (now: number) => {
      const roster = rosterOf();
      roster.observe([pixel], now - MINUTE);
      roster.learn(pixel, { identity, boot, uptimeAt: now - MINUTE }, now - MINUTE);
      roster.observe([], now);
      return roster.record;
    };
    const restarted = (record: Roster['record'], now: number) =>
      new Roster({ nodeId: 'node-1', offlineNetworkMs: MINUTE, record, now });

    it.each(['1970-01-02', '2019-01-01', '2026-11-23', '2038-02-01', '2099-01-01'])(
      'of %s, counts from its start by the right one',
      (wrong) => {
        const roster = restarted(unpluggedAt(Date.parse(wrong)), right);
        expect(roster.get('PIXEL')).toEqual(
          expect.objectContaining({ goneAt: right, lastSeenAt: right, attached: false }),
        );
        expect(roster.get('PIXEL')).not.toHaveProperty('boot');
        expect(roster.phones.forget(right)).toEqual([]);
        expect(roster.phones.forget(right + 1)).toEqual(['PIXEL']);
      },
    );

    it('keeps the age of what was written by a right one', () => {
      const gone = right - 29 * DAY;
      const roster = restarted(unpluggedAt(gone), right);
      expect(roster.get('PIXEL')).toMatchObject({
        goneAt: gone,
        lastSeenAt: gone - MINUTE,
        boot: { id: 'a' },
      });
    });

    it.each(['1970-01-01T00:00:10Z', '2038-02-01', '2099-01-01'])(
      'forgets nothing at a start in %s, nor once the clock is right',
      (wrong) => {
        const [gone, then] = [right - 29 * DAY, Date.parse(wrong)];
        const roster = restarted(unpluggedAt(gone), then);
        expect(roster.phones.forget(then - 30 * DAY)).toEqual([]);
        roster.clockSet(right - then, right);
        expect(roster.get('PIXEL')?.goneAt).toBe(then < right ? gone : right);
        expect(roster.phones.forget(right - 30 * DAY)).toEqual([]);
      },
    );

    it.each([40, 400, 4000])(
      'makes nothing old at a start %i days ahead, once the clock is right',
      (days) => {
        const [gone, then] = [right - 6 * DAY, right + days * DAY];
        const roster = restarted(unpluggedAt(gone), then);
        roster.observe([{ ...pixel, serial: 'OTHER', devpath: '1-5' }], then);
        roster.observe([], then + MINUTE);
        roster.clockSet(right - then, right + MINUTE);
        expect(roster.get('PIXEL')?.goneAt).toBeGreaterThanOrEqual(gone);
        expect(roster.get('OTHER')?.goneAt).toBe(right + MINUTE);
        expect(roster.phones.forget(right - 7 * DAY)).toEqual([]);
        expect(roster.phones.forget(right + MINUTE)).toEqual(['PIXEL']);
      },
    );

    it('does not take for old what another run has written by a clock that was ahead of this wrong one', () => {
      const then = Date.parse('1970-01-01T00:00:10Z');
      const roster = restarted(unpluggedAt(then + 20 * DAY), then);
      roster.clockSet(right - then, right);
      expect(roster.get('PIXEL')?.goneAt).toBe(right);
    });
  });

  it('forgets no phone of which the cloud has not stored that it is gone', () => {
    const roster = rosterOf();
    const mayForget = ({ isGoneStored }: { isGoneStored?: boolean }) => isGoneStored === true;
    roster.observe([pixel], 1);
    roster.phones.announced(['PIXEL']);
    roster.phones.stored([{ udid: 'PIXEL', status: 'PLUGGED' }]);
    roster.observe([], 2);
    expect(roster.phones.forget(9000, mayForget)).toEqual([]);
    roster.phones.stored([{ udid: 'PIXEL', status: 'UNPLUGGED' }]);
    expect(roster.phones.forget(9000, mayForget)).toEqual(['PIXEL']);
  });

  it('need not report a phone unplugged that the cloud has always refused', () => {
    const roster = rosterOf();
    const mayForget = ({ reported }: { reported?: boolean }) => !reported;
    roster.observe([pixel, wifi], 1);
    roster.phones.announced(['PIXEL', wifi.serial]);
    roster.phones.refused(['PIXEL', wifi.serial]);
    roster.phones.announced(['PIXEL', wifi.serial]);
    roster.learn(wifi, { identity }, 2);
    roster.phones.refused(['PIXEL', wifi.serial]);
    roster.observe([], 3);
    expect(roster.devices.map(({ udid }) => udid)).toEqual(['PIXEL']);
    expect(roster.phones.forget(9000, mayForget)).toEqual(['PIXEL']);
  });

  it('has to report a phone unplugged that the cloud may have stored, and refuses since', () => {
    const roster = rosterOf();
    roster.observe([pixel], 1);
    roster.phones.announced(['PIXEL']); // stored, and the answer was lost
    roster.phones.announced(['PIXEL']);
    roster.phones.refused(['PIXEL']);
    roster.observe([], 3);
    expect(roster.phones.forget(9000, ({ reported }) => !reported)).toEqual([]);
  });

  it('has to report a phone unplugged that the cloud has stored, and refuses since', () => {
    const before = rosterOf();
    before.observe([pixel], 1);
    before.phones.announced(['PIXEL']);
    before.phones.stored([{ udid: 'PIXEL', status: 'PLUGGED' }]);
    const roster = rosterOf(before.record);
    roster.observe([pixel], 2);
    roster.phones.announced(['PIXEL']);
    roster.phones.refused(['PIXEL']);
    roster.observe([], 3);
    expect(roster.phones.forget(9000, ({ reported }) => !reported)).toEqual([]);
  });

  it('reports an address unplugged when its phone turns out to be the one on USB', () => {
    const roster = rosterOf();
    roster.observe([pixel, wifi], 1);
    roster.phones.announced(['PIXEL', wifi.serial]);
    roster.learn(wifi, { identity }, 2);
    expect(roster.devices.map(({ udid, attached, supersededBy }) => [udid, attached, supersededBy])).toEqual([
      ['PIXEL', true, undefined],
      [wifi.serial, false, 'PIXEL'],
    ]);
    roster.phones.stored([{ udid: wifi.serial, status: 'UNPLUGGED' }]);
    expect(roster.devices.map(({ udid }) => udid)).toEqual(['PIXEL']);
  });

  it('keeps two phones of one serial on the network apart, through a flap and a restart', () => {
    const other = { ...wifi, serial: '192.168.1.8:5555' };
    const roster = rosterOf();
    roster.observe([wifi, other], 1);
    roster.learn(wifi, { identity, boot: { bootId: 'a' } }, 2);
    roster.learn(other, { identity, boot: { bootId: 'b' } }, 3);
    const both = ['PIXEL', 'PIXEL@192.168.1.8:5555'];
    expect(attachedIn(roster)).toEqual(both);
    for (const alone of [wifi, other]) {
      roster.observe([alone], 4);
      expect(attachedIn(roster)).toEqual([both[alone === wifi ? 0 : 1]]);
      roster.observe([other, wifi], 5);
      expect(attachedIn(roster)).toEqual(both);
    }
    const restarted = () =>
      new Roster({ nodeId: 'node-1', offlineNetworkMs: MINUTE, record: roster.record, now: 6 });
    for (const order of [
      [wifi, other],
      [other, wifi],
    ]) {
      const next = restarted();
      next.observe(order, 7);
      expect(attachedIn(next)).toEqual(both);
    }
    const alone = restarted();
    alone.observe([other], 7);
    expect(attachedIn(alone)).toEqual([both[1]]);
  });

  it('does not give the name of a phone on USB to one of the same serial on the network', () => {
    const roster = rosterOf();
    roster.observe([pixel, wifi], 1);
    roster.learn(pixel, { identity, boot: { bootId: 'a' } }, 2);
    roster.learn(wifi, { identity, boot: { bootId: 'b' } }, 3);
    expect(attachedIn(roster)).toEqual(['PIXEL', `PIXEL@${wifi.serial}`]);
    roster.observe([wifi], 4);
    expect(attachedIn(roster)).toEqual([`PIXEL@${wifi.serial}`]);
  });

  it('keeps the name of a phone on USB when a way that seemed another phone turns out to be its own', () => {
    const roster = rosterOf();
    roster.observe([pixel, wifi], 1);
    roster.learn(pixel, { identity, boot: { bootId: 'a' } }, 2);
    roster.learn(wifi, { identity, boot: { bootId: 'a' } }, 3);
    roster.learn(pixel, { identity, boot: { bootId: 'b' } }, 4); // it has rebooted while adb could not be asked
    roster.learn(wifi, { identity, boot: { bootId: 'b' } }, 5);
    expect(attachedIn(roster)).toEqual(['PIXEL']);
    expect(roster.record.partedPlaces).toEqual([]);
  });

  it('leaves the name to the phone that has it, wherever the newcomer is listed', () => {
    const newcomer = { ...wifi, serial: '192.168.1.10:5555' };
    const roster = rosterOf();
    roster.observe([wifi], 1);
    roster.learn(wifi, { identity, boot: { bootId: 'a' } }, 2);
    roster.observe([newcomer, wifi], 3);
    roster.learn(newcomer, { identity, boot: { bootId: 'b' } }, 4);
    expect(roster.get('PIXEL')).toMatchObject({ attached: true, serial: wifi.serial });
    expect(roster.get(`PIXEL@${newcomer.serial}`)).toMatchObject({ attached: true });
  });

  it('keeps a phone of the same serial apart that has two ways', () => {
    const others = [
      { ...wifi, serial: '192.168.1.8:5555' },
      { ...wifi, serial: 'adb-PIXEL-zzzzzz._adb-tls-connect._tcp' },
    ];
    const roster = rosterOf();
    roster.observe([wifi, ...others], 1);
    roster.learn(wifi, { identity, boot: { bootId: 'a' } }, 2);
    for (const way of others) roster.learn(way, { identity, boot: { bootId: 'b' } }, 3);
    const both = attachedIn(roster);
    expect(both).toEqual(['PIXEL', expect.stringMatching(/^PIXEL@/)]);
    roster.observe(others, 4);
    expect(attachedIn(roster)).toEqual(both.slice(1));
    roster.observe([...others, wifi], 5);
    expect(attachedIn(roster)).toEqual(both);
  });

  it('names another phone at such an address by its own serial', () => {
    const roster = rosterOf();
    roster.observe([pixel, wifi], 1);
    roster.learn(pixel, { identity, boot: { bootId: 'a' } }, 2);
    roster.learn(wifi, { identity, boot: { bootId: 'b' } }, 3);
    roster.learn(wifi, { identity: { ...identity, serialNumber: 'OTHER' }, boot: { bootId: 'c' } }, 4);
    expect(attachedIn(roster)).toEqual(['OTHER', 'PIXEL']);
  });

  it('sees one phone in the two connections of a quick replug', () => {
    const roster = rosterOf();
    roster.observe(
      [
        { ...pixel, state: 'offline' },
        { ...pixel, devpath: '2-1', transportId: 9 },
      ],
      1,
    );
    expect(roster.devices.map(({ udid, state, devpath }) => [udid, state, devpath])).toEqual([
      ['PIXEL', 'device', '2-1'],
    ]);
    expect(roster.record.sharedSerials).toEqual([]);
  });

  it('returns what a listing changed', () => {
    const roster = rosterOf();
    expect(roster.observe([pixel], 1).map(({ udid }) => udid)).toEqual(['PIXEL']);
    expect(roster.observe([{ ...pixel, transportId: 5 }], 2)).toEqual([]);
    expect(roster.observe([{ ...pixel, state: 'offline' }], 3).map(({ state }) => state)).toEqual([
      'offline',
    ]);
    expect(roster.observe([], 4).map(({ state }) => state)).toEqual(['disconnected']);
  });
});
