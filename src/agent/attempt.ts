/** One attempt to report: builds the report from what is known now, sends it, and applies the answer. */
import type { Delivery } from '../cloud/delivery.ts';
import { CloudError } from '../cloud/errors.ts';
import type { CloudHealth } from './cloud-health.ts';
import type { AgentContext } from './context.ts';
import type { DeviceOutcomes } from './device-outcomes.ts';
import type { ReportResult } from './observer.ts';
import type { ReportSource } from './report-source.ts';

export interface AttemptContext extends Pick<AgentContext, 'nodeId' | 'readMachine' | 'save' | 'observer'> {
  delivery: Delivery;
}

export interface AttemptParts {
  reportSource: Pick<ReportSource, 'prepare'>;
  cloudHealth: CloudHealth;
  outcomes: DeviceOutcomes;
}

/**
 * @param udids these phones; undefined for the whole host
 * @param signal ends it; the observer gets nothing then
 * @throws {CloudError}, or the signal's reason
 */
export async function attemptReport(
  udids: ReadonlySet<string> | undefined,
  { nodeId, delivery, readMachine, save, observer }: AttemptContext,
  { reportSource, cloudHealth, outcomes }: AttemptParts,
  signal: AbortSignal,
): Promise<ReportResult> {
  const machine = await readMachine();
  const devices = reportSource.prepare(udids);
  if (udids !== undefined && !devices?.length) return { kind: 'superseded' };
  await save(); // first: a restart must know what the cloud may have stored
  const sent = devices ?? [];
  const sentAt = performance.now();
  const durationMs = () => performance.now() - sentAt;
  const answer = await delivery.putAll(nodeId, machine, devices, signal).catch((error: unknown) => {
    const outcome = error instanceof CloudError ? error.code : 'INTERNAL';
    if (!signal.aborted)
      observer.sent({ outcome, devices: sent.length, refused: 0, durationMs: durationMs() });
    throw error;
  });
  cloudHealth.stored();
  const { stored, refused } = outcomes.apply(sent, answer);
  observer.sent({ outcome: 'stored', devices: stored, refused, durationMs: durationMs() });
  return { kind: 'stored', devices: stored, refused };
}
