/** Which findings tell the same as another finding or as a phone's present problem, only better. Pure. */
import { bySeverity, type Finding } from './finding.ts';
import { ruleOf } from './rules/index.ts';

const LOST: readonly string[] = ['unplugged', 'state', 'silent'];

/** Is the phone lost? */
export const isLoss = (problem: string): boolean => LOST.some((loss) => loss === problem);

/** Is this what the finding is about, so that both would tell a person the same? */
export const explainsProblem = ({ code }: Pick<Finding, 'code'>, problem: string): boolean =>
  ruleOf(code)?.explains?.includes(problem) ?? false;

/** Does its title leave open which phones are lost now? */
export const isOfPast = ({ code }: Pick<Finding, 'code'>): boolean => ruleOf(code)?.tellsPast === true;

/** Does the finding say why phones are lost? Then its remedy goes before that of a lost phone. */
export const explainsLoss = (finding: Pick<Finding, 'code'>): boolean =>
  explainsProblem(finding, 'unplugged');

/** Without those that another one tells better: one that is no less severe and affects all of their phones. */
export function withoutExplained(findings: readonly Finding[]): Finding[] {
  const isToldBy = (told: Finding, by: Finding) =>
    ruleOf(by.code)?.explains?.includes(told.code) === true &&
    bySeverity(by.severity, told.severity) <= 0 &&
    told.udids.every((udid) => by.udids.includes(udid));
  const explaining = findings.filter(({ code }) => ruleOf(code)?.explains !== undefined);
  return findings.filter((told) => told.udids.length === 0 || !explaining.some((by) => isToldBy(told, by)));
}
