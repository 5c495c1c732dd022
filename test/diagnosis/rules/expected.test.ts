import { describe, expect, it } from 'vitest';
import type { PhoneInput } from '../../../src/diagnosis/rule-input.ts';
import {
  attachedTwice,
  expectedMissing,
  phoneCloned,
  phoneMoved,
  unexpectedPhone,
} from '../../../src/diagnosis/rules/expected.ts';
import type { HistoryEvent } from '../../../src/history/events/event.ts';
import type { ExpectedPhone } from '../../../src/roster/expected-phones.ts';
import { found, listed, longRunning, now } from '../../findings/usb-bench-host.ts';

const MINUTE = 60_000;
const slots = [
  { name: 'bay 4', paths: ['1-4.2'] },
  { name: 'bay 5', paths: ['1-4.3'] },
];

const judged = (
  expected: readonly ExpectedPhone[],
  phones: readonly PhoneInput[],
  events: readonly HistoryEvent[] = [longRunning],
) =>
  found(
    [attachedTwice, expectedMissing, phoneCloned, phoneMoved, unexpectedPhone],
    [],
    { phones, setting: { expected, slots } },
    events,
  );

const happened = (id: number, kind: 'attached' | 'detached', agoMs: number): HistoryEvent => ({
  id,
  at: now - agoMs,
  udid: 'P8',
  where: {},
  ...(kind === 'attached' ? { kind, state: 'device' } : { kind }),
});

const tagged = { serial: 'P8', model: 'Pixel 8', assetTag: 'LAB-1', slot: 'bay 4', owner: 'Anna' };

describe('a phone of the list', () => {
  it('is missing ten minutes after it went, with where it belongs and whom to ask', () => {
    const phone = listed('1-4.2', { attached: false, state: 'disconnected' });
    const gone = (minutes: number) => judged([tagged], [phone], [happened(7, 'detached', minutes * MINUTE)]);
    expect(gone(9.9)).toEqual([]);
    expect(gone(10)).toEqual([
      {
        code: 'EXPECTED_MISSING',
        severity: 'major',
        subject: { kind: 'phone', key: 'P8' },
        certainty: 'certain',
        title: 'LAB-1, Pixel 8 (P8) is missing from bay 4',
        remedy: 'Find it and plug it in (ask Anna); if it has left, remove it from inventory.expected',
        since: now - 10 * MINUTE,
        udids: ['P8'],
        evidence: [7],
      },
    ]);
  });

  it('that this host has never seen is missing since the agent began', () => {
    const started: HistoryEvent = { id: 3, at: now - 11 * MINUTE, kind: 'agentStarted', version: '1' };
    expect(judged([{ udid: 'NEVER' }], [], [started])).toMatchObject([
      { title: 'NEVER is missing', subject: { key: 'NEVER' }, since: started.at, udids: [], evidence: [] },
    ]);
    expect(judged([{ udid: 'NEVER' }], [], [{ ...started, at: now - 9 * MINUTE }])).toEqual([]);
  });

  it('that this host has never seen, or not for a month, is missing through a start and a reload', () => {
    const first: HistoryEvent = { id: 3, at: now - 600 * MINUTE, kind: 'agentStarted', version: '1' };
    const again: HistoryEvent = { ...first, id: 4, at: now - 2 * MINUTE };
    const reloaded: HistoryEvent = { id: 5, at: now - MINUTE, kind: 'agentReloaded' };
    expect(judged([{ udid: 'NEVER' }], [], [first, again, reloaded])).toMatchObject([{ since: first.at }]);
  });

  it('is not missing before the history knows that it went, nor before it knows anything', () => {
    const gone = listed('1-4.2', { attached: false, state: 'disconnected' });
    expect(judged([tagged], [gone], [longRunning, happened(7, 'attached', 60 * MINUTE)])).toEqual([]);
    expect(judged([tagged], [gone], [])).toEqual([]);
    expect(judged([tagged], [gone])).toHaveLength(1);
  });

  it('is connected or started again, where it had no cable', () => {
    const remedyOf = (connection: 'tcp' | 'emulator') => {
      const gone = listed('1-4.2', { attached: false, state: 'disconnected', connection });
      return judged([tagged], [gone])[0]?.remedy;
    };
    expect(remedyOf('tcp')).toMatch(/^Find it, .* connect it again.* \(ask Anna\); if it has left/);
    expect(remedyOf('emulator')).toMatch(/^Start it again.* \(ask Anna\); if it has left/);
  });

  it('is missing although the clock was set back since', () => {
    const gone = listed('1-4.2', { attached: false, state: 'disconnected' });
    expect(judged([tagged], [gone], [happened(7, 'detached', -1e9)])).toHaveLength(1);
  });

  it('in another slot is told where it is and where it belongs, a minute after it was plugged in', () => {
    const elsewhere = listed('1-4.3', { where: { devpath: '1-4.3', slot: 'bay 5' } });
    expect(judged([tagged], [elsewhere], [happened(9, 'attached', 0.9 * MINUTE)])).toEqual([]);
    expect(judged([tagged], [elsewhere], [happened(9, 'attached', MINUTE)])).toMatchObject([
      {
        code: 'PHONE_MOVED',
        title: 'Pixel 8 is at bay 5, and belongs in bay 4',
        remedy: 'Plug it into bay 4, or change its slot in inventory.expected (ask Anna)',
        evidence: [9],
      },
    ]);
  });

  it('of another model than the list says may be another phone', () => {
    expect(judged([tagged], [listed('1-4.2', { model: 'SM-A125F', name: 'A12' })])).toMatchObject([
      {
        code: 'PHONE_CLONED',
        certainty: 'likely',
        title: 'The phone with the serial P8 is a SM-A125F, and the list expects a Pixel 8',
      },
    ]);
  });
});

describe('any phone', () => {
  it('that is not on the list is new; without a list, none is', () => {
    const guest = listed('1-4.3', { udid: 'G', serial: 'G', name: 'Guest' });
    expect(judged([{ udid: 'P8' }], [listed('1-4.2'), guest])).toMatchObject([
      { code: 'UNEXPECTED_PHONE', title: 'Guest at bay 4 is not on the list of expected phones' },
    ]);
    expect(judged([], [guest])).toEqual([]);
  });

  it('that has the serial of another one is told with both places, also without a list', () => {
    const twin = listed('1-9', { udid: 'P8@1-9', where: { devpath: '1-9' } });
    expect(judged([], [listed('1-4.2'), twin])).toMatchObject([
      {
        code: 'PHONE_CLONED',
        title: '2 phones have the serial P8: bay 4 and USB port 1-9',
        udids: ['P8', 'P8@1-9'],
      },
    ]);
  });

  it('that came before all that is remembered is told of since that day', () => {
    const guest = listed('1-4.3', { udid: 'G', serial: 'G' });
    const old = happened(1, 'attached', 30 * 24 * 60 * MINUTE);
    const [finding] = judged([{ udid: 'P8' }], [listed('1-4.2'), guest], [old]);
    expect(new Date(finding?.since ?? 0).toISOString()).toBe('2026-10-23T00:00:00.000Z');
  });

  it('that is attached twice is told with both connections', () => {
    expect(judged([], [listed('1-4.2', { alsoAt: ['10.0.0.7:5555'] })])).toMatchObject([
      { code: 'ATTACHED_TWICE', title: 'Pixel 8 is attached at bay 4 and at 10.0.0.7:5555' },
    ]);
  });
});
