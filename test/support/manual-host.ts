/** A host's roster, probes and report without the agent's timers: the test says when to list and when to collect. */
import type { Adb } from '../../src/adb/adb.ts';
import { AdbkitAdb } from '../../src/adb/adbkit.ts';
import type { Collected } from '../../src/agent/probed-phones.ts';
import { ProbePool, type ProbePoolOptions } from '../../src/agent/probes.ts';
import { type PhoneState, phonesOf } from '../../src/agent/state.ts';
import type { DeviceInfo } from '../../src/cloud/contract/report.ts';
import { sections } from '../../src/facts/index.ts';
import type { CommandOptions } from '../../src/facts/section.ts';
import { HostReport } from '../../src/report/host-report.ts';
import { ClockStep } from '../../src/roster/clock-step.ts';
import type { RosterRecord } from '../../src/roster/device.ts';
import { Roster } from '../../src/roster/roster.ts';
import { silentLog } from './log.ts';

export const allCommands: Omit<CommandOptions, 'shellV2'> = {
  reachabilityHost: 'connectivitycheck.gstatic.com',
  reachabilityOnMetered: true,
  telephonyIdentifiers: true,
};

type HostReportParts = ConstructorParameters<typeof HostReport>[0];

/** The report of a host without rules, unless there are some. */
export const reportOf = (parts: Pick<HostReportParts, 'roster' | 'phones'> & Partial<HostReportParts>) =>
  new HostReport({ rules: [], adbHost: 'localhost', adbPort: 5037, ...parts });

export interface ManualHostOptions
  extends Partial<
    Pick<ProbePoolOptions, 'sections' | 'commandOptions' | 'concurrency' | 'keepAnswers' | 'log'>
  > {
  /** What an earlier run kept. */
  record?: RosterRecord;
}

export class ManualHost {
  readonly roster: Roster;
  readonly probePool: ProbePool;
  readonly #adb: Adb;
  readonly #report: HostReport;

  /** @param adbPort of the adb server */
  constructor(adbPort: number, { record, log = silentLog, ...options }: ManualHostOptions = {}) {
    this.#adb = new AdbkitAdb({ host: '127.0.0.1', port: adbPort, requestTimeoutMs: 5_000 });
    this.roster = new Roster({ nodeId: 'host', offlineNetworkMs: 0, ...(record && { record }) });
    this.probePool = new ProbePool({
      adb: this.#adb,
      roster: this.roster,
      clockStep: new ClockStep(this.roster, log),
      sections,
      commandOptions: allCommands,
      concurrency: 1,
      deadlineMs: 10_000,
      log,
      ...options,
    });
    this.#report = reportOf({ roster: this.roster, phones: this.probePool });
  }

  /** Reads adb's list. */
  async list(): Promise<void> {
    const listed = await this.#adb.listDevices();
    this.roster.observe(listed, Date.now());
    this.probePool.observe(listed);
  }

  /** Collects these phones; all of them where none is named. */
  collect(...udids: string[]): Promise<Collected[]> {
    const all = udids.length > 0 ? udids : this.roster.devices.map(({ udid }) => udid);
    const { signal } = new AbortController();
    return Promise.all(all.map((udid) => this.probePool.collect(udid, signal)));
  }

  /** The phones as the agent has them. */
  phones(): PhoneState[] {
    return phonesOf({ roster: this.roster, hostReport: this.#report, probePool: this.probePool });
  }

  /** The report's devices. */
  devices(): DeviceInfo[] {
    return this.#report.devices();
  }
}
