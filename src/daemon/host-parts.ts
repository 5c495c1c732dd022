/** The parts of a host that commands use too, as a configuration says them: adb, the phones, and the way to the cloud. */
import { createHash } from 'node:crypto';
import { AdbkitAdb } from '../adb/adbkit.ts';
import { ProbePool } from '../agent/probes.ts';
import { MINUTE_MS } from '../base/calendar.ts';
import type { Environment } from '../base/environment.ts';
import { connectionsFor } from '../base/limits.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { AgentClient } from '../cloud/agent-client.ts';
import type { Delivery } from '../cloud/delivery.ts';
import { gotEngine } from '../cloud/got-engine.ts';
import type { Config } from '../config/load.ts';
import { sectionsWith } from '../facts/index.ts';
import { partsOf } from '../facts/preparation.ts';
import type { ReadinessPart } from '../facts/section.ts';
import { topologyBehind } from '../host/usb-devices.ts';
import { HostReport } from '../report/host-report.ts';
import type { Remark } from '../report/remark.ts';
import { ClockStep } from '../roster/clock-step.ts';
import type { RosterRecord } from '../roster/device.ts';
import { Roster } from '../roster/roster.ts';
import { Slots } from '../roster/slots.ts';

export const createAdb = ({ adb }: Config): AdbkitAdb =>
  new AdbkitAdb({ host: adb.host, port: adb.port, requestTimeoutMs: adb.requestTimeoutSeconds * 1000 });

export interface PhonesSetting {
  config: Config;
  nodeId: string;
  log: Logger;
  record?: RosterRecord;
  /** What reports say of a phone beside facts and rules. */
  remarkOf?(udid: string): Remark;
  /** To be read of all phones, beside what the configuration wants. */
  parts?: readonly ReadinessPart[];
  /** Keep the raw output of the phones, to show it to a person. */
  keepAnswers?: boolean;
}

export function createPhones(setting: PhonesSetting) {
  const { config, nodeId, log, record, remarkOf, parts = [], keepAnswers = false } = setting;
  const { probe } = config;
  const adb = createAdb(config);
  const roster = new Roster({
    nodeId,
    offlineNetworkMs: config.roster.offlineNetworkMinutes * MINUTE_MS,
    maxPhones: config.roster.maxPhones,
    ...omitUndefined({ record, reportsTo: cloudFingerprint(config, nodeId) }),
  });
  const clockStep = new ClockStep(roster, log);
  const probePool = new ProbePool({
    adb,
    roster,
    clockStep,
    sections: sectionsWith({ reachabilityEverySeconds: probe.reachability.everySeconds }),
    commandOptions: {
      telephonyIdentifiers: probe.telephonyIdentifiers,
      readiness: [
        ...parts,
        ...partsOf([...config.prepare.wants, ...config.devices.flatMap(({ prepare = [] }) => prepare)]),
      ],
      reachabilityOnMetered: probe.reachability.onMetered,
      ...(probe.reachability.enabled && { reachabilityHost: probe.reachability.host }),
    },
    concurrency: probe.concurrency,
    mostConnections: connectionsFor(1 / 2),
    deadlineMs: probe.deadlineSeconds * 1000,
    keepAnswers,
    log,
  });
  const hostReport = new HostReport({
    roster,
    phones: probePool,
    rules: config.devices,
    preparing: { ...config.prepare, ...config.report },
    slots: new Slots(config.slots, topologyBehind(adb.host)),
    adbHost: adb.host,
    adbPort: adb.port,
    ...omitUndefined({ remarkOf }),
  });
  return { adb, roster, clockStep, probePool, hostReport };
}

/**
 * The client of the cloud. Its code is loaded only here: that takes a fifth of the start-up time.
 *
 * @param env names the proxy
 * @returns undefined if no cloud is configured
 * @throws {ConfigError} the proxy's address is invalid
 */
export async function createCloud(
  { cloud }: Pick<Config, 'cloud'>,
  env: Environment,
): Promise<{ client: AgentClient; delivery: Delivery } | undefined> {
  if (cloud === undefined) return undefined;
  const [{ AgentClient }, { Delivery }] = await Promise.all([
    import('../cloud/agent-client.ts'),
    import('../cloud/delivery.ts'),
  ]);
  const client = new AgentClient({
    engine: gotEngine,
    baseUrl: cloud.baseUrl,
    username: cloud.username,
    apiKey: cloud.apiKey.reveal(),
    proxyEnv: env,
    connectTimeoutMs: cloud.connectTimeoutSeconds * 1000,
    requestTimeoutMs: cloud.requestTimeoutSeconds * 1000,
    ...omitUndefined({ ca: cloud.ca, v2BaseUrl: cloud.v2BaseUrl }),
  });
  return { client, delivery: new Delivery(client) };
}

/**
 * Tells clouds and accounts apart without naming them: a report to another one begins anew.
 *
 * @returns undefined where no cloud is configured
 */
export const cloudFingerprint = ({ cloud }: Config, nodeId: string): string | undefined =>
  cloud &&
  createHash('sha256')
    .update(JSON.stringify([nodeId, cloud.baseUrl, cloud.username]))
    .digest('hex')
    .slice(0, 16);
