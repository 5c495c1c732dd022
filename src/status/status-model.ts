/**
 * The host as page, terminal and metrics show it: the agent now, and since when each thing is as it is.
 */
import type { AdbAt } from '../adb/remedy.ts';
import type { Agent } from '../agent/agent.ts';
import { NO_CLOUD } from '../agent/cloud-health.ts';
import type { AgentObserver } from '../agent/observer.ts';
import type { AgentState } from '../agent/state.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { version } from '../base/version.ts';
import type { Finding } from '../diagnosis/finding.ts';
import type { NewEvent } from '../history/events/event.ts';
import type { PhonesOnUsb } from '../host/usb-sight.ts';
import { movedWith } from '../roster/restored.ts';
import { causeStatusOf, causesOf, findingStatusOf, findingsByPhone, withFindings } from './causes.ts';
import { factListOf } from './fact-list.ts';
import type { HostStatus, PhoneDetail, ReportStatus } from './host-status.ts';
import type { PhonePast } from './phone-past.ts';
import { type KnownPlans, type LastStates, type PhoneTimes, reviewed } from './phone-status.ts';
import { bandsOf } from './rack.ts';

/** Since when each thing is as it is, ms since the epoch; a reload carries it to the next host. */
export interface StatusTimes extends PhoneTimes {
  startedAt: number;
  adb: { state: string; since: number };
  /** Absent while a person is needed. */
  fineSince?: number;
}

/** Of a host that has just started. @param lastStates how earlier runs left the phones */
export const newTimes = (lastStates: LastStates = new Map()): StatusTimes => {
  const startedAt = Date.now();
  return { startedAt, adb: { state: 'unknown', since: startedAt }, lastStates, phones: new Map() };
};

/** The clock was set: what this run has noticed lasts for as long as before. An earlier run may have had a better clock. */
function moveTimes(times: StatusTimes, movedAt: (at: number) => number): void {
  const { startedAt, adb, fineSince, phones } = times;
  const moved = (at: number) => (at < startedAt ? at : movedAt(at));
  times.startedAt = moved(startedAt);
  adb.since = moved(adb.since);
  if (fineSince !== undefined) times.fineSince = moved(fineSince);
  for (const [udid, { findings, ...phone }] of phones)
    phones.set(udid, {
      ...phone,
      stateSince: moved(phone.stateSince),
      fineSince: moved(phone.fineSince),
      findings: new Map([...findings].map(([code, since]) => [code, moved(since)])),
    });
}

/** What the status needs of an agent. */
export type WatchedAgent = Pick<Agent, 'state' | 'isProgressing' | 'isStopping'>;

export interface StatusModelOptions {
  plans: KnownPlans;
  agent: WatchedAgent;
  /** The machine's own name. */
  hostName: string;
  /** The host's name in the cloud, where the configuration sets it. */
  nodeId?: string;
  /** The adb server, and this machine. */
  adbAt: AdbAt;
  /** Phones that USB shows; absent where they are not on the USB of this machine. */
  phonesOnUsb?: () => PhonesOnUsb;
  /** Names of the slots, in the order in which they stand in the room. */
  slots: readonly string[];
  /** The past from before this time is made up, as in the demo. */
  simulatedUntil?: number;
  times: StatusTimes;
  past: Pick<PhonePast, 'samples'>;
  history: { readonly unwrittenSince?: number | undefined };
  /** What the events of the last weeks show, the worst first. */
  findings: { readonly current?: readonly Finding[] | undefined };
  /** The server that shows this status: where the page is served, or why it is not, with what to do. */
  page(): { readonly pageUrl: string | undefined; readonly pageProblem: string | undefined };
}

/** Debounce: changes within this time are shown together, ms. */
const DEBOUNCE_MS = 1000;
/** Longest age of a status before it is built again, ms. */
const REFRESH_MS = 10_000;

/** The source of the host's status for page, commands and metrics. */
export type StatusSource = Pick<StatusModel, 'status' | 'phone' | 'onChange' | 'isProgressing'>;

export class StatusModel implements AgentObserver {
  /** Called after changes of the status, at most once a second. */
  onChange: () => void = () => {};
  readonly #options: StatusModelOptions;
  #debounce: NodeJS.Timeout | undefined;
  /** Undefined once something has changed. */
  #last: HostStatus | undefined;
  /** When `#last` was made, by the monotonic clock, ms. */
  #builtAt = 0;

  constructor(options: StatusModelOptions) {
    this.#options = options;
  }

  /** False if the agent hangs. */
  get isProgressing(): boolean {
    return this.#options.agent.isProgressing;
  }

  /** Undefined while no agent runs: at the start and in a reload. */
  status(): HostStatus | undefined {
    const { agent, page } = this.#options;
    if (agent.isStopping) return undefined;
    const now = Date.now();
    if (performance.now() - this.#builtAt > REFRESH_MS) this.#last = undefined;
    if (this.#last === undefined) this.#builtAt = performance.now();
    this.#last ??= this.#statusOf(agent.state, now);
    const { pageUrl, pageProblem } = page();
    return omitUndefined({ ...this.#last, takenAt: now, pageUrl, pageProblem });
  }

  async phone(udid: string): Promise<PhoneDetail | undefined> {
    const status = this.status()?.phones.find((phone) => phone.udid === udid);
    const { agent, simulatedUntil, past } = this.#options;
    const state = agent.state.phones.find(({ device }) => device.udid === udid);
    if (status === undefined || state === undefined) return undefined;
    const history = (await past.samples(udid, 1).catch(() => undefined)) ?? [];
    return omitUndefined({ ...status, simulatedUntil, facts: factListOf(state), history });
  }

  changed(): void {
    this.#last = undefined;
    this.#debounce ??= setTimeout(() => {
      this.#debounce = undefined;
      this.status(); // since when things are so, it remembers also where nobody asks
      this.onChange();
    }, DEBOUNCE_MS).unref();
  }

  happened(events: readonly NewEvent[]): void {
    for (const event of events)
      if (event.kind === 'clockStepped') {
        moveTimes(this.#options.times, movedWith(event.byMs, Date.now()));
        this.changed();
      }
  }

  readonly collected = (): void => this.changed();
  readonly round = (): void => this.changed();

  sent({ outcome }: { outcome: string }): void {
    if (outcome === 'stored') this.changed();
  }

  /** Remembers since when each thing is so. */
  #statusOf(state: AgentState, now: number): HostStatus {
    const { hostName, nodeId: name = hostName, adbAt, slots, times, phonesOnUsb } = this.#options;
    const { current: findings } = this.#options.findings;
    const { state: adbState } = state.adb;
    // until a host has tried, after a reload, it is as before
    if (adbState !== 'unknown' && adbState !== times.adb.state) times.adb = { state: adbState, since: now };
    const onUsb = adbState === 'listed' && state.usbPorts.length === 0 ? phonesOnUsb?.() : undefined;
    const adb = {
      address: `${adbAt.host}:${adbAt.port}`,
      ...state.adb,
      since: times.adb.since,
      ...(onUsb && onUsb.phones > 0 && { onUsb }),
    };
    const reports = reportsOf(state, now);
    const ofPhone = findingsByPhone(findings ?? []);
    const { unwrittenSince } = this.#options.history;
    const host = omitUndefined({ adb, adbAt, reports: withoutChoice(reports), unwrittenSince });
    const { statuses, findings: ofPresent } = reviewed(state, host, this.#options, now);
    const { causes, notices, remedies } = causesOf([...(findings ?? []), ...ofPresent], statuses);
    const phones = statuses.map((phone) =>
      withFindings(phone, ofPhone.get(phone.udid) ?? [], remedies.get(phone.udid)),
    );
    if (causes.length > 0) delete times.fineSince;
    else times.fineSince ??= now;
    const udids = new Set(phones.map(({ udid }) => udid));
    for (const udid of times.phones.keys()) if (!udids.has(udid)) times.phones.delete(udid);
    const count = (condition: string) => phones.filter((phone) => phone.condition === condition).length;
    return omitUndefined({
      takenAt: now,
      host: omitUndefined({
        name,
        hostname: name === hostName ? undefined : hostName,
        nodeId: state.nodeId,
        version,
        startedAt: times.startedAt,
      }),
      adb,
      reports,
      counts: {
        phones: phones.length,
        fine: count('fine'),
        needsAttention: count('needsAttention'),
        maintenance: count('maintenance'),
        unknown: count('unknown'),
      },
      fineSince: times.fineSince,
      causes: causes.map(causeStatusOf),
      notices: notices.map(causeStatusOf),
      findings: findings?.map(findingStatusOf),
      bands: bandsOf(slots, phones),
      phones,
    });
  }
}

/** A host without a cloud reports nothing, and nothing is wrong with that. */
const withoutChoice = ({ notReporting, ...reports }: ReportStatus) =>
  omitUndefined({ ...reports, notReporting: notReporting === NO_CLOUD ? undefined : notReporting });

function reportsOf({ reports, nextReportMs }: AgentState, now: number): ReportStatus {
  if ('notReporting' in reports) return reports;
  const { storedAgoMs, trouble, failingForMs } = reports;
  return omitUndefined({
    storedAt: storedAgoMs === undefined ? undefined : Math.round(now - storedAgoMs),
    nextAt: Math.round(now + nextReportMs),
    ...trouble,
    failingSince: failingForMs === undefined ? undefined : Math.round(now - failingForMs),
  });
}
