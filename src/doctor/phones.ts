/** Every phone's state in words. Collects the phones once, as a round of the agent does. */
import type { ListedDevice } from '../adb/adb.ts';
import { phoneInputOf } from '../agent/rule-input.ts';
import { createLogger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import type { Config } from '../config/load.ts';
import { createPhones } from '../daemon/host-parts.ts';
import { evaluatePresent } from '../diagnosis/evaluate.ts';
import type { Finding } from '../diagnosis/finding.ts';
import { presentRules } from '../diagnosis/rules/index.ts';
import { buildMessage } from '../report/message.ts';
import { signOf } from '../status/causes.ts';
import { type CheckResult, failed, ok, warning } from './check.ts';

export function checkKey(
  listed: readonly ListedDevice[],
  keyFolder = '$HOME/.android of its user',
): CheckResult | undefined {
  if (listed.length < 2 || listed.some(({ state }) => state !== 'unauthorized')) return undefined;
  return failed(
    'adb key',
    `all ${listed.length} phones are unauthorized at once: they do not know this server’s key, in ${keyFolder}`,
    'An adb server with another key ran here before: stop this one and start the lab’s, or restore the lab’s adbkey',
  );
}

export type ReportedPhone = Pick<DeviceInfo, 'udid' | 'message'> &
  Partial<Pick<DeviceInfo, 'deviceName' | 'platformVersion'>> & {
    readonly finding?: Finding;
  };

export function checkPhones(devices: readonly ReportedPhone[]): CheckResult[] {
  if (devices.length === 0) {
    const remedy = 'Plug in a phone with USB debugging on; a charge-only cable does not work';
    return [warning('phones', 'adb lists no phone', remedy)];
  }
  return devices.map(({ message, finding, udid, deviceName, platformVersion }) => {
    const who = [deviceName, platformVersion && `Android ${platformVersion}`].filter(Boolean).join(', ');
    const called = (what: string) => (who === '' ? what : `${what}: ${who}`);
    if (!message) return ok(udid, called('ready'));
    if (finding === undefined) return warning(udid, called('not ready yet'), message);
    // what is wrong with a phone costs that phone alone; a host that may not open it can open none
    const isOfHost = finding.sign === 'no permissions' && finding.severity !== 'minor';
    return (isOfHost ? failed : warning)(udid, called(signOf(finding)), finding.remedy);
  });
}

/** A phone that takes longer counts as silent, seconds. */
const LONGEST_SECONDS = 15;

/** Placeholder for the unknown node id, in the udids of phones whose name may also occur on another host. */
const THIS_HOST = 'this-host';

/** @returns the phones that are not ignored, in the cloud's shape; `message` holds the remedy */
export async function readPhones(
  config: Config,
  listed: readonly ListedDevice[],
  signal: AbortSignal,
): Promise<ReportedPhone[]> {
  const { probe, nodeId = THIS_HOST } = config;
  const deadlineSeconds = Math.min(probe.deadlineSeconds, LONGEST_SECONDS);
  const { roster, probePool, hostReport } = createPhones({
    config: { ...config, probe: { ...probe, deadlineSeconds, telephonyIdentifiers: false } },
    nodeId,
    log: createLogger({ level: 'silent', format: 'json', destination: 'stderr' }).logger,
  });
  roster.observe(listed, Date.now());
  const wanted = roster.devices.filter((device) => !hostReport.isIgnored(device));
  const silent = new Set<string>();
  await Promise.all(
    wanted.map(async ({ udid }) => {
      const { error } = await probePool.collect(udid, signal);
      if (error) silent.add(udid);
    }),
  );
  return hostReport.devices().flatMap((sent) => {
    const device = roster.get(sent.udid);
    if (device === undefined || sent.status !== 'PLUGGED') return [];
    const isSilent = silent.has(sent.udid);
    const remedy = isSilent ? buildMessage(device, {}, true) : sent.message;
    const snapshot = probePool.snapshot(sent.udid);
    const view = omitUndefined({ device, info: sent, remedy, isSilent, snapshot });
    const input = phoneInputOf(view, false, 0); // 0: whether it passes by itself is not waited for
    const findings = evaluatePresent(presentRules, { phones: [input] }, Date.now());
    // a battery that burns is no part of the report's message
    const finding = findings.find((each) => each.severity === 'critical' || each.remedy === remedy);
    const message = finding?.remedy || remedy;
    return [{ ...sent, message, ...omitUndefined({ finding }), udid: withoutHost(sent.udid, device.serial) }];
  });
}

const withoutHost = (udid: string, serial: string): string =>
  udid.endsWith(`@${THIS_HOST}`) ? serial : udid;
