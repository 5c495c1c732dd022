/** How bad a cause is, and the order in which causes are shown. Pure. */
import { naturalOrder } from '../base/words.ts';
import { bySeverity as bySeverityOf, type Severity } from '../diagnosis/finding.ts';
import type { Cause, CauseKind } from './host-status.ts';

/** Of the causes that the present alone shows; a finding has its own. */
const severities: Readonly<Record<Exclude<CauseKind, 'finding'>, Severity>> = {
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

type Weighed = Pick<Cause, 'kind' | 'severity'>;

export const severityOf = ({ kind, severity }: Weighed): Severity =>
  severity ?? (kind === 'finding' ? 'minor' : severities[kind]);

/** Is it a fault of the host itself, or of its room? It is shown and counted apart from the phones that need attention. */
export const isHostProblem = ({ kind, subject }: Pick<Cause, 'kind' | 'subject'>): boolean =>
  kind === 'adb' || kind === 'cloud' || subject === 'host' || subject === 'room';

/** Compares by severity, for `sort`: the worst first. */
export const bySeverity = (one: Weighed, other: Weighed): number =>
  bySeverityOf(severityOf(one), severityOf(other));

/** Compares causes, for `sort`: those of the host first, then the worst, of these the newest. */
export const byUrgency = (one: Cause, other: Cause): number =>
  Number(isHostProblem(other)) - Number(isHostProblem(one)) ||
  bySeverity(one, other) ||
  other.since - one.since ||
  naturalOrder(one.key, other.key);
