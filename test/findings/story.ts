/**
 * A labelled scene: what a host recorded in 30 days, and which findings must come of it; no other finding may.
 *
 * To add a story: write `test/findings/stories/NAME.ts`, which exports `stories: Story[]`, and name it in
 * `test/findings/all-stories.ts`. A story tells a `SceneLab` what happened, from what a lab would see, and says by
 * `lab.expect` what must be found. `ordinaryLife` adds what happens in every lab. Call it last: it leaves alone who is
 * busy or pinned; call it first where all that sit somewhere at a moment must go. `lab.now` is the
 * moment of the judgement. What the picture has beside its phones is set by `lab.picture`, what a phone has by
 * `phone.picture`, and readings by `lab.samples`.
 *
 *     export const stories: Story[] = [
 *       {
 *         name: 'a port that loses every phone',
 *         tell(lab) {
 *           const phone = lab.random.pick(lab.usbPhones);
 *           for (const at of lab.times(4, 6 * DAY)) lab.lose(phone, at, { awayMs: 4 * SECOND });
 *           lab.expect('PORT_UNSTABLE', lab.portKey(phone));
 *           ordinaryLife(lab);
 *         },
 *       },
 *     ];
 */

import { type Scene, SceneLab } from './scene.ts';

export interface Story {
  name: string;
  tell(lab: SceneLab): void;
}

/** A scene of each story and seed, one after the other: a thousand at once fill the memory. */
export function* scenesOf(stories: readonly Story[], seeds: readonly number[]): Generator<Scene> {
  for (const story of stories)
    for (const seed of seeds) {
      const lab = new SceneLab(seed * 7919 + hashed(story.name));
      story.tell(lab);
      yield lab.scene(`${story.name}, seed ${seed}`);
    }
}

const hashed = (text: string): number =>
  [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7);
