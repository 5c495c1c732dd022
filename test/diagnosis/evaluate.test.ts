import { expect, it } from 'vitest';
import { type BrokenJudge, judge } from '../../src/diagnosis/evaluate.ts';
import type { Judge, RuleContext } from '../../src/diagnosis/rule.ts';
import { finding } from '../support/sample-finding.ts';

const nothing: RuleContext = {
  now: { at: 0, isAdbListed: true, phones: [] },
  events: [],
  samplesOf: () => [],
};

const small: Judge = () => [finding('SCREEN_OFF', { severity: 'minor' })];
const large: Judge = () => [finding('BATTERY_HOT', { severity: 'critical' })];
function faulty(): never {
  throw new TypeError('no port');
}

it('puts the worst finding of all judges first', () => {
  expect(judge(nothing, undefined, [small, large]).map(({ code }) => code)).toEqual([
    'BATTERY_HOT',
    'SCREEN_OFF',
  ]);
});

it('loses the findings of a judge that breaks, and no other ones', () => {
  const broken: BrokenJudge[] = [];
  const findings = judge(nothing, (one) => broken.push(one), [small, faulty, large]);
  expect(findings).toHaveLength(2);
  expect(broken).toEqual([{ judge: 'faulty', error: new TypeError('no port') }]);
});

it('throws where nobody takes what broke', () => {
  expect(() => judge(nothing, undefined, [faulty])).toThrow('no port');
});

it('leaves out the codes that the lab has switched off', () => {
  const setting = { expected: [], slots: [], off: ['BATTERY_HOT' as const] };
  const context = { ...nothing, now: { ...nothing.now, setting } };
  expect(judge(context, undefined, [small, large]).map(({ code }) => code)).toEqual(['SCREEN_OFF']);
});

it('tells a phone’s own words as one harmless line', () => {
  const hostile: Judge = () => [finding('SCREEN_OFF', { title: 'Pixel \u001b[2J\n5 sleeps' })];
  expect(judge(nothing, undefined, [hostile]).map(({ title }) => title)).toEqual(['Pixel  [2J 5 sleeps']);
});
