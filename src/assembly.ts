/** Builds the objects from the configuration: the one place that wires them. */
import { AdbkitAdb } from './adb/adbkit.ts';
import { Agent } from './agent/agent.ts';
import { Collector } from './agent/collector.ts';
import type { AgentObserver } from './agent/observer.ts';
import { Picture } from './agent/picture.ts';
import type { AgentTiming } from './agent/timing.ts';
import { CloudClient } from './cloud/client.ts';
import { Delivery } from './cloud/delivery.ts';
import type { Config } from './config/load.ts';
import { sectionsWith } from './facts/index.ts';
import type { Logger } from './log.ts';
import { readMachine } from './machine/machine.ts';
import { RosterKeeper } from './roster/keeper.ts';
import { Roster, type RosterRecord } from './roster/roster.ts';
import { Slots } from './slots/slots.ts';
import { topologyBehind } from './slots/usb-buses.ts';
import { buildNumber, version } from './version.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export interface Host {
  config: Config;
  nodeId: string;
  log: Logger;
  /** The phones that earlier runs have seen. */
  record?: RosterRecord;
  /** Keep what the phones print, for a person to look at. */
  keepAnswers?: boolean;
  /** Where the agent is to wait otherwise than usual. */
  timing?: Partial<AgentTiming>;
  /** Is told what happens. */
  observer?: AgentObserver;
}

export function assembleAdb({ adb }: Config): AdbkitAdb {
  return new AdbkitAdb({
    host: adb.host,
    port: adb.port,
    requestTimeoutMs: adb.requestTimeoutSeconds * 1000,
  });
}

/** The phones' side: adb, the roster, who asks them, and how they are told of. */
export function assemblePhones({ config, nodeId, log, record, keepAnswers = false }: Host) {
  const { probe } = config;
  const adb = assembleAdb(config);
  const roster = new Roster({
    nodeId,
    offlineNetworkMs: config.roster.offlineNetworkMinutes * MINUTE_MS,
    ...(record && { record }),
  });
  const collector = new Collector({
    adb,
    roster,
    sections: sectionsWith({ reachabilityEverySeconds: probe.reachability.everySeconds }),
    ask: {
      telephonyIdentifiers: probe.telephonyIdentifiers,
      reachabilityOnMetered: probe.reachability.onMetered,
      ...(probe.reachability.enabled && { reachabilityHost: probe.reachability.host }),
    },
    concurrency: probe.concurrency,
    deadlineMs: probe.deadlineSeconds * 1000,
    keepAnswers,
    log,
  });
  const picture = new Picture({
    roster,
    collector,
    rules: config.devices,
    slots: new Slots(config.slots, topologyBehind(adb.host)),
    adbHost: adb.host,
    adbPort: adb.port,
  });
  return { adb, roster, collector, picture };
}

/** The cloud's side; nothing where no cloud is configured. */
export function assembleCloud({ cloud }: Config): { client: CloudClient; delivery: Delivery } | undefined {
  if (cloud === undefined) return undefined;
  const client = new CloudClient({
    baseUrl: cloud.baseUrl,
    username: cloud.username,
    apiKey: cloud.apiKey.reveal(),
    version,
    connectTimeoutMs: cloud.connectTimeoutSeconds * 1000,
    requestTimeoutMs: cloud.requestTimeoutSeconds * 1000,
    ...(cloud.ca !== undefined && { ca: cloud.ca }),
  });
  return { client, delivery: new Delivery((body, signal) => client.putDevices(body, signal)) };
}

export const readHost = () => readMachine(buildNumber);

/** The daemon. */
export function assembleAgent(host: Host): Agent {
  const { config, nodeId, log } = host;
  const { adb, roster, collector, picture } = assemblePhones(host);
  const cloud = assembleCloud(config);
  const keeper = new RosterKeeper({ stateDir: config.state.dir, roster, log });
  return new Agent({
    nodeId,
    adb,
    roster,
    collector,
    picture,
    ...(cloud && { delivery: cloud.delivery, close: () => cloud.client.close() }),
    ...(config.notReporting !== undefined && { notReporting: config.notReporting }),
    readMachine: readHost,
    save: () => keeper.save(),
    schedule: config.report.schedule,
    refusedRetries: config.cloud?.refusedRetries ?? 0,
    forgetAfterMs: config.roster.forgetAfterDays * DAY_MS,
    unplugOnStop: config.report.onStop === 'unplugged',
    ...(config.adb.start === true && {
      startAdb: async (signal) => {
        const { startServerIfNone } = await import('./adb/server-start.ts');
        return startServerIfNone({ ...config.adb, signal });
      },
    }),
    ...(host.timing && { timing: host.timing }),
    ...(host.observer && { observer: host.observer }),
    log,
  });
}
