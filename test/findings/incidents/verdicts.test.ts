/**
 * How often `hostnode verdict` is right: random times of random phones in the incidents and the quiet months. An eighth of the
 * scenes; HOSTNODE_TEST_VERDICTS=all takes all (half a minute), whose figures docs/findings.md has.
 */
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { incidents, months } from './all.ts';
import { type Asked, verdictsIn } from './verdicts.ts';

const isAll = process.env.HOSTNODE_TEST_VERDICTS === 'all';
const WINDOWS = 24;
/** What was reached, percent; the goal: 95 % of "the lab's fault" are right, and nothing that was not watched is called fine. */
const FLOORS = { all: { precision: 99, recall: 89 }, part: { precision: 97, recall: 88 } };
const floors = isAll ? FLOORS.all : FLOORS.part;

it('says that it was the lab where it was, and calls no time fine that nobody watched', {
  timeout: 600_000,
}, async ({ task }) => {
  const scenes = [...incidents, ...months].filter((_, index) => isAll || index % 8 === 0);
  const asked: Asked[] = [];
  for (const scene of scenes) {
    asked.push(...verdictsIn(scene, WINDOWS));
    await setImmediate(); // whoever reports the test's life has a turn
  }
  const called = (answer: string) => asked.filter(({ verdict }) => verdict.verdict === answer);
  const lab = called('lab');
  const right = lab.filter(({ isLab }) => isLab).length;
  const hindered = asked.filter(({ isLab }) => isLab);
  const [precision, recall] = [(right * 100) / lab.length, (right * 100) / hindered.length];
  task.meta.findingScores = [
    `verdicts: ${right} of ${lab.length} "lab" right (${precision.toFixed(1)} %), ${right} of ${hindered.length} found, ${called('nothing').length} nothing, ${called('unwatched').length} not watched`,
  ];
  expect(called('nothing').filter(({ isBlind }) => isBlind)).toEqual([]);
  expect(called('nothing').filter(({ verdict }) => verdict.watchedRatio < 1)).toEqual([]);
  expect(lab.length).toBeGreaterThan(isAll ? 1000 : 80);
  expect(called('nothing').length).toBeGreaterThan(isAll ? 1000 : 80);
  expect.soft(precision).toBeGreaterThanOrEqual(floors.precision);
  expect(recall).toBeGreaterThanOrEqual(floors.recall);
});

it('is at least as often right as the document says', () => {
  const document = readFileSync(new URL('../../../docs/findings.md', import.meta.url), 'utf8');
  const { precision, recall } = FLOORS.all;
  expect(document).toContain(`at least ${precision} % of its answers "the lab's fault" are right`);
  expect(document).toContain(`at least ${recall} % of the times`);
});
