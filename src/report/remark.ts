/** What a report says of a phone that neither its facts nor the rules say. */
import { localMoment } from '../base/local-time.ts';
import { printable } from '../base/printable.ts';

export interface Remark {
  /** The message is this sentence alone: nobody has to do what the phone's state asks for. */
  sentence?: string;
  isHidden?: true;
}

/**
 * What the cloud's users see while somebody works on a phone: `In maintenance until 18:00: swapping the hub`.
 *
 * @param maintenance `until`: ms since the epoch
 * @param hides is the phone hidden meanwhile?
 */
export function maintenanceRemark(
  maintenance: { until: number; reason: string } | undefined,
  hides: boolean,
  now = Date.now(),
): Remark {
  if (maintenance === undefined) return {};
  const { until, reason } = maintenance;
  const sentence = `In maintenance until ${localMoment(until, now)}: ${printable(reason, 300)}`;
  return { sentence, ...(hides && { isHidden: true }) };
}
