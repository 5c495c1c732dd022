/** `hostnode cloud devices diff`: compares the cloud's view with the roster of this host, phone by phone. */
import pLimit from 'p-limit';
import * as z from 'zod';
import { exitCode } from '../../base/exit-code.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { quantity } from '../../base/words.ts';
import type { CloudClient } from '../../cloud/client.ts';
import type { Device } from '../../cloud/contract/devices.ts';
import type { DeviceInfo } from '../../cloud/contract/report.ts';
import { CloudNotFoundError } from '../../cloud/errors.ts';
import type { Config } from '../../config/load.ts';
import { topologyBehind } from '../../host/usb-devices.ts';
import { buildDeviceInfo } from '../../report/device-info.ts';
import { resolvePolicy, subjectOf } from '../../report/policy.ts';
import type { RosterDevice } from '../../roster/device.ts';
import { Slots } from '../../roster/slots.ts';
import { readRoster } from '../../roster/store.ts';
import { FailedError, sayError } from '../terminal.ts';
import { checkFields, sayAnswer } from './answer.ts';
import type { CallOptions } from './call.ts';
import { chosenCloud, withClient } from './chosen-cloud.ts';

const AT_ONCE = 4;

const text = z.string().exactOptional();
const Difference = z.object({
  udid: z.string(),
  name: text,
  difference: z.enum(['missing there', 'unknown here', 'online', 'plugged', 'name', 'version']),
  here: text,
  there: text,
});
type Difference = z.infer<typeof Difference>;
const Differences = z.array(Difference);

export async function devicesDiff(udids: readonly string[], options: CallOptions): Promise<void> {
  checkFields(Differences, options);
  const { cloud, config } = await chosenCloud(options);
  const known = await knownPhones(config);
  const wanted = udids.length > 0 ? [...new Set(udids)] : [...known.keys()];
  const limit = pLimit(AT_ONCE);
  const seen = await withClient(cloud, (client) =>
    Promise.all(wanted.map((udid) => limit(() => seenOf(client, udid, known.get(udid))))),
  );
  const unknown = wanted.filter((udid, index) => !known.has(udid) && seen[index] === undefined);
  for (const udid of unknown) sayError(`neither this host nor the cloud knows a phone ${udid}`);
  const differences = wanted.flatMap((udid, index) => differencesOf(udid, known.get(udid), seen[index]));
  await sayAnswer(differences, Differences, options);
  if (differences.length + unknown.length > 0) process.exitCode = exitCode.failed;
  else sayError(`no difference: ${quantity(wanted.length, 'phone')} compared`);
}

async function knownPhones(config: Config): Promise<Map<string, Expected>> {
  const { value, problem } = await readRoster(config.state.dir, {
    mayRename: false,
    maxPhones: config.roster.maxPhones,
  });
  if (value === undefined)
    throw new FailedError(
      problem ?? `no phones known yet: no agent has run with state directory ${config.state.dir}`,
    );
  const slots = new Slots(config.slots, topologyBehind(config.adb.host));
  return new Map(expectedOf(value.devices, config, slots).map((phone) => [phone.udid, phone]));
}

/** What the cloud has of a phone; undefined if it has none. Never reads the whole list. */
async function seenOf(
  client: CloudClient,
  udid: string,
  here: Expected | undefined,
): Promise<Seen | undefined> {
  try {
    const device = await client.devices.get({ deviceUDID: udid });
    const isPlain =
      here === undefined || here.replacedBy !== undefined || device.isOnline || isOnlineHere(here);
    if (isPlain) return { device };
    // both say offline: only a filter of the list says whether the cloud thinks that it is plugged in
    const { privateDevices } = await client.devices.list({ udid, isPlugged: true });
    return { device, isPlugged: privateDevices.some((each) => each.udid === udid) };
  } catch (error) {
    if (error instanceof CloudNotFoundError) return undefined;
    throw error;
  }
}

export interface Expected
  extends Pick<DeviceInfo, 'udid' | 'status' | 'state' | 'deviceName' | 'platformVersion'> {
  /** The udid that took the place of this one: the cloud should show it as offline. */
  readonly replacedBy?: string;
}

export interface Seen {
  readonly device: Device;
  /** Absent where the cloud was not asked: an online phone is plugged in. */
  readonly isPlugged?: boolean;
}

export const expectedOf = (
  devices: readonly RosterDevice[],
  { devices: rules, adb }: Pick<Config, 'devices' | 'adb'>,
  slots: Slots,
): Expected[] =>
  devices
    .map((device) => ({ device, policy: resolvePolicy(rules, subjectOf(device, slots.slotOf(device))) }))
    .filter(({ policy }) => !policy.ignore)
    .map(({ device, policy }) => ({
      ...buildDeviceInfo({ device, facts: {}, policy, adbHost: adb.host, adbPort: adb.port }),
      ...(device.supersededBy !== undefined && { replacedBy: device.supersededBy }),
    }));

const isOnlineHere = ({ status, state }: Expected): boolean => status === 'PLUGGED' && state === 'device';

/** `here`, `there`: undefined where the host, the cloud does not know the phone. */
export function differencesOf(
  udid: string,
  here: Expected | undefined,
  there: Seen | undefined,
): Difference[] {
  const device = there?.device;
  const name = here?.deviceName ?? device?.deviceName ?? undefined;
  const difference = (what: Difference['difference'], hereIs?: string, thereIs?: string): Difference =>
    omitUndefined({ udid, name, difference: what, here: hereIs, there: thereIs });
  if (here === undefined)
    return device === undefined ? [] : [difference('unknown here', undefined, online(device.isOnline))];
  if (here.replacedBy !== undefined)
    return device?.isOnline ? [difference('unknown here', `replaced by ${here.replacedBy}`, 'online')] : [];
  if (device === undefined) return [difference('missing there', online(isOnlineHere(here)))];
  const isOnline = isOnlineHere(here);
  const isPlugged = here.status === 'PLUGGED';
  const found: Difference[] = [];
  if (typeof device.isOnline === 'boolean' && device.isOnline !== isOnline)
    found.push(difference('online', online(isOnline), online(device.isOnline)));
  else if (there?.isPlugged !== undefined && there.isPlugged !== isPlugged)
    found.push(difference('plugged', plugged(isPlugged), plugged(there.isPlugged)));
  const texts = [
    ['name', here.deviceName, device.deviceName],
    ['version', here.platformVersion, device.platformVersion],
  ] as const;
  for (const [what, one, other] of texts)
    if (one !== undefined && typeof other === 'string' && one !== other)
      found.push(difference(what, one, other));
  return found;
}

const online = (isOnline: boolean | null | undefined): string => (isOnline ? 'online' : 'offline');
const plugged = (isPlugged: boolean): string => (isPlugged ? 'plugged in' : 'unplugged');
