/** Every phone's state in words. */
import type { ListedDevice } from '../adb/adb.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/**
 * If all phones are unauthorized at once, they do not know the server's key.
 *
 * @param keyFolder folder of the server's key, if known
 */
export function judgeKey(
  listed: readonly ListedDevice[],
  keyFolder = '$HOME/.android of its user',
): Finding | undefined {
  if (listed.length < 2 || listed.some(({ state }) => state !== 'unauthorized')) return undefined;
  return failed(
    'adb key',
    `all ${listed.length} phones are unauthorized at once: they do not know this server’s key, in ${keyFolder}`,
    'An adb server with another key ran here before: stop this one and start the lab’s, or restore the lab’s adbkey',
  );
}

/** The part of a phone's report that we judge here. */
export type ReportedPhone = Pick<DeviceInfo, 'udid' | 'state' | 'message'> &
  Partial<Pick<DeviceInfo, 'deviceName' | 'platformVersion'>> & {
    /** What is wrong with it, in the words of `hostnode status`: `no internet`. */
    readonly sign?: string;
  };

/** Says which phones need attention, and the remedy. */
export function judgePhones(devices: readonly ReportedPhone[]): Finding[] {
  if (devices.length === 0) {
    const remedy = 'Plug in a phone with USB debugging on; a charge-only cable does not work';
    return [warning('phones', 'adb lists no phone', remedy)];
  }
  return devices.map((device) => {
    const { message, state, udid, sign = state, deviceName, platformVersion } = device;
    const who = [deviceName, platformVersion && `Android ${platformVersion}`].filter(Boolean).join(', ');
    const called = (what: string) => (who === '' ? what : `${what}: ${who}`);
    if (!message) return ok(udid, called('ready'));
    const judge = state === 'no permissions' ? failed : warning;
    return judge(udid, called(sign === 'device' ? 'not ready yet' : sign), message);
  });
}
