/** Builds what handles phones from the configuration: adb, the roster, the probes and the report. */
import { AdbkitAdb } from '../adb/adbkit.ts';
import { ProbePool } from '../agent/probes.ts';
import { MINUTE_MS } from '../base/calendar.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { wantedReadiness } from '../config/findings.ts';
import type { Config } from '../config/load.ts';
import { sectionsWith } from '../facts/index.ts';
import { topologyBehind } from '../host/usb-buses.ts';
import { HostReport } from '../report/host-report.ts';
import type { Remark } from '../report/remark.ts';
import { ClockStep } from '../roster/clock-step.ts';
import type { RosterRecord } from '../roster/device.ts';
import { Roster } from '../roster/roster.ts';
import { Slots } from '../roster/slots.ts';
import { cloudFingerprint } from './cloud-fingerprint.ts';

export interface PhonesSetting {
  config: Config;
  nodeId: string;
  log: Logger;
  record?: RosterRecord;
  /** What reports say of a phone beside facts and rules. */
  remarkOf?(udid: string): Remark;
  /** Keep the raw output of the phones, to show it to a person. */
  keepAnswers?: boolean;
}

export function assembleAdb({ adb }: Config): AdbkitAdb {
  return new AdbkitAdb({
    host: adb.host,
    port: adb.port,
    requestTimeoutMs: adb.requestTimeoutSeconds * 1000,
  });
}

export function assemblePhones(setting: PhonesSetting) {
  const { config, nodeId, log, record, remarkOf, keepAnswers = false } = setting;
  const { probe } = config;
  const adb = assembleAdb(config);
  const roster = new Roster({
    nodeId,
    offlineNetworkMs: config.roster.offlineNetworkMinutes * MINUTE_MS,
    maxPhones: config.roster.maxPhones,
    ...(record && { record }),
    ...omitUndefined({ reportsTo: cloudFingerprint(config, nodeId) }),
  });
  const clockStep = new ClockStep({ roster, log });
  const probePool = new ProbePool({
    adb,
    roster,
    clockStep,
    sections: sectionsWith({ reachabilityEverySeconds: probe.reachability.everySeconds }),
    commandOptions: {
      telephonyIdentifiers: probe.telephonyIdentifiers,
      readiness: wantedReadiness(config.findings.readiness),
      reachabilityOnMetered: probe.reachability.onMetered,
      ...(probe.reachability.enabled && { reachabilityHost: probe.reachability.host }),
    },
    concurrency: probe.concurrency,
    deadlineMs: probe.deadlineSeconds * 1000,
    keepAnswers,
    log,
  });
  const hostReport = new HostReport({
    roster,
    phones: probePool,
    rules: config.devices,
    slots: new Slots(config.slots, topologyBehind(adb.host)),
    ...(remarkOf && { remarkOf }),
    adbHost: adb.host,
    adbPort: adb.port,
  });
  return { adb, roster, clockStep, probePool, hostReport };
}
