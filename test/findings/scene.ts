/** One host for 30 days: what happened to its phones, told by a story, and the picture that it makes. */

import type { FindingCode, Severity } from '../../src/diagnosis/finding.ts';
import type { RuleContext } from '../../src/diagnosis/rule.ts';
import type { PhoneInput, RuleInput } from '../../src/diagnosis/rule-input.ts';
import type {
  HistoryEvent,
  HistorySample,
  HostHappening,
  NewEvent,
  PhoneHappening,
  Where,
} from '../../src/history/events/event.ts';
import { matching } from './matching.ts';
import { Random } from './random.ts';
import { type Hub, hubsFor, type Knowledge, keyOf, type Port, whereOf } from './room.ts';
import { pictureOf } from './scene-picture.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What must be found. `key`: that of the finding's subject; absent for host and room. Without `severity` any is right. */
export interface Label {
  code: FindingCode;
  key?: string;
  severity?: Severity;
  /** People may have done it: the causes must tell of that hub, with a finding or without. */
  isToldAtLeast?: true;
  /** People may have done it: that it is found is right, and that it is not. */
  isOptional?: true;
}

export interface Scene {
  name: string;
  context: RuleContext;
  expected: readonly Label[];
}

/** A phone of a story. */
export interface ScenePhone {
  readonly udid: string;
  readonly connection: 'usb' | 'tcp';
  /** Where it was from when on, oldest first. Empty for a phone of the network. */
  readonly seats: { from: number; port: Port }[];
  /** When something happens to it: nothing else happens then. */
  readonly busy: { from: number; to: number }[];
  /** Ordinary life neither moves nor unplugs it: the story is about it. */
  isPinned: boolean;
  /** What the picture says of it, beside what follows from the events. */
  picture: Partial<PhoneInput>;
}

/** How a phone is lost and comes back. */
export interface Loss {
  /** Absent: it stays away. */
  awayMs?: number;
  /** adb's word for it while it stays listed; absent: adb does not list it. */
  as?: 'offline';
  /** It comes back there; absent: where it was. */
  to?: Port;
  /** adb's word for it when it is back; absent: `device`. */
  backAs?: string;
}

export interface Reboot {
  awayMs: number;
  /** `sys.boot.reason`; undefined where the phone gives none. */
  reason?: string | undefined;
  backAs?: string;
  /** The phone runs another Android afterwards. */
  release?: string;
}

/** Labs of five time zones were asked at one moment; times of a scene are those of its lab's own clock, written as UTC. */
const hoursFromUtc = [-6, 0, 1, 5.5, 8];

/** One host, for 30 days. */
export class SceneLab {
  readonly random: Random;
  readonly now: number;
  readonly start: number;
  readonly hubs: Hub[];
  readonly phones: ScenePhone[] = [];
  readonly samples = new Map<string, HistorySample[]>();
  /** What the picture says beside its phones. */
  readonly picture: Partial<Omit<RuleInput, 'phones' | 'at'>> = {};
  readonly known: Knowledge;
  readonly expected: Label[] = [];
  readonly #happened: {
    at: number;
    phone?: ScenePhone;
    where?: Where;
    what: PhoneHappening | HostHappening;
  }[] = [];

  readonly #places = new Map<Port, Where>();

  constructor(seed: number) {
    const random = new Random(seed);
    this.random = random;
    const asked = Date.UTC(2026, 0, 1) + random.whole(0, 365 * 24 * 60) * MINUTE;
    this.now = asked + random.pick(hoursFromUtc) * HOUR;
    this.start = this.now - 30 * DAY;
    this.known = { slots: random.chance(0.75), usbPath: random.chance(0.75), hub: random.chance(0.8) };
    const count = random.whole(20, 60);
    this.hubs = hubsFor(count, random);
    const ports = this.hubs.flatMap((hub) => hub.ports);
    // a free port here and there, but no hub without phones
    const taken = random.shuffled(ports).slice(0, count);
    for (const port of ports.filter((each) => taken.includes(each))) this.#add('usb', port);
    for (let left = random.pick([0, 0, 3, 6]); left > 0; left -= 1) this.#add('tcp');
  }

  get usbPhones(): ScenePhone[] {
    return this.phones.filter(({ connection }) => connection === 'usb');
  }

  get networkPhones(): ScenePhone[] {
    return this.phones.filter(({ connection }) => connection === 'tcp');
  }

  /** The port of a phone at a moment; absent: now. */
  portOf(phone: ScenePhone, at = this.now): Port {
    const port = phone.seats.findLast(({ from }) => from <= at)?.port;
    if (port === undefined) throw new RangeError(`${phone.udid} is on the network`);
    return port;
  }

  portKey = (phone: ScenePhone, at = this.now): string => keyOf(this.portOf(phone, at), this.known);

  /** The phones that sit in a hub now. */
  phonesOf(hub: Hub): ScenePhone[] {
    return this.usbPhones.filter((phone) => hub.ports.includes(this.portOf(phone)));
  }

  /** A hub with at least so many phones, or the fullest one. */
  hubWith(phones: number): Hub {
    const full = this.hubs.filter((hub) => this.phonesOf(hub).length >= phones);
    const byPhones = this.hubs.toSorted(
      (one, other) => this.phonesOf(other).length - this.phonesOf(one).length,
    );
    return this.random.pick(full.length > 0 ? full : byPhones.slice(0, 1));
  }

  /** Ports that no phone sits in from then on. */
  freePorts(from: number): Port[] {
    const taken = new Set(
      this.usbPhones.flatMap(({ seats }) => {
        const ofThen = seats.findLast((seat) => seat.from <= from);
        return seats.filter((seat) => seat === ofThen || seat.from > from).map(({ port }) => port);
      }),
    );
    return this.hubs.flatMap((hub) => hub.ports).filter((port) => !taken.has(port));
  }

  /** So many moments in the last `withinMs` before `untilMs` ago, oldest first, at least `apartMs` from each other. */
  times(count: number, withinMs: number, { untilMs = HOUR, apartMs = 10 * MINUTE } = {}): number[] {
    const free = withinMs - untilMs - count * apartMs;
    return Array.from({ length: count }, () => this.random.between(0, Math.max(free, 0)))
      .sort((one, other) => one - other)
      .map((offset, at) => Math.round(this.now - withinMs + offset + at * apartMs));
  }

  /** A moment when people are in the lab: from 9 to 18 o'clock of a weekday, so many days ago or the next before. */
  workingTime(daysAgo: number): number {
    const local = this.now - daysAgo * DAY;
    const midnight = Math.floor(local / DAY) * DAY;
    const weekday = new Date(midnight).getUTCDay();
    const back = weekday === 0 ? 2 : weekday === 6 ? 1 : 0;
    return Math.round(midnight - back * DAY + this.random.between(9, 18) * HOUR);
  }

  /** When people are in a lab of which nothing else is known. */
  isAtWork(at: number): boolean {
    const local = new Date(at);
    const hour = local.getUTCHours();
    return hour >= 7 && hour < 20 && local.getUTCDay() % 6 !== 0;
  }

  /** Nobody is there then, nor comes early or leaves late. */
  isFarFromWork(at: number): boolean {
    return ![-3, 0, 3].some((hours) => this.isAtWork(at + hours * HOUR));
  }

  /** So many days ago at a time of the lab's clock. */
  clock(daysAgo: number, hour: number): number {
    const local = this.now - daysAgo * DAY;
    return Math.round(Math.floor(local / DAY) * DAY + hour * HOUR);
  }

  isFree(phone: ScenePhone, from: number, to: number): boolean {
    return from >= this.start && !phone.busy.some((each) => each.from <= to && each.to >= from);
  }

  expect(code: FindingCode, key?: string, severity?: Severity): void {
    this.expected.push({ code, ...(key !== undefined && { key }), ...(severity && { severity }) });
  }

  /** The hub was lost then, and is still away. */
  expectHubLost(at: number, key?: string): void {
    this.expected.push({
      code: 'HUB_LOST',
      ...(key !== undefined && { key }),
      ...(!this.isFarFromWork(at) && { isToldAtLeast: true }),
    });
  }

  /** Something that happens to a phone; nothing else changes. */
  phone(phone: ScenePhone, at: number, what: PhoneHappening): void {
    this.#happened.push({ at, phone, what });
  }

  host(at: number, what: HostHappening): void {
    this.#happened.push({ at, what });
  }

  /** A note on a place; on the host where the place is empty. */
  note(at: number, where: Where, text: string): void {
    this.#happened.push({ at, where, what: { kind: 'note', text } });
  }

  /** @returns false if something else happens to the phone then: nothing was told */
  lose(phone: ScenePhone, at: number, { awayMs, as, to, backAs = 'device' }: Loss = {}): boolean {
    const back = at + (awayMs ?? 400 * DAY);
    if (at > this.now || !this.isFree(phone, at - 10 * SECOND, back + 10 * SECOND)) return false;
    phone.busy.push({ from: at, to: back });
    this.phone(phone, at, as ? { kind: 'state', state: as, before: 'device' } : { kind: 'detached' });
    if (back > this.now) return true;
    if (to) {
      phone.seats.push({ from: back, port: to });
      phone.seats.sort((one, other) => one.from - other.from);
    }
    this.phone(
      phone,
      back,
      as ? { kind: 'state', state: backAs, before: as } : { kind: 'attached', state: backAs },
    );
    return true;
  }

  /** All go within `spreadMs`, and come back within `backSpreadMs`. */
  loseTogether(
    phones: readonly ScenePhone[],
    at: number,
    { spreadMs = SECOND, awayMs, backSpreadMs = 4 * SECOND }: TogetherLoss = {},
  ): void {
    for (const phone of phones) {
      const from = Math.round(at + this.random.between(0, spreadMs));
      const back = awayMs === undefined ? undefined : awayMs + this.random.between(0, backSpreadMs);
      this.lose(phone, from, { ...(back !== undefined && { awayMs: Math.round(back) }) });
    }
  }

  /** @returns false if something else happens to the phone then: nothing was told */
  reboot(phone: ScenePhone, at: number, { awayMs, reason, backAs = 'device', release }: Reboot): boolean {
    if (!this.lose(phone, at, { awayMs, backAs })) return false;
    if (backAs !== 'device') return true; // it cannot be asked
    const asked = Math.round(at + awayMs + this.random.between(1, 60) * SECOND);
    const uptimeSeconds = Math.round((asked - at) / SECOND - 5);
    if (asked > this.now) return true;
    this.phone(phone, asked, { kind: 'rebooted', ...(reason !== undefined && { reason }), uptimeSeconds });
    if (release) this.phone(phone, asked + 1, { kind: 'os', release, before: '13' });
    return true;
  }

  /** Whoever comes back unauthorized so far is allowed so much later. */
  allowAll(afterMs: number): void {
    for (const { at, phone, what } of [...this.#happened]) {
      if (!phone || what.kind !== 'attached' || what.state !== 'unauthorized' || at + afterMs > this.now)
        continue;
      this.phone(phone, at + afterMs, { kind: 'state', state: 'device', before: 'unauthorized' });
    }
  }

  /** The clock is right from `at` on; before, it was behind by `byMs`. */
  stepClock(at: number, byMs: number): void {
    this.#step = { at, byMs };
    this.host(at, { kind: 'clockStepped', byMs });
  }
  #step: { at: number; byMs: number } | undefined;

  /** What was recorded, and the picture that it makes. */
  scene(name: string): Scene {
    const told = this.#happened
      .filter(({ at }) => at >= this.start && at <= this.now)
      .sort((one, other) => one.at - other.at);
    const step = this.#step;
    const events: HistoryEvent[] = told.map(({ at, phone, where, what }, index) => {
      const shown = step && at < step.at ? at - step.byMs : at;
      const event = {
        ...what,
        ...(where && { where }),
        ...(phone && this.#seen(phone, at)),
        at: shown,
        id: 1001 + index,
      };
      return event as NewEvent & { id: number };
    });
    const { samples } = this;
    const picture: RuleInput = { isAdbListed: true, ...this.picture, at: this.now, phones: [] };
    const eventsOf = Map.groupBy(events, ({ udid }) => udid);
    const phones = this.phones.map((phone) =>
      pictureOf(phone, this.#seen(phone, this.now).where, eventsOf.get(phone.udid), this.now),
    );
    const context: RuleContext = {
      now: { ...picture, phones },
      events,
      samplesOf: (udid, ...which) => matching(samples.get(udid), ...which),
    };
    return { name, context, expected: this.expected };
  }

  addNetworkPhone(): void {
    this.#add('tcp');
  }

  #add(connection: 'usb' | 'tcp', port?: Port): void {
    const udid = `P${String(this.phones.length + 1).padStart(3, '0')}`;
    const seats = port ? [{ from: 0, port }] : [];
    this.phones.push({ udid, connection, seats, busy: [], isPinned: false, picture: {} });
  }

  #seen(phone: ScenePhone, at: number): { udid: string; where: Where } {
    const port = phone.connection === 'usb' ? this.portOf(phone, at) : undefined;
    const where = port ? (this.#places.get(port) ?? whereOf(port, this.known)) : {};
    if (port) this.#places.set(port, where);
    return { udid: phone.udid, where };
  }
}

export interface TogetherLoss {
  spreadMs?: number;
  awayMs?: number;
  backSpreadMs?: number;
}
