/** What a loss of a phone is, what several of them are together, and how long they last. */
import type { PhoneEvent, Where } from '../../history/events/event.ts';
import { portOf } from '../../history/events/where.ts';
import type { KernelFault } from '../../host/kernel-line.ts';
import type { RuleInput } from '../rule-input.ts';
import type { Moment } from './clock-adjusted.ts';

/** How a phone is connected. One whose USB port is not known counts as one of the network. */
export type Medium = 'usb' | 'network' | 'emulator';

/** What a battery read when its phone was lost: `3 %`, `58 °C`. `low`: not empty, and less than three hours before. */
export interface Charge {
  is: 'empty' | 'low' | 'full' | 'hot';
  reads: string;
}

export interface Loss extends Moment {
  /** Of the event with which it began. */
  id: number;
  udid: string;
  where: Where;
  /** The `key` of its port; absent for a phone of the network. */
  port?: string;
  medium: Medium;
  /** adb's word before. */
  before: string;
  /** adb went on listing it, as offline. */
  wasListed: boolean;
  wasInMaintenance: boolean;
  /** How it ended; absent while it lasts. */
  back?: Moment & { id: number; port?: string; state: string };
  /** The phone says that it restarted then. */
  reboot?: { id: number; reason?: string };
  /** It came back with a restart, so much later: it had been off, or did not answer. */
  revival?: { id: number; reason?: string; afterMs: number };
  /** It runs another Android since. */
  isUpdated?: boolean;
  /** Its adbd was root then, or became it, or ceased to be. */
  root?: 'was' | 'changed';
  /** What happened to adb or the agent at that moment. */
  mark?: HostMark;
  /** What USB showed seconds later; absent where that is not known. What was seen beats what is counted. */
  usb?: UsbWitness;
  /** What the kernel wrote of its port then; `reset`: just before, and nothing worse. */
  kernel?: { id: number; fault: KernelFault; count: number };
  /** Its battery was empty, low or hot then, or had just become full; absent: nothing of that is known. */
  charge?: Charge;
  /** Somebody had the phone in hand then: the note, or the maintenance. */
  repair?: Moment & { id: number };
  /** Why it was lost; set by `cause.ts` and `by-itself.ts`. */
  cause?: LossCause | undefined;
}

export interface UsbWitness
  extends Pick<Extract<PhoneEvent, { kind: 'usb' }>, 'gone' | 'hub' | 'overCurrents' | 'interfacesBefore'> {
  id: number;
  /** USB shows it again, soon or when it is back, with other interfaces than before: somebody changed its USB mode, or turned USB debugging off. */
  isOtherMode: boolean;
  /** It waits in its bootloader, or its chip has found none. */
  isInBootloader?: true;
}

export type LossCause =
  | { kind: HostMark['kind']; mark: HostMark }
  | { kind: 'handled'; repair?: { id: number } }
  /** `isLoop`: one of many within minutes; false: few of them told of a restart. */
  | { kind: 'restarted'; isAsked: boolean; isLoop?: boolean }
  /** USB went on showing the phone, and adb did not list it. */
  | { kind: 'onUsb' }
  /** Its USB debugging changed: USB shows it in another mode, or `adb root` restarted it. */
  | { kind: 'mode' }
  | PlaceLoss
  | OwnCause;

/** What a loss shows by itself. */
interface OwnCause {
  /**
   * `own`: it came back by itself, or was lost when nobody was there: the phone, its cable or its port. Somebody took it, as
   * far as can be seen: it goes `daily`, or was `away` for long, or moved. `dead`: it was off, or did not answer, until
   * it was restarted. `battery`: it was empty or hot. `gone`: it has not come back.
   */
  kind: 'own' | 'daily' | 'away' | 'dead' | 'battery' | 'gone';
  isUnattended?: true;
  /** A job starts and ends it, as an emulator. */
  isOfJob?: true;
}

/** Phones that went at once, of one hub or of the network; `host`: of several hubs of its controller, `room`: of several hubs. */
export interface PlaceLoss {
  kind: 'hub' | 'network' | 'host' | 'room';
  /** Which hub; empty for the others. */
  hub: string;
  losses: Loss[];
  /** When the first of them began. */
  at: number;
  /** How many phones the hub or the network had. */
  had: number;
  /** USB showed that the hub, or the controller, left. */
  isSeen?: true;
}

export type Lost = Pick<PlaceLoss, 'at'> & { losses: readonly Loss[] };

export const backAt = ({ losses }: Lost) => losses.find(({ back }) => back)?.back?.at;
/** At least for `ms`; a loss whose phones are not back counts as one without end. */
export const hasLasted = (loss: Lost, ms: number): boolean =>
  (backAt(loss) ?? Number.POSITIVE_INFINITY) - loss.at >= ms;
/** The same of one phone. */
export const wasAway = (loss: Loss, ms: number): boolean => hasLasted({ at: loss.at, losses: [loss] }, ms);

/** A new configuration of USB, or `adb root`, takes less, ms: what adb loses for longer it lost itself. */
export const SNATCHED_MS = 30_000;
/** A rack that people switch off, or a cart that they take out, is away for at least this time, ms. */
export const ROUTINE_MS = 30 * 60_000;

/** A loose contact closes again by itself within this time, ms. Who re-seats a cable takes longer to come. */
export const BRIEF_MS = 60_000;
/** A network comes back more slowly, ms. */
export const BRIEF_ON_NETWORK_MS = 12 * 60_000;

/** Who unplugs something takes it, or looks at it: hardly any hand plugs it in again so soon, ms, nor each time. */
const HAND = { leastMs: 7_000, part: 0.2 };
export const areTooBrief = (losses: readonly Pick<Loss, 'at' | 'back'>[]): boolean =>
  losses.filter(({ at, back }) => !back || back.at - at > HAND.leastMs).length < losses.length * HAND.part;

/** Two or more of one medium that followed each other quickly, in order, each phone and each port once. */
export interface LossGroup {
  losses: Loss[];
  /** How many phones each hub, each controller and the network had just before. */
  had: Map<string, number>;
}

/** Something that happened to adb or the agent; or the host has slept, or the agent stood still, until then. */
export interface HostMark extends Moment {
  id: number;
  kind: 'adb' | 'start' | 'sleep' | 'pause';
  /** Of the adb server that answers since. */
  version?: number;
  /** adb no longer answered, though something listened there. */
  isSilent?: boolean;
  /** The host booted, and the agent before had not been stopped. */
  isPowerCut?: true;
  /** Somebody had switched the host off, for so long, ms. */
  offMs?: number;
}

/** Each oldest first. */
export interface Losses {
  losses: Loss[];
  groups: LossGroup[];
  hostMarks: HostMark[];
  /** As phones say, except in a maintenance; by the clock as it goes now. */
  restarts: (Extract<PhoneEvent, { kind: 'rebooted' }> & { id: number; at: number })[];
  /**
   * The `id` of the newest note or maintenance of each phone and port, and of the newest note on each place: `udid A`,
   * `port 1-4.2`, `slot bay 4`, `hub 1-4`, `host`.
   */
  repairs: Map<string, number>;
}

/** The place of all phones of the network. */
export const NETWORK = 'network';

export const mediumOf = (where: Where, isEmulator: boolean): Medium =>
  isEmulator ? 'emulator' : portOf(where) === undefined ? 'network' : 'usb';

export const emulatorsIn = ({ phones }: Pick<RuleInput, 'phones'>): Set<string> =>
  new Set(phones.flatMap(({ udid, connection }) => (connection === 'emulator' ? udid : [])));

/**
 * Those that last and that nobody works on: a phone that is attached, and not only listed as offline, is back; one that is
 * forgotten never comes.
 */
export function stillMissing(losses: readonly Loss[], now: RuleInput): Loss[] {
  const phones = new Map(now.phones.map((phone) => [phone.udid, phone]));
  return losses.filter(({ back, udid, wasListed }) => {
    const { attached, isInMaintenance } = phones.get(udid) ?? {};
    return !back && !isInMaintenance && (wasListed || attached === false);
  });
}
