/** What the plots of a phone's panel draw. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Sample } from '../../src/status/host-status.ts';
import { dayLong, lonely, monthsLong } from '../../src/status/page/plot-times.ts';
import { describeWithChromium } from '../support/describe-with.ts';
import { sampleHost } from './sample-host.ts';
import { Viewer } from './viewer.ts';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 21, 12);

it('spans a day up to now, or as many whole days as there are bars', () => {
  expect([dayLong.begin(NOON), dayLong.end(NOON)]).toEqual([NOON - 24 * 60 * MINUTE, NOON]);
  const hours = (monthsLong.end(NOON) - monthsLong.begin(NOON)) / (60 * MINUTE);
  expect(Math.round(hours / 24)).toBe(90);
  expect(new Date(monthsLong.begin(NOON)).getHours()).toBe(0);
});

it('gives a point to each of few values, and of many to those that no line reaches', () => {
  expect(lonely([])).toEqual([]);
  expect(lonely([null, 5, 6, null])).toEqual([1, 2]);
  const many = Array.from({ length: 40 }, (_, index) => index);
  expect(lonely(many)).toEqual([]);
  expect(lonely([7, null, ...many, null, 8])).toEqual([0, 43]);
});

interface Drawn {
  ticks: string[];
  all: string[];
  points: number;
  dashes: number;
}

describeWithChromium('a plot', () => {
  let viewer: Viewer;
  let page: Page;
  beforeAll(async () => {
    viewer = await Viewer.start();
  });
  afterAll(() => viewer.close());
  afterEach(() => page.context().close());

  /** The texts and the number of points that the first plot draws. */
  async function drawn(samples: Sample[]): Promise<Drawn> {
    const host = sampleHost({ phones: 3, now: NOON });
    viewer.served.history = samples;
    const context = await viewer.newContext({ timezoneId: 'UTC' });
    page = await context.newPage();
    await page.clock.setFixedTime(NOON);
    await page.addInitScript(() => {
      const seen = { ticks: new Set<string>(), points: 0, dashes: 0 };
      const { setLineDash } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.setLineDash = function (pattern) {
        if ([...pattern].length > 0) seen.dashes += 1;
        return setLineDash.call(this, pattern);
      };
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
    const { ticks, points, dashes } = await page.evaluate(() => {
      const { seen } = globalThis as unknown as {
        seen: { ticks: Set<string>; points: number; dashes: number };
      };
      return { ...seen, ticks: [...seen.ticks] };
    });
    return { ticks: ticks.filter((text) => text.includes(':')), all: ticks, points, dashes };
  }

  it('shows one sample as a point, on the axis of the whole day with units, and where it is too hot', async () => {
    const shown = await drawn([{ at: NOON, levelRatio: 0.5, temperatureCelsius: 25 }]);
    expect(shown.points).toBeGreaterThanOrEqual(2);
    expect(shown.ticks.length).toBeGreaterThan(3);
    expect(shown.ticks.filter((tick) => !/^\d\d:00$/.test(tick))).toEqual([]);
    expect(shown.all).toEqual(expect.arrayContaining(['100 %', '20 °C', '40 °C']));
    expect(shown.dashes).toBeGreaterThan(0);
    expect(await page.locator('.plot figcaption').first().textContent()).toBe('Battery last 50\u00a0%');
  });

  it('has the same axis for samples of half an hour', async () => {
    const samples = [0, 5, 30].map((minutes) => ({
      at: NOON - minutes * MINUTE,
      levelRatio: 0.5,
      temperatureCelsius: 25,
    }));
    const shown = await drawn(samples.reverse());
    expect(shown.points).toBeGreaterThanOrEqual(6);
    expect(shown.ticks.filter((tick) => !/^\d\d:00$/.test(tick))).toEqual([]);
  });
});
