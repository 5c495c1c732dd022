/** What Prometheus reads of the host: adb, the reports, how many phones are in which condition, the findings. */
import { Gauge, type Registry } from 'prom-client';
import { version } from '../../base/version.ts';
import { findingCodes } from '../../diagnosis/rules/index.ts';
import type { FindingStatus, HostStatus } from '../host-status.ts';
import type { StatusSource } from '../source.ts';

/** The name of a gauge, what it is, and its value in base units; undefined while that is not known. */
type Reading = readonly [name: string, help: string, read: (status: HostStatus) => number | undefined];

const readings: readonly Reading[] = [
  [
    'hostnode_adb_up',
    '1 while the list of the adb server can be read, 0 while it cannot.',
    ({ adb }) => (adb.state === 'unknown' ? undefined : Number(adb.state === 'listed')),
  ],
  [
    'hostnode_reporting',
    '1 where phones are reported to a cloud, 0 where none is configured or its key is missing.',
    ({ reports }) => Number(reports.notReporting === undefined),
  ],
  [
    'hostnode_report_failing',
    '1 while the cloud does not take the reports.',
    ({ reports: { notReporting, failure } }) =>
      notReporting === undefined ? Number(failure !== undefined) : undefined,
  ],
  [
    'hostnode_last_report_timestamp_seconds',
    'When the cloud last stored a report, seconds since 1970.',
    ({ reports: { storedAt } }) => (storedAt === undefined ? undefined : storedAt / 1000),
  ],
];

/** Adds gauges that read the status at each scrape. */
export function addHostGauges(
  registers: Registry[],
  source: Pick<StatusSource, 'status' | 'isProgressing'>,
): void {
  new Gauge({
    name: 'hostnode_build_info',
    help: 'Always 1: the versions of hostnode and of the Node that it runs on.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1);
  new Gauge({
    name: 'hostnode_progressing',
    help: '1 while the agent makes progress, 0 when it hangs.',
    registers,
    collect() {
      this.set(Number(source.isProgressing));
    },
  });
  new Gauge({
    name: 'hostnode_devices',
    help: 'Phones of the roster, each in one condition: fine, needs_attention, maintenance, or unknown while adb cannot be reached.',
    labelNames: ['condition'],
    registers,
    collect() {
      this.reset();
      const { counts } = source.status() ?? {};
      if (counts === undefined) return;
      this.set({ condition: 'fine' }, counts.fine);
      this.set({ condition: 'needs_attention' }, counts.needsAttention);
      this.set({ condition: 'maintenance' }, counts.maintenance);
      this.set({ condition: 'unknown' }, counts.unknown);
    },
  });
  for (const [name, help, read] of readings)
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const status = source.status();
        const value = status && read(status);
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });

  /** With a series for each code: an alert needs the 0 too. They have none before the first evaluation. */
  const addFindings = (name: string, help: string, isCounted: (finding: FindingStatus) => boolean) =>
    new Gauge({
      name,
      help,
      labelNames: ['code'],
      registers,
      collect() {
        this.reset();
        const { findings } = source.status() ?? {};
        if (findings === undefined) return;
        for (const code of findingCodes) this.set({ code }, 0);
        for (const { code } of findings.filter(isCounted)) this.inc({ code });
      },
    });
  addFindings('hostnode_finding', 'Findings now, by code; 0 where there is none of that code.', () => true);
  addFindings(
    'hostnode_finding_urgent',
    'Those of them that are critical or major: somebody cannot use phones, or soon cannot.',
    ({ severity }) => severity !== 'minor',
  );
}
