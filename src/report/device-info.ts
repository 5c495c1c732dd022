import { isLoopback } from '../base/environment.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import type { Facts } from '../facts/index.ts';
import type { RosterDevice } from '../roster/device.ts';
import { buildMessage, problemOf } from './message.ts';
import type { Policy } from './policy.ts';
import { buildReadings, text, whole } from './readings.ts';
import { messageWith, type Remark } from './remark.ts';

/** The shape `T` with every key spelled out, so that none is forgotten: what may be absent may be `undefined`. */
type Spelled<T> = {
  [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K];
};

export interface DeviceReport {
  device: RosterDevice;
  facts: Facts;
  /** adb reaches it, and it does not answer: its facts grow old. */
  isSilent?: boolean;
  policy: Policy;
  remark?: Remark;
  /** Where the adb server is that reaches the device. */
  adbHost: string;
  adbPort: number;
}

/**
 * A device in the cloud's shape; what is not known is left out. Only a phone in adb's state `device` can be collected: in
 * any other state its readings are out of date, and only its identity is reported. Text from the phone is made printable
 * and bounded.
 */
export function buildDeviceInfo(report: DeviceReport): DeviceInfo {
  const { device, facts, isSilent, policy, remark = {}, adbHost, adbPort } = report;
  const online = onlineFacts(device, facts);
  const identity = facts.identity ?? device.identity;
  return omitUndefined<Spelled<DeviceInfo>>({
    udid: device.udid,
    serialNumber: text(identity?.serialNumber),
    status: device.attached ? 'PLUGGED' : 'UNPLUGGED',
    state: text(device.state) ?? 'unknown',
    message: printable(
      messageWith(buildMessage(device, online, isSilent), remark, problemOf(device, online, isSilent)),
    ),
    platformName: 'ANDROID',
    platformVersion: text(identity?.androidRelease),
    modelName: text(identity?.model),
    brandName: text(identity?.brand),
    deviceName: text(policy.deviceName) ?? deviceName(device, facts, identity),
    cpuArchitecture: text(identity?.cpuAbi),
    addedToCloud: policy.addedToCloud,
    isHidden: policy.isHidden || remark.isHidden === true,
    isEmulator: isEmulator(device) || identity?.isEmulator,
    isAndroid: true,
    isIos: false,
    support: policy.support,
    adbTunnelInfo: device.attached ? tunnel(device, adbHost, adbPort) : undefined,
    bootTime: bootTime(device, online),
    ...buildReadings(online),
  });
}

/** What a person has to do for the phone, one sentence; empty when it needs nobody. */
export const remedyOf = ({ device, facts, isSilent }: Pick<DeviceReport, 'device' | 'facts' | 'isSilent'>) =>
  printable(buildMessage(device, onlineFacts(device, facts), isSilent));

const onlineFacts = ({ attached, state }: RosterDevice, facts: Facts): Facts =>
  attached && state === 'device' ? facts : {};

/** The owner's name for it, else its maker's, else its model. */
function deviceName(device: RosterDevice, facts: Facts, identity: IdentityFacts | undefined) {
  const { givenName } = facts.name ?? device;
  return text(givenName) ?? text(identity?.marketingName) ?? text(identity?.model);
}

const isEmulator = ({ connection, serial }: RosterDevice): true | undefined =>
  connection === 'emulator' || /^emulator-\d+$/.test(serial) || undefined;

/** The loopback address of this host means nothing to the cloud. */
const tunnel = ({ serial, connection, devpath }: RosterDevice, adbHost: string, adbPort: number) =>
  omitUndefined({
    serial,
    connection,
    devpath,
    adbHost: isLoopback(adbHost) ? undefined : adbHost,
    adbPort,
  });

/** The year of the first phone with Android, seconds since the epoch. */
const FIRST_BOOT = Date.UTC(2008) / 1000;

/** When the boot of these facts began: the roster's time, unless that belongs to another boot, or the uptime is a lie. */
function bootTime(device: RosterDevice, { boot }: Facts): number | undefined {
  const isSameBoot = boot !== undefined && (boot.bootId ?? device.boot?.id) === device.boot?.id;
  const at = isSameBoot ? whole(device.boot?.bootTimeSeconds) : undefined;
  return at !== undefined && at >= FIRST_BOOT && at <= Date.now() / 1000 ? at : undefined;
}
