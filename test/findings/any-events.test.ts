/** Whatever a phone, a clock or a person makes the history hold: judges give sound findings, and end. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { printable } from '../../src/base/printable.ts';
import type { RuleContext } from '../../src/diagnosis/rule.ts';
import type { PhoneInput } from '../../src/diagnosis/rule-input.ts';
import type { HistoryEvent, NewEvent, Where } from '../../src/history/events/event.ts';
import { kernelFaults } from '../../src/host/kernel-line.ts';
import { anyText } from '../support/any-text.ts';
import { findingsIn } from '../support/findings-in.ts';
import { blamesOf } from './blames.ts';

const NOW = Date.UTC(2026, 4, 4);

const hostile = fc.oneof(
  anyText({ maxLength: 80 }),
  fc.constantFrom('', 'bay 4', '\u001b[2J', 'a\nb', '\u202e', '1-4.2', '-', '.', ':', 'x'.repeat(3000)),
);
const udid = fc.constantFrom('A', 'B', 'C', '\u001b[31m', '');
const path = fc.constantFrom(
  '1-4.1',
  '1-4.2',
  '1-4.3',
  '1-4.4.1',
  '3-1',
  'pci-0000:00:14.0-usb-0:4.2',
  '...',
  '',
);
const where: fc.Arbitrary<Where> = fc.record(
  { slot: hostile, devpath: path, usbPath: path, hub: fc.oneof(path, hostile) },
  { requiredKeys: [] },
);
const state = fc.constantFrom(
  'device',
  'offline',
  'unauthorized',
  'recovery',
  'no permissions',
  'x'.repeat(200),
);
const interfaces = fc.constantFrom('ff/42/01', '06/01/01 ff/42/01', '06/01/01', '', 'x'.repeat(300));
const number = fc.oneof(fc.integer(), fc.integer({ min: -100_000, max: 100_000 }));
/** Near each other, the same, before the epoch, or in the future. */
const moment = fc.oneof(
  fc.integer({ min: NOW - 3000, max: NOW }),
  fc.integer({ min: NOW - 30 * 86_400_000, max: NOW }),
  fc.constantFrom(NOW, 0, -1, NOW + 86_400_000_000),
);

const happening = fc.oneof(
  fc.record({ kind: fc.constant('detached'), udid, where }),
  fc.record({ kind: fc.constant('attached'), state, udid, where }),
  fc.record({ kind: fc.constant('state'), state, before: state, udid, where }),
  fc.record({ kind: fc.constant('rebooted'), reason: hostile, uptimeSeconds: number, udid, where }),
  fc.record({ kind: fc.constant('rebooted'), udid, where }),
  fc.record({ kind: fc.constant('os'), udid, where }),
  fc.record(
    {
      kind: fc.constant('usb'),
      gone: fc.constantFrom('nothing', 'phone', 'hub', 'controller'),
      hub: fc.oneof(path, hostile),
      overCurrents: number,
      interfaces,
      interfacesBefore: interfaces,
      udid,
      where,
    },
    { requiredKeys: ['kind', 'gone', 'udid', 'where'] },
  ),
  fc.record(
    {
      kind: fc.constant('kernel'),
      fault: fc.constantFrom(...kernelFaults),
      count: number,
      controller: fc.constantFrom('0000:00:14.0', ''),
      where,
    },
    { requiredKeys: ['kind', 'fault', 'count', 'where'] },
  ),
  fc.record({ kind: fc.constant('maintenance'), until: moment, reason: hostile, udid, where }),
  fc.record({ kind: fc.constant('maintenanceEnded'), udid, where }),
  fc.record({ kind: fc.constant('note'), text: hostile, where }),
  fc.record({ kind: fc.constant('note'), text: hostile, udid, where }),
  fc.record({ kind: fc.constantFrom('adbLost', 'adbBack', 'adbReplaced', 'agentStopped', 'cloudLost') }),
  fc.record({
    kind: fc.constant('agentStarted'),
    version: hostile,
    hostBootedAt: moment,
    lastAliveAt: moment,
  }),
  fc.record({ kind: fc.constant('clockStepped'), byMs: number }),
  fc.record({ kind: fc.constantFrom('hostSlept', 'agentPaused'), forMs: number }),
);
const events = fc
  .array(fc.tuple(happening, moment), { maxLength: 60 })
  .map((list) =>
    list.map(([what, at], index) => ({ ...(what as NewEvent), at, id: index + 1 }) as HistoryEvent),
  );

const phonesOf = (isInMaintenance: boolean): fc.Arbitrary<PhoneInput[]> =>
  fc.uniqueArray(
    fc.record(
      {
        udid,
        serial: hostile,
        name: hostile,
        connection: fc.constantFrom('usb' as const, 'tcp' as const, 'emulator' as const),
        where,
        attached: fc.boolean(),
        state,
        isInMaintenance: fc.constant(isInMaintenance),
        bootCompleted: fc.boolean(),
      },
      {
        requiredKeys: [
          'udid',
          'serial',
          'name',
          'connection',
          'where',
          'attached',
          'state',
          'isInMaintenance',
        ],
      },
    ),
    { selector: (phone) => phone.udid },
  );

const context = (isInMaintenance: boolean): fc.Arbitrary<RuleContext> =>
  fc.record({ phones: phonesOf(isInMaintenance), events, isAdbListed: fc.boolean() }).map((all) => ({
    now: { at: NOW, isAdbListed: all.isAdbListed, phones: all.phones },
    events: all.events,
    samplesOf: () => [],
  }));

it('findings are one printable line each, name events that are there, and the same case gives the same', () => {
  fc.assert(
    fc.property(context(false), (one) => {
      const before = JSON.stringify(one);
      const findings = findingsIn(one);
      const ids = new Set(one.events.map(({ id }) => id));
      for (const { title, remedy, evidence, since } of findings) {
        for (const line of [title, remedy]) {
          expect(line).toBe(printable(line));
          expect(line).not.toBe('');
        }
        expect(remedy).toMatch(/^[A-Z].*[^.]$/);
        expect(evidence.filter((id) => !ids.has(id))).toEqual([]);
        expect(evidence).toEqual(evidence.toSorted((first, second) => first - second));
        expect(Number.isFinite(since)).toBe(true);
      }
      expect(findingsIn(one)).toEqual(findings);
      expect(JSON.stringify(one)).toBe(before);
    }),
    { numRuns: 500 },
  );
});

it('every loss has a blame of one printable line, with the loss among its evidence or those of its party', () => {
  fc.assert(
    fc.property(context(false), (one) => {
      const ids = new Set(one.events.map(({ id }) => id));
      for (const [id, { because, evidence }] of blamesOf(one)) {
        expect(ids.has(id)).toBe(true);
        expect(because).toBe(printable(because));
        expect(evidence.length).toBeGreaterThan(0);
        expect(evidence.filter((each) => !ids.has(each))).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});

it('a phone in maintenance has no finding, and its losses count for no port and no hub', () => {
  fc.assert(
    fc.property(context(true), (one) => {
      const known = new Set(one.now.phones.map((phone) => phone.udid));
      const ofOthers = one.events.filter((event) => event.udid !== undefined && !known.has(event.udid));
      fc.pre(ofOthers.length === 0);
      expect(findingsIn(one).filter(({ subject }) => !['host', 'room'].includes(subject.kind))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('a hundred thousand events of one phone name its newest losses only', () => {
  const place = { devpath: '1-4.1', usbPath: '1-4.1', hub: '1-4' };
  const all = Array.from({ length: 100_000 }, (_, index): HistoryEvent => {
    const kind =
      index % 2 === 0 ? { kind: 'detached' as const } : { kind: 'attached' as const, state: 'device' };
    return { ...kind, udid: 'A', where: place, at: NOW - (100_000 - index) * 10_000, id: index + 1 };
  });
  const phone = { udid: 'A', serial: 'A', name: 'A', connection: 'usb', where: place } as const;
  const phones = [{ ...phone, attached: true, state: 'device', isInMaintenance: false }];
  const found = findingsIn({ now: { at: NOW, isAdbListed: true, phones }, events: all, samplesOf: () => [] });
  expect(found.map(({ code }) => code)).toEqual(['PORT_UNSTABLE', 'FLAPPING']);
  for (const { evidence } of found) expect(evidence).toHaveLength(100);
});
