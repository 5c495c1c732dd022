import { describe, expect, it, vi } from 'vitest';
import { type VerdictInput, verdictIn, verdictOf } from '../../../src/diagnosis/explain/verdict.ts';
import { remedyFor } from '../../../src/diagnosis/remedies.ts';
import type { RuleInput } from '../../../src/diagnosis/rule-input.ts';
import type { HistoryEvent, NewEvent } from '../../../src/history/events/event.ts';
import { openDatabase } from '../../../src/history/store/database.ts';
import { Store } from '../../../src/history/store/store.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 23, 12);
const ago = (minutes: number) => NOW - minutes * MINUTE;
const own = { udid: 'A', where: {} };
const started: NewEvent = { kind: 'agentStarted', version: '1', at: ago(600) };
const attached: NewEvent = { kind: 'attached', state: 'device', ...own, at: ago(599) };

const inOrder = (events: readonly NewEvent[]): HistoryEvent[] =>
  events.map((event, index) => ({ ...event, id: index + 1 }));
const everyFiveMinutes = Array.from({ length: 130 }, (_, index) => ({
  at: ago(600 - 5 * index),
  levelPercent: 80,
}));

/** By default of the hour before the last half hour. */
function ask(events: readonly NewEvent[], changes: Partial<VerdictInput> = {}) {
  const found = inOrder(events);
  return verdictOf({
    ...{ udid: 'A', from: ago(90), to: ago(30), at: NOW, events: found, samples: everyFiveMinutes },
    knownSince: found[0]?.at,
    ...changes,
  });
}

describe('a verdict', () => {
  it('is nothing where all was watched and nothing happened', () => {
    expect(ask([started, attached])).toEqual({
      ...{ verdict: 'nothing', udid: 'A', from: ago(90), to: ago(30), watchedRatio: 1 },
      ...{ unwatched: [], faults: [], notLookedAt: ['lock screen', 'dialogs', 'storage'] },
    });
  });

  it('is the lab, with the moment, where the phone was lost', () => {
    const lost: NewEvent = { kind: 'detached', ...own, at: ago(60) };
    const back: NewEvent = { kind: 'attached', state: 'device', ...own, at: ago(58) };
    expect(ask([started, attached, lost, back])).toMatchObject({
      verdict: 'lab',
      watchedRatio: 1,
      faults: [{ kind: 'lost', at: ago(60), until: ago(58), certainty: 'certain', evidence: [3] }],
    });
    expect(ask([started, attached, lost]).faults[0]).not.toHaveProperty('until');
  });

  it('is the lab also for what began long before', () => {
    const unauthorized: NewEvent = {
      kind: 'state',
      state: 'unauthorized',
      before: 'device',
      ...own,
      at: ago(500),
    };
    expect(ask([started, attached, unauthorized])).toMatchObject({
      verdict: 'lab',
      faults: [{ title: 'it waited for the USB debugging prompt', at: ago(500) }],
    });
  });

  const off = (from: number, to: number): NewEvent[] => [
    { kind: 'agentStopped', at: ago(from) },
    { kind: 'agentStarted', version: '1', at: ago(to), lastAliveAt: ago(from) },
  ];

  it.each<[string, NewEvent[], Partial<VerdictInput>, number, string[]]>([
    ['a part without the agent', off(60, 54), {}, 0.9, ['hostnode did not run']],
    [
      'a moment without the agent',
      [
        { kind: 'agentStopped', at: ago(60) },
        { kind: 'agentStarted', version: '1', at: ago(60) + 1 },
      ],
      {},
      0.999,
      ['hostnode did not run'],
    ],
    [
      'an agent that was killed',
      [{ kind: 'agentStarted', version: '1', at: ago(45), lastAliveAt: ago(60) }],
      {},
      0.75,
      ['hostnode did not run'],
    ],
    ['a time partly in the future', [], { from: ago(30), to: ago(-30) }, 0.5, ['it is in the future']],
    ['a time in the future', [], { from: ago(-1), to: ago(-30) }, 0, ['it is in the future']],
    [
      'a time before the history',
      [],
      { from: ago(700), to: ago(650) },
      0,
      ['the history does not go back so far'],
    ],
    [
      'what was erased to make room',
      [],
      { knownSince: ago(45) },
      0.25,
      ['the history does not go back so far'],
    ],
    ['a phone that gave no readings', [], { samples: [] }, 0, ['no readings of the phone are kept']],
    [
      'a part that could not be kept',
      [{ kind: 'historyLost', since: ago(60), at: ago(45) }],
      {},
      0.75,
      ['what happened could not be kept'],
    ],
    [
      'a clock that was set forward',
      [{ kind: 'clockStepped', byMs: 15 * MINUTE, at: ago(45) }],
      {},
      0.75,
      ['the clock was set'],
    ],
    [
      'a host that slept',
      [{ kind: 'hostSlept', forMs: 15 * MINUTE, at: ago(45) }],
      {},
      0.75,
      ['the host slept'],
    ],
    [
      'an agent that stood still',
      [{ kind: 'agentPaused', forMs: 15 * MINUTE, at: ago(45) }],
      {},
      0.75,
      ['hostnode stood still'],
    ],
  ])('is unwatched for %s', (_, events, changes, watchedRatio, because) => {
    const verdict = ask([started, attached, ...events], changes);
    expect(verdict).toMatchObject({ verdict: 'unwatched', watchedRatio, faults: [] });
    expect(verdict.unwatched.map((part) => part.because)).toEqual(because);
  });

  it('dates an adb that fell silent from the first request that it did not answer', () => {
    const events: NewEvent[] = [
      { kind: 'adbLost', failureKind: 'silent', since: ago(60), at: ago(50) },
      { kind: 'adbBack', at: ago(45) },
    ];
    expect(ask([started, attached, ...events])).toMatchObject({
      ...{ verdict: 'lab', watchedRatio: 0.75 },
      unwatched: [{ from: ago(60), to: ago(45), because: 'adb did not answer' }],
      faults: [{ kind: 'adb', at: ago(60), until: ago(45) }],
    });
  });

  it('knows of a phone that comes and goes soon after a start', () => {
    const start: NewEvent = { kind: 'agentStarted', version: '1', at: ago(60) };
    const events: NewEvent[] = [
      { ...start, lastAliveAt: ago(60) },
      { kind: 'attached', state: 'device', ...own, at: ago(59.9) },
      { kind: 'detached', ...own, at: ago(59.5) },
    ];
    expect(ask([started, ...events], { from: ago(59.9) })).toMatchObject({
      ...{ verdict: 'lab', watchedRatio: 1 },
      faults: [{ kind: 'lost', at: ago(59.5) }],
    });
    // it may have gone before
    expect(ask([started, attached, start, ...events.slice(2)], { from: ago(59.9) })).toMatchObject({
      unwatched: [{ from: ago(59.9), to: ago(59.5), because: 'hostnode had just started' }],
    });
  });

  it('is unwatched before the phone came for the first time, and for one that is not known', () => {
    const late: NewEvent = { kind: 'attached', state: 'device', ...own, at: ago(60) };
    expect(ask([started, late])).toMatchObject({
      ...{ verdict: 'unwatched', watchedRatio: 0.5, faults: [] },
      unwatched: [{ from: ago(90), to: ago(60), because: 'the phone was not known yet' }],
    });
    expect(ask([started])).toMatchObject({ verdict: 'unwatched', watchedRatio: 0 });
    expect(ask([])).toMatchObject({
      verdict: 'unwatched',
      watchedRatio: 0,
      unwatched: [{ from: ago(90), to: ago(30) }],
    });
  });

  it('is the lab where adb did not answer, although that was not watched', () => {
    const lost: NewEvent = { kind: 'adbLost', at: ago(60) };
    const verdict = ask([started, attached, lost, { kind: 'adbBack', at: ago(54) }]);
    expect(verdict).toMatchObject({
      verdict: 'lab',
      watchedRatio: 0.9,
      faults: [{ kind: 'adb', until: ago(54) }],
    });
    expect(verdict.unwatched).toEqual([{ from: ago(60), to: ago(54), because: 'adb did not answer' }]);
  });

  it('is the lab where adb did not answer from before the start of the agent', () => {
    const before = [started, attached, { kind: 'adbLost', at: ago(300) }, ...off(200, 190)] as NewEvent[];
    expect(ask(before)).toMatchObject({
      ...{ verdict: 'lab', watchedRatio: 0, faults: [{ kind: 'adb', at: ago(300) }] },
      unwatched: [{ from: ago(90), to: ago(30), because: 'adb did not answer' }],
    });
    // whoever lists a phone has an adb
    const seen: NewEvent = { kind: 'state', state: 'device', before: 'offline', ...own, at: ago(180) };
    expect(ask([...before, seen])).toMatchObject({ verdict: 'nothing', faults: [] });
  });

  it('does not take a phone for there that was gone when the agent started', () => {
    const gone: NewEvent = { kind: 'detached', ...own, at: ago(54) + 20_000 };
    const verdict = ask([started, attached, ...off(60, 54), gone], { from: ago(58), to: ago(54) + 10_000 });
    expect(verdict).toMatchObject({ verdict: 'unwatched', watchedRatio: 0 });
  });

  it('knows a phone that sat there before all events, by the first of them or as it is now', () => {
    const now = { phones: [{ udid: 'A', attached: true, state: 'device' }] } as unknown as RuleInput;
    expect(ask([started], { now }).verdict).toBe('nothing');
    const lost: NewEvent = { kind: 'detached', ...own, at: ago(10) };
    expect(ask([started, lost]).verdict).toBe('nothing');
  });

  it('is nothing where a test may have done it, which is told', () => {
    const restarted: NewEvent = {
      kind: 'rebooted',
      reason: 'reboot,shell',
      uptimeSeconds: 60,
      ...own,
      at: ago(50),
    };
    expect(ask([started, attached, restarted])).toMatchObject({
      verdict: 'nothing',
      faults: [{ kind: 'restarted', certainty: 'possible', at: ago(51), until: ago(50) }],
    });
  });

  it('tells the newest thousand faults, and that there were more', () => {
    const flapping = Array.from({ length: 1100 }, (_, index): NewEvent[] => [
      { kind: 'detached', ...own, at: ago(80) + 2000 * index },
      { kind: 'attached', state: 'device', ...own, at: ago(80) + 2000 * index + 1000 },
    ]);
    const { faults, hasMore } = ask([started, attached, ...flapping.flat()]);
    expect([faults.length, hasMore, faults.at(-1)?.at]).toEqual([1000, true, ago(80) + 2000 * 1099]);
  });
});

describe('a verdict from the store', () => {
  const store = () => new Store(openDatabase(':memory:'), () => NOW);
  const write = (into: Store, events: readonly NewEvent[]) =>
    into.write([
      { kind: 'events', events },
      { kind: 'samples', samples: everyFiveMinutes.map((sample) => ({ udid: 'A', ...sample })) },
    ]);
  const question = { udid: 'A', from: ago(90), to: ago(30), at: NOW };

  it('says who is to blame, from the events of all phones', () => {
    const kept = store();
    const phones = ['A', 'B', 'C'];
    const at = (bay: number) => ({
      devpath: `1-4.${bay}`,
      usbPath: `pci-usb-0:4.${bay}`,
      hub: 'pci-usb-0:4',
    });
    write(kept, [
      started,
      ...phones.map(
        (udid, bay): NewEvent => ({ kind: 'attached', state: 'device', udid, where: at(bay), at: ago(599) }),
      ),
      ...phones.map((udid, bay): NewEvent => ({ kind: 'detached', udid, where: at(bay), at: ago(60) + bay })),
    ]);
    const now = {
      ...{ at: NOW, isAdbListed: true },
      phones: phones.map((udid, bay) => ({
        udid,
        name: udid,
        serial: udid,
        connection: 'usb',
        where: at(bay),
        attached: false,
      })),
    } as unknown as RuleInput;
    const { verdict, faults } = verdictIn(kept, { ...question, now });
    expect([verdict, faults[0]?.blame?.party, faults[0]?.remedy]).toEqual(['lab', 'hub', remedyFor.hub]);
    expect(verdictIn(kept, question)).toMatchObject({ verdict: 'lab', faults: [{ certainty: 'certain' }] });
    kept.close();
  });

  it('looks for causes once, as long as nothing happens: a job asks about many phones', () => {
    const kept = store();
    write(kept, [started, attached, { kind: 'detached', ...own, at: ago(60) }]);
    const phone = { ...own, name: 'A', serial: 'A', connection: 'tcp', attached: false };
    const now = { at: NOW, isAdbListed: true, phones: [phone] } as unknown as RuleInput;
    const samples = vi.spyOn(kept, 'samples');
    const readings = () => {
      samples.mockClear();
      verdictIn(kept, { ...question, now });
      return samples.mock.calls.length;
    };
    expect([readings(), readings()]).toEqual([2, 1]);
    write(kept, [{ kind: 'adbLost', at: NOW }]);
    expect(readings()).toBe(2);
    kept.close();
  });

  it('knows since when the file is there, where it was made anew and nothing has happened since', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: ago(60) });
    const kept = store();
    vi.useRealTimers();
    write(kept, []);
    const now = { at: NOW, phones: [{ udid: 'A', attached: true, state: 'device' }] } as unknown as RuleInput;
    expect(verdictIn(kept, { ...question, now })).toMatchObject({ verdict: 'unwatched', watchedRatio: 0.5 });
    expect(verdictIn(kept, { ...question, now, from: ago(59) }).verdict).toBe('nothing');
    expect(verdictIn(kept, question)).toMatchObject({ verdict: 'unwatched', watchedRatio: 0 });
    kept.close();
  });

  it('does not know what was erased by its age, nor what of this phone was erased to make room', () => {
    const kept = store();
    write(kept, [started, attached, { kind: 'stored', ...own, at: ago(60) }]);
    expect(verdictIn(kept, question).verdict).toBe('nothing');
    kept.keepWithin({ days: 80 / (24 * 60), mostBytes: 1e9, now: NOW });
    const now = { at: NOW, phones: [{ udid: 'A', attached: true, state: 'device' }] } as unknown as RuleInput;
    expect(verdictIn(kept, { ...question, now })).toMatchObject({ verdict: 'unwatched', watchedRatio: 0.5 });
    expect(verdictIn(kept, { ...question, now, from: ago(59) }).verdict).toBe('nothing');
    kept.close();
  });
});
