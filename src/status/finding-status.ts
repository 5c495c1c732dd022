/** Findings in the shape of `/api/status`. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Finding } from '../diagnosis/finding.ts';
import { isOfPresent } from '../diagnosis/rules/index.ts';
import { byPhone, explainsLoss, type Cause as FoundCause, signOf } from './causes.ts';
import type { Cause, CauseKind, FindingStatus, PhoneStatus } from './host-status.ts';

/** A problem of the present is its kind; any other finding has its code. */
export function causeStatusOf(cause: FoundCause): Cause {
  const { key, code, severity, certainty, subject, title, said, remedy, command, since, udids } = cause;
  return isOfPresent(cause)
    ? omitUndefined({ key, kind: code as CauseKind, title, said, remedy, command, since, udids })
    : {
        ...{ key, kind: 'finding', code, severity, certainty, subject: subject.kind, title, remedy, since },
        udids,
      };
}

export function findingStatusOf(finding: Finding): FindingStatus {
  const { code, severity, subject, certainty, title, remedy, since, udids } = finding;
  return { code, severity, subject, certainty, title, remedy, since, udids };
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
