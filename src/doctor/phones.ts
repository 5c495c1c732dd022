/** Every phone's state in a person's words. */
import type { ListedDevice } from '../adb/adb.ts';
import type { DeviceInfo } from '../cloud/contract.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/**
 * Phones that are all unauthorized at one instant mean that it is the server's key which they do not know.
 *
 * @param keyFolder where the server's key lies, where that is known
 */
export function judgeKey(
  listed: readonly ListedDevice[],
  keyFolder = '$HOME/.android of its user',
): Finding | undefined {
  if (listed.length < 2 || listed.some(({ state }) => state !== 'unauthorized')) return undefined;
  return failed(
    'adb key',
    `all ${listed.length} phones are unauthorized at once: they do not know this server’s key, in ${keyFolder}`,
    'Another adb server, with another key, was here before: stop this one and start the lab’s, or put the lab’s adbkey back',
  );
}

/** Of a phone's report what is judged here. */
export type ReportedPhone = Pick<DeviceInfo, 'udid' | 'state' | 'message'> &
  Partial<Pick<DeviceInfo, 'deviceName' | 'platformVersion'>> & {
    /** What is the matter with it, as `hostnode status` says it: `no internet`. */
    readonly sign?: string;
  };

/** What the phones' reports say: which one needs a hand, and what helps. */
export function judgePhones(devices: readonly ReportedPhone[]): Finding[] {
  if (devices.length === 0) {
    const mend = 'Plug one in, with USB debugging switched on; a cable that only charges shows nothing';
    return [warning('phones', 'adb lists no phone', mend)];
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
