import { expect, it } from 'vitest';
import { evaluate } from '../../../src/diagnosis/evaluate.ts';
import { storageFilling } from '../../../src/diagnosis/rules/storage.ts';
import { contextOf, NOW, phoneOf, readings } from '../../findings/phones.ts';

const DAY = 86_400_000;
const GB = 1e9;
const totalBytes = 100 * GB;

/** Used gigabytes by the days ago, for a week. */
const judged = (used: (daysAgo: number) => number, days = 7) => {
  const samples = readings(days * DAY, (at) => ({
    storageUsedBytes: Math.round(used((NOW - at) / DAY) * GB),
  }));
  const storage = { totalBytes, usedBytes: Math.round(used(0) * GB) };
  return evaluate([storageFilling], contextOf([phoneOf('A', { storage })], { A: samples }));
};

it('says when it will be full, and how fast it grows', () => {
  const findings = judged((daysAgo) => 87 - 2 * daysAgo);
  expect(findings).toMatchObject([
    {
      code: 'STORAGE_FILLING',
      severity: 'minor',
      subject: { kind: 'phone', key: 'A' },
      title: 'The storage of A will be full in about 5 days: it grows by 2.0 GB a day',
      udids: ['A'],
    },
  ]);
  expect(findings[0]?.since).toBe(NOW - 7 * DAY + 300_000);
});

it.each<[string, (daysAgo: number) => number, number?]>([
  ['does not grow', () => 94],
  ['is full already', (daysAgo) => 97 - daysAgo],
  ['has weeks left', (daysAgo) => 60 - 2 * daysAgo],
  ['shrinks', (daysAgo) => 60 + 4 * daysAgo],
  ['was filled once', (daysAgo) => (daysAgo < 3.5 ? 93 : 80)],
  ['has stopped growing', (daysAgo) => (daysAgo < 3 ? 90 : 90 - 4 * (daysAgo - 3))],
  ['is cleaned each night', (daysAgo) => 70 + 24 * (1 - (daysAgo % 1))],
  ['is known for three days only', (daysAgo) => 90 - 4 * daysAgo, 3],
])('is silent about storage that %s', (_what, used, days) => {
  expect(judged(used, days)).toEqual([]);
});

it('counts no day of which hours alone are known', () => {
  const nights = readings(7 * DAY, (at) => ({
    storageUsedBytes: Math.round((88 - (2 * (NOW - at)) / DAY) * GB),
  })).filter(({ at }) => at % DAY < DAY / 6);
  const storage = { totalBytes, usedBytes: 88 * GB };
  expect(evaluate([storageFilling], contextOf([phoneOf('A', { storage })], { A: nights }))).toEqual([]);
});
