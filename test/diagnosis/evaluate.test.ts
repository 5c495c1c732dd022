import { expect, it } from 'vitest';
import { type BrokenRule, evaluate } from '../../src/diagnosis/evaluate.ts';
import type { Found, Rule, RuleContext } from '../../src/diagnosis/rule.ts';

const NOW = 1_800_000_000_000;

const nothing: RuleContext = {
  now: { at: NOW, isAdbListed: true, phones: [] },
  events: [],
  samplesOf: () => [],
};

const ofPhone: Found = { subject: { kind: 'phone', key: 'A' }, title: 'It sleeps', remedy: 'Wake it' };
const rule = (literal: Partial<Rule> = {}, found: Partial<Found> = {}): Rule => ({
  code: 'SCREEN_OFF',
  severity: 'minor',
  evaluate: () => [{ ...ofPhone, ...found }],
  ...literal,
});

const small = rule();
const large = rule({ code: 'BATTERY_HOT', severity: 'critical' });
const faulty = rule({
  code: 'FLAPPING',
  evaluate: () => {
    throw new TypeError('no port');
  },
});

const codesOf = (rules: readonly Rule[], context = nothing) =>
  evaluate(rules, context).map(({ code }) => code);

it('puts the worst finding of all rules first', () => {
  expect(codesOf([small, large])).toEqual(['BATTERY_HOT', 'SCREEN_OFF']);
});

it('completes what a rule found by its literal and its subject', () => {
  expect(evaluate([small], nothing)).toEqual([
    {
      code: 'SCREEN_OFF',
      severity: 'minor',
      subject: { kind: 'phone', key: 'A' },
      certainty: 'certain',
      title: 'It sleeps',
      remedy: 'Wake it',
      since: NOW,
      udids: ['A'],
      evidence: [],
    },
  ]);
  const own = { severity: 'major', certainty: 'likely', since: 5, udids: ['A', 'B'], evidence: [3] } as const;
  const { udids, evidence, ...others } = own;
  expect(
    evaluate([rule({}, { ...others, udids: [...udids], evidence: [...evidence] })], nothing),
  ).toMatchObject([own]);
});

it('leaves out what may still pass: for as long as its rule waits, or as the finding itself says', () => {
  const waiting = { settleMs: 60_000 };
  expect(codesOf([rule(waiting, { since: NOW - 59_000 })])).toEqual([]);
  expect(codesOf([rule(waiting, { since: NOW - 60_000 })])).toEqual(['SCREEN_OFF']);
  expect(codesOf([rule(waiting, { since: NOW - 59_000, settleMs: 0 })])).toEqual(['SCREEN_OFF']);
  expect(codesOf([rule(waiting, { since: NOW + 3_600_000 })])).toEqual(['SCREEN_OFF']); // the clock was set back
});

it('loses the findings of a rule that breaks, and no other ones', () => {
  const broken: BrokenRule[] = [];
  const findings = evaluate([small, faulty, large], nothing, (one) => broken.push(one));
  expect(findings).toHaveLength(2);
  expect(broken).toEqual([{ code: 'FLAPPING', error: new TypeError('no port') }]);
});

it('throws where nobody takes what broke', () => {
  expect(() => evaluate([faulty], nothing)).toThrow('no port');
});

it('leaves out the codes that the lab has switched off', () => {
  const setting = { expected: [], slots: [], off: ['BATTERY_HOT'] };
  expect(codesOf([small, large], { ...nothing, now: { ...nothing.now, setting } })).toEqual(['SCREEN_OFF']);
});

it('tells a phone’s own words as one harmless line', () => {
  const [hostile] = evaluate([rule({}, { title: 'Pixel \u001b[2J\n5 sleeps' })], nothing);
  expect(hostile?.title).toBe('Pixel  [2J 5 sleeps');
});
