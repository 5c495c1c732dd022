/** Losses that follow each other quickly, and how many phones each hub, each controller and the network had then. */
import type { Where } from '../../history/events/event.ts';
import { controllerOf, hubsAbove, portOf } from '../../history/events/where.ts';
import { between } from './clock-adjusted.ts';
import { type Loss, type LossGroup, type Medium, NETWORK } from './loss.ts';

/**
 * Phones of a hub that loses power go within milliseconds, those of one that hangs within seconds: a person needs two seconds
 * for each phone. adb notices that the network is gone when it next writes to a phone.
 */
const GAP_MS: Readonly<Record<Medium, number>> = { usb: 2_000, network: 20_000, emulator: 2_000 };

export interface Sitting {
  isEmulator: boolean;
  isAttached: boolean;
  where: Where;
}

interface OpenGroup extends LossGroup {
  /** Its phones and ports. A phone that changes its serial is many phones, but it sits at one port. */
  members: Set<string>;
}

export class LossGroups {
  readonly found: LossGroup[] = [];
  readonly #open = new Map<Medium, OpenGroup>();
  /** How many phones are attached at each place. */
  readonly #attached = new Map<string, number>();

  count({ isEmulator, isAttached, where }: Sitting, by: 1 | -1): void {
    if (!isAttached || isEmulator) return;
    for (const place of placesOf(where)) this.#attached.set(place, (this.#attached.get(place) ?? 0) + by);
  }

  add(loss: Loss): void {
    const members = [`phone ${loss.udid}`, ...(loss.port === undefined ? [] : [`port ${loss.port}`])];
    const open = this.#open.get(loss.medium);
    const isNext = open && isSoonAfter(open, loss) && !members.some((member) => open.members.has(member));
    const group: OpenGroup = isNext ? open : { losses: [], had: new Map(), members: new Set() };
    this.#open.set(loss.medium, group);
    group.losses.push(loss);
    // nobody asks what a single loss has in common with others
    if (group.losses.length === 2) this.found.push(group);
    for (const member of members) group.members.add(member);
    for (const place of placesOf(loss.where))
      group.had.set(place, group.had.get(place) ?? this.#attached.get(place) ?? 0);
  }
}

function isSoonAfter({ losses }: LossGroup, loss: Loss): boolean {
  const last = losses.at(-1);
  const gapMs = last && between(last, loss);
  return gapMs !== undefined && Math.abs(gapMs) <= GAP_MS[loss.medium];
}

function placesOf(where: Where): string[] {
  const port = portOf(where);
  return port === undefined ? [NETWORK] : [...hubsAbove(where), controllerOf(port)];
}
