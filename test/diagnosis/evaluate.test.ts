import { expect, it, vi } from 'vitest';
import { type BrokenRule, evaluate, evaluationOf } from '../../src/diagnosis/evaluate.ts';
import type { Found, Rule, RuleContext } from '../../src/diagnosis/rule.ts';
import { MemoryHistory } from '../support/memory-history.ts';
import { finding } from '../support/sample-finding.ts';

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

const picture = { at: NOW, isAdbListed: true, phones: [] };

const lookingFor = (evaluate: Rule['evaluate'], code = 'FLAPPING'): Rule => ({
  code,
  severity: 'major',
  evaluate,
});

it('gives the rules events and readings, and names at most 100 events as evidence', async () => {
  const history = new MemoryHistory(() => NOW);
  await history.record(
    Array.from({ length: 150 }, () => ({ kind: 'detached', udid: 'A', at: NOW, where: {} }) as const),
  );
  history.sample([{ udid: 'A', at: NOW - 600_000, levelPercent: 80 }]);
  const byEvents = lookingFor(({ events, samplesOf }) => [
    finding('FLAPPING', {
      evidence: events.map(({ id }) => id),
      title: `${samplesOf('A', 0)[0]?.levelPercent} %`,
    }),
  ]);
  const { findings, broken } = evaluationOf(history.store, picture, [byEvents]);
  expect(broken).toEqual([]);
  expect(findings).toMatchObject([{ title: '80 %' }]);
  expect(findings[0]?.evidence).toEqual(Array.from({ length: 100 }, (_, index) => index + 51));
});

it('reads no other readings than a rule wants', () => {
  const { store } = new MemoryHistory();
  const asked = vi.spyOn(store, 'samples');
  const byReadings = lookingFor(({ samplesOf }) => {
    samplesOf('A', NOW - 1000, { isFull: true });
    return [];
  });
  evaluationOf(store, picture, [byReadings]);
  expect(asked.mock.calls).toEqual([['A', NOW - 1000, { isFull: true }]]);
});

it('says which rule broke', () => {
  const faulty = lookingFor(() => {
    throw new TypeError('no port');
  });
  const other = lookingFor(() => [finding('HUB_LOST')], 'HUB_LOST');
  const { findings, broken } = evaluationOf(new MemoryHistory().store, picture, [other, faulty]);
  expect(findings.map(({ code }) => code)).toEqual(['HUB_LOST']);
  expect(broken).toEqual([{ code: 'FLAPPING', error: 'TypeError: no port' }]);
});
