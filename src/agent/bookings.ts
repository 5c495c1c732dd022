/**
 * Which phones somebody has booked in the cloud. It is asked where a person drains phones, and once of a phone that is
 * lost: "booked and gone" is worse than gone.
 */
import pLimit from 'p-limit';
import { HOUR_MS } from '../base/calendar.ts';
import { uptimeMs } from '../base/clock.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { CloudError, type CloudTrouble } from '../cloud/errors.ts';
import { isLostState, type NewEvent } from '../history/events/event.ts';
import { isToReport } from '../roster/device-changes.ts';
import { isForbidden } from './cloud-health.ts';
import type { AgentObserver } from './observer.ts';
import { type AgentServices, type BookingReader, inBackground } from './options.ts';
import type { Reporter } from './reporter.ts';

/** `shown`: the cloud has not stored yet that the phone is hidden, so anybody may book it. */
export type Booking = 'free' | 'booked' | 'shown';

/** Phones that a person drains are asked about so many at a time. */
const AT_ONCE = 4;
/** More phones that are lost at once have one cause, which is told anyway: they are not asked about. */
const MOST_AT_ONCE = 3;
/** Lost phones asked about in an hour: 1,000 hosts ask 9 times a second at most. */
const MOST_AN_HOUR = 30;
/** Of these, at one port or address: a phone that comes and goes all the time leaves the others theirs. */
const MOST_OF_A_PLACE = 3;
/** A booking seen longer ago than this may have ended, ms. */
const LASTS_MS = HOUR_MS;

interface BookingsOptions
  extends Pick<
    AgentServices,
    'nodeId' | 'roster' | 'hostReport' | 'reader' | 'observer' | 'timing' | 'stopping' | 'log'
  > {
  bookings: BookingReader;
  reporter: Pick<Reporter, 'isHidden'>;
}

export class Bookings implements AgentObserver {
  readonly #options: BookingsOptions;
  readonly #lost = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** Each question of the last hour: the phone's port or address, and when, by `uptimeMs`. */
  #asked: { place: string; at: number }[] = [];
  #isOff = false;
  /** Phones that were booked when they were lost, and since when that is known, by `uptimeMs`. */
  readonly #bookedAt = new Map<string, number>();

  constructor(options: BookingsOptions) {
    this.#options = options;
    this.#isOff = options.reader === undefined; // a lab that wants nothing read back
    options.stopping.addEventListener('abort', () => clearTimeout(this.#timer));
  }

  isBookedAndGone(udid: string): boolean {
    return uptimeMs() - (this.#bookedAt.get(udid) ?? Number.NEGATIVE_INFINITY) < LASTS_MS;
  }

  /**
   * Asks the cloud about these phones, for a minute and a half at most. One that it cannot give to anybody is free: it is
   * unplugged, or not in the cloud.
   *
   * @returns `trouble`: why the cloud does not say of all; the others are absent
   */
  async of(udids: readonly string[]): Promise<{ bookings: Map<string, Booking>; trouble?: CloudTrouble }> {
    const { bookings: reader, reporter, stopping, timing } = this.#options;
    const late = AbortSignal.timeout(timing.bookingsMs);
    const signal = AbortSignal.any([stopping, late]);
    const bookings = new Map<string, Booking>();
    let trouble: CloudTrouble | undefined;
    const ask = async (udid: string): Promise<void> => {
      if (trouble) return;
      try {
        const isShown = this.#isOffered(udid) && !reporter.isHidden(udid);
        const isBooked = this.#isOffered(udid) && !isShown && (await reader.isBooked(udid, signal));
        bookings.set(udid, isShown ? 'shown' : isBooked ? 'booked' : 'free');
      } catch (error) {
        if (late.aborted && !stopping.aborted)
          trouble ??= {
            failure: `it is slow: it has answered about ${bookings.size} of ${udids.length} phones`,
          };
        else if (error instanceof CloudError) trouble ??= error.trouble;
        else throw error;
      }
    };
    const limit = pLimit(AT_ONCE);
    await Promise.all(udids.map((udid) => limit(ask, udid)));
    return omitUndefined({ bookings, trouble });
  }

  /** @throws {CloudError}, or the reason of the agent's stop */
  end(udids: readonly string[], field: string): Promise<void> {
    return this.#options.bookings.endReservations(udids, field, this.#options.stopping);
  }

  happened(events: readonly NewEvent[]): void {
    for (const { kind, udid = '', ...event } of events) {
      if (kind !== 'attached' && kind !== 'detached' && kind !== 'state') continue;
      const isLost = kind === 'detached' || ('state' in event && isLostState(event.state));
      if (!isLost) {
        this.#lost.delete(udid);
        this.#bookedAt.delete(udid);
      } else if (!this.#isOff) {
        this.#lost.add(udid);
        const ask = () => inBackground(this.#askOfLost(), this.#options.log);
        this.#timer ??= setTimeout(ask, this.#options.timing.askOfLostMs).unref();
      }
    }
  }

  async #askOfLost(): Promise<void> {
    const { bookings, observer, stopping, log } = this.#options;
    this.#timer = undefined;
    const lost = Map.groupBy(
      [...this.#lost].filter((udid) => this.#isInCloud(udid)),
      (udid) => this.#placeOf(udid),
    );
    this.#lost.clear();
    if (lost.size > MOST_AT_ONCE) return;
    for (const [place, udids] of lost) {
      const udid = udids.at(-1) ?? ''; // a phone may have had other names there
      const now = uptimeMs();
      this.#asked = this.#asked.filter(({ at }) => now - at < HOUR_MS);
      if (this.#isOff || stopping.aborted || this.#asked.length >= MOST_AN_HOUR) return;
      if (this.#asked.filter((each) => each.place === place).length >= MOST_OF_A_PLACE) continue;
      this.#asked.push({ place, at: now });
      try {
        if (!(await bookings.isBooked(udid, stopping)) || !this.#isGone(udid)) continue;
        this.#bookedAt.set(udid, now);
        log.warn({ udid }, 'a phone is lost while it is booked');
        observer.changed(udid);
      } catch (error) {
        this.#isOff = isForbidden(error);
        const what = 'the cloud does not say whether a lost phone is booked';
        if (this.#isOff) log.warn({ err: error }, what);
        else if (!stopping.aborted) log.debug({ err: error }, what);
      }
    }
  }

  #placeOf(udid: string): string {
    return this.#options.roster.get(udid)?.devpath ?? udid;
  }

  #isGone(udid: string): boolean {
    const device = this.#options.roster.get(udid);
    return device !== undefined && (!device.attached || isLostState(device.state));
  }

  /** Another host may have it. */
  #isInCloud(udid: string): boolean {
    const device = this.#options.roster.get(udid);
    return device?.wasStored === true && device.inCloud?.there !== 'elsewhere';
  }

  /** Does the cloud have it as plugged in at this host, for its users? */
  #isOffered(udid: string): boolean {
    const { roster, hostReport } = this.#options;
    const device = roster.get(udid);
    if (device === undefined || !device.attached || !isToReport(device) || !device.wasStored) return false;
    return hostReport.devices(new Set([udid])).some((info) => info.addedToCloud);
  }
}
