/** The picture in the documents. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithChromium } from '../support/describe-with.ts';
import { pictureOf, wordsIn } from './picture.ts';
import { Viewer } from './viewer.ts';

describeWithChromium('the picture of the page', () => {
  let viewer: Viewer;
  beforeAll(async () => {
    viewer = await Viewer.start();
  });
  afterAll(() => viewer.close());

  it('is the same on each run', async () => {
    expect((await pictureOf(viewer)).equals(await pictureOf(viewer))).toBe(true);
  });

  it('in the documents says what the page says now: else run npm run screenshot', async () => {
    const words = wordsIn(readFileSync(new URL('../../docs/status-page.png', import.meta.url)));
    expect(words).toBe(wordsIn(await pictureOf(viewer)));
  });
});
