/** What a host node reports by `PUT /devices`, and the answer. Unknown values are left out; no null is ever sent. */
import * as z from 'zod';
import { listOf } from './values.ts';

const integer = z.int();
const optionalInteger = z.exactOptional(integer);
const optionalString = z.exactOptional(z.string());

/** DeviceInfo.support: what the lab turned off for this device. */
export const Support = z.strictObject({
  appiumDisabled: z.boolean(),
  networkTrafficCapturingDisabled: z.boolean(),
  unlockPasscodeDisabled: z.boolean(),
  setTimeZoneDisabled: z.boolean(),
  networkPayloadCaptureDisabled: z.boolean(),
});
export type Support = z.infer<typeof Support>;

/** DeviceInfo.adbTunnelInfo: how this host reaches the device. The API does not define its keys; these are ours. */
const AdbTunnelInfo = z.strictObject({
  /** adb's name for the device. */
  serial: z.string(),
  connection: z.enum(['usb', 'tcp', 'emulator']),
  /** USB port path, e.g. `1-4.2`. */
  devpath: optionalString,
  adbHost: z.string(),
  adbPort: integer,
});

/** DeviceInfo.resolution: pixels. */
const Resolution = z.strictObject({
  width: optionalInteger,
  height: optionalInteger,
  /** The longer logical side. */
  projection: optionalInteger,
  logical: z.exactOptional(z.strictObject({ width: integer, height: integer })),
});

/** DeviceInfo.networkReachability: what the device can reach over its own network. */
const NetworkReachability = z.strictObject({
  /** HTTP status. */
  code: optionalInteger,
  host: optionalString,
  status: z.enum(['REACHABLE', 'UNREACHABLE', 'UNKNOWN']),
  ipAddress: optionalString,
  proxy: z.exactOptional(z.boolean()),
});

/** DeviceInfo.storage and DeviceInfo.memory: bytes. */
const Usage = z.strictObject({ total: integer, used: optionalInteger });

/** DeviceInfo.battery, in the units of Android's BatteryManager. */
const Battery = z.strictObject({
  status: optionalString,
  /** Tenths of °C. */
  temperature: optionalInteger,
  /** Millivolts. */
  voltage: optionalInteger,
  health: optionalString,
  technology: optionalString,
  /** Digits: "87". */
  percentage: z.exactOptional(z.string().regex(/^\d+$/)),
});

/** DeviceInfo.telephony. */
const Telephony = z.strictObject({
  mobileDataState: optionalString,
  carriersInfo: z.exactOptional(
    z.array(
      z.strictObject({ imei: optionalString, meid: optionalString, slot: integer, iccid: optionalString }),
    ),
  ),
});

/** DeviceInfo, the element of `devices` in the body of `PUT /devices`. */
export const DeviceInfo = z.strictObject({
  udid: z.string().min(1),
  serialNumber: optionalString,
  status: z.enum(['PLUGGED', 'UNPLUGGED']),
  /** adb's own word, `disconnected` when unplugged. */
  state: z.string(),
  /** The remedy if the device needs attention; else empty. */
  message: z.string(),
  platformName: z.literal('ANDROID'),
  platformVersion: optionalString,
  modelName: optionalString,
  brandName: optionalString,
  deviceName: optionalString,
  cpuArchitecture: optionalString,
  addedToCloud: z.boolean(),
  isHidden: z.boolean(),
  isEmulator: z.exactOptional(z.boolean()),
  isAndroid: z.literal(true),
  isIos: z.literal(false),
  isRooted: z.exactOptional(z.boolean()),
  adbTunnelInfo: z.exactOptional(AdbTunnelInfo),
  installedBrowsers: z.exactOptional(z.array(z.strictObject({ name: z.string() }))),
  support: Support,
  /** Degrees. */
  orientation: z.exactOptional(z.literal([0, 90, 180, 270])),
  resolution: z.exactOptional(Resolution),
  networkReachability: z.exactOptional(NetworkReachability),
  /** Seconds since boot. */
  uptime: optionalInteger,
  /** Seconds since the epoch, by the host's clock. */
  bootTime: optionalInteger,
  storage: z.exactOptional(Usage),
  memory: z.exactOptional(Usage),
  battery: z.exactOptional(Battery),
  telephony: z.exactOptional(Telephony),
});
export type DeviceInfo = z.infer<typeof DeviceInfo>;

/** Machine.network, in the shape of an entry of Node's `os.networkInterfaces()`. */
const MachineNetwork = z.strictObject({
  address: z.string(),
  netmask: z.string(),
  family: z.string(),
  mac: z.string(),
  internal: z.boolean(),
  cidr: optionalString,
});

/** Machine, the host node in the body of `PUT /devices`. */
export const Machine = z.strictObject({
  hostname: z.string(),
  arch: z.string(),
  /** Bytes. */
  freemem: integer,
  /** Bytes. */
  totalmem: integer,
  platform: z.string(),
  type: z.string(),
  /** Seconds. */
  uptime: integer,
  version: z.string(),
  /** The agent's own build, `YYMM.DD`. */
  buildNumber: z.string(),
  network: z.exactOptional(MachineNetwork),
});
export type Machine = z.infer<typeof Machine>;

/** The body of `PUT /devices`. Without `devices` it says nothing about them; an empty list means no devices. */
export const DevicesBody = z.strictObject({
  nodeId: z.string().min(1),
  machine: Machine,
  devices: z.exactOptional(z.array(DeviceInfo)),
});
export type DevicesBody = z.infer<typeof DevicesBody>;

/** A device that the cloud rejected, with its reason in its own words. */
export const FailedDevice = z.object({ udid: z.string(), message: z.string() });
export type FailedDevice = z.infer<typeof FailedDevice>;

const Failures = z.object({ failedDevices: listOf(FailedDevice) });

/**
 * The answer to `PUT /devices`. Servers write "none failed" differently: `{}` and `{"failedDevices": null}` also mean
 * an empty list. An object with other keys and no `failedDevices` is not an answer of this API.
 */
export const DevicesAnswer = z.union([
  Failures,
  z.object({ failedDevices: z.null() }).transform(() => ({ failedDevices: [] })),
  z.strictObject({}).transform(() => ({ failedDevices: [] })),
]);
export type DevicesAnswer = z.infer<typeof Failures>;
