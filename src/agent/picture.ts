/** The agent as the judgement sees it. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { HostPicture, PhonePicture } from '../findings/picture.ts';
import type { Where } from '../history/event.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { AgentView, PhoneView } from './view.ts';

export interface PictureSetting {
  whereOf(device: RosterDevice, slot?: string): Where;
  isInMaintenance(udid: string): boolean;
}

/**
 * @param now ms since the epoch
 * @returns undefined while adb's list is not known: nothing that is said of phones then would be of the present
 */
export function pictureOf(
  { adb, hasListed, phones }: Pick<AgentView, 'adb' | 'hasListed' | 'phones'>,
  setting: PictureSetting,
  now: number,
): HostPicture | undefined {
  if (!hasListed || adb.state !== 'listed') return undefined;
  return { at: now, isAdbListed: true, phones: phones.map((phone) => phonePictureOf(phone, setting)) };
}

const phonePictureOf = (
  { device, info, slot, snapshot }: PhoneView,
  { whereOf, isInMaintenance }: PictureSetting,
): PhonePicture =>
  omitUndefined({
    udid: device.udid,
    serial: device.serial,
    name: info.deviceName ?? info.modelName ?? device.serial,
    connection: device.connection,
    where: whereOf(device, slot),
    attached: device.attached,
    state: device.state,
    isInMaintenance: isInMaintenance(device.udid),
    battery: snapshot?.facts.battery,
    wear: snapshot?.facts.wear,
    storage: snapshot?.facts.storage,
    bootCompleted: snapshot?.facts.boot?.bootCompleted,
    readiness: snapshot?.facts.readiness,
  });
