/** What the plots of a phone's panel draw. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Sample } from '../../src/status/host-status.ts';
import { lonely, timeRange } from '../../src/status/page/plot-times.ts';
import { describeWithChromium, PATIENCE_MS } from '../support/describe-with.ts';
import { sampleHost } from './sample-host.ts';
import { Viewer } from './viewer.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 21, 12);

it('spans what the samples span, but not less than ten minutes', () => {
  expect(timeRange(1000, 1000)).toEqual([700, 1300]);
  expect(timeRange(1000, 1300)).toEqual([850, 1450]);
  expect(timeRange(0, 86_400)).toEqual([0, 86_400]);
});

it('gives a point to each of few values, and of many to those that no line reaches', () => {
  expect(lonely([])).toEqual([]);
  expect(lonely([null, 5, 6, null])).toEqual([1, 2]);
  const many = Array.from({ length: 40 }, (_, index) => index);
  expect(lonely(many)).toEqual([]);
  expect(lonely([7, null, ...many, null, 8])).toEqual([0, 43]);
});

describeWithChromium('a plot', () => {
  let viewer: Viewer;
  let page: Page;
  beforeAll(async () => {
    viewer = await Viewer.start();
  }, PATIENCE_MS);
  afterAll(() => viewer.close());
  afterEach(() => page.context().close());

  /** The texts and the number of points that the first plot draws. */
  async function drawn(samples: Sample[]): Promise<{ ticks: string[]; points: number }> {
    const host = sampleHost({ phones: 3, now: NOON });
    viewer.served.history = samples;
    const context = await viewer.newContext({ timezoneId: 'UTC' });
    page = await context.newPage();
    await page.clock.setFixedTime(NOON);
    await page.addInitScript(() => {
      const seen = { ticks: new Set<string>(), points: 0 };
      Object.assign(globalThis, { seen });
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        seen.ticks.add(text);
        return fillText.call(this, text, ...place);
      };
      const { arc } = Path2D.prototype;
      Path2D.prototype.arc = function (...circle) {
        seen.points += 1;
        return arc.apply(this, circle);
      };
    });
    viewer.served.push(host);
    await page.goto(`${viewer.served.origin}/#phone/${host.phones[0]?.udid}`);
    await page.locator('.plot canvas').nth(1).waitFor();
    const { ticks, points } = await page.evaluate(() => {
      const { seen } = globalThis as unknown as { seen: { ticks: Set<string>; points: number } };
      return { ticks: [...seen.ticks], points: seen.points };
    });
    return { ticks: ticks.filter((text) => text.includes(':')), points };
  }

  it('shows one sample as a point, on an axis of minutes around it', async () => {
    const { ticks, points } = await drawn([{ at: NOON, levelRatio: 0.5, temperatureCelsius: 25 }]);
    expect(points).toBeGreaterThanOrEqual(2);
    expect(ticks).toEqual(expect.arrayContaining(['11:56', '11:58', '12:00', '12:02', '12:04']));
  });

  it('shows three samples on an axis of the time they span', async () => {
    const samples = [0, 5, 30].map((minutes) => ({
      at: NOON - minutes * MINUTE,
      levelRatio: 0.5,
      temperatureCelsius: 25,
    }));
    const { ticks, points } = await drawn(samples.reverse());
    expect(points).toBeGreaterThanOrEqual(6);
    expect(ticks).toEqual(['11:30', '11:35', '11:40', '11:45', '11:50', '11:55', '12:00']);
  });
});
