/** One attempt to report: the newest truth is read, put, and the answer settled device by device. */
import type { Machine } from '../cloud/contract.ts';
import type { Delivery } from '../cloud/delivery.ts';
import { CloudError } from '../cloud/errors.ts';
import type { CloudHealth } from './cloud-health.ts';
import type { AgentObserver, Reported } from './observer.ts';
import type { RefusedDevices } from './refused-devices.ts';
import type { ReportSource } from './report-source.ts';

/** What is needed to report. */
export interface ReportMeans {
  nodeId: string;
  delivery: Delivery;
  readMachine(): Promise<Machine>;
  reportSource: Pick<ReportSource, 'announce' | 'knownUdids' | 'settled'>;
  /** Writes the roster down. */
  save(): Promise<void>;
  cloudHealth: CloudHealth;
  observer: Pick<AgentObserver, 'changed' | 'sent'>;
}

/**
 * @param udids these phones; undefined for the whole host
 * @param signal ends it; nobody is told then
 * @throws {CloudError}, or the signal's reason
 */
export async function attemptReport(
  udids: ReadonlySet<string> | undefined,
  { nodeId, delivery, readMachine, reportSource, save, cloudHealth, observer }: ReportMeans,
  refusedDevices: RefusedDevices,
  signal: AbortSignal,
): Promise<Reported> {
  const machine = await readMachine();
  const devices = reportSource.announce(udids);
  if (udids !== undefined && !devices?.length) return { kind: 'superseded' };
  await save(); // first: that the cloud hears of these must not be forgotten
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
  const before = new Set(refusedDevices.udids);
  const refused = refusedDevices.settle(sent, answer, reportSource.knownUdids);
  reportSource.settled(sent, refused);
  const stored = { devices: sent.length - refused.size, refused: refused.size };
  observer.sent({ outcome: 'stored', ...stored, durationMs: durationMs() });
  for (const { udid } of sent) if (before.has(udid) !== refused.has(udid)) observer.changed(udid);
  return { kind: 'stored', ...stored };
}
