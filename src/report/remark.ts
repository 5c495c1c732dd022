/** What a report says of a phone that neither its facts nor the rules say. */
import { localMoment, zoneName } from '../base/calendar.ts';
import { printable } from '../base/printable.ts';

export interface Remark {
  /** It alone is the message: nobody has to do what the phone's state asks for. */
  message?: string;
  isHidden?: true;
  /** Code of its worst finding, `PORT_UNSTABLE`: the message ends with it, in brackets. */
  code?: string;
  /** What to do about that finding, one sentence: the message where the phone's state asks for nothing. */
  remedy?: string;
  /** Codes of the problems that it tells of the phone: its remedy stands in place of theirs. */
  explains?: readonly string[];
}

/**
 * The message of a phone: `Replace the cable or move the phone to another port (PORT_UNSTABLE)`, one sentence, action
 * first.
 *
 * @param own what the phone's state asks for; empty when it needs nobody
 * @param problem the code of what asks for it: `unplugged`, `state`
 */
export function messageWith(own: string, remark: Remark, problem: string): string {
  const { message, code, remedy = '', explains = [] } = remark;
  if (message !== undefined || code === undefined) return message ?? own;
  const isOwn = own !== '' && !(explains.includes(problem) && remedy !== '');
  return `${isOwn ? own : remedy} (${code})`.trim();
}

/**
 * What the cloud's users see while somebody works on a phone: `In maintenance until 18:00 CET: swapping the hub`.
 *
 * @param maintenance `until`: ms since the epoch
 */
export function maintenanceRemark(
  maintenance: { until: number; reason: string } | undefined,
  hides: boolean,
  now = Date.now(),
): Remark {
  if (maintenance === undefined) return {};
  const { until, reason } = maintenance;
  const message = `In maintenance until ${localMoment(until, now)} ${zoneName(until)}: ${printable(reason, 300)}`;
  return { message, ...(hides && { isHidden: true }) };
}

/** Nobody is to book it; its message goes on saying what it needs. */
export const drainRemark = (drain: object | undefined): Remark => (drain ? { isHidden: true } : {});
