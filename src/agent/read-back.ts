/**
 * Reads back what the cloud has of this host's phones: about once an hour, just before a full report, when what other
 * hosts said since the last one is in it.
 */
import type { PluggedIn } from '../cloud/agent-client.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import { CloudAnswerTooLongError } from '../cloud/errors.ts';
import type { InCloud, RosterDevice } from '../roster/device.ts';
import { isByCable, isConnectedAlike, isToReport, onlyInCloud, readBack } from '../roster/device-changes.ts';
import { isForbidden } from './cloud-health.ts';
import type { AgentServices, CloudReader } from './options.ts';

export interface ReadBackOptions
  extends Pick<
    AgentServices,
    'nodeId' | 'roster' | 'hostReport' | 'isStateLost' | 'timing' | 'observer' | 'log'
  > {
  reader: CloudReader;
}

/** Readings after one that found something new, to see it twice in a row, and that a report ended it. */
const MOST_AGAIN = 2;
/** Phones that only the cloud knows: a list that is wrong must not fill the roster. */
const MOST_UNKNOWN = 300;
/** What this host has forgotten it forgot before its start: later such phones are those of another host of its name. */
const FIRST_READINGS = 2;

export class ReadBack {
  readonly #options: ReadBackOptions;
  /** By the monotonic clock, ms. */
  #dueAt: number;
  #again = 0;
  #isRunning = false;
  #isOff = false;
  /** Of the whole list. */
  #readings = 0;
  /** Phones of this host that only the cloud knew at the last reading. */
  #unknown: ReadonlySet<string> = new Set();

  constructor(options: ReadBackOptions) {
    this.#options = options;
    const { isStateLost, timing } = options;
    const withinMs = isStateLost ? timing.firstReadBackMs : timing.readBackMs;
    this.#dueAt = performance.now() + withinMs * Math.random();
  }

  get isDue(): boolean {
    return !this.#isOff && !this.#isRunning && performance.now() >= this.#dueAt;
  }

  /** Reads, and notes what differs: the report that follows has what is to be said anew. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { roster, timing, observer, log } = this.#options;
    const before = roster.devices;
    this.#isRunning = true;
    this.#dueAt = performance.now() + timing.readBackMs * (0.9 + 0.2 * Math.random());
    try {
      const { plugged, isWhole } = await this.#read(before, signal);
      const differs = this.#compare(before, plugged);
      const isNews = (isWhole && this.#findUnknown(plugged)) || differs;
      this.#again = isNews ? this.#again + 1 : 0;
      if (isNews) observer.changed();
      if (isNews && this.#again <= MOST_AGAIN) this.#dueAt = performance.now();
    } catch (error) {
      this.#isOff = isForbidden(error) || error instanceof CloudAnswerTooLongError;
      if (this.#isOff) {
        roster.phones.cloudUnread();
        log.warn({ err: error }, 'the cloud does not let hostnode read its phones back');
      } else if (!signal.aborted) log.debug({ err: error }, 'the phones could not be read back');
    } finally {
      this.#isRunning = false;
    }
  }

  /** One list; where that is too long, phone by phone. */
  async #read(phones: readonly RosterDevice[], signal: AbortSignal) {
    const { reader } = this.#options;
    try {
      return { plugged: await reader.pluggedIn(undefined, signal), isWhole: true };
    } catch (error) {
      if (!(error instanceof CloudAnswerTooLongError)) throw error;
    }
    const plugged = new Map<string, string | undefined>();
    for (const { udid } of phones) {
      const found = await reader.pluggedIn(udid, signal);
      if (found.has(udid)) plugged.set(udid, found.get(udid));
    }
    return { plugged, isWhole: false };
  }

  /** @returns whether something differs that did not, or is certain now */
  #compare(before: readonly RosterDevice[], plugged: PluggedIn): boolean {
    const { nodeId, roster, hostReport } = this.#options;
    const infos = new Map(hostReport.devices().map((info) => [info.udid, info]));
    const ownName = ownNameIn(before, plugged, nodeId);
    let isNews = false;
    for (const was of before) {
      const device = roster.get(was.udid);
      // it changed while the cloud was read
      if (device === undefined || !isConnectedAlike(was, device) || isToReport(was) !== isToReport(device))
        continue;
      const info = infos.get(was.udid);
      const isUndecided = info === undefined && device.attached && !hostReport.isIgnored(device);
      const seen = isUndecided
        ? undefined
        : differenceOf(device, info, plugged, isOverNetwork(device) ? ownName : nodeId);
      const noted = readBack(device, seen, Date.now());
      isNews ||= seen !== undefined && noted !== device;
      roster.phones.put(noted);
    }
    return isNews;
  }

  /** Phones that the cloud has at this host, twice in a row after a start, and that a lost state has forgotten. */
  #findUnknown(plugged: PluggedIn): boolean {
    const { nodeId, roster, log } = this.#options;
    this.#readings += 1;
    if (this.#readings > FIRST_READINGS) return false;
    const unknown = [...plugged]
      .filter(([udid, host]) => host === nodeId && roster.get(udid) === undefined)
      .slice(0, MOST_UNKNOWN);
    for (const [udid] of unknown) {
      if (!this.#unknown.has(udid) || roster.phones.isFull) continue;
      roster.phones.put(onlyInCloud(udid, Date.now()));
      log.warn(
        { udid },
        'the cloud has a phone of this host that it does not know: it is reported as unplugged',
      );
    }
    this.#unknown = new Set(unknown.map(([udid]) => udid));
    return unknown.length > 0;
  }
}

const isOverNetwork = ({ attached, connection }: RosterDevice): boolean => attached && connection === 'tcp';

/**
 * This host, as the cloud names it. A cloud may write names its own way: it has none of ours then, and another one where
 * we have a phone by cable. That must not make us leave it the phones that we have over the network.
 */
function ownNameIn(devices: readonly RosterDevice[], plugged: PluggedIn, nodeId: string): string {
  if ([...plugged.values()].includes(nodeId)) return nodeId;
  const byCable = devices.find((device) => isByCable(device) && plugged.get(device.udid) !== undefined);
  return (byCable && plugged.get(byCable.udid)) ?? nodeId;
}

/**
 * What the cloud has of a phone that is not what this host has of it; undefined if nothing.
 *
 * @param info as it is reported; absent for one that is ignored
 */
export function differenceOf(
  device: RosterDevice,
  info: DeviceInfo | undefined,
  plugged: PluggedIn,
  nodeId: string,
): Pick<InCloud, 'there' | 'host'> | undefined {
  const host = plugged.get(device.udid);
  if (host !== undefined && host !== nodeId) return { there: 'elsewhere', host };
  const isPlugged = plugged.has(device.udid);
  if (info?.status === 'PLUGGED') {
    // a list need not have hidden phones
    const isListed = info.addedToCloud && !info.isHidden && device.cloudAnswer === 'stored';
    return isListed && !isPlugged ? { there: 'unplugged' } : undefined;
  }
  // what is still to be reported is no difference yet
  if (!isPlugged || isToReport({ ...device, attached: false })) return undefined;
  if (host === undefined && !device.isGoneStored) return undefined;
  return { there: host === undefined ? 'elsewhere' : 'here' };
}
