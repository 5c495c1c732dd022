import { expect, it } from 'vitest';
import { findingCodes, historyRules, presentRules, ruleOf } from '../../../src/diagnosis/rules/index.ts';
import { codeSpans, rows, section } from '../../docs/pages.ts';

const all = [...historyRules, ...presentRules];
const rowOf = new Map(
  rows(section('docs/findings.md', '## All codes')).map((row) => [codeSpans(row[0] ?? '')[0], row]),
);

it('has each code once: in capitals where labs may alert on it', () => {
  expect(new Set(all.map(({ code }) => code)).size).toBe(all.length);
  expect(findingCodes.filter((code) => !/^[A-Z]+(_[A-Z]+)*$/.test(code))).toEqual([]);
  expect(presentRules.filter(({ code }) => !/^[a-z]+$/.test(code))).toEqual([]);
});

it.each(historyRules)('the rule $code has its row in docs/findings.md, with its severity', (rule) => {
  const row = rowOf.get(rule.code) ?? [];
  expect(row[1]?.split(/, | or /) ?? []).toContain(rule.severity);
});

it('explains what another rule finds, and nothing that no rule finds', () => {
  const signs = new Set(['battery too hot']); // a phone's own word for it
  const unknown = all.flatMap(({ explains = [] }) =>
    explains.filter((code) => ruleOf(code) === undefined && !signs.has(code)),
  );
  expect(unknown).toEqual([]);
});
