/** Devices: list, read and mark them; a host node reports its own. */
import * as z from 'zod';
import { operation } from './operation.ts';
import { DevicesAnswer, DocumentedReport } from './report.ts';
import { commaList, entriesOf, flag, id, maybe, pathText, text } from './values.ts';

/** PrivateDevice and CloudDevice. */
export const Device = z
  .looseObject({
    id: z.int(),
    udid: maybe(z.string()).meta({ description: 'Of private devices, and in the single-device read.' }),
    isBooked: maybe(z.boolean()),
    isOnline: maybe(z.boolean()),
    modelName: maybe(z.string()),
    deviceName: maybe(z.string()),
    resolution: maybe(z.looseObject({ width: maybe(z.int()), height: maybe(z.int()) })),
    platformName: maybe(z.string()).meta({ description: 'ANDROID is the only value known.' }),
    platformVersion: maybe(z.string()),
    installedBrowsers: maybe(
      entriesOf(z.looseObject({ name: maybe(z.string()), version: maybe(z.string()) })),
    ),
    deviceImageUrl: maybe(z.string()).meta({ description: 'May be empty.' }),
    isFavorite: maybe(z.boolean()),
    isCloud: maybe(z.boolean()),
    isMyOrg: maybe(z.boolean()),
    isMyOwn: maybe(z.boolean()),
  })
  .meta({ id: 'Device' });
export type Device = z.infer<typeof Device>;

export const DeviceList = z
  .looseObject({
    privateDevices: entriesOf(Device),
    favoriteDevices: entriesOf(Device),
    cloudDevices: entriesOf(Device),
  })
  .meta({ id: 'DeviceList' });
export type DeviceList = z.infer<typeof DeviceList>;

export const DeviceStatus = z
  .looseObject({ isBooked: z.boolean(), isOnline: z.boolean() })
  .meta({ id: 'DeviceStatus' });
export type DeviceStatus = z.infer<typeof DeviceStatus>;

/** The filters of the list. */
export const DevicesQuery = z.strictObject({
  groupId: z.exactOptional(id('Devices of this group.')),
  udid: z.exactOptional(text('The cloud device with this udid.')),
  isBooked: flag('Booked devices, or those that are free.', false),
  isOnline: flag('Devices that are online, or those that are not.'),
  modelName: z.exactOptional(text('Devices of this model.')),
  deviceName: z.exactOptional(commaList('Devices with one of these exact names.')),
  platformName: z.exactOptional(text('Devices of this platform, e.g. ANDROID.')),
  platformVersion: z.exactOptional(commaList('Devices with one of these exact versions.', ['14', '15'])),
  browserName: z.exactOptional(text('Devices with this browser.')),
  appiumDisabled: flag('Devices with Appium disabled, or enabled.'),
  isPlugged: flag('Devices that are plugged in, or those that are not.'),
});
export type DevicesQuery = z.infer<typeof DevicesQuery>;

const deviceId = pathText("The device's id.", '204');
const ID_FORM =
  'The API calls deviceId a string and says no more: hostnode sends what it gets. A udid is not converted into an id.';

export const devices = {
  list: operation('devices.list', 'GET /devices', {
    summary: 'List devices',
    rules: ['Favorite and cloud devices have no udid in this list.'],
    unknown: [
      'platformVersion is documented as an integer and as several versions with commas: hostnode sends text.',
      'A name that contains a comma cannot be filtered for.',
      'No pagination is known: the answer is the whole list.',
    ],
    query: DevicesQuery,
    answer: DeviceList,
  }),

  report: operation('devices.report', 'PUT /devices', {
    summary: 'Report devices and their host node',
    rules: [
      'The agent does this by itself. `docs/reported.md` says what is in each field.',
      'Devices that could not be stored are in failedDevices, each with the reason.',
    ],
    unknown: [
      'What a request without a body means is not shown: hostnode always sends one.',
      'Which fields of a device are required is not shown: hostnode demands the udid alone; the agent sends more.',
    ],
    body: DocumentedReport,
    isBodyOptional: true,
    answer: DevicesAnswer,
    positional: [],
  }),

  get: operation('devices.get', 'GET /devices/{deviceUDID}', {
    summary: 'Show a device',
    params: z.strictObject({ deviceUDID: pathText("The device's udid.", 'RE47644423') }),
    answer: Device,
  }),

  status: operation('devices.status', 'GET /devices/{deviceId}/status', {
    summary: 'Show whether a device is booked and online',
    unknown: [ID_FORM],
    params: z.strictObject({ deviceId }),
    answer: DeviceStatus,
  }),

  addFavorite: operation('devices.addFavorite', 'POST /devices/{deviceId}/favorite', {
    summary: 'Mark a device as a favorite',
    unknown: [ID_FORM],
    params: z.strictObject({ deviceId }),
    command: ['devices', 'favorite'],
  }),

  removeFavorite: operation('devices.removeFavorite', 'DELETE /devices/{deviceId}/favorite', {
    summary: 'Unmark a favorite device',
    unknown: [ID_FORM],
    params: z.strictObject({ deviceId }),
    isDestructive: false,
    command: ['devices', 'unfavorite'],
  }),
} as const;
