/** The agent as the rules of the diagnosis see it. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Config } from '../config/load.ts';
import type { PhoneInput, RuleInput, Setting } from '../diagnosis/rule-input.ts';
import { whereOf } from '../history/events/where.ts';
import { kindOf } from '../roster/connection.ts';
import type { AgentState, PhoneState } from './state.ts';

/** What the configuration says to the rules: all of its section `findings`. A line of `Setting` without a key does not compile. */
export const settingOf = ({ inventory, slots, findings }: Config): Required<Setting> => ({
  ...findings,
  expected: inventory.expected,
  slots,
});

/**
 * @param now ms since the epoch
 * @returns undefined while adb's list is not known: what is said of phones then would not be of the present
 */
export function ruleInputOf(
  { adb, hasListed, phones, usbPorts }: Pick<AgentState, 'adb' | 'hasListed' | 'phones' | 'usbPorts'>,
  setting: Setting,
  isInMaintenance: (udid: string) => boolean,
  now: number,
): RuleInput | undefined {
  if (!hasListed || adb.state !== 'listed') return undefined;
  return {
    at: now,
    isAdbListed: true,
    phones: phones.map((phone) => phoneInputOf(phone, isInMaintenance(phone.device.udid))),
    adbPorts: usbPorts,
    setting,
  };
}

/** @param stateSince since when adb calls it as it does now, ms since the epoch */
export function phoneInputOf(phone: PhoneState, isInMaintenance: boolean, stateSince?: number): PhoneInput {
  const { device, info, slot, wants, snapshot, alsoAt, remedy } = phone;
  const { isSilent, silentSince, refused, isBookedAndGone } = phone;
  const { battery, wear, storage, network, boot, identity, readiness } = snapshot?.facts ?? {};
  const { udid, serial, attached, state, inCloud } = device;
  const isTwice = attached && inCloud?.there === 'elsewhere' && inCloud.isConfirmed;
  return omitUndefined({
    udid,
    serial,
    serialNumber: info.serialNumber,
    model: info.modelName,
    alsoAt: isTwice ? [...(alsoAt ?? []), inCloud.host ?? 'another host'] : alsoAt,
    name: info.deviceName ?? info.modelName ?? serial,
    connection: kindOf(device),
    where: whereOf(device, slot),
    attached,
    state,
    stateSince,
    isInMaintenance,
    battery,
    wear,
    storage,
    network: network?.status,
    bootCompleted: boot?.bootCompleted,
    uptimeSeconds: boot?.uptimeSeconds,
    isDataLocked: boot?.dataLocked,
    wants,
    readiness,
    sdk: identity?.sdk,
    remedy,
    isSilent,
    silentSince,
    refused,
    inCloud,
    isBookedAndGone,
  });
}
