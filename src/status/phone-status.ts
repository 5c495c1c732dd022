/** The phones for page, terminal and metrics: what is wrong with each now, and since when. */
import { phoneInputOf } from '../agent/rule-input.ts';
import type { AgentState, PhoneState } from '../agent/state.ts';
import { timely } from '../base/clock.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { evaluatePresent } from '../diagnosis/evaluate.ts';
import type { Finding } from '../diagnosis/finding.ts';
import type { RuleInput } from '../diagnosis/rule-input.ts';
import { presentRules } from '../diagnosis/rules/index.ts';
import type { BatteryFacts } from '../facts/battery.ts';
import { kindOf } from '../roster/connection.ts';
import type { RosterDevice } from '../roster/device.ts';
import { signOf, withoutExplained } from './causes.ts';
import type { Condition, PhoneStatus, Plan } from './host-status.ts';
import type { PhonePlan, PlanKind } from './phone-plan.ts';

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

/** What people plan for each phone. */
export type KnownPlans = Readonly<Record<PlanKind, Pick<PhonePlan, 'of'>>>;

/** Since when the phones are as they are. */
export interface PhoneTimes {
  readonly lastStates: LastStates;
  /** By udid, as in the last review of each. */
  readonly phones: Map<string, TimesOfPhone>;
}

/**
 * The phones as a person sees them. Remembers in `times` since when each thing is so.
 *
 * @param now ms since the epoch
 * @returns `findings`: what is wrong now with the host, and with each phone that is not in maintenance, the worst first
 */
export function reviewed(
  { adb, hasListed, phones }: Pick<AgentState, 'adb' | 'hasListed' | 'phones'>,
  host: NonNullable<RuleInput['host']>,
  { plans, times }: { plans: KnownPlans; times: PhoneTimes },
  now: number,
): { statuses: PhoneStatus[]; findings: Finding[] } {
  const timed = phones.map((phone) => ({ phone, before: timesBefore(phone.device, times, now) }));
  // before adb's first list, a phone that counts as unplugged may still be attached
  const inputs = (hasListed ? timed : []).map(({ phone, before }) =>
    phoneInputOf(phone, false, before.stateSince),
  );
  const problems = evaluatePresent(presentRules, { phones: inputs, host }, now);
  const found = Map.groupBy(problems, ({ udids: [udid] }) => udid);
  const open = problems.filter(({ udids }) => udids.length === 0);
  const statuses = timed.map(({ phone, before }) => {
    const { udid, goneAt } = phone.device;
    const findings = withoutExplained(found.get(udid) ?? []).map((finding) => {
      return { ...finding, since: before.findings.get(finding.code) ?? finding.since };
    });
    const sinceOf = new Map(findings.map(({ code, since }) => [code, since]));
    if (hasListed) times.phones.set(udid, { ...before, findings: sinceOf });
    const [worst] = findings;
    const since = hasListed ? (worst?.since ?? before.fineSince) : (goneAt ?? now);
    const maintenance = plans.maintenance.of(udid);
    const drain = plans.drain.of(udid);
    const isKnown = adb.state === 'listed';
    if (maintenance === undefined) open.push(...findings);
    return phoneStatusOf(phone, omitUndefined({ worst, since, maintenance, drain, isKnown }));
  });
  return { statuses, findings: open };
}

/** As it was in the last review, else as an earlier run left it; what is not known of it, or is over, is so since now. */
function timesBefore({ udid, state, goneAt }: RosterDevice, times: PhoneTimes, now: number): TimesOfPhone {
  const last = times.lastStates.get(udid);
  const lastAt = last && timely(last.at, now); // the clock may have been set
  const known = times.phones.get(udid);
  const was = known?.state ?? last?.state;
  const since = known?.stateSince ?? lastAt;
  const isFine = known ? known.findings.size === 0 : was === state;
  return {
    state,
    stateSince: (was === state ? since : goneAt) ?? now,
    findings: known?.findings ?? new Map(),
    fineSince: (isFine ? (known?.fineSince ?? lastAt) : undefined) ?? now,
  };
}

/**
 * @param now `worst`: what is wrong with it; `since`: start of its present condition, ms since the epoch; `isKnown`: adb
 *   knows its state
 */
export function phoneStatusOf(
  { device, info, remedy, slot, snapshot, refused }: PhoneState,
  now: { worst?: Finding; since: number; maintenance?: Plan; drain?: Plan; isKnown: boolean },
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
    connection: kindOf(device),
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
