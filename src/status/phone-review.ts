/** One phone after another for the status: its problems, and since when it has each. */
import type { AgentView, PhoneView } from '../agent/view.ts';
import { timely } from '../base/clock.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { AffectedPhone } from './causes.ts';
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

/** adb's last word for each phone in earlier runs, and when it came, ms since the epoch; by udid. */
export type LastStates = ReadonlyMap<string, { state: string; at: number }>;

export class PhoneReviewer {
  readonly #lastStates: LastStates;
  readonly #times = new Map<string, PhoneTimes>();

  constructor(lastStates: LastStates = new Map()) {
    this.#lastStates = lastStates;
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
    const [worst] = problems;
    const since = worst === undefined ? times.fineSince : sinceOf(worst);
    const status = phoneStatusOf(phone, omitUndefined({ problem: worst, since, maintenance, isKnown }));
    const common = omitUndefined({ udid, name: status.name, connection, devpath });
    const affected = problems.map((problem) => ({ ...common, ...problem, since: sinceOf(problem) }));
    return { status, affected: maintenance ? [] : affected };
  }

  /** The state in which an earlier run left the phone; undefined if that is not known. */
  #remembered(device: RosterDevice, now: number): PhoneTimes | undefined {
    const last = this.#lastStates.get(device.udid);
    if (last === undefined) return undefined;
    const { state } = last;
    const since = timely(last.at, now); // the clock may have been set
    const fineSince = state === device.state ? since : now;
    return { state, stateSince: since, problems: new Map(), fineSince };
  }
}
