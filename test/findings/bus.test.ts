/** What USB shows may only make findings better: scenes with and without it. */
import { describe, expect, it } from 'vitest';
import { withBus, withoutBus } from './bus.ts';
import { judged, precision, recall, type Score, scoresOf } from './score.ts';
import { stories as behaviour } from './stories/behaviour.ts';
import { stories as ofBus } from './stories/bus.ts';
import { stories as cables } from './stories/cables.ts';
import { stories as hosts } from './stories/hosts.ts';
import { stories as hubs } from './stories/hubs.ts';
import { stories as sickHubs } from './stories/sick-hubs.ts';
import { scenesOf } from './story.ts';

const faults = (scores: readonly Score[]): string[] => scores.flatMap(({ where }) => where).toSorted();

/** Of all codes together. */
function figures(scores: readonly Score[]): string {
  const sum = (key: 'right' | 'wrong' | 'missed') => scores.reduce((all, score) => all + score[key], 0);
  const total = { right: sum('right'), wrong: sum('wrong'), missed: sum('missed') } as Score;
  return `precision ${precision(total).toFixed(3)}, recall ${recall(total).toFixed(3)}`;
}

/** For the end of the output. */
const said = (scenes: number, without: readonly Score[], withIt: readonly Score[]): string[] => [
  `${scenes} scenes without what USB shows: ${figures(without)}; with it: ${figures(withIt)}`,
];

describe('what USB showed', () => {
  it('is what decides in the stories about it', ({ task }) => {
    const scenes = [...scenesOf(ofBus, [1, 2, 3, 4])];
    const withIt = scoresOf(judged(scenes));
    expect(faults(withIt)).toEqual([]);
    task.meta.findingScores = said(scenes.length, scoresOf(judged(scenes.map(withoutBus))), withIt);
    const wrongWithout = scenes.filter((scene) =>
      scoresOf(judged([withoutBus(scene)])).some(({ where }) => where.length > 0),
    );
    const names = new Set(wrongWithout.map(({ name }) => name.split(', seed')[0]));
    expect([...names]).toEqual(ofBus.map(({ name }) => name));
  });

  it('costs no finding of the other stories about losses, and makes no other one', {
    timeout: 240_000,
  }, ({ task }) => {
    const others = [...scenesOf([...behaviour, ...cables, ...hosts, ...hubs, ...sickHubs], [1])];
    const without = scoresOf(judged(others));
    const withIt = scoresOf(judged(others.map(withBus)));
    task.meta.findingScores = said(others.length, without, withIt);
    expect(faults(withIt).filter((fault) => !faults(without).includes(fault))).toEqual([]);
  });
});
