/**
 * What USB shows of phones that are lost: is it still there, or did it, its hub or its controller leave? The kernel needs
 * a moment to notice that a hub is gone, after adb has lost its phones: so USB is read when no phone was lost for a while.
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { lookAtUsb, showsAdb, type UsbSight } from '../../host/usb-sight.ts';
import { isLostState, type NewEvent, type PhoneEvent, type Where } from './event.ts';
import { hubsAbove } from './where.ts';

/** After the last loss, and after the first, ms. */
const QUIET_MS = 1_500;
const LONGEST_MS = 6_000;

type UsbEvent = Extract<PhoneEvent, { kind: 'usb' }> & { at: number };

/** How USB showed a phone. `sight` is absent of what it has never shown, such as a phone of a simulated server. */
interface Seen {
  devpath: string;
  sight?: UsbSight;
}

export class UsbWatch {
  readonly #happened: (events: readonly NewEvent[]) => void;
  readonly #sightAt: (devpath: string) => UsbSight | undefined;
  readonly #seen = new Map<string, Seen>();
  readonly #lost = new Map<string, { seen: Required<Seen>; where: Where; since: number }>();
  #timer: NodeJS.Timeout | undefined;

  /** @param sightAt what USB shows at adb's port; undefined if nothing is known of it */
  constructor(happened: (events: readonly NewEvent[]) => void, sightAt = lookAtUsb) {
    this.#happened = happened;
    this.#sightAt = sightAt;
  }

  /** adb lists this phone there. It is looked at once for each connection. */
  sees(udid: string, devpath: string | undefined): void {
    if (devpath === undefined || this.#lost.has(udid)) return;
    if (this.#seen.get(udid)?.devpath !== devpath) this.#look(udid, devpath);
  }

  /** The same events; those of phones that came say how USB shows them, after what it showed of their loss. */
  beside(events: readonly NewEvent[]): NewEvent[] {
    return events.flatMap((event): NewEvent[] => {
      const { kind, udid, where } = event;
      if (udid === undefined) return [event];
      if (kind === 'detached' || (kind === 'state' && isLostState(event.state))) this.#lose(udid, where);
      if (kind !== 'attached') return [event];
      const told = this.#tell([udid], event.at);
      const phone = where.devpath === undefined ? undefined : this.#look(udid, where.devpath)?.phone;
      return [...told, { ...event, ...phone }];
    });
  }

  renamed(from: string, to: string): void {
    for (const known of [this.#seen, this.#lost] as Map<string, unknown>[]) {
      if (known.has(from)) known.set(to, known.get(from));
      known.delete(from);
    }
  }

  forgotten(udid: string): void {
    this.#seen.delete(udid);
    this.#lost.delete(udid);
  }

  #look(udid: string, devpath: string): UsbSight | undefined {
    const sight = this.#sightAt(devpath);
    const isShown = sight !== undefined && showsAdb(sight);
    this.#seen.set(udid, { devpath, ...(isShown && { sight }) });
    return isShown ? sight : undefined;
  }

  #lose(udid: string, where: Where): void {
    const { devpath = '', sight } = this.#seen.get(udid) ?? {};
    if (sight === undefined || this.#lost.has(udid)) return;
    this.#lost.set(udid, { seen: { devpath, sight }, where, since: performance.now() });
    const [first] = this.#lost.values();
    const longestMs = LONGEST_MS - (performance.now() - (first?.since ?? 0));
    clearTimeout(this.#timer);
    const tell = () => {
      const events = this.#tell([...this.#lost.keys()], Date.now());
      if (events.length > 0) this.#happened(events);
    };
    this.#timer = setTimeout(tell, Math.max(0, Math.min(QUIET_MS, longestMs))).unref();
  }

  #tell(udids: readonly string[], at: number): UsbEvent[] {
    return udids.flatMap((udid) => {
      const lost = this.#lost.get(udid);
      this.#lost.delete(udid);
      const now = lost && this.#sightAt(lost.seen.devpath);
      if (lost === undefined || now === undefined) return [];
      const { where, seen } = lost;
      return [{ kind: 'usb', udid, where, at, ...usbChange(seen.sight, now, where) }];
    });
  }
}

/** What is another now than it was, or not there. @param where the place of the phone */
export function usbChange(
  before: UsbSight,
  now: UsbSight,
  where: Where,
): Omit<UsbEvent, 'kind' | 'udid' | 'where' | 'at'> {
  const upmost = before.line.findIndex((device, index) => device !== now.line[index]);
  const isPhone = upmost === before.line.length - 1;
  const gone: UsbEvent['gone'] =
    upmost < 0 ? 'nothing' : upmost === 0 ? 'controller' : isPhone ? 'phone' : 'hub';
  const { speedMbps, configuration, interfaces } = before.phone ?? {};
  const cuts = (now.overCurrents ?? 0) - (before.overCurrents ?? 0);
  return omitUndefined({
    gone,
    hub: gone === 'hub' ? hubsAbove(where).at(-upmost) : undefined,
    // the count of a hub that was plugged in anew is another one
    overCurrents: (gone === 'nothing' || gone === 'phone') && cuts > 0 ? cuts : undefined,
    ...now.phone,
    speedMbpsBefore: speedMbps,
    configurationBefore: configuration,
    interfacesBefore: interfaces,
  });
}
