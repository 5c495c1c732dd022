import { describe, expect, it } from 'vitest';
import type { Section } from '../../src/facts/section.ts';
import { BrokenConversationError, SectionBackoff, SectionCache } from '../../src/probe/section-cache.ts';
import type { SectionFailure, SectionResult } from '../../src/probe/section-results.ts';
import type { CommandOutcome } from '../../src/probe/transcript.ts';

const section = (name: string, more: Partial<Section<unknown>> = {}): Section<unknown> => ({
  name,
  cadence: 'round',
  limitSeconds: 1,
  limitBytes: 1024,
  commands: () => ({ all: 'true' }),
  parse: () => ({}),
  ...more,
});

const sections = [
  section('boot'),
  section('identity', { cadence: 'boot' }),
  section('battery'),
  section('storage', { cadence: 'boot' }),
  section('mobile', {
    cadence: 'boot',
    revision: (facts) => (facts as { battery?: { sim?: string } }).battery?.sim,
  }),
];

const identity = { serialNumber: 'PIXEL', model: 'Pixel 8', isEmulator: false };
const boot = { bootId: 'boot-1', uptimeSeconds: 100, bootCompleted: true, dataLocked: false };
const all = { boot, identity, battery: { sim: 'one' }, storage: { totalBytes: 1 }, mobile: { name: 'net' } };

const result = (facts: unknown, isWhole = true): SectionResult => ({
  facts,
  takenAt: 7,
  readAt: 100_000,
  isWhole,
});
const read = (facts: object) =>
  new Map(Object.entries(facts).map(([name, value]): [string, SectionResult] => [name, result(value)]));

interface Round {
  failures?: SectionFailure[];
  broken?: string;
}

/** One round as the probe goes through it. */
function round(cache: SectionCache, facts: object, { failures = [], broken }: Round = {}) {
  cache.nextRound();
  const results = read(facts);
  const due = cache.dueSections(new Map()).map(({ name }) => name);
  const isAnother = cache.note(results);
  const outcomes = new Map<string, CommandOutcome>([
    ['battery.all', { kind: 'answered', text: '', exitCode: 0, at: 7, readAt: 100_000 }],
  ]);
  const snapshot = cache.finishRound({ results, failures, outcomes, conversations: 1, broken });
  return { due, isAnother, snapshot };
}

const every = ['boot', 'identity', 'battery', 'storage', 'mobile'];

describe('what is collected', () => {
  it('is all of it at first, then what is due in each round', () => {
    const cache = new SectionCache(sections);
    expect(round(cache, all).due).toEqual(every);
    expect(round(cache, all).due).toEqual(['boot', 'battery']);
  });

  it('is of a phone that starts only who it is and how far it is', () => {
    const cache = new SectionCache(sections);
    const starting = { boot: { ...boot, bootCompleted: false }, battery: all.battery };
    const { snapshot } = round(cache, starting, { failures: [{ section: 'storage', kind: 'unreadable' }] });
    expect(snapshot).toMatchObject({ facts: { boot: starting.boot }, failures: [] });
    expect(snapshot.facts).not.toHaveProperty('battery');
    expect(cache.dueSections(new Map()).map(({ name }) => name)).toEqual(['boot', 'identity']);
  });

  it('is again, of those that rest, what was answered in part', () => {
    const cache = new SectionCache(sections);
    cache.nextRound();
    const results = read(all).set('storage', result({ totalBytes: 1 }, false));
    cache.note(results);
    cache.finishRound({ results, failures: [], outcomes: new Map(), conversations: 1, broken: undefined });
    expect(cache.dueSections(new Map()).map(({ name }) => name)).toEqual(['boot', 'battery', 'storage']);
  });

  it('is again what rests on something that has changed; without an answer it is unknown', () => {
    const cache = new SectionCache(sections);
    round(cache, all);
    const swapped = read({ boot, battery: { sim: 'two' } });
    expect(cache.dueSections(swapped).map(({ name }) => name)).toContain('mobile');
    const { snapshot } = round(cache, { boot, battery: { sim: 'two' } });
    expect(snapshot.facts).toMatchObject({ storage: all.storage });
    expect(snapshot.facts).not.toHaveProperty('mobile');
  });
});

describe('a command that hangs', () => {
  const hang = (cache: SectionCache) => {
    cache.nextRound();
    cache.noteHangs(
      new Map([['storage.all', { kind: 'timed-out' }]]),
      [{ name: 'storage.all' }] as never,
      undefined,
    );
  };

  it('rests from the second time on, until its phone has started again', () => {
    const cache = new SectionCache(sections);
    hang(cache);
    hang(cache);
    cache.nextRound();
    expect(cache.isResting('storage.all')).toBe(true);
    cache.note(read({ boot: { ...boot, bootCompleted: false } }));
    cache.note(read({ boot }));
    expect(cache.isResting('storage.all')).toBe(false);
  });
});

describe('what is known', () => {
  it('is dropped with another boot', () => {
    const cache = new SectionCache(sections);
    round(cache, all);
    const { isAnother, snapshot } = round(cache, { boot: { ...boot, bootId: 'boot-2' } });
    expect(isAnother).toBe(true);
    expect(Object.keys(snapshot.facts)).toEqual(['boot']);
  });

  it('is the last good snapshot where a conversation breaks off', () => {
    const cache = new SectionCache(sections);
    round(cache, all);
    const { snapshot } = round(cache, { boot }, { broken: 'it broke off' });
    expect(snapshot).toMatchObject({ facts: all, broken: 'it broke off' });
  });

  it('is nothing where the first conversation breaks off at once', () => {
    expect(() => round(new SectionCache(sections), {}, { broken: 'it broke off' })).toThrow(
      new BrokenConversationError('it broke off'),
    );
  });

  it('is absent, if it is due in each round and the round did not bring it', () => {
    const cache = new SectionCache(sections);
    round(cache, all);
    const { snapshot } = round(cache, { boot });
    expect(Object.keys(snapshot.facts).sort()).toEqual(['boot', 'identity', 'mobile', 'storage']);
  });
});

describe('a new connection', () => {
  it('has the phone say again who it is; the same one in the same boot keeps what is known', () => {
    const cache = new SectionCache(sections);
    round(cache, all);
    cache.reconnected();
    const { due, isAnother, snapshot } = round(cache, { boot, identity, battery: all.battery });
    expect(due).toEqual(['boot', 'identity', 'battery']);
    expect(isAnother).toBe(false);
    expect(snapshot.facts).toEqual(all);
  });

  it('to another phone starts with nothing', () => {
    const cache = new SectionCache(sections);
    round(cache, all);
    cache.reconnected();
    const other = { ...identity, serialNumber: 'OTHER' };
    const { isAnother, snapshot } = round(cache, { boot, identity: other });
    expect(isAnother).toBe(true);
    expect(snapshot.facts).toEqual({ boot, identity: other });
  });

  it('over which nobody says who it is starts with nothing either', () => {
    const cache = new SectionCache(sections);
    round(cache, all);
    cache.reconnected();
    expect(round(cache, { boot, battery: all.battery }).snapshot.facts).toEqual({
      boot,
      battery: all.battery,
    });
  });

  it('that breaks off shows nothing of the one before', () => {
    const cache = new SectionCache(sections);
    round(cache, all);
    cache.reconnected();
    expect(() => round(cache, {}, { broken: 'it broke off' })).toThrow(BrokenConversationError);
  });
});

/** Whether a command that fails whenever it is asked is asked, round by round: `x` asked, `.` resting. */
function pattern(backoff: SectionBackoff, rounds: number): string {
  return Array.from({ length: rounds }, () => {
    backoff.nextRound();
    if (backoff.isResting('battery.dump')) return '.';
    backoff.failed('battery.dump');
    return 'x';
  }).join('');
}

describe('the rest of a command that hangs', () => {
  it('rests after two times, then each time twice as long, up to 64 rounds', () => {
    const rest = (rounds: number) => `${'.'.repeat(rounds)}x`;

    expect(pattern(new SectionBackoff(), 259)).toBe(
      `xx${[2, 4, 8, 16, 32, 64, 64].map(rest).join('')}${'.'.repeat(60)}`,
    );
  });

  it('does not rest after one time', () => {
    const backoff = new SectionBackoff();
    backoff.nextRound();
    backoff.failed('battery.dump');
    backoff.nextRound();

    expect(backoff.isResting('battery.dump')).toBe(false);
  });

  it('lets no other command rest', () => {
    const backoff = new SectionBackoff();
    pattern(backoff, 3);

    expect(backoff.isResting('battery.dump')).toBe(true);
    expect(backoff.isResting('memory.meminfo')).toBe(false);
  });

  it('has its failures forgotten once it answers, and with the boot', () => {
    const backoff = new SectionBackoff();
    pattern(backoff, 5);
    backoff.succeeded('battery.dump');
    expect(pattern(backoff, 5)).toBe('xx..x');
    backoff.clear();
    expect(pattern(backoff, 5)).toBe('xx..x');
  });
});
