/** How bad a cause is, and the order in which causes are shown. Pure. */
import { naturalOrder } from '../base/natural-order.ts';
import type { Cause, CauseKind } from './host-status.ts';

/**
 * `critical`: it concerns the whole host, or a battery may catch fire; `major`: nobody can use the phone; `minor`: the
 * phone works with limits.
 */
export type Severity = 'critical' | 'major' | 'minor';

const severities: Readonly<Record<CauseKind, Severity>> = {
  adb: 'critical',
  cloud: 'critical',
  battery: 'critical',
  hot: 'critical',
  unplugged: 'major',
  unauthorized: 'major',
  state: 'major',
  silent: 'major',
  locked: 'major',
  refused: 'major',
  storage: 'minor',
  network: 'minor',
};

const worstFirst: readonly Severity[] = ['critical', 'major', 'minor'];

export const severityOf = ({ kind }: { kind: CauseKind }): Severity => severities[kind];

/** Is it a fault of the host itself? It is shown and counted apart from the phones that need attention. */
export const isHostProblem = ({ kind }: { kind: CauseKind }): boolean => kind === 'adb' || kind === 'cloud';

/** Compares by severity, for `sort`: the worst first. */
export const bySeverity = (one: { kind: CauseKind }, other: { kind: CauseKind }): number =>
  worstFirst.indexOf(severityOf(one)) - worstFirst.indexOf(severityOf(other));

/** Compares causes, for `sort`: those of the host first, then the worst, of these the newest. */
export const byUrgency = (one: Cause, other: Cause): number =>
  Number(isHostProblem(other)) - Number(isHostProblem(one)) ||
  bySeverity(one, other) ||
  other.since - one.since ||
  naturalOrder(one.key, other.key);
