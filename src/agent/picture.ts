/** The agent as the judgement sees it. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { whereOf } from '../diagnosis/events/where.ts';
import type { PhoneInput, RuleInput, Setting } from '../diagnosis/rule-input.ts';
import type { AgentView, PhoneView } from './view.ts';

export interface PictureSetting {
  setting: Setting;
  isInMaintenance(udid: string): boolean;
}

/**
 * @param now ms since the epoch
 * @returns undefined while adb's list is not known: what is said of phones then would not be of the present
 */
export function pictureOf(
  { adb, hasListed, phones, usbPorts }: Pick<AgentView, 'adb' | 'hasListed' | 'phones' | 'usbPorts'>,
  { setting, isInMaintenance }: PictureSetting,
  now: number,
): RuleInput | undefined {
  if (!hasListed || adb.state !== 'listed') return undefined;
  return {
    at: now,
    isAdbListed: true,
    phones: phones.map((phone) => phonePictureOf(phone, isInMaintenance(phone.device.udid))),
    adbPorts: usbPorts,
    setting,
  };
}

function phonePictureOf(
  { device, info, slot, snapshot, alsoAt }: PhoneView,
  isInMaintenance: boolean,
): PhoneInput {
  const { battery, wear, storage, boot, readiness } = snapshot?.facts ?? {};
  return omitUndefined({
    udid: device.udid,
    serial: device.serial,
    serialNumber: info.serialNumber,
    model: info.modelName,
    alsoAt,
    name: info.deviceName ?? info.modelName ?? device.serial,
    connection: device.connection,
    where: whereOf(device, slot),
    attached: device.attached,
    state: device.state,
    isInMaintenance,
    battery,
    wear,
    storage,
    bootCompleted: boot?.bootCompleted,
    readiness,
  });
}
