/** How well findings fit the labels of scenes. */

import { evaluatePresent } from '../../src/diagnosis/evaluate.ts';
import type { Finding, FindingCode } from '../../src/diagnosis/finding.ts';
import type { RuleContext } from '../../src/diagnosis/rule.ts';
import { presentRules } from '../../src/diagnosis/rules/index.ts';
import { hubDevpath, hubsAbove } from '../../src/history/events/where.ts';
import { causesOf } from '../../src/status/causes.ts';
import { findingsIn } from '../support/findings-in.ts';
import type { Scene } from './scene.ts';

/** A label's or finding's identity, for comparing. */
export const labelOf = (found: Pick<Finding, 'code' | 'subject'>): string =>
  `${found.code} ${'key' in found.subject ? found.subject.key : ''}`.trim();

export interface Score {
  code: FindingCode;
  right: number;
  /** Found, and not there. */
  wrong: number;
  missed: number;
  /** The scenes of the last two, for whoever tunes. */
  where: string[];
}

/** A scene, and what was found in it. */
export interface Judged extends Omit<Scene, 'context'> {
  findings: Finding[];
  /** The hubs of which page and terminal say that phones are unplugged there. */
  hubsUnplugged: ReadonlySet<string>;
}

export const judged = (scenes: Iterable<Scene>): Judged[] =>
  Array.from(scenes, ({ context, ...scene }) => {
    const isAsked = scene.expected.some(({ isToldAtLeast }) => isToldAtLeast);
    const hubsUnplugged = isAsked ? hubsUnpluggedIn(context) : new Set<string>();
    return { ...scene, findings: findingsIn(context), hubsUnplugged };
  });

function hubsUnpluggedIn({ now }: RuleContext): Set<string> {
  const whereOf = new Map(now.phones.map(({ udid, where }) => [udid, where]));
  const phones = now.phones.map((phone) => ({ ...phone, devpath: phone.where.devpath ?? '' }));
  const { causes } = causesOf(evaluatePresent(presentRules, now, now.at), phones);
  return new Set(
    causes.flatMap(({ subject, udids: [udid = ''] }) => {
      const where = whereOf.get(udid) ?? {};
      return subject.kind === 'hub'
        ? hubsAbove(where).filter((hub) => hubDevpath(hub, where) === subject.key)
        : [];
    }),
  );
}

/** How well the findings of each code fit the labels. */
export function scoresOf(scenes: readonly Judged[]): Score[] {
  const scores = new Map<string, Score>();
  const scoreOf = (label: string): Score => {
    const code = label.split(' ', 1)[0] as FindingCode;
    const score = scores.get(code) ?? { code, right: 0, wrong: 0, missed: 0, where: [] };
    scores.set(code, score);
    return score;
  };
  for (const { name, findings, expected, hubsUnplugged } of scenes) {
    const severities = new Map(
      expected.map(({ code, key = '', severity }) => [`${code} ${key}`.trim(), severity]),
    );
    const wanted = new Set(
      [...severities].map(([label, severity]) => [label, severity].filter(Boolean).join(' ')),
    );
    const found = new Set(
      findings.map((finding) => {
        const label = labelOf(finding);
        return severities.get(label) === undefined ? label : `${label} ${finding.severity}`;
      }),
    );
    for (const { code, key = '', isToldAtLeast } of expected)
      if (isToldAtLeast && hubsUnplugged.has(key)) found.add(`${code} ${key}`);
    const optional = expected.flatMap(({ code, isOptional }) => (isOptional ? code : []));
    for (const label of wanted.union(found)) {
      if (!found.has(label) && optional.some((code) => label.startsWith(code))) continue;
      const score = scoreOf(label);
      if (!found.has(label)) score.missed += 1;
      else if (!wanted.has(label)) score.wrong += 1;
      else score.right += 1;
      if (found.has(label) !== wanted.has(label))
        score.where.push(`${found.has(label) ? 'wrong' : 'missed'} ${label} in ${name}`);
    }
  }
  return [...scores.values()];
}

/** Right ones of the found ones, and of those that were there, 0 to 1; 1 where there were none. */
export const precision = ({ right, wrong }: Score): number =>
  right + wrong === 0 ? 1 : right / (right + wrong);
export const recall = ({ right, missed }: Score): number =>
  right + missed === 0 ? 1 : right / (right + missed);
