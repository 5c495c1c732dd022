/**
 * A lab for some weeks: what happened in it is told by the lab's own clock, and kept as the agent would have recorded it:
 * events, readings, and what adb, the phones and USB showed at each moment.
 */
import type { PhoneInput, RuleInput } from '../../../src/diagnosis/rule-input.ts';
import type {
  HistoryEvent,
  HistorySample,
  HostHappening,
  NewEvent,
  PhoneHappening,
  Where,
} from '../../../src/history/events/event.ts';
import type { KernelFault } from '../../../src/host/kernel-line.ts';
import type { UsbDevice } from '../../../src/host/usb-devices.ts';
import { Random } from '../random.ts';
import { chainsOf, type Hub, type Knowledge, keyOf, type Port, whereOf } from '../room.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../scene.ts';

export interface LabOptions {
  /** An IANA time zone. Default: Europe/Berlin. */
  zone?: string;
  /** The first day, `2026-02-02`. */
  from?: string;
  days?: number;
  /** How many ports each hub has; default: one of 4. A phone sits in each, but in the last `free`. */
  hubs?: readonly number[];
  /** Phones at ports of the host itself. */
  direct?: number;
  network?: number;
  emulators?: number;
  free?: number;
  /** Every other hub is at a second controller. */
  hasTwoControllers?: boolean;
  /** Default: all of it is known but the USB tree. */
  known?: Partial<Knowledge>;
  /** The kernel's USB tree is known. */
  usb?: boolean;
  /** PCI vendor and device of its controllers; default: one without a known limit. */
  controllerId?: readonly [string, string];
  /** How the phones are called, in turn. Default: Pixel. */
  models?: readonly string[];
}

export interface LabPhone {
  readonly udid: string;
  readonly name: string;
  readonly connection: PhoneInput['connection'];
  readonly seats: { from: number; port: Port }[];
  readonly busy: { from: number; to: number }[];
  /** Ordinary life leaves it alone. */
  isPinned: boolean;
  /** Since when it is there at all; a CI emulator comes later. */
  isThereAtFirst: boolean;
  reading?: Reading;
}

/** A loss as it was told: `event` is set when the lab is closed. */
export interface ToldLoss {
  phone: LabPhone;
  at: number;
  id?: number;
  /** When it ended, and what had left USB. */
  until: number;
  gone: Gone;
  /** What USB showed then, other than before: `06/01/01`. */
  interfaces?: string;
}

/** What a phone reads at a moment; undefined: nothing is collected then. */
export type Reading = (at: number) => Omit<HistorySample, 'at'> | undefined;

export interface Away {
  /** How long it stays away, ms; absent: it does not come back. */
  forMs?: number;
  /** adb's word while it stays listed. */
  as?: string;
  /** Where it comes back. */
  to?: Port;
  backAs?: string;
  /** USB goes on showing it, so: `{}` as before, or with what differs. */
  onUsb?: Partial<UsbDevice>;
  /** What left USB, where that is known: by default the phone, nothing if USB goes on showing it or adb lists it. */
  gone?: Gone;
  /** The hub where it sat at first took it: not if it sits elsewhere by then. */
  isWithHub?: boolean;
}

type Gone = Extract<PhoneHappening, { kind: 'usb' }>['gone'];

/** The kernel needs a moment: USB is read when no phone was lost for so long, or so long after the first (`usb-watch.ts`). */
const QUIET_MS = 1.5 * SECOND;
const LONGEST_MS = 6 * SECOND;
/** How the kernel has a phone on USB. */
const ON_USB = { speedMbps: 480, configuration: 1, interfaces: 'ff/42/01' };

type Told = { at: number; loss?: ToldLoss; lostWithHub?: number } & (
  | { phone: LabPhone; what: PhoneHappening; where?: undefined }
  | { phone?: undefined; what: HostHappening; where?: undefined }
  | {
      phone?: undefined;
      what:
        | Extract<PhoneHappening, { kind: 'note' }>
        | { kind: 'kernel'; fault: KernelFault; count: number; controller?: string };
      where: Where;
    }
);

/** Something that is so from a moment on, and that no event tells. */
interface Change {
  at: number;
  phone?: LabPhone;
  facts?: Partial<PhoneInput>;
  /** What USB shows at the port of the phone; `null`: nothing; undefined: what adb lists. */
  usb?: Partial<UsbDevice> | null | undefined;
  setting?: Partial<RuleInput>;
}

export class Lab {
  readonly random: Random;
  readonly start: number;
  readonly end: number;
  readonly days: number;
  readonly hubs: Hub[];
  readonly phones: LabPhone[] = [];
  readonly known: Knowledge;
  readonly hasUsb: boolean;
  readonly controllerId: readonly [string, string];
  readonly changes: Change[] = [];
  readonly #told: Told[] = [];
  readonly #options: LabOptions;
  readonly #day: readonly [number, number, number];
  #step: { at: number; byMs: number } | undefined;

  /** In its time zone: `inZone`. */
  constructor(options: LabOptions, seed: number) {
    const { from = '2026-02-02', days = 30, hubs = [4], direct = 0, free = 0, usb = false } = options;
    this.#options = options;
    this.random = new Random(seed);
    const [year = 2026, month = 1, day = 1] = from.split('-').map(Number);
    this.#day = [year, month - 1, day];
    this.days = days;
    this.start = this.at(0);
    this.end = this.at(days);
    this.known = { slots: true, usbPath: true, hub: true, ...options.known };
    this.hasUsb = usb;
    this.controllerId = options.controllerId ?? ['1022', '43d5'];
    this.hubs = hubs.map((size, index) => this.#hub(size, index));
    const ports = this.hubs.flatMap((hub) => hub.ports);
    for (const port of ports.slice(0, ports.length - free)) this.add('usb', { port });
    for (let left = 0; left < direct; left += 1) this.add('usb', { port: this.#directPort(left) });
    for (let left = options.network ?? 0; left > 0; left -= 1) this.add('tcp');
    for (let left = options.emulators ?? 0; left > 0; left -= 1) this.add('emulator');
  }

  #hub(size: number, index: number): Hub {
    const isSecond = this.#options.hasTwoControllers === true && index % 2 === 1;
    const controller = isSecond ? 'pci-0000:03:00.0' : 'pci-0000:00:14.0';
    const bus = isSecond ? 3 : 1;
    const chain = String(index + 1);
    const slot = (at: number) => `rack 1, shelf ${index + 1}, bay ${at + 1}`;
    const ports = chainsOf(chain, size).map((port, at) => ({ chain: port, controller, bus, slot: slot(at) }));
    return { chain, controller, bus, ports };
  }

  #directPort(index: number): Port {
    return { chain: String(9 + index), controller: 'pci-0000:00:14.0', bus: 1, slot: `desk ${index + 1}` };
  }

  /** A moment of the lab's own clock, ms since the epoch: `at(3, '09:30')` is on the fourth day. */
  at(day: number, time = '00:00'): number {
    const [year, month, first] = this.#day;
    const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
    return new Date(year, month, first + Math.floor(day), hours, minutes, seconds).getTime();
  }

  /** 0 for Sunday. */
  weekday = (day: number): number => new Date(this.at(day, '12:00')).getDay();

  isWorkday = (day: number): boolean => this.weekday(day) % 6 !== 0;

  everyDay(): number[] {
    return Array.from({ length: this.days }, (_, day) => day);
  }

  /** Those from one day to before another. */
  workdays(from = 0, to = this.days): number[] {
    return Array.from({ length: to - from }, (_, index) => from + index).filter(this.isWorkday);
  }

  add(
    connection: LabPhone['connection'],
    { port, name, isThereAtFirst = true }: { port?: Port; name?: string; isThereAtFirst?: boolean } = {},
  ): LabPhone {
    const udid = `P${String(this.phones.length + 1).padStart(3, '0')}`;
    const { models = ['Pixel'] } = this.#options;
    const model = models[this.phones.length % models.length] ?? 'Pixel';
    const phone: LabPhone = {
      udid,
      name: name ?? `${model} ${this.phones.length + 1}`,
      connection,
      seats: port ? [{ from: 0, port }] : [],
      busy: [],
      isPinned: false,
      isThereAtFirst,
    };
    this.phones.push(phone);
    return phone;
  }

  get networkPhones(): LabPhone[] {
    return this.phones.filter(({ connection }) => connection === 'tcp');
  }

  get usbPhones(): LabPhone[] {
    return this.phones.filter(({ connection }) => connection === 'usb');
  }

  /** The phone at this place of the list; it is left alone by ordinary life. */
  pinned(index: number): LabPhone {
    const phone = this.phones[index];
    if (phone === undefined) throw new RangeError(`there is no phone ${index}`);
    phone.isPinned = true;
    return phone;
  }

  /** All that are connected so; they are left alone by ordinary life. */
  pinnedOf(kind: LabPhone['connection']): LabPhone[] {
    const phones = this.phones.filter(({ connection }) => connection === kind);
    for (const phone of phones) phone.isPinned = true;
    return phones;
  }

  portOf(phone: LabPhone, at: number): Port | undefined {
    return phone.seats.findLast(({ from }) => from <= at)?.port;
  }

  portKey(phone: LabPhone, at = this.end): string {
    const port = this.portOf(phone, at);
    return port === undefined ? '' : keyOf(port, this.known);
  }

  hubKey = (index: number): string => {
    const hub = this.hubs[index];
    return hub === undefined ? '' : keyOf(hub, this.known);
  };

  phonesOf(index: number, at = this.start): LabPhone[] {
    const ports = this.hubs[index]?.ports ?? [];
    return this.usbPhones.filter((phone) => ports.some((port) => port === this.portOf(phone, at)));
  }

  where(phone: LabPhone, at: number): Where {
    const port = this.portOf(phone, at);
    return port ? whereOf(port, this.known) : {};
  }

  freePorts(at: number): Port[] {
    const taken = new Set(this.usbPhones.flatMap(({ seats }) => seats.map(({ port }) => port)));
    return this.hubs.flatMap(({ ports }) => ports).filter((port) => !taken.has(port) && at >= this.start);
  }

  isFree(phone: LabPhone, from: number, to: number): boolean {
    return from >= this.start && !phone.busy.some((each) => each.from <= to && each.to >= from);
  }

  phone(phone: LabPhone, at: number, what: PhoneHappening): void {
    this.#told.push({ at, phone, what });
  }

  host(at: number, what: HostHappening): void {
    this.#told.push({ at, what });
  }

  note(at: number, where: Where, text: string): void {
    this.#told.push({ at, where, what: { kind: 'note', text } });
  }

  /** The kernel wrote that of a port, or of a controller. */
  kernel(at: number, where: Where, fault: KernelFault, controller?: string): void {
    this.#told.push({
      at,
      where,
      what: { kind: 'kernel', fault, count: 1, ...(controller && { controller }) },
    });
  }

  /** From then on this is so of a phone. */
  facts(
    phone: LabPhone,
    at: number,
    { adbRoot, ...facts }: Partial<PhoneInput> & { adbRoot?: boolean },
  ): void {
    this.changes.push({ at, phone, facts });
    const { network } = facts;
    if (adbRoot !== undefined) this.phone(phone, at, { kind: 'adbRoot', isRoot: adbRoot });
    if (network === 'UNREACHABLE') this.phone(phone, at, { kind: 'hindered', codes: 'internet' });
  }

  /** From then on USB shows this at the phone's port. */
  usb(phone: LabPhone, at: number, usb: Change['usb']): void {
    this.changes.push({ at, phone, usb });
  }

  setting(at: number, setting: Partial<RuleInput>): void {
    this.changes.push({ at, setting });
  }

  /** Something that was lost at a moment. It is told although something else happens to the phone then. */
  lose(phone: LabPhone, at: number, away: Away = {}): ToldLoss {
    const { forMs, as, to, backAs = 'device', onUsb } = away;
    const back = forMs === undefined ? Number.POSITIVE_INFINITY : Math.round(at + forMs);
    // who changes its mode leaves USB for a moment
    const interfaces = onUsb?.interfaces?.map(({ kind }) => kind).join(' ');
    const { gone = (onUsb && interfaces === undefined) || as ? 'nothing' : 'phone' } = away;
    const loss: ToldLoss = {
      phone,
      at: Math.round(at),
      until: back,
      gone,
      ...(interfaces && { interfaces }),
    };
    phone.busy.push({ from: at - 10 * SECOND, to: back + 10 * SECOND });
    const what = as ? { kind: 'state' as const, state: as, before: 'device' } : { kind: 'detached' as const };
    const lostWithHub = away.isWithHub ? loss.at : undefined;
    this.#told.push({ at: loss.at, phone, what, loss, ...(lostWithHub && { lostWithHub }) });
    if (onUsb) this.usb(phone, at, onUsb);
    if (back > this.end) return loss;
    if (to) {
      phone.seats.push({ from: back, port: to });
      phone.seats.sort((one, other) => one.from - other.from);
    }
    if (onUsb) this.usb(phone, back, undefined);
    const end = as
      ? { kind: 'state' as const, state: backAs, before: as }
      : { kind: 'attached' as const, state: backAs };
    this.#told.push({ at: back, phone, what: end, ...(lostWithHub && { lostWithHub }) });
    return loss;
  }

  /** All of them within `spreadMs`. */
  loseAll(
    phones: readonly LabPhone[],
    at: number,
    {
      spreadMs = SECOND,
      backSpreadMs = 4 * SECOND,
      ...away
    }: Away & { spreadMs?: number; backSpreadMs?: number } = {},
  ): ToldLoss[] {
    return phones.map((phone) => {
      const from = Math.round(at + this.random.between(0, spreadMs));
      const { forMs } = away;
      const until = forMs === undefined ? {} : { forMs: forMs + this.random.between(0, backSpreadMs) };
      return this.lose(phone, from, { ...away, ...until });
    });
  }

  /** It restarts, and is asked 5 to 40 s after it is back. */
  reboot(
    phone: LabPhone,
    at: number,
    {
      forMs = 40 * SECOND,
      reason,
      backAs = 'device',
    }: { forMs?: number; reason?: string; backAs?: string } = {},
  ): ToldLoss {
    const loss = this.lose(phone, at, { forMs, backAs });
    if (backAs !== 'device') return loss;
    const asked = Math.round(at + forMs + this.random.between(5, 40) * SECOND);
    const uptimeSeconds = Math.round((asked - at - Math.min(forMs, 40 * SECOND) / 2) / SECOND);
    this.rebooted(phone, asked, {
      reason,
      uptimeSeconds: Math.min(uptimeSeconds, Math.round((asked - at) / SECOND)),
    });
    return loss;
  }

  /** It was asked, and says that it has restarted. */
  rebooted(
    phone: LabPhone,
    at: number,
    { reason, uptimeSeconds }: { reason?: string | undefined; uptimeSeconds?: number },
  ): void {
    this.phone(phone, Math.round(at), {
      kind: 'rebooted',
      ...(reason !== undefined && { reason }),
      ...(uptimeSeconds !== undefined && { uptimeSeconds }),
    });
  }

  maintenance(phone: LabPhone, at: number, forMs: number, reason: string, endedAt?: number): void {
    this.phone(phone, at, { kind: 'maintenance', until: Math.round(at + forMs), reason });
    if (endedAt !== undefined) this.phone(phone, Math.round(endedAt), { kind: 'maintenanceEnded' });
  }

  /** The clock is right from `at` on; before, it was behind by `byMs`. */
  stepClock(at: number, byMs: number): void {
    this.#step = { at, byMs };
    this.host(at, { kind: 'clockStepped', byMs });
  }

  /** What the host's clock shows. */
  shown = (at: number): number => (this.#step && at < this.#step.at ? at - this.#step.byMs : at);

  /** What the agent recorded, oldest first, each with its true moment. */
  recorded(): { at: number; event: HistoryEvent }[] {
    const told = [...this.#happened, ...this.#seenOnUsb()]
      .filter(({ at }) => at >= this.start && at <= this.end)
      .sort((one, other) => one.at - other.at || rank(one) - rank(other));
    return told.map(({ at, phone, where, what, loss }, index) => {
      const id = 1001 + index;
      if (loss) loss.id = id;
      const place = where ?? (phone && this.where(phone, at));
      const event = {
        ...what,
        ...(what.kind === 'attached' && phone && this.#isSeen(phone) && this.#onUsb(phone, at)),
        ...(place && { where: place }),
        ...(phone && { udid: phone.udid }),
        at: this.shown(at),
        id,
      };
      return { at, event: event as NewEvent & { id: number } };
    });
  }

  get #happened(): Told[] {
    return this.#told.filter(
      ({ phone, lostWithHub: at }) =>
        !phone || !at || this.#hubAt(phone, at) === this.#hubAt(phone, this.start),
    );
  }

  #hubAt = (phone: LabPhone, at: number): Hub | undefined =>
    this.hubs.find(({ ports }) => ports.some((port) => port === this.portOf(phone, at)));

  #isSeen = (phone: LabPhone | undefined): boolean => this.hasUsb && phone?.connection === 'usb';

  /** How the kernel has a phone that adb lists. */
  #onUsb(phone: LabPhone, at: number): typeof ON_USB {
    const changes = this.changes.filter((each) => each.phone === phone && 'usb' in each && each.at <= at);
    const last = changes.sort((one, other) => one.at - other.at).at(-1);
    const shown = last?.usb?.interfaces?.map(({ kind }) => kind).join(' ');
    return shown?.includes(ON_USB.interfaces) ? { ...ON_USB, interfaces: shown } : ON_USB;
  }

  /** What USB showed seconds after each loss, or when the phone came back. */
  #seenOnUsb(): Told[] {
    const losses = this.#happened
      .flatMap(({ loss }) => (loss && this.#isSeen(loss.phone) ? [loss] : []))
      .sort((one, other) => one.at - other.at);
    const readings: { losses: ToldLoss[]; at: number }[] = [];
    for (const loss of losses) {
      const known = readings.at(-1);
      const reading = known && loss.at <= known.at ? known : { losses: [], at: 0 };
      if (reading !== known) readings.push(reading);
      reading.losses.push(loss);
      reading.at = Math.min(loss.at + QUIET_MS, (reading.losses[0]?.at ?? 0) + LONGEST_MS);
    }
    const read = readings.flatMap((reading) =>
      reading.losses.map((loss) => ({ ...loss, readAt: reading.at })),
    );
    return read.map(({ phone, until, gone, interfaces, at, readAt }) => {
      const hub = this.#hubAt(phone, at);
      const { interfaces: interfacesBefore } = this.#onUsb(phone, at - 1);
      const before = { speedMbpsBefore: 480, configurationBefore: 1, interfacesBefore };
      return {
        at: Math.min(Math.round(readAt), until),
        phone,
        what: {
          kind: 'usb',
          gone,
          ...(gone === 'hub' && hub && { hub: keyOf(hub, this.known) }),
          ...((gone === 'nothing' || interfaces) && ON_USB),
          ...(interfaces && { interfaces }),
          ...before,
        },
      };
    });
  }
}

/** Of one moment: USB first, what was found out about a phone last. */
const rank = ({ what: { kind } }: Told): number => (kind === 'usb' ? 0 : kind === 'rebooted' ? 2 : 1);

export { DAY, HOUR, MINUTE, SECOND };

/** The time zone of this process while something is done: what the lab's clock shows, and what the rules take for local time. */
export function inZone<T>(zone: string, todo: () => T): T {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return todo();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

/** The same number for the same text. */
export const hashed = (text: string): number =>
  [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7);
