/** Collects the phones once, as a round of the agent does. Keeps nothing and sends nothing. */
import type { ListedDevice } from '../adb/adb.ts';
import { createLogger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Config } from '../config/load.ts';
import { assemblePhones } from '../daemon/assemble-phones.ts';
import { buildMessage } from '../report/message.ts';
import { problemsOf } from '../status/phone-problems.ts';
import type { ReportedPhone } from './phones.ts';

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
  const { roster, probePool, hostReport } = assemblePhones({
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
    const message = isSilent ? buildMessage(device, {}, true) : sent.message;
    const snapshot = probePool.snapshot(sent.udid);
    const view = omitUndefined({ device, remedy: message, isSilent, snapshot });
    const sign = problemsOf(view, 0).find(({ isReported }) => isReported)?.sign;
    return [{ ...sent, message, ...omitUndefined({ sign }), udid: withoutHost(sent.udid, device.serial) }];
  });
}

const withoutHost = (udid: string, serial: string): string =>
  udid.endsWith(`@${THIS_HOST}`) ? serial : udid;
