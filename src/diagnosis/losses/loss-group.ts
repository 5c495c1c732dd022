/** Losses that follow each other quickly, and how many phones each place had before. */
import type { Where } from '../events/event.ts';
import { controllerOf, hubsAbove, portOf } from '../places.ts';
import { between, type Moment } from './clock-adjusted.ts';

export interface Loss extends Moment {
  /** Of the event with which it began. */
  id: number;
  udid: string;
  where: Where;
  /** The `key` of its port; absent for a phone of the network. */
  port?: string;
  /** adb's word before. */
  before: string;
  /** adb went on listing it, as offline. */
  wasListed: boolean;
  /** It is no phone on the network although it has no port. */
  isEmulator?: true;
  /** It happened in a maintenance, or while somebody flashed the phone. */
  wasHandled: boolean;
  /** How it ended; absent while it lasts. */
  back?: Moment & { id: number; port?: string; state: string };
  /** The phone says that it restarted. */
  reboot?: { id: number; reason?: string };
  /** It runs another Android since. */
  isUpdated?: boolean;
}

/** What went at about the same moment, in order, each phone and each port once. */
export interface Burst {
  losses: Loss[];
  udids: Set<string>;
  /** A phone that changes its serial is many phones, but it sits at one port. */
  ports: Set<string>;
  /** How many phones each hub and controller had just before, and how many of them went. */
  places: Map<string, { had: number; lost: number }>;
}

/**
 * Phones of a hub that loses power go within milliseconds, those of one that hangs within seconds. A person needs two
 * seconds for each phone.
 */
export const USB_GAP_MS = 2_000;
/** adb notices that the network is gone when it next writes to a phone. */
export const NETWORK_GAP_MS = 20_000;
/** Longer chains are no single cause. */
const LONGEST_BURST_MS = 120_000;
/** A phone, as far as it counts for its place. */
interface Seated {
  isAttached: boolean;
  where: Where;
  isEmulator: boolean;
}

/** Of each place, which many events share. */
const placesKnown = new WeakMap<Where, readonly string[]>();

function placesOf(where: Where): readonly string[] {
  const known = placesKnown.get(where);
  if (known !== undefined) return known;
  const port = portOf(where);
  const places = port === undefined ? [NETWORK] : [...hubsAbove(where), controllerOf(port)];
  placesKnown.set(where, places);
  return places;
}

/** The place of all phones of the network. */
export const NETWORK = 'network';

/** How many phones are attached at each hub, controller and on the network. */
export class Crowd {
  readonly #counts = new Map<string, number>();

  constructor(tracks: Iterable<Seated>) {
    for (const track of tracks) this.add(track);
  }

  add(track: Seated): void {
    this.#change(track, 1);
  }

  remove(track: Seated): void {
    this.#change(track, -1);
  }

  at(place: string): number {
    return this.#counts.get(place) ?? 0;
  }

  #change({ isAttached, where, isEmulator }: Seated, by: number): void {
    if (!isAttached || isEmulator) return;
    for (const place of placesOf(where)) this.#counts.set(place, this.at(place) + by);
  }
}

const alone: Pick<Burst, 'udids' | 'ports' | 'places'> = {
  udids: new Set(),
  ports: new Set(),
  places: new Map(),
};

/** Joins losses that follow each other quickly. */
export class Bursts {
  readonly #gapMs: number;
  readonly #into: Burst[];
  #open: Burst | undefined;

  constructor(gapMs: number, into: Burst[]) {
    this.#gapMs = gapMs;
    this.#into = into;
  }

  add(loss: Loss, crowd: Crowd): void {
    const burst = this.#open && this.#belongs(this.#open, loss) ? this.#open : this.#begin();
    burst.losses.push(loss);
    burst.udids.add(loss.udid);
    if (loss.port !== undefined) burst.ports.add(loss.port);
    for (const place of placesOf(loss.where)) {
      const count = burst.places.get(place) ?? { had: crowd.at(place), lost: 0 };
      count.lost += 1;
      burst.places.set(place, count);
    }
  }

  #belongs({ losses, udids, ports }: Burst, loss: Loss): boolean {
    const [first] = losses;
    const last = losses.at(-1);
    if (!first || !last) return false;
    const gap = between(last, loss);
    return (
      gap !== undefined &&
      Math.abs(gap) <= this.#gapMs &&
      loss.at - first.at <= LONGEST_BURST_MS &&
      !udids.has(loss.udid) &&
      !ports.has(loss.port ?? '')
    );
  }

  #begin(): Burst {
    // nobody asks what a single loss has in common with others
    if (this.#open?.losses.length === 1) Object.assign(this.#open, alone);
    this.#open = { losses: [], udids: new Set(), ports: new Set(), places: new Map() };
    this.#into.push(this.#open);
    return this.#open;
  }
}
