/** The agent in one line, for `systemctl status`. */
import { type AdbAt, adbRemedyOf } from '../adb/remedy.ts';
import type { AgentState, PhoneState } from '../agent/state.ts';
import { duration } from '../base/calendar.ts';
import { printable } from '../base/printable.ts';
import { firstOf, quantity } from '../base/words.ts';
import type { Finding } from '../diagnosis/finding.ts';

const LONGEST_REASON = 160;
const LONGEST_STATE = 40;
/** systemd drops messages over 4096 bytes, including their watchdog signal. */
const LONGEST_SEEN = 400;
/** Codes of critical findings that the line names. */
const MOST_CODES = 3;

export interface LineView extends Pick<AgentState, 'adb' | 'reports'> {
  phones: readonly (Pick<PhoneState, 'isSilent'> & {
    device: Pick<PhoneState['device'], 'attached' | 'state'>;
    snapshot?: object;
  })[];
}

/** `18 phones, 17 answer, 1 unauthorized; reported 12 s ago`; first the codes of critical findings: `POWER_CUT; …`. */
export function statusLine(
  { adb, phones, reports }: LineView,
  adbAt: AdbAt,
  findings: readonly Pick<Finding, 'code' | 'severity'>[] = [],
): string {
  const seen = adb.state === 'listed' ? phonesText(phones) : adbText(adb, adbAt);
  const parts = [criticalText(findings), printable(seen, LONGEST_SEEN), reportsText(reports)];
  return parts.filter(Boolean).join('; ');
}

function criticalText(findings: readonly Pick<Finding, 'code' | 'severity'>[]): string {
  const critical = findings.filter(({ severity }) => severity === 'critical');
  return firstOf([...new Set(critical.map(({ code }) => code))], MOST_CODES);
}

function adbText({ failure, failureKind }: AgentState['adb'], adbAt: AdbAt): string {
  if (failure === undefined || failureKind === undefined) return 'waiting for the adb server';
  return `cannot reach adb: ${printable(failure, LONGEST_REASON)} (${adbRemedyOf(failureKind, adbAt).command})`;
}

function phonesText(phones: LineView['phones']): string {
  const attached = phones.filter(({ device }) => device.attached);
  if (attached.length === 0) return 'no phones';
  const counts = new Map<string, number>();
  for (const phone of attached) counts.set(wordFor(phone), (counts.get(wordFor(phone)) ?? 0) + 1);
  const { answers, ...others } = Object.fromEntries(counts);
  return [
    quantity(attached.length, 'phone'),
    ...(answers === undefined ? [] : [answers === 1 ? '1 answers' : `${answers} answer`]),
    ...Object.entries(others).map(([word, count]) => `${count} ${printable(word, LONGEST_STATE)}`),
  ].join(', ');
}

/** `answers`, `silent`, `not collected yet`, else adb's state. */
function wordFor({ device: { state }, isSilent, snapshot }: LineView['phones'][number]): string {
  if (state !== 'device') return state;
  if (isSilent) return 'silent';
  return snapshot ? 'answers' : 'not collected yet';
}

function reportsText(reports: AgentState['reports']): string {
  if ('notReporting' in reports) return `not reporting: ${reports.notReporting}`;
  const { storedAgoMs, trouble } = reports;
  const last = storedAgoMs === undefined ? 'not reported yet' : `reported ${duration(storedAgoMs)} ago`;
  if (trouble === undefined) return last;
  const remedy = trouble.remedy === undefined ? '' : ` (${printable(trouble.remedy, LONGEST_REASON)})`;
  return `${last}: ${printable(trouble.failure, LONGEST_REASON)}${remedy}`;
}
