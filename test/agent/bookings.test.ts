import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Bookings } from '../../src/agent/bookings.ts';
import { type BookingReader, standardTiming } from '../../src/agent/options.ts';
import { CloudForbiddenError, CloudUnavailableError } from '../../src/cloud/errors.ts';
import type { NewEvent } from '../../src/history/events/event.ts';
import { Roster } from '../../src/roster/roster.ts';
import { keptLog } from '../support/log.ts';
import { reportOf } from '../support/manual-host.ts';

const about = { request: 'GET /devices' };
const names = ['P-A', 'P-B', 'P-C', 'P-D', ...Array.from({ length: 8 }, (_, index) => `P-${index}`)];

/** A host with a dozen phones that the cloud has stored, and who is booked there. */
function scene(
  booked: (signal: AbortSignal) => readonly string[] | Promise<readonly string[]>,
  { isReadingBack = true, portOf = (udid: string) => `1-${names.indexOf(udid) + 1}` } = {},
) {
  const roster = new Roster({ nodeId: 'rack-1', offlineNetworkMs: 0 });
  const listed = (udids: readonly string[]) =>
    udids.map((serial, index) => ({
      serial,
      state: 'device',
      devpath: portOf(serial),
      transportId: index,
    }));
  roster.observe(listed(names), Date.now());
  roster.phones.announced(names);
  roster.phones.stored(names.map((udid) => ({ udid, status: 'PLUGGED' as const })));
  const asked: string[] = [];
  const reader: BookingReader = {
    isBooked: async (udid, signal) => {
      asked.push(udid);
      return (await booked(signal)).includes(udid);
    },
    endReservations: async () => {},
  };
  const { log, lines } = keptLog('warn');
  const stopping = new AbortController();
  let changes = Promise.withResolvers<string | undefined>();
  const bookings = new Bookings({
    ...{ nodeId: 'rack-1', roster, log, stopping: stopping.signal, bookings: reader },
    hostReport: reportOf({ roster, phones: { facts: () => ({}), isSilent: () => false } }),
    reporter: { isHidden: () => true },
    timing: { ...standardTiming, askOfLostMs: 1, bookingsMs: 50 },
    observer: { changed: (udid?: string) => changes.resolve(udid) } as never,
    ...(isReadingBack && { reader: { pluggedIn: async () => new Map() } }),
  });
  const happened = (kind: 'detached' | 'attached', ...udids: string[]) =>
    bookings.happened(
      udids.map(
        (udid) =>
          ({ kind, at: 0, udid, where: {}, ...(kind === 'attached' && { state: 'device' }) }) as NewEvent,
      ),
    );
  /** Resolves with the phone of which that is known. */
  const lose = (...udids: string[]) => {
    changes = Promise.withResolvers();
    roster.observe(listed(names.filter((name) => !udids.includes(name))), Date.now());
    happened('detached', ...udids);
    return changes.promise;
  };
  return { bookings, lose, happened, asked, lines, stopping };
}

/** Longer than the agent waits to ask. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 30));

describe('a phone that is lost', () => {
  it('is booked and gone where the cloud says so, until it is back', async () => {
    const { bookings, lose, happened, asked, lines } = scene(() => ['P-A']);
    expect(await lose('P-A', 'P-B')).toBe('P-A');
    expect([bookings.isBookedAndGone('P-A'), bookings.isBookedAndGone('P-B')]).toEqual([true, false]);
    expect(asked).toContain('P-A');
    expect(lines.map(({ msg, udid }) => [msg, udid])).toEqual([
      ['a phone is lost while it is booked', 'P-A'],
    ]);
    happened('attached', 'P-A');
    expect(bookings.isBookedAndGone('P-A')).toBe(false);
  });

  it('is asked about no more once it is back, nor where many are lost at once', async () => {
    const { lose, happened, asked } = scene(() => names);
    void lose('P-A');
    happened('attached', 'P-A');
    await aWhile();
    void lose(...names);
    await aWhile();
    expect(asked).toEqual([]);
  });

  it('is asked about three times an hour, all thirty times: one that comes and goes leaves the others theirs', async () => {
    const { bookings, lose, happened, asked } = scene(() => names);
    for (let times = 0; times < 3; times += 1) await lose('P-A');
    happened('attached', 'P-A');
    void lose('P-A');
    await aWhile();
    expect(asked).toEqual(['P-A', 'P-A', 'P-A']);
    expect(await lose('P-B')).toBe('P-B'); // which means no harm
    expect(bookings.isBookedAndGone('P-B')).toBe(true);
    for (const udid of names.slice(2))
      for (let times = 0; times < 3; times += 1) void (await Promise.race([lose(udid), aWhile()]));
    expect(asked).toHaveLength(30);
  });

  it('is asked about beside one that takes other names at its port', async () => {
    const { lose, asked } = scene(() => ['P-B'], { portOf: (udid) => (udid === 'P-B' ? '1-2' : '1-1') });
    expect(await lose(...names.slice(0, 5))).toBe('P-B');
    expect(asked).toHaveLength(2);
  });

  it('is not asked about where the lab reads nothing back', async () => {
    const { lose, asked } = scene(() => ['P-A'], { isReadingBack: false });
    void lose('P-A');
    await aWhile();
    expect(asked).toEqual([]);
  });

  it.each([
    ['forbids it, which the log says once', new CloudForbiddenError('403', { ...about, status: 403 }), 1],
    ['is away', new CloudUnavailableError('503', { ...about, status: 503 }), 2],
  ])('is unknown where the cloud %s', async (_, error, times) => {
    const { bookings, lose, asked, lines } = scene(() => {
      throw error;
    });
    for (const udid of ['P-A', 'P-B']) {
      void lose(udid);
      await aWhile();
    }
    expect(asked).toHaveLength(times);
    expect(lines).toHaveLength(2 - times);
    expect(bookings.isBookedAndGone('P-A')).toBe(false);
  });
});

describe('the bookings of phones', () => {
  it('are asked for a while only: a slow cloud is said to be slow, and nobody waits for ever', async () => {
    const { bookings } = scene((signal) => once(signal, 'abort').then(() => Promise.reject(signal.reason)));
    expect(await bookings.of(['P-A', 'STRANGER', 'P-B'])).toEqual({
      bookings: new Map([['STRANGER', 'free']]),
      trouble: { failure: 'it is slow: it has answered about 1 of 3 phones' },
    });
  });

  it('are asked until the cloud fails', async () => {
    const { bookings } = scene(() => ['P-A']);
    const { bookings: found } = await bookings.of(['P-A', 'P-B', 'STRANGER']);
    expect(Object.fromEntries(found)).toEqual({ 'P-A': 'booked', 'P-B': 'free', STRANGER: 'free' });
    const { bookings: silent } = scene(() => {
      throw new CloudUnavailableError('503', { ...about, status: 503 });
    });
    expect(await silent.of(['P-A', 'P-B'])).toEqual({
      bookings: new Map(),
      trouble: { failure: 'GET /devices: 503' },
    });
  });
});
