/**
 * Prints how scenes are judged, with the evidence: `npx node test/findings/incidents/show.ts 'part of a name'`. Without a
 * name all that are not right, in one line each. Those that are kept for the figures are not shown.
 */
import type { HistoryEvent } from '../../../src/history/events/event.ts';
import { incidents, months } from './all.ts';
import { isKept } from './story.ts';
import type { Judgement } from './sweep.ts';
import { quietVerdictOn, verdictOn } from './verdict.ts';

const [part = ''] = process.argv.slice(2);
const isMeant = (scene: { name: string }) => !isKept(scene) && scene.name.includes(part);
const out = (line: string) => process.stdout.write(`${line}\n`);

const moment = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

function lineOf({ id, at, kind, udid = '', where, ...rest }: HistoryEvent): string {
  const place = where?.slot ?? where?.usbPath ?? '';
  return `    ${id} ${moment(at)} ${kind} ${udid} ${place} ${JSON.stringify(rest)}`;
}

function showEvidence({ context }: Judgement, ids: readonly number[]): void {
  const shown = new Set(ids);
  for (const event of context.events.filter(({ id }) => shown.has(id)).slice(-30)) out(lineOf(event));
}

for (const incident of incidents.filter(isMeant)) {
  const verdict = verdictOn(incident);
  const { name, source, seen, cause, did, cannotShow } = incident;
  if (part === '' && verdict.outcome === 'right') continue;
  out(
    `\n${verdict.outcome.toUpperCase()}  ${name}  [${source}]${cannotShow ? '  (records cannot show it)' : ''}`,
  );
  for (const why of verdict.why) out(`  ${why}`);
  if (part === '') continue;
  for (const line of [`seen: ${seen}`, `cause: ${cause}`, `did: ${did}`]) out(`  ${line}`);
  if (!verdict.asked) continue;
  out(`  asked at ${moment(verdict.asked.at)} UTC, told:`);
  for (const { code, severity, certainty, title, remedy, evidence } of verdict.told) {
    out(`  ${severity} ${code} (${certainty}): ${title}. ${remedy}`);
    showEvidence(verdict.asked, evidence);
  }
  for (const { party, certainty, because, evidence } of verdict.blames) {
    out(`  blame: ${certainty} ${party}: ${because}`);
    showEvidence(verdict.asked, evidence);
  }
}

for (const month of months.filter(isMeant)) {
  const { name, judgements, found } = quietVerdictOn(month);
  if (part === '' && found.length === 0) continue;
  out(`\n${found.length === 0 ? 'QUIET' : 'FALSE'}  ${name}  (judged ${judgements} times)`);
  for (const { severity, code, title, fromDay, untilDay, times, finding, judgement } of found) {
    out(
      `  ${severity} ${code} (${finding.certainty}): ${title}; day ${fromDay.toFixed(2)} to ${untilDay.toFixed(2)}, ${times} times`,
    );
    if (part !== '') showEvidence(judgement, finding.evidence);
  }
}
