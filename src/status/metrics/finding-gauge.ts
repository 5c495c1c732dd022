/** What Prometheus reads of the findings. */
import { Gauge, type Registry } from 'prom-client';
import { findingCodes } from '../../findings/finding.ts';
import type { StatusSource } from '../source.ts';

/** Adds a series for each code: an alert needs the 0 too. It has none before the first judgement. */
export function addFindingGauge(registers: Registry[], source: Pick<StatusSource, 'status'>): void {
  new Gauge({
    name: 'hostnode_finding',
    help: 'Findings now, by code; 0 where there is none of that code.',
    labelNames: ['code'],
    registers,
    collect() {
      this.reset();
      const { findings } = source.status() ?? {};
      if (findings === undefined) return;
      for (const code of findingCodes) this.set({ code }, 0);
      for (const { code } of findings) this.inc({ code });
    },
  });
}
