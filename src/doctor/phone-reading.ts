/** Asks the phones once, as a round of the agent does; nothing is kept and nothing is sent. */
import type { ListedDevice } from '../adb/adb.ts';
import { assemblePhones } from '../assembly/phones.ts';
import type { DeviceInfo } from '../cloud/contract.ts';
import type { Config } from '../config/load.ts';
import { createLogger } from '../log.ts';
import { buildMessage } from '../report/message.ts';

/** A phone that has not answered by then is called silent, seconds. */
const LONGEST_SECONDS = 15;

/** @returns the phones that the lab wants, in the cloud's shape: their `message` says what a person can do */
export async function readPhones(
  config: Config,
  listed: readonly ListedDevice[],
  signal: AbortSignal,
): Promise<DeviceInfo[]> {
  const { probe, nodeId = 'this-host' } = config;
  const deadlineSeconds = Math.min(probe.deadlineSeconds, LONGEST_SECONDS);
  const { roster, collector, picture } = assemblePhones({
    config: { ...config, probe: { ...probe, deadlineSeconds, telephonyIdentifiers: false } },
    nodeId,
    log: createLogger({ level: 'silent', format: 'json', destination: 'stderr' }).logger,
  });
  roster.observe(listed, Date.now());
  const wanted = roster.devices.filter((device) => !picture.isIgnored(device));
  const silent = new Set<string>();
  await Promise.all(
    wanted.map(async ({ udid }) => {
      const { error } = await collector.collect(udid, signal);
      if (error) silent.add(udid);
    }),
  );
  const noAnswer = new Map(
    roster.devices
      .filter(({ udid }) => silent.has(udid))
      .map((device) => [device.udid, buildMessage(device, {}, true)]),
  );
  return picture
    .devices()
    .filter(({ status }) => status === 'PLUGGED')
    .map((device) => ({ ...device, message: noAnswer.get(device.udid) ?? device.message ?? '' }));
}
