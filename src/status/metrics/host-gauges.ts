/** What Prometheus reads of the host: adb, the reports, how many phones are in which condition. */
import { Gauge, type Registry } from 'prom-client';
import { version } from '../../base/version.ts';
import type { HostStatus } from '../host-status.ts';
import type { StatusSource } from '../source.ts';

interface Reading {
  name: string;
  help: string;
  /** In base units; undefined while it is not known. */
  read(status: HostStatus): number | undefined;
}

const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);

const readings: readonly Reading[] = [
  {
    name: 'hostnode_adb_up',
    help: '1 while the list of the adb server can be read, 0 while it cannot.',
    read: ({ adb }) => (adb.state === 'unknown' ? undefined : Number(adb.state === 'listed')),
  },
  {
    name: 'hostnode_reporting',
    help: '1 where phones are reported to a cloud, 0 where none is configured or its key is missing.',
    read: ({ reports }) => Number(reports.notReporting === undefined),
  },
  {
    name: 'hostnode_report_failing',
    help: '1 while the cloud does not take the reports.',
    read: ({ reports }) =>
      reports.notReporting === undefined ? Number(reports.failure !== undefined) : undefined,
  },
  {
    name: 'hostnode_last_report_timestamp_seconds',
    help: 'When the cloud last stored a report, seconds since 1970.',
    read: ({ reports }) => seconds(reports.storedAt),
  },
];

/** Adds gauges that read the status at each scrape. */
export function addHostGauges(registers: Registry[], source: Pick<StatusSource, 'status' | 'isProgressing'>) {
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
  for (const { name, help, read } of readings)
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
}
