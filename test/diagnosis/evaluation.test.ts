import { expect, it, vi } from 'vitest';
import { evaluationOf } from '../../src/diagnosis/evaluation.ts';
import type { Rule } from '../../src/diagnosis/rule.ts';
import { MemoryHistory } from '../support/memory-history.ts';
import { finding } from '../support/sample-finding.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const picture = { at: NOW, isAdbListed: true, phones: [] };

const ruleOf = (evaluate: Rule['evaluate'], code = 'FLAPPING'): Rule => ({
  code,
  severity: 'major',
  evaluate,
});

it('gives the rules events and readings, and names at most 100 events as evidence', async () => {
  const history = new MemoryHistory({ now: () => NOW });
  await history.record(
    Array.from({ length: 150 }, () => ({ kind: 'detached', udid: 'A', at: NOW, where: {} }) as const),
  );
  history.sample([{ udid: 'A', at: NOW - 600_000, levelPercent: 80 }]);
  const byEvents = ruleOf(({ events, samplesOf }) => [
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
  const byReadings = ruleOf(({ samplesOf }) => {
    samplesOf('A', NOW - 1000, { isFull: true });
    return [];
  });
  evaluationOf(store, picture, [byReadings]);
  expect(asked.mock.calls).toEqual([['A', NOW - 1000, { isFull: true }]]);
});

it('says which rule broke', () => {
  const faulty = ruleOf(() => {
    throw new TypeError('no port');
  });
  const other = ruleOf(() => [finding('HUB_LOST')], 'HUB_LOST');
  const { findings, broken } = evaluationOf(new MemoryHistory().store, picture, [other, faulty]);
  expect(findings.map(({ code }) => code)).toEqual(['HUB_LOST']);
  expect(broken).toEqual([{ code: 'FLAPPING', error: new TypeError('no port') }]);
});
