import { describe, expect, it } from 'vitest';
import { findingCodes, historyRules, presentRules, ruleOf } from '../../../src/diagnosis/rules/index.ts';
import { codeSpans, rows, section } from '../../docs/pages.ts';
import { stories } from '../../findings/all-stories.ts';
import { scenesOf } from '../../findings/story.ts';
import { findingsIn } from '../../support/findings-in.ts';

const all = [...historyRules, ...presentRules];
const rowOf = new Map(
  rows(section('docs/findings.md', '## All codes')).map((row) => [codeSpans(row[0] ?? '')[0], row]),
);
/** Codes of findings that were about a phone in some scene. */
const aboutPhones = new Set(
  scenesOf(stories, [1, 2])
    .flatMap(({ context }) => findingsIn(context))
    .filter(({ subject }) => subject.kind === 'phone')
    .map(({ code }) => code),
);

it('has each code once: in capitals where labs may alert on it', () => {
  expect(new Set(all.map(({ code }) => code)).size).toBe(all.length);
  expect(findingCodes.filter((code) => !/^[A-Z]+(_[A-Z]+)*$/.test(code))).toEqual([]);
  expect(presentRules.filter(({ code }) => !/^[a-z]+$/.test(code))).toEqual([]);
});

describe.each(historyRules)('the rule $code', (rule) => {
  it('has its row in docs/findings.md, with its severity', () => {
    expect(rowOf.get(rule.code)?.[1]?.split(/, | or /)).toContain(rule.severity);
  });

  it('has words for a phone’s tile, of three at most, and for several phones, if it is about phones', () => {
    if (!aboutPhones.has(rule.code)) return;
    expect(rule.sign).toMatch(/^\S+( \S+){0,2}$/);
    expect(rule.plural).toMatch(/^[a-z]\w+ /);
  });
});

it('explains what another rule finds, and nothing that no rule finds', () => {
  const signs = new Set(['battery too hot']); // a phone's own word for it
  const unknown = all.flatMap(({ explains = [] }) =>
    explains.filter((code) => ruleOf(code) === undefined && !signs.has(code)),
  );
  expect(unknown).toEqual([]);
});
