/** What Prometheus reads of the findings. */
import { Gauge, type Registry } from 'prom-client';
import { findingCodes } from '../../diagnosis/rules/index.ts';
import type { FindingStatus } from '../host-status.ts';
import type { StatusSource } from '../source.ts';

/** Adds gauges with a series for each code: an alert needs the 0 too. They have none before the first judgement. */
export function addFindingGauges(registers: Registry[], source: Pick<StatusSource, 'status'>): void {
  const add = (name: string, help: string, isCounted: (finding: FindingStatus) => boolean) =>
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
  add('hostnode_finding', 'Findings now, by code; 0 where there is none of that code.', () => true);
  add(
    'hostnode_finding_urgent',
    'Those of them that are critical or major: somebody cannot use phones, or soon cannot.',
    ({ severity }) => severity !== 'minor',
  );
}
