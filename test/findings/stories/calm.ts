/** Labs in which nothing is wrong. */
import { ordinaryLife } from '../ordinary-life.ts';
import type { Story } from '../story.ts';

export const stories: Story[] = [
  { name: 'an ordinary month', tell: (lab) => ordinaryLife(lab) },
  { name: 'a month in which everybody takes phones', tell: (lab) => ordinaryLife(lab, { taken: 5 }) },
  {
    name: 'a month in a lab where all phones drop out now and then',
    tell: (lab) => ordinaryLife(lab, { glitches: 0.8 }),
  },
  { name: 'a month in which nobody comes', tell: (lab) => ordinaryLife(lab, { taken: 0, glitches: 0 }) },
];
