/**
 * What a host node reports by `PUT /devices`, and the answer. There are two shapes: one as wide as the API's document,
 * which client, command, sandbox and OpenAPI have, and a strict one, which the agent sends. Unknown values are left out;
 * no null is ever sent.
 */
import * as z from 'zod';
import { listOf } from './values.ts';

const integer = z.int();
const optionalInteger = z.exactOptional(integer);
const optionalString = z.exactOptional(z.string());
const optionalBoolean = z.exactOptional(z.boolean());

const DocumentedSupport = z.strictObject({
  appiumDisabled: optionalBoolean,
  networkTrafficCapturingDisabled: optionalBoolean,
  unlockPasscodeDisabled: optionalBoolean,
  setTimeZoneDisabled: optionalBoolean,
  networkPayloadCaptureDisabled: optionalBoolean,
});

/** DeviceInfo.networkReachability: what the device can reach over its own network. */
const DocumentedReachability = z.strictObject({
  /** HTTP status. */
  code: optionalInteger,
  host: optionalString,
  status: optionalString,
  ipAddress: optionalString,
  proxy: optionalBoolean,
});

/** DeviceInfo.storage and DeviceInfo.memory: bytes. */
const DocumentedUsage = z.strictObject({ total: optionalInteger, used: optionalInteger });

/** DeviceInfo.battery, in the units of Android's BatteryManager. */
const DocumentedBattery = z.strictObject({
  status: optionalString,
  /** Tenths of °C. */
  temperature: optionalInteger,
  /** Millivolts. */
  voltage: optionalInteger,
  health: optionalString,
  technology: optionalString,
  percentage: optionalString,
});

const DocumentedCarrier = z.strictObject({
  imei: optionalString,
  meid: optionalString,
  slot: optionalInteger,
  iccid: optionalString,
});

const DocumentedSize = z.strictObject({ width: optionalInteger, height: optionalInteger });

/**
 * DeviceInfo, the element of `devices` in the body of `PUT /devices`. The API's document does not say what is required;
 * without a udid the answer could not name the device.
 */
export const DocumentedDevice = z
  .strictObject({
    udid: z.string().min(1),
    serialNumber: optionalString,
    status: optionalString,
    state: optionalString,
    message: optionalString,
    platformName: optionalString,
    platformVersion: optionalString,
    modelName: optionalString,
    brandName: optionalString,
    deviceName: optionalString,
    cpuArchitecture: optionalString,
    addedToCloud: optionalBoolean,
    isHidden: optionalBoolean,
    isEmulator: optionalBoolean,
    isAndroid: optionalBoolean,
    isIos: optionalBoolean,
    isRooted: optionalBoolean,
    adbTunnelInfo: z.exactOptional(z.looseObject({})),
    installedBrowsers: z.exactOptional(z.array(z.strictObject({ name: optionalString }))),
    support: z.exactOptional(DocumentedSupport),
    orientation: optionalInteger,
    resolution: z.exactOptional(
      DocumentedSize.extend({ projection: optionalInteger, logical: z.exactOptional(DocumentedSize) }),
    ),
    networkReachability: z.exactOptional(DocumentedReachability),
    /** Seconds since boot. */
    uptime: optionalInteger,
    /** Seconds since the epoch. */
    bootTime: optionalInteger,
    storage: z.exactOptional(DocumentedUsage),
    memory: z.exactOptional(DocumentedUsage),
    battery: z.exactOptional(DocumentedBattery),
    telephony: z.exactOptional(
      z.strictObject({
        mobileDataState: optionalString,
        carriersInfo: z.exactOptional(z.array(DocumentedCarrier)),
      }),
    ),
  })
  .meta({ id: 'DeviceInfo', allowed: 'an object' });
export type DocumentedDevice = z.infer<typeof DocumentedDevice>;

/** Machine.network, in the shape of an entry of Node's `os.networkInterfaces()`. */
const DocumentedNetwork = z.strictObject({
  address: optionalString,
  netmask: optionalString,
  family: optionalString,
  mac: optionalString,
  internal: optionalBoolean,
  cidr: optionalString,
});

/** Machine, the host node in the body of `PUT /devices`. */
export const DocumentedMachine = z
  .strictObject({
    hostname: optionalString,
    arch: optionalString,
    /** Bytes. */
    freemem: optionalInteger,
    /** Bytes. */
    totalmem: optionalInteger,
    platform: optionalString,
    type: optionalString,
    /** Seconds. */
    uptime: optionalInteger,
    version: optionalString,
    /** The agent's own build, `YYMM.DD`. */
    buildNumber: optionalString,
    network: z.exactOptional(DocumentedNetwork),
  })
  .meta({ id: 'Machine' });
export type DocumentedMachine = z.infer<typeof DocumentedMachine>;

/** The body of `PUT /devices`. Without `devices` it says nothing about them; an empty list means no devices. */
export const DocumentedReport = z.strictObject({
  nodeId: z
    .string()
    .min(1)
    .meta({ description: 'The name of the host node, stable across restarts.', example: 'rack-2' }),
  machine: DocumentedMachine.meta({
    description: 'The host node itself.',
    allowed: 'an object',
    example: {
      hostname: 'rack-2',
      arch: 'x64',
      freemem: 1_000_000_000,
      totalmem: 4_000_000_000,
      platform: 'linux',
      type: 'Linux',
      uptime: 86_400,
      version: '#1 SMP Debian',
      buildNumber: '2501.01',
    },
  }),
  devices: z
    .exactOptional(z.array(DocumentedDevice))
    .meta({ description: 'Its devices; those that are left out stay as they are.' }),
});

/** DeviceInfo.support as the agent sends it: what the lab turned off for this device. */
export const Support = DocumentedSupport.required();
export type Support = z.infer<typeof Support>;

const Usage = DocumentedUsage.extend({ total: integer });

/** DeviceInfo as the agent sends it. */
export const DeviceInfo = z.strictObject({
  ...DocumentedDevice.shape,
  status: z.enum(['PLUGGED', 'UNPLUGGED']),
  /** adb's own word, `disconnected` when unplugged. */
  state: z.string(),
  /** The remedy if the device needs attention; else empty. */
  message: z.string(),
  platformName: z.literal('ANDROID'),
  addedToCloud: z.boolean(),
  isHidden: z.boolean(),
  isAndroid: z.literal(true),
  isIos: z.literal(false),
  /** How this host reaches the device. The API does not define its keys; these are ours. */
  adbTunnelInfo: z.exactOptional(
    z.strictObject({
      /** adb's name for the device. */
      serial: z.string(),
      connection: z.enum(['usb', 'tcp', 'emulator']),
      /** USB port path, e.g. `1-4.2`. */
      devpath: optionalString,
      /** Absent where the adb server is on the host itself. */
      adbHost: optionalString,
      adbPort: integer,
    }),
  ),
  installedBrowsers: z.exactOptional(z.array(z.strictObject({ name: z.string() }))),
  support: Support,
  /** Degrees. */
  orientation: z.exactOptional(z.literal([0, 90, 180, 270])),
  /** Pixels; `projection` is the longer logical side. */
  resolution: z.exactOptional(
    DocumentedSize.extend({
      projection: optionalInteger,
      logical: z.exactOptional(DocumentedSize.required()),
    }),
  ),
  networkReachability: z.exactOptional(
    DocumentedReachability.extend({ status: z.enum(['REACHABLE', 'UNREACHABLE', 'UNKNOWN']) }),
  ),
  storage: z.exactOptional(Usage),
  memory: z.exactOptional(Usage),
  battery: z.exactOptional(
    DocumentedBattery.extend({ percentage: z.exactOptional(z.string().regex(/^\d+$/)) }),
  ),
  telephony: z.exactOptional(
    z.strictObject({
      mobileDataState: optionalString,
      carriersInfo: z.exactOptional(z.array(DocumentedCarrier.extend({ slot: integer }))),
    }),
  ),
});
export type DeviceInfo = z.infer<typeof DeviceInfo>;

/** Machine as the agent sends it: only what the host may not have is left out. */
export const Machine = DocumentedMachine.required().extend({
  network: z.exactOptional(DocumentedNetwork.required().extend({ cidr: optionalString })),
});
export type Machine = z.infer<typeof Machine>;

/** The report of the agent. */
export const DevicesBody = z.strictObject({
  nodeId: z.string().min(1),
  machine: Machine,
  devices: z.exactOptional(z.array(DeviceInfo)),
});
export type DevicesBody = z.infer<typeof DevicesBody>;

/** A device that the cloud rejected, with its reason in its own words. */
export const FailedDevice = z.object({ udid: z.string(), message: z.string() }).meta({ id: 'FailedDevice' });
export type FailedDevice = z.infer<typeof FailedDevice>;

const Failures = z.object({ failedDevices: listOf(FailedDevice) });

/**
 * The answer to `PUT /devices`. Servers write "none failed" differently: `{}` and `{"failedDevices": null}` also mean
 * an empty list. An object with other keys and no `failedDevices` is not an answer of this API.
 */
export const DevicesAnswer = z
  .union([
    Failures,
    z.object({ failedDevices: z.null() }).transform(() => ({ failedDevices: [] })),
    z.strictObject({}).transform(() => ({ failedDevices: [] })),
  ])
  .meta({ isFirstDocumented: true });
export type DevicesAnswer = z.infer<typeof Failures>;
