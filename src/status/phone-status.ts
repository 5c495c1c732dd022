/** The phones for page, terminal and metrics: what is wrong with each now, and since when. */
import { phoneInputOf } from '../agent/rule-input.ts';
import type { AgentState, PhoneState } from '../agent/state.ts';
import { timely } from '../base/clock.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { evaluatePresent } from '../diagnosis/evaluate.ts';
import type { Finding } from '../diagnosis/finding.ts';
import { presentRules } from '../diagnosis/rules/index.ts';
import type { BatteryFacts } from '../facts/battery.ts';
import type { RosterDevice } from '../roster/device.ts';
import { signOf, withoutExplained } from './causes.ts';
import type { Condition, Maintenance, PhoneStatus } from './host-status.ts';

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

/** What people plan for each phone. */
export interface PlansOfPhones {
  maintenanceOf(udid: string): Maintenance | undefined;
  drainOf(udid: string): Maintenance | undefined;
}

export class PhoneReviewer {
  readonly #times: PhoneTimes;

  constructor(times: PhoneTimes) {
    this.#times = times;
  }

  keep(udids: ReadonlySet<string>): void {
    const { phones } = this.#times;
    for (const udid of phones.keys()) if (!udids.has(udid)) phones.delete(udid);
  }

  /** @param now ms since the epoch */
  review(
    phones: readonly PhoneState[],
    { adb, hasListed }: Pick<AgentState, 'adb' | 'hasListed'>,
    { maintenanceOf, drainOf }: PlansOfPhones,
    now: number,
  ): Review[] {
    // before adb's first list, a phone that counts as unplugged may still be attached
    const inputs = (hasListed ? phones : []).map((phone) =>
      phoneInputOf(phone, false, this.#stateSince(phone.device, now)),
    );
    const problems = evaluatePresent(presentRules, { phones: inputs }, now);
    const found = Map.groupBy(problems, ({ udids: [udid] }) => udid);
    return phones.map((phone) => {
      const { udid, goneAt } = phone.device;
      const { findings, since } = hasListed
        ? this.#reviewed(phone.device, found.get(udid) ?? [], now)
        : { findings: [], since: goneAt ?? now };
      const [worst] = findings;
      const maintenance = maintenanceOf(udid);
      const isKnown = adb.state === 'listed';
      const drain = drainOf(udid);
      const status = phoneStatusOf(phone, omitUndefined({ worst, since, maintenance, drain, isKnown }));
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
    this.#times.phones.set(udid, {
      state,
      stateSince: this.#stateSince(device, now),
      findings: sinceOf,
      fineSince,
    });
    return { findings, since: findings[0]?.since ?? fineSince };
  }

  #stateSince(device: RosterDevice, now: number): number {
    const before = this.#before(device, now);
    return before?.state === device.state ? before.stateSince : (device.goneAt ?? now);
  }

  /** As it was in the last review, else as an earlier run left it; undefined if that is not known. */
  #before({ udid, state }: RosterDevice, now: number): TimesOfPhone | undefined {
    const last = this.#times.lastStates.get(udid);
    const known = this.#times.phones.get(udid);
    if (known !== undefined || last === undefined) return known;
    const since = timely(last.at, now); // the clock may have been set
    const fineSince = last.state === state ? since : now;
    return { state: last.state, stateSince: since, findings: new Map(), fineSince };
  }
}

/**
 * @param now `worst`: what is wrong with it; `since`: start of its present condition, ms since the epoch; `isKnown`: adb
 *   knows its state
 */
export function phoneStatusOf(
  { device, info, remedy, slot, snapshot, refused }: PhoneState,
  now: { worst?: Finding; since: number; maintenance?: Maintenance; drain?: Maintenance; isKnown: boolean },
): PhoneStatus {
  const { worst, since, maintenance, drain, isKnown } = now;
  const { battery, storage, memory, network } = snapshot?.facts ?? {};
  const known = isKnown ? 'fine' : 'unknown';
  const condition: Condition = maintenance ? 'maintenance' : worst ? 'needsAttention' : known;
  const { inCloud } = device;
  return omitUndefined({
    udid: device.udid,
    serial: device.serial,
    name: info.deviceName ?? info.modelName ?? device.serial,
    model: info.modelName,
    brand: info.brandName,
    android: info.platformVersion,
    slot,
    devpath: device.devpath,
    connection: device.connection,
    attached: device.attached,
    state: info.state,
    since,
    condition,
    sign: worst ? signOf(worst) : '',
    message: worst?.remedy ?? remedy,
    maintenance,
    drain,
    answeredAt: snapshot?.takenAt,
    battery: battery && batteryOf(battery),
    storage,
    memory,
    network: network?.status,
    elsewhere:
      inCloud?.there === 'elsewhere'
        ? omitUndefined({ host: inCloud.host, since: inCloud.since })
        : undefined,
    refused: refused === undefined ? undefined : printable(refused),
  });
}

function batteryOf(facts: BatteryFacts): PhoneStatus['battery'] {
  if (facts.isPresent === false) return undefined;
  const { levelPercent, status = 'UNKNOWN', temperatureDecicelsius, voltageMillivolts, health } = facts;
  return omitUndefined({
    levelRatio: levelPercent === undefined ? undefined : Math.round(levelPercent) / 100,
    isCharging: status === 'UNKNOWN' ? undefined : status === 'CHARGING' || status === 'FULL',
    temperatureCelsius: temperatureDecicelsius === undefined ? undefined : temperatureDecicelsius / 10,
    voltageVolts: voltageMillivolts === undefined ? undefined : voltageMillivolts / 1000,
    health,
  });
}
