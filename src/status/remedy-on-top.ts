/** What to do, where it stands above all else. */
import type { Why } from './host-status.ts';

/** '' where phones are fine and a finding asks for it: `is fine` and a remedy make no sense together. Pure. */
export function remedyOnTop({ condition, phones, findings, remedy }: Why): string {
  const conditions = phones?.map((phone) => phone.condition) ?? [condition];
  const isOfFinding = findings.some((finding) => finding.remedy === remedy);
  return isOfFinding && conditions.every((each) => each === 'fine') ? '' : remedy;
}
