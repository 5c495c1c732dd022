/** Every known phone of the host in the cloud's shape, with what is known of it now. */

import type { DeviceInfo } from '../cloud/contract/report.ts';
import type { Facts } from '../facts/index.ts';
import type { Want } from '../facts/preparation.ts';
import type { RosterDevice } from '../roster/device.ts';
import { isToReport } from '../roster/device-changes.ts';
import type { Roster } from '../roster/roster.ts';
import type { Slots } from '../roster/slots.ts';
import { buildDeviceInfo, type DeviceReport, remedyOf } from './device-info.ts';
import {
  mayBeIgnored,
  type Policy,
  type PolicyRule,
  type PolicySubject,
  type Preparing,
  resolvePolicy,
  standardPolicy,
  subjectOf,
} from './policy.ts';
import type { Remark } from './remark.ts';

/** The facts that were last collected. */
export interface PhoneFacts {
  /** Of a phone that is attached and online; empty while they are not known. */
  facts(udid: string): Facts;
  isSilent(udid: string): boolean;
}

export interface HostReportOptions {
  roster: Roster;
  phones: PhoneFacts;
  rules: readonly PolicyRule[];
  preparing?: Preparing;
  /** Absent where no slots are configured. */
  slots?: Slots;
  remarkOf?(udid: string): Remark;
  adbHost: string;
  adbPort: number;
}

/** A phone in the cloud's shape, and what it was built from. */
interface Built extends Pick<DeviceReport, 'device' | 'facts' | 'isSilent' | 'policy'> {
  remark: Remark;
  info: DeviceInfo;
  remedy: string;
}

export class HostReport {
  readonly #options: HostReportOptions;
  /** By udid, as built last: the same object as long as nothing of it changes. */
  readonly #built = new Map<string, Built>();
  /** By udid, with whom it was resolved for: matching the rules takes longest. */
  readonly #policies = new Map<string, { subject: PolicySubject; policy: Policy }>();

  constructor(options: HostReportOptions) {
    this.#options = options;
  }

  slotOf(device: RosterDevice): string | undefined {
    return this.#options.slots?.slotOf(device);
  }

  /** How the lab wants a phone prepared; absent: it wants nothing. */
  wantsOf(device: RosterDevice): readonly Want[] | undefined {
    const { prepare } = this.#policy(device);
    return prepare.length > 0 ? prepare : undefined;
  }

  /** What a person has to do for a phone, whatever its report says, as of the last call of `devices` for it. */
  remedyOf(udid: string): string {
    return this.#built.get(udid)?.remedy ?? '';
  }

  /** The paths of its USB port as a list of slots names them, while adb lists it there. */
  portPathsOf(device: RosterDevice): string[] | undefined {
    return this.#options.slots?.portPathsOf(device);
  }

  refreshSlots(): void {
    this.#options.slots?.refresh();
  }

  isIgnored(device: RosterDevice): boolean {
    return this.#policy(device).ignore;
  }

  /** Is it certain that no rule ignores this phone? One that a rule may ignore has to give model and brand first. */
  isFollowed(device: RosterDevice): boolean {
    return !this.isIgnored(device) && !this.#isUndecided(device);
  }

  /**
   * The phones in the cloud's shape; all of them, or those of the given udids. One that the cloud knows and the lab
   * ignores from now on is reported as unplugged; one that a rule may ignore is left out until its model and brand are known.
   * A phone of which nothing has changed is the same object as before.
   */
  devices(udids?: ReadonlySet<string>): DeviceInfo[] {
    const { roster } = this.#options;
    if (udids === undefined) this.#forgetUnknown();
    const known = udids ? [...udids].flatMap((udid) => roster.get(udid) ?? []) : roster.devices;
    return known
      .map((device) => ({ device, policy: this.#policy(device) }))
      .filter(({ device, policy }) => !policy.ignore || isToReport(withdrawn(device)))
      .filter(({ device }) => !this.#isUndecided(device))
      .map(({ device, policy }) => this.#info(policy.ignore ? withdrawn(device) : device, policy));
  }

  #info(device: RosterDevice, policy: Policy): DeviceInfo {
    const { phones, remarkOf, adbHost, adbPort } = this.#options;
    const remark = (!policy.ignore && remarkOf?.(device.udid)) || {};
    const facts = phones.facts(device.udid);
    const isSilent = phones.isSilent(device.udid);
    const before = this.#built.get(device.udid);
    const isSame =
      before?.isSilent === isSilent &&
      isAlike(before.facts, facts) &&
      isAlike(before.device, device, 'lastSeenAt') &&
      isAlike(before.remark, remark) &&
      before.policy === policy;
    if (isSame) return before.info;
    const info = buildDeviceInfo({ device, facts, isSilent, policy, remark, adbHost, adbPort });
    const remedy = remedyOf({ device, facts, isSilent });
    this.#built.set(device.udid, { device, facts, isSilent, policy, remark, info, remedy });
    return info;
  }

  #forgetUnknown(): void {
    const { roster } = this.#options;
    for (const kept of [this.#built, this.#policies])
      for (const udid of kept.keys()) if (roster.get(udid) === undefined) kept.delete(udid);
  }

  #isUndecided(device: RosterDevice): boolean {
    const { rules, phones } = this.#options;
    const { udid, state, identity, reported } = device;
    const mayAnswer = state === 'device' && identity === undefined && !reported && !phones.isSilent(udid);
    return mayAnswer && mayBeIgnored(rules, subjectOf(device, this.slotOf(device)));
  }

  #policy(device: RosterDevice): Policy {
    const { rules, preparing } = this.#options;
    if (rules.length === 0 && !preparing?.wants.length) return standardPolicy;
    const subject = subjectOf(device, this.slotOf(device));
    const before = this.#policies.get(device.udid);
    if (before !== undefined && isAlike(before.subject, subject)) return before.policy;
    const policy = resolvePolicy(rules, subject, preparing);
    this.#policies.set(device.udid, { subject, policy });
    return policy;
  }
}

/** Are all values the same, except that of `but`? */
function isAlike<T extends object>(one: T, other: T, but?: keyof T): boolean {
  if (one === other) return true;
  const keys = Object.keys(one) as (keyof T)[];
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => key === but || (Object.hasOwn(other, key) && one[key] === other[key]))
  );
}

const withdrawn = ({ reason: _, ...device }: RosterDevice): RosterDevice => ({
  ...device,
  attached: false,
  state: 'disconnected',
});
