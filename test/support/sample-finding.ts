import type { Finding, FindingCode } from '../../src/diagnosis/finding.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

/** A finding about a phone, by default `A`. */
export function finding(code: FindingCode, changes: Partial<Finding> = {}): Finding {
  const { subject = { kind: 'phone', key: 'A' } } = changes;
  return {
    code,
    severity: 'major',
    subject,
    certainty: 'certain',
    title: `${code} of ${'key' in subject ? subject.key : subject.kind}`,
    remedy: `Fix ${code}`,
    since: NOW - 3_600_000,
    udids: subject.kind === 'phone' ? [subject.key] : [],
    evidence: [1, 2],
    ...changes,
  };
}
