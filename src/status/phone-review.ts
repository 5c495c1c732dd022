/** One phone after another for the status: its problems, since when it has each, and what of it goes into the history. */
import type { AgentView, PhoneView } from '../agent/view.ts';
import { timely } from '../base/clock.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { AffectedPhone } from './causes.ts';
import type { History } from './history.ts';
import type { CauseKind, Maintenance, PhoneStatus } from './host-status.ts';
import { type PhoneProblem, problemsOf } from './phone-problems.ts';
import { phoneStatusOf } from './phone-status.ts';

/** What adb's word alone says. */
const OF_ADB: ReadonlySet<CauseKind> = new Set<CauseKind>(['unplugged', 'state', 'unauthorized']);

/** One phone, as a person sees it. */
export interface Review {
  status: PhoneStatus;
  /** Its problems; none in maintenance. */
  affected: AffectedPhone[];
}

interface PhoneTimes {
  /** adb's word, and since when it calls the phone so. */
  state: string;
  stateSince: number;
  /** The kind and sign of each problem, and since when. */
  problems: ReadonlyMap<string, number>;
  fineSince: number;
}

export class PhoneReviewer {
  readonly #history: History;
  readonly #times = new Map<string, PhoneTimes>();

  constructor(history: History) {
    this.#history = history;
  }

  keep(udids: ReadonlySet<string>): void {
    for (const udid of this.#times.keys()) if (!udids.has(udid)) this.#times.delete(udid);
  }

  /** @param now ms since the epoch */
  review(
    phone: PhoneView,
    { adb, hasListed }: Pick<AgentView, 'adb' | 'hasListed'>,
    maintenance: Maintenance | undefined,
    now: number,
  ): Review {
    const { udid, state, goneAt, connection, devpath } = phone.device;
    const isKnown = adb.state === 'listed';
    // before adb's first list, a phone that counts as unplugged may still be attached
    if (!hasListed)
      return {
        status: phoneStatusOf(phone, omitUndefined({ since: goneAt ?? now, maintenance, isKnown })),
        affected: [],
      };
    const before = this.#times.get(udid) ?? this.#remembered(phone.device, now);
    const stateSince = before?.state === state ? before.stateSince : (goneAt ?? now);
    const problems = problemsOf(phone, now - stateSince);
    const sinceOf = ({ kind }: PhoneProblem) =>
      before?.problems.get(kind) ?? (OF_ADB.has(kind) ? stateSince : now);
    const times: PhoneTimes = {
      state,
      stateSince,
      problems: new Map(problems.map((problem) => [problem.kind, sinceOf(problem)])),
      fineSince: before && before.problems.size === 0 ? before.fineSince : now,
    };
    this.#times.set(udid, times);
    this.#note(phone, before, problems, now);
    const [worst] = problems;
    const since = worst === undefined ? times.fineSince : sinceOf(worst);
    const status = phoneStatusOf(phone, omitUndefined({ problem: worst, since, maintenance, isKnown }));
    const common = omitUndefined({ udid, name: status.name, connection, devpath });
    const affected = problems.map((problem) => ({ ...common, ...problem, since: sinceOf(problem) }));
    return { status, affected: maintenance ? [] : affected };
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

  /** The state in which an earlier run left the phone; undefined if the history has none. */
  #remembered(device: RosterDevice, now: number): PhoneTimes | undefined {
    const last = this.#history.lastState(device.udid);
    if (last === undefined) return undefined;
    const { state } = last;
    const since = timely(last.at, now); // the clock may have been set
    const isAsLeft = last.isNewest && state === device.state;
    return { state, stateSince: since, problems: new Map(), fineSince: isAsLeft ? since : now };
  }
}
