/**
 * What those see who look on from the side: the agent in force, with a memory of since when things are as they are.
 * It outlives agents: a reload puts another one in its place.
 */
import { ActiveAgent } from '../agent/active-agent.ts';
import type { AgentObserver } from '../agent/observer.ts';
import type { AgentView, PhoneView } from '../agent/view.ts';
import { timely } from '../base/clock.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { yieldToLoop } from '../base/time.ts';
import type { RosterDevice } from '../roster/device.ts';
import { causesOf, type PhoneInTrouble } from './causes.ts';
import { factListOf } from './fact-list.ts';
import { History, type HistoryRecord } from './history.ts';
import type {
  AdbStatus,
  CauseKind,
  HostStatus,
  Maintenance,
  PhoneDetail,
  PhoneStatus,
  ReportStatus,
} from './host-status.ts';
import { type PhoneProblem, problemsOf } from './phone-problems.ts';
import { phoneStatusOf } from './phone-status.ts';
import { bandsOf } from './rack.ts';
import type { StatusSource } from './source.ts';

export interface StatusModelOptions {
  /** The machine's own name. */
  hostName: string;
  version: string;
  /** History from before this time is made up, as in the demo. */
  simulatedUntil?: number;
  /** What an earlier run has kept. */
  record?: HistoryRecord;
  /** Are all phones known whose history is kept? Absent: they are. */
  isRosterWhole?(): boolean;
}

/** What the board needs of an agent. */
export interface WatchedAgent {
  readonly view: AgentView;
  readonly isProgressing: boolean;
}

/** The host as it is set up: it changes with the configuration only. */
export interface Setting {
  /** The host's name in the cloud, where the configuration sets it. */
  nodeId?: string;
  /** `host:port` of the adb server. */
  adbAddress: string;
  /** Names of the slots, in the order in which they stand in the room. */
  slots: readonly string[];
  maintenanceOf(udid: string): Maintenance | undefined;
}

/** Changes that come together are told together, ms. */
const GATHER_MS = 1000;
/** Longest age of a status before it is built anew, ms: time alone changes what needs attention. */
const LOOK_AGAIN_MS = 10_000;

/** So many take a ms or two. */
const PHONES_A_TURN = 100;

/** What adb's word alone says. */
const OF_ADB: ReadonlySet<CauseKind> = new Set<CauseKind>(['unplugged', 'state', 'unauthorized']);

/** What came of looking at a phone. */
interface Looked {
  status: PhoneStatus;
  ailing: PhoneInTrouble[];
}

interface PhoneTimes {
  /** adb's word, and since when it calls the phone so. */
  state: string;
  stateSince: number;
  /** The kind and sign of each ailment, and since when. */
  problems: ReadonlyMap<string, number>;
  fineSince: number;
}

export class StatusModel implements StatusSource, AgentObserver {
  readonly #options: StatusModelOptions;
  readonly #startedAt = Date.now();
  readonly #history: History;
  readonly #listeners = new Set<() => void>();
  readonly #memories = new Map<string, PhoneTimes>();
  readonly #active: ActiveAgent<WatchedAgent>;
  #setting: Setting | undefined;
  #adb: { state: string; since: number } = { state: 'unasked', since: this.#startedAt };
  #fineSince: number | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #lookAgain: NodeJS.Timeout | undefined;
  #last: HostStatus | undefined;
  /** When `#last` was made, by the monotonic clock, ms. */
  #lookedAt = 0;
  /** Something has changed since `#last` was made. */
  #isStale = true;
  #changes = 0;

  /** @param active shared with others who need to know the agent in force */
  constructor(options: StatusModelOptions, active = new ActiveAgent<WatchedAgent>()) {
    this.#options = options;
    this.#active = active;
    this.#history = new History(options.record);
  }

  /** This agent is in force from now on. */
  follow(agent: WatchedAgent, setting: Setting): void {
    this.#active.agent = agent;
    this.#setting = setting;
    this.changed();
  }

  /** No agent is in force for now. */
  unfollow(): void {
    this.#active.agent = undefined;
    this.changed();
  }

  /** What is to be kept for the next run. */
  get record(): HistoryRecord {
    return this.#history.record;
  }

  /** What an earlier run has kept, where it could not be read at the start. */
  join(earlier: HistoryRecord): void {
    this.#history.join(earlier);
    this.changed();
  }

  get isProgressing(): boolean {
    return this.#active.isProgressing;
  }

  status(): HostStatus | undefined {
    const { agent } = this.#active;
    if (agent === undefined) return undefined;
    const isOld = performance.now() - this.#lookedAt > LOOK_AGAIN_MS;
    if (this.#isStale || isOld || this.#last === undefined) {
      this.#last = this.#look(agent.view);
      this.#lookedAt = performance.now();
      this.#isStale = false;
    }
    return { ...this.#last, takenAt: Date.now() };
  }

  phone(udid: string): PhoneDetail | undefined {
    const status = this.status()?.phones.find((phone) => phone.udid === udid);
    const view = this.#active.agent?.view.phones.find(({ device }) => device.udid === udid);
    if (status === undefined || view === undefined) return undefined;
    const [timeline, history] = [this.#history.happenings(udid), this.#history.samples(udid)];
    const { simulatedUntil } = this.#options;
    return omitUndefined({ ...status, simulatedUntil, facts: factListOf(view), timeline, history });
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#lookAgain ??= setInterval(() => this.#tell(), LOOK_AGAIN_MS).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#lookAgain);
      this.#lookAgain = undefined;
    };
  }

  changed(): void {
    this.#isStale = true;
    this.#changes += 1;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#tell();
    }, GATHER_MS).unref();
  }

  asked(): void {
    this.changed();
  }

  round(): void {
    this.changed();
  }

  sent({ outcome }: { outcome: string }): void {
    if (outcome === 'stored') this.changed();
  }

  #tell(): void {
    this.#isStale = true;
    const { agent } = this.#active;
    const view = agent?.view;
    if (agent !== undefined && view !== undefined && view.phones.length > PHONES_A_TURN)
      void this.#tellInTurns(agent, view);
    else {
      this.status();
      this.#callListeners();
    }
  }

  #callListeners(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Many phones are looked at some in each turn of the event loop, all as they were at one instant. */
  async #tellInTurns(agent: WatchedAgent, view: AgentView): Promise<void> {
    const [now, beganAt, changes] = [Date.now(), performance.now(), this.#changes];
    const looked: Looked[] = [];
    for (let from = 0; from < view.phones.length; from += PHONES_A_TURN) {
      await yieldToLoop();
      if (this.#active.agent !== agent) return; // a reload came: it is told of in turn
      if (this.#lookedAt > beganAt) return this.#callListeners(); // somebody could not wait
      const some = view.phones.slice(from, from + PHONES_A_TURN);
      looked.push(...some.map((phone) => this.#lookAt(phone, view, now)));
    }
    this.#last = this.#statusOf(view, looked, now);
    this.#lookedAt = performance.now();
    this.#isStale = false;
    this.#callListeners();
    this.#isStale = changes !== this.#changes; // that is told in turn
  }

  /** Looks at everything, and remembers since when it is so. */
  #look(view: AgentView): HostStatus {
    const now = Date.now();
    const looked = view.phones.map((phone) => this.#lookAt(phone, view, now));
    return this.#statusOf(view, looked, now);
  }

  #statusOf(view: AgentView, looked: readonly Looked[], now: number): HostStatus {
    const { hostName, version } = this.#options;
    const { nodeId: name = hostName, adbAddress = '', slots = [] } = this.#setting ?? {};
    const adb = this.#adbStatus(view, adbAddress, now);
    const reports = reportsOf(view, now);
    const phones = looked.map(({ status }) => status);
    const causes = causesOf(
      looked.flatMap(({ ailing }) => ailing),
      { adb, reports, attached: phones.filter(({ attached }) => attached).length, now },
    );
    if (causes.length > 0) this.#fineSince = undefined;
    else this.#fineSince ??= now;
    this.#forgetOthers(phones);
    const count = (condition: string) => phones.filter((phone) => phone.condition === condition).length;
    return omitUndefined({
      takenAt: now,
      host: omitUndefined({
        name,
        hostname: name === hostName ? undefined : hostName,
        nodeId: view.nodeId,
        version,
        startedAt: this.#startedAt,
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
      fineSince: this.#fineSince,
      causes,
      bands: bandsOf(slots, phones),
      phones,
    });
  }

  #adbStatus({ adb }: AgentView, address: string, now: number): AdbStatus {
    if (adb.state !== this.#adb.state) this.#adb = { state: adb.state, since: now };
    return { address, ...adb, since: this.#adb.since };
  }

  #lookAt(phone: PhoneView, { adb, hasListed }: AgentView, now: number): Looked {
    const { udid, state, goneAt, connection, devpath } = phone.device;
    const maintenance = this.#setting?.maintenanceOf(udid);
    const isKnown = adb.state === 'listed';
    // what is not attached yet may be all the same
    if (!hasListed)
      return {
        status: phoneStatusOf(phone, omitUndefined({ since: goneAt ?? now, maintenance, isKnown })),
        ailing: [],
      };
    const before = this.#memories.get(udid) ?? this.#remembered(phone.device, now);
    const stateSince = before?.state === state ? before.stateSince : (goneAt ?? now);
    const problems = problemsOf(phone, now - stateSince);
    const sinceOf = ({ kind }: PhoneProblem) =>
      before?.problems.get(kind) ?? (OF_ADB.has(kind) ? stateSince : now);
    const memory: PhoneTimes = {
      state,
      stateSince,
      problems: new Map(problems.map((problem) => [problem.kind, sinceOf(problem)])),
      fineSince: before && before.problems.size === 0 ? before.fineSince : now,
    };
    this.#memories.set(udid, memory);
    this.#note(phone, before, problems, now);
    const [worst] = problems;
    const since = worst === undefined ? memory.fineSince : sinceOf(worst);
    const status = phoneStatusOf(phone, omitUndefined({ problem: worst, since, maintenance, isKnown }));
    const common = omitUndefined({ udid, name: status.name, connection, devpath });
    const ailing = problems.map((problem) => ({ ...common, ...problem, since: sinceOf(problem) }));
    return { status, ailing: maintenance ? [] : ailing };
  }

  /** Writes into the history what is new of a phone. */
  #note(
    { device, snapshot, refused }: PhoneView,
    before: PhoneTimes | undefined,
    problems: readonly PhoneProblem[],
    now: number,
  ): void {
    const { udid, attached, state } = device;
    const happened = (what: string, newState?: string) =>
      this.#history.happened(udid, printable(what, 200), now, newState);
    if (before === undefined ? attached : before.state !== state)
      happened(attached ? `adb: ${state}` : 'unplugged: adb no longer lists it', state);
    for (const { kind, sign } of problems)
      if (!OF_ADB.has(kind) && !before?.problems.has(kind))
        happened(kind === 'refused' ? `rejected by the cloud: ${refused}` : sign);
    if (before && before.problems.size > 0 && problems.length === 0) happened('fine again');
    const battery = snapshot?.facts.battery;
    if (battery) this.#history.sample(udid, omitUndefined(battery), now);
  }

  /** How an earlier run left it, by the history; undefined where that says nothing of it. */
  #remembered(device: RosterDevice, now: number): PhoneTimes | undefined {
    const last = this.#history.lastState(device.udid);
    if (last === undefined) return undefined;
    const { state } = last;
    const since = timely(last.at, now); // the clock may have been set
    const isAsLeft = last.isNewest && state === device.state;
    return { state, stateSince: since, problems: new Map(), fineSince: isAsLeft ? since : now };
  }

  #forgetOthers(phones: readonly PhoneStatus[]): void {
    const udids = new Set(phones.map(({ udid }) => udid));
    if (this.#options.isRosterWhole?.() ?? true) this.#history.keep(udids);
    for (const udid of this.#memories.keys()) if (!udids.has(udid)) this.#memories.delete(udid);
  }
}

function reportsOf({ reports, nextReportMs }: AgentView, now: number): ReportStatus {
  if ('notReporting' in reports) return reports;
  const { storedAgoMs, failure, failingForMs } = reports;
  return omitUndefined({
    storedAt: storedAgoMs === undefined ? undefined : Math.round(now - storedAgoMs),
    nextAt: Math.round(now + nextReportMs),
    failure: failure === undefined ? undefined : printable(failure, 300),
    failingSince: failingForMs === undefined ? undefined : Math.round(now - failingForMs),
  });
}
