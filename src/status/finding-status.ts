/** Findings in the shape of `/api/status`. Pure. */
import type { Finding } from '../diagnosis/finding.ts';
import { isOfPresent } from '../diagnosis/rules/index.ts';
import { byPhone, explainsLoss, type Cause as FoundCause, signOf } from './causes.ts';
import type { Cause, FindingStatus, PhoneStatus } from './host-status.ts';

/** A problem of the present is its kind; any other finding has its code. */
export function causeStatusOf(cause: FoundCause): Cause {
  const { code, severity, certainty, subject, evidence, sign, ...shown } = cause;
  return isOfPresent(cause)
    ? { ...shown, kind: code }
    : { ...shown, kind: 'finding', code, severity, certainty, subject: subject.kind };
}

export function findingStatusOf(finding: Finding): FindingStatus {
  const { evidence, sign, said, command, ...shown } = finding;
  return shown;
}

/** By udid; those about the host or the room are nobody's own. */
export const findingsByPhone = (findings: readonly Finding[]): ReadonlyMap<string, Finding[]> =>
  byPhone(findings.filter(({ subject }) => subject.kind !== 'host' && subject.kind !== 'room'));

/**
 * A phone with the codes of its findings. A fine phone needs attention while a finding about itself is worse than minor;
 * the finding of a hub or a port alone does not: it is not the phone that a person has to look at. What to do about a lost
 * phone is what the finding says that explains the loss.
 *
 * @param findings those that affect it, the worst first
 */
export function withFindings(phone: PhoneStatus, findings: readonly Finding[]): PhoneStatus {
  if (findings.length === 0) return phone;
  const codes = [...new Set(findings.map(({ code }) => code))];
  const own = findings.find(({ subject, severity }) => subject.kind === 'phone' && severity !== 'minor');
  // as the cloud is told: a phone that went with its hub needs a look at the hub
  const ofLoss = phone.attached ? undefined : findings.find(explainsLoss);
  if (ofLoss !== undefined && phone.condition === 'needsAttention')
    return { ...phone, findings: codes, message: ofLoss.remedy };
  if (own === undefined || phone.condition !== 'fine') return { ...phone, findings: codes };
  const { remedy: message, since } = own;
  return { ...phone, findings: codes, condition: 'needsAttention', sign: signOf(own), message, since };
}
