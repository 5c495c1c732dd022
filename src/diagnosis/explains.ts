/** Which findings tell the same as another finding or as a phone's present problem, only better. Pure. */
import { bySeverity, type Finding, type FindingCode } from './finding.ts';

/** What of a phone a finding can explain: its present problem by the name that the status has for it. */
export type Explained = 'unplugged' | 'state' | 'silent' | 'unauthorized' | 'locked' | 'hot' | 'storage';

const LOST: readonly Explained[] = ['unplugged', 'state', 'silent'];

/** Is the phone lost? */
export const isLoss = (problem: string): boolean => LOST.some((loss) => loss === problem);

interface Explanation {
  problems?: readonly Explained[];
  findings?: readonly FindingCode[];
  /** Its title tells what happened, and not which phones are lost now. */
  isOfPast?: true;
}

const explains: Readonly<Partial<Record<FindingCode, Explanation>>> = {
  POWER_CUT: {
    problems: LOST,
    findings: ['HOST_LOST_PHONES', 'HUB_LOST', 'EXPECTED_MISSING'],
    isOfPast: true,
  },
  HOST_LOST_PHONES: { problems: LOST, findings: ['HUB_LOST', 'EXPECTED_MISSING'], isOfPast: true },
  HUB_LOST: { problems: LOST, findings: ['FLAPPING', 'OFFLINE_LONG', 'EXPECTED_MISSING'] },
  HUB_UNSTABLE: { problems: LOST, findings: ['FLAPPING', 'PORT_UNSTABLE', 'OFFLINE_LONG'], isOfPast: true },
  PORT_UNSTABLE: { problems: LOST, findings: ['FLAPPING', 'OFFLINE_LONG'], isOfPast: true },
  PHONE_UNSTABLE: { problems: LOST, findings: ['FLAPPING', 'OFFLINE_LONG'], isOfPast: true },
  NETWORK_LOST: { problems: LOST, findings: ['FLAPPING', 'OFFLINE_LONG', 'EXPECTED_MISSING'] },
  NETWORK_UNSTABLE: {
    problems: LOST,
    findings: ['FLAPPING', 'LINK_UNSTABLE', 'OFFLINE_LONG'],
    isOfPast: true,
  },
  LINK_UNSTABLE: { problems: LOST, findings: ['FLAPPING', 'OFFLINE_LONG'], isOfPast: true },
  FLAPPING: { problems: LOST, isOfPast: true },
  BOOT_LOOP: { problems: LOST, findings: ['UNEXPLAINED_REBOOT', 'FLAPPING'], isOfPast: true },
  OFFLINE_LONG: { problems: ['state', 'silent'] },
  UNAUTHORIZED_AFTER_UPDATE: { problems: ['unauthorized'] },
  NOT_IN_ADB: { problems: ['unplugged'], findings: ['EXPECTED_MISSING'] },
  EXPECTED_MISSING: { problems: ['unplugged'] },
  BATTERY_HOT: { problems: ['hot'], findings: ['BATTERY_FULL_AND_HOT'] },
  BATTERY_FULL_AND_HOT: { problems: ['hot'] },
  STORAGE_FILLING: { problems: ['storage'] },
  SCREEN_LOCKED: { problems: ['locked'] },
};

/** Is this what the finding is about, so that both would tell a person the same? */
export const explainsProblem = ({ code }: Pick<Finding, 'code'>, problem: string): boolean =>
  explains[code]?.problems?.some((explained) => explained === problem) ?? false;

/** Does its title leave open which phones are lost now? */
export const isOfPast = ({ code }: Pick<Finding, 'code'>): boolean => explains[code]?.isOfPast === true;

/** Does the finding say why phones are lost? Then its remedy goes before that of a lost phone. */
export const explainsLoss = (finding: Pick<Finding, 'code'>): boolean =>
  explainsProblem(finding, 'unplugged');

/** Without those that another one tells better: one that is no less severe and affects all of their phones. */
export function withoutExplained(findings: readonly Finding[]): Finding[] {
  const isToldBy = (told: Finding, by: Finding) =>
    explains[by.code]?.findings?.includes(told.code) === true &&
    bySeverity(by.severity, told.severity) <= 0 &&
    told.udids.every((udid) => by.udids.includes(udid));
  const explaining = findings.filter(({ code }) => explains[code]?.findings !== undefined);
  return findings.filter((told) => told.udids.length === 0 || !explaining.some((by) => isToldBy(told, by)));
}
