/** What USB shows may only make findings better: scenes with and without it. */
import { describe, expect, it } from 'vitest';
import { findingsIn } from '../support/findings-in.ts';
import { withBus, withoutBus } from './bus.ts';
import { type Score, scoresOf } from './score.ts';
import { stories as behaviour } from './stories/behaviour.ts';
import { stories as ofBus } from './stories/bus.ts';
import { stories as cables } from './stories/cables.ts';
import { stories as hosts } from './stories/hosts.ts';
import { stories as hubs } from './stories/hubs.ts';
import { stories as sickHubs } from './stories/sick-hubs.ts';
import { scenesOf } from './story.ts';

const faults = (scores: readonly Score[]): string[] => scores.flatMap(({ where }) => where).toSorted();

describe('what USB showed', () => {
  it('is what decides in the stories about it', () => {
    const scenes = scenesOf(ofBus, [1, 2, 3, 4]);
    expect(faults(scoresOf(scenes, findingsIn))).toEqual([]);
    const wrongWithout = scenes.filter((scene) =>
      scoresOf([withoutBus(scene)], findingsIn).some(({ where }) => where.length > 0),
    );
    const names = new Set(wrongWithout.map(({ name }) => name.split(', seed')[0]));
    expect([...names]).toEqual(ofBus.map(({ name }) => name));
  });

  it('costs no finding of the other stories about losses, and makes no other one', {
    timeout: 240_000,
  }, () => {
    const others = scenesOf([...behaviour, ...cables, ...hosts, ...hubs, ...sickHubs], [1]);
    const without = faults(scoresOf(others, findingsIn));
    const withIt = faults(scoresOf(others.map(withBus), findingsIn));
    expect(withIt.filter((fault) => !without.includes(fault))).toEqual([]);
  });
});
