/**
 * What the process costs, under the names that Prometheus' own clients use. prom-client's set of the same would keep a
 * timer running for the lag of the event loop: 8 ms of work a second in a process that has nothing to do.
 */
import { readdirSync } from 'node:fs';
import { Counter, Gauge, type Registry } from 'prom-client';

export function addProcessMetrics(registers: Registry[]): void {
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time spent.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'process_open_fds',
    help: 'Open file descriptors.',
    registers,
    collect() {
      const openFiles = countOpenFiles();
      if (openFiles === undefined) this.remove();
      else this.set(openFiles);
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, seconds since 1970.',
    registers,
  }).set(processStartedAt() / 1000);
}

/** Ms since the epoch, by the clock as it is now. */
export const processStartedAt = (): number => Date.now() - process.uptime() * 1000;

/** Undefined when there is not even one left to count with. */
function countOpenFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1; // one is the reading itself
  } catch {
    return undefined;
  }
}
