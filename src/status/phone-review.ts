/** Some phones for the status: what is wrong with each now, and since when. */
import { phoneInputOf } from '../agent/rule-input.ts';
import type { AgentState, PhoneState } from '../agent/state.ts';
import { timely } from '../base/clock.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { evaluatePresent } from '../diagnosis/evaluate.ts';
import type { Finding } from '../diagnosis/finding.ts';
import { presentRules } from '../diagnosis/rules/index.ts';
import type { RosterDevice } from '../roster/device.ts';
import { withoutExplained } from './causes.ts';
import type { Maintenance, PhoneStatus } from './host-status.ts';
import { phoneStatusOf } from './phone-status.ts';

/** One phone, as a person sees it. */
export interface Review {
  status: PhoneStatus;
  /** What is wrong with it now, the worst first; nothing in maintenance. */
  findings: Finding[];
}

interface TimesOfPhone {
  /** adb's word, and since when it calls the phone so. */
  state: string;
  stateSince: number;
  /** The code of each finding, and since when. */
  findings: ReadonlyMap<string, number>;
  fineSince: number;
}

/** adb's last word for each phone in earlier runs, and when it came, ms since the epoch; by udid. */
export type LastStates = ReadonlyMap<string, { state: string; at: number }>;

/** Since when the phones are as they are. */
export interface PhoneTimes {
  readonly lastStates: LastStates;
  /** By udid; the reviewer keeps it up to date. */
  readonly phones: Map<string, TimesOfPhone>;
}

export class PhoneReviewer {
  readonly #lastStates: LastStates;
  readonly #times: Map<string, TimesOfPhone>;

  constructor({ lastStates, phones }: PhoneTimes) {
    this.#lastStates = lastStates;
    this.#times = phones;
  }

  keep(udids: ReadonlySet<string>): void {
    for (const udid of this.#times.keys()) if (!udids.has(udid)) this.#times.delete(udid);
  }

  /** @param now ms since the epoch */
  review(
    phones: readonly PhoneState[],
    { adb, hasListed }: Pick<AgentState, 'adb' | 'hasListed'>,
    maintenanceOf: (udid: string) => Maintenance | undefined,
    now: number,
  ): Review[] {
    const isKnown = adb.state === 'listed';
    // before adb's first list, a phone that counts as unplugged may still be attached
    if (!hasListed)
      return phones.map((phone) => {
        const { udid, goneAt } = phone.device;
        const maintenance = maintenanceOf(udid);
        const times = omitUndefined({ since: goneAt ?? now, maintenance, isKnown });
        return { status: phoneStatusOf(phone, times), findings: [] };
      });
    const inputs = phones.map((phone) => phoneInputOf(phone, false, this.#stateSince(phone.device, now)));
    const found = Map.groupBy(
      evaluatePresent(presentRules, { phones: inputs }, now),
      ({ udids: [udid] }) => udid,
    );
    return phones.map((phone) => {
      const { udid } = phone.device;
      const maintenance = maintenanceOf(udid);
      const { findings, since } = this.#reviewed(phone.device, found.get(udid) ?? [], now);
      const [worst] = findings;
      const status = phoneStatusOf(phone, omitUndefined({ worst, since, maintenance, isKnown }));
      return { status, findings: maintenance ? [] : findings };
    });
  }

  /** Remembers since when each thing is so. `since`: that of the worst, or of being fine. */
  #reviewed(device: RosterDevice, found: readonly Finding[], now: number) {
    const { udid, state } = device;
    const before = this.#before(device, now);
    const findings = withoutExplained(found).map((finding) => {
      return { ...finding, since: before?.findings.get(finding.code) ?? finding.since };
    });
    const fineSince = before?.findings.size === 0 ? before.fineSince : now;
    const sinceOf = new Map(findings.map(({ code, since }) => [code, since]));
    this.#times.set(udid, { state, stateSince: this.#stateSince(device, now), findings: sinceOf, fineSince });
    return { findings, since: findings[0]?.since ?? fineSince };
  }

  #stateSince(device: RosterDevice, now: number): number {
    const before = this.#before(device, now);
    return before?.state === device.state ? before.stateSince : (device.goneAt ?? now);
  }

  /** As it was in the last review, else as an earlier run left it; undefined if that is not known. */
  #before({ udid, state }: RosterDevice, now: number): TimesOfPhone | undefined {
    const last = this.#lastStates.get(udid);
    const known = this.#times.get(udid);
    if (known !== undefined || last === undefined) return known;
    const since = timely(last.at, now); // the clock may have been set
    const fineSince = last.state === state ? since : now;
    return { state: last.state, stateSince: since, findings: new Map(), fineSince };
  }
}
