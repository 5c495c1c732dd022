/** While adb says the same, the roster gets the same list object, and names no phone again: nobody may notice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { Roster } from '../../src/roster/roster.ts';

const MINUTE = 60_000;

/** Phones of one serial on two ports, without serial, without port, on the network, an emulator. */
const listed: fc.Arbitrary<ListedDevice> = fc
  .record(
    {
      serial: fc.constantFrom(
        'PHONE-A',
        'PHONE-B',
        '',
        '0123456789ABCDEF',
        '192.168.1.7:5555',
        'emulator-5554',
      ),
      state: fc.constantFrom('device', 'device', 'offline', 'unauthorized'),
      devpath: fc.constantFrom('1-1', '1-2', '1-3'),
      transportId: fc.integer({ min: 1, max: 4 }),
    },
    { requiredKeys: ['serial', 'state'] },
  )
  .map(({ devpath, ...device }) =>
    /:|emulator/.test(device.serial) || devpath === undefined ? device : { ...device, devpath },
  );

const lists = fc.array(fc.array(listed, { maxLength: 4 }), { minLength: 1, maxLength: 3 });

const facts = fc.record(
  {
    identity: fc.record({
      serialNumber: fc.constantFrom('PHONE-A', 'PHONE-B', 'PHONE-C'),
      isEmulator: fc.boolean(),
    }),
    boot: fc.record({ bootId: fc.constantFrom('one', 'two'), uptimeSeconds: fc.constant(60) }),
    uptimeAt: fc.constantFrom(100_000, 900_000),
  },
  { requiredKeys: [] },
);

type Step = (roster: Roster, now: number, listOf: (at: number) => readonly ListedDevice[]) => unknown;

const which = fc.nat({ max: 3 });
const ofEntry = (
  at: number,
  listOf: (at: number) => readonly ListedDevice[],
  act: (entry: ListedDevice) => void,
) => {
  const entry = listOf(0)[at];
  if (entry !== undefined) act(entry);
};
const ofDevice = (roster: Roster, at: number, act: (udid: string) => void) => {
  const device = roster.devices[at];
  if (device !== undefined) act(device.udid);
};

const step: fc.Arbitrary<Step> = fc.oneof(
  // mostly the list that was there before
  { weight: 6, arbitrary: fc.constant<Step>((roster, now, listOf) => roster.observe(listOf(0), now)) },
  {
    weight: 1,
    arbitrary: which.map(
      (at): Step =>
        (roster, now, listOf) =>
          roster.observe(listOf(at), now),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>((roster, now, listOf) => roster.observe(listOf(0), now, true)),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(which, facts).map(
      ([at, learnt]): Step =>
        (roster, now, listOf) => {
          ofEntry(at, listOf, (entry) => void roster.learn(entry, learnt, now));
        },
    ),
  },
  {
    weight: 1,
    arbitrary: which.map(
      (at): Step =>
        (roster, now, listOf) => {
          ofEntry(at, listOf, (entry) => void roster.silent(entry, now));
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(which, fc.constantFrom('PLUGGED' as const, 'UNPLUGGED' as const, 'refused' as const))
      .map(
        ([at, status]): Step =>
          (roster) => {
            ofDevice(roster, at, (udid) => {
              roster.phones.announced([udid]);
              if (status === 'refused') roster.phones.refused([udid]);
              else roster.phones.stored([{ udid, status }]);
            });
          },
      ),
  },
  { weight: 1, arbitrary: fc.constant<Step>((roster, now) => roster.phones.forget(now - MINUTE)) },
  { weight: 1, arbitrary: fc.constant<Step>((roster, now) => roster.clockSet(5 * MINUTE, now)) },
  {
    weight: 1,
    arbitrary: which.map(
      (at): Step =>
        (roster) => {
          ofDevice(roster, at, (udid) => roster.phones.seat(udid, ['1-1', 'pci-1']));
        },
    ),
  },
);

const stateOf = (roster: Roster) => ({
  record: roster.record,
  alsoAt: roster.alsoAt,
  unproven: roster.unproven,
  nameless: roster.nameless,
  beyond: roster.beyond,
  dropped: roster.phones.takeDropped(),
  renamed: roster.takeRenamed(),
  connections: roster.devices.map(({ udid }) => roster.listed(udid)),
});

describe('Roster', () => {
  it('does with the same list object what it does with a copy of it', () => {
    fc.assert(
      fc.property(
        lists,
        fc.array(fc.record({ act: step, tookMs: fc.constantFrom(7_000, 7_000, 11 * MINUTE) }), {
          maxLength: 25,
        }),
        fc.integer({ min: 2, max: 5 }),
        (all, steps, maxPhones) => {
          const [one, other] = [0, 1].map(
            () => new Roster({ nodeId: 'node-1', offlineNetworkMs: 10 * MINUTE, maxPhones }),
          ) as [Roster, Roster];
          let now = Date.now();
          for (const { act, tookMs } of steps) {
            now += tookMs;
            const did = act(one, now, (at) => all[at % all.length] ?? []);
            expect(act(other, now, (at) => [...(all[at % all.length] ?? [])])).toEqual(did);
            expect(stateOf(one)).toEqual(stateOf(other));
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('looks at the same list object much less than at a new one', () => {
    const roster = new Roster({ nodeId: 'node-1', offlineNetworkMs: 10 * MINUTE });
    let reads = 0;
    const entry: ListedDevice = {
      get serial() {
        reads += 1;
        return 'PHONE-A';
      },
      state: 'device',
      devpath: '1-1',
    };
    const readsOf = (list: readonly ListedDevice[]) => {
      reads = 0;
      roster.observe(list, 1000);
      return reads;
    };
    const list = [entry];
    const counts = [list, list, list, [entry]].map(readsOf);
    expect(counts[2]).toBeLessThan((counts[1] as number) / 2);
    expect(counts[3]).toBe(counts[1]);
  });
});
