/** The page can be read and tapped: sizes of text and controls, and where things stand. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { HostStatus } from '../../src/status/host-status.ts';
import { describeWithChromium, PATIENCE_MS } from '../support/describe-with.ts';
import { sampleHost } from './sample-host.ts';
import { Viewer } from './viewer.ts';

const SMALLEST_TEXT_PX = 12;
const SMALLEST_TAP_PX = 24;

/** Visible text below 12 px, and controls below 24 px; a line each. */
const tooSmall = (page: Page) =>
  page.evaluate(
    ([text, tap]) => {
      const isSeen = (element: Element) => element.checkVisibility() && !element.closest('.unseen, [inert]');
      const named = (element: Element, size: unknown) =>
        `${element.className || element.localName} "${element.textContent?.slice(0, 20)}": ${size}`;
      const all = [...document.body.querySelectorAll('*')].filter(isSeen);
      const texts = all.filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()),
      );
      const small = texts.filter(
        (element) => Number.parseFloat(getComputedStyle(element).fontSize) < text - 0.01,
      );
      const controls = all.filter((element) => element.matches('a, button, input, summary'));
      const tight = controls.filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        return Math.min(width, height) < tap - 0.01;
      });
      return [
        ...small.map((element) => named(element, getComputedStyle(element).fontSize)),
        ...tight.map((element) => {
          const { width, height } = element.getBoundingClientRect();
          return named(element, `${width} × ${height}`);
        }),
      ];
    },
    [SMALLEST_TEXT_PX, SMALLEST_TAP_PX] as const,
  );

/** Tiles whose words are cut. */
const cut = (page: Page) =>
  page
    .locator('.tile :is(.name, .text)')
    .evaluateAll((all) =>
      all.flatMap((each) =>
        each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1
          ? each.textContent
          : [],
      ),
    );

const type = (page: Page) =>
  page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
const lacking = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);

/** A host without slots: its phones stand in one band. */
function loose(phones: number): HostStatus {
  const host = sampleHost({ phones, hasTroubles: false });
  const bays = host.phones.map(({ devpath = '', udid }) => ({ name: devpath, udid }));
  return { ...host, bands: [{ name: '', bays }] };
}

describeWithChromium('the sizes on the status page', () => {
  const host = sampleHost({ phones: 24 });
  let viewer: Viewer;
  let page: Page;
  beforeAll(async () => {
    viewer = await Viewer.start();
  });
  afterAll(() => viewer.close());
  afterEach(() => page.context().close());

  it.each([
    ['the rack', host, ''],
    ['the rack of a host with no phone', { ...sampleHost({ phones: 0 }), bands: [] }, ''],
    ['the table', host, '#table?filter=slot<1'],
    ['the panel', host, `#phone/${host.phones[4]?.udid}`],
    ['the wall', host, '#wall'],
  ])('%s has no text under 12 px and no control under 24 px', async (_, status, hash) => {
    page = await viewer.open(status, hash);
    await page.locator('details').evaluateAll((all) => {
      for (const details of all) (details as HTMLDetailsElement).open = true;
    });
    for (const width of [320, 400, 900, 1280, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, ...(await tooSmall(page))]).toEqual([width]);
    }
  });

  it('shows few phones on a wide screen in larger tiles with larger type', async () => {
    const sizes = [];
    for (const phones of [60, 3]) {
      page = await viewer.open(loose(phones), '', { viewport: { width: 1600, height: 900 } });
      const tile = page.locator('a.tile').first();
      const { width = 0, height = 0 } = (await tile.boundingBox()) ?? {};
      sizes.push({
        width,
        height,
        type: await tile.evaluate((each) => Number.parseFloat(getComputedStyle(each).fontSize)),
      });
      if (phones === 60) await page.context().close();
    }
    const [many, few] = sizes as [(typeof sizes)[0], (typeof sizes)[0]];
    expect(few.width).toBeGreaterThan(2 * many.width);
    expect(few.height).toBeGreaterThan(1.3 * many.height);
    expect(few.type).toBeGreaterThan(1.3 * many.type);
  });

  it.each([
    [900, [5, 5]],
    [400, [3, 3, 3, 1]],
  ])('parts a shelf of ten evenly at %i pixels', async (width, lines) => {
    page = await viewer.open(sampleHost({ phones: 12 }), '', { viewport: { width, height: 900 } });
    const tops = await page
      .locator('.shelf')
      .first()
      .locator('a.tile')
      .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top));
    expect([...Map.groupBy(tops, (top) => top).values()].map(({ length }) => length)).toEqual(lines);
  });

  it.each([24, 60])(
    'fits %i phones on a wall of 1280 × 720, also below the warning of old data',
    async (phones) => {
      page = await viewer.open(sampleHost({ phones }), '#wall', {}, { hasClock: true });
      expect(await lacking(page)).toBe(0);
      expect(await page.locator('.wall .stale').count()).toBe(0);
      viewer.served.answers = false;
      viewer.served.drop();
      await page.locator('.stale').waitFor();
      await page.clock.runFor(62_000);
      await page.locator('.stale.old').waitFor();
      expect(await lacking(page)).toBe(0);
      const last = await page.locator('.tile').last().boundingBox();
      expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(720);
      viewer.served.answers = true;
      viewer.complaints.length = 0;
    },
  );

  it('grows on a wall of 3840 × 2160 as the screen does', async () => {
    page = await viewer.open(loose(3), '#wall', { viewport: { width: 1920, height: 1080 } });
    const small = await type(page);
    await page.setViewportSize({ width: 3840, height: 2160 });
    await expect.poll(() => type(page), { timeout: PATIENCE_MS }).toBe(2 * small);
    expect(await lacking(page)).toBe(0);
  });

  it('makes the type on the wall smaller for what comes, and larger again when it is gone', async () => {
    page = await viewer.open(sampleHost(), '#wall', { viewport: { width: 1280, height: 900 } });
    const before = await type(page);
    expect(before).toBeGreaterThan(16);
    viewer.served.push({
      ...sampleHost(),
      causes: sampleHost().causes.flatMap((cause) =>
        [1, 2, 3].map((copy) => ({ ...cause, key: `${cause.key} ${copy}` })),
      ),
    });
    await page.locator('.causes li').nth(11).waitFor();
    viewer.served.push(sampleHost());
    await page.locator('.causes li').nth(4).waitFor({ state: 'detached' });
    await expect.poll(() => type(page), { timeout: PATIENCE_MS }).toBe(before);
  });

  it.each([
    [60, 1280, 720],
    [60, 1920, 1080],
    [24, 1280, 720],
    [12, 1920, 1080],
    [12, 3840, 2160],
  ])('cuts no word of %i phones on a wall of %i × %i', async (phones, width, height) => {
    page = await viewer.open(sampleHost({ phones }), '#wall', { viewport: { width, height } });
    expect(await cut(page)).toEqual([]);
    expect(await lacking(page)).toBe(0);
  });

  it.each([
    ['24 phones on shelves', sampleHost({ phones: 24 }), 280, 900],
    ['120 phones on shelves', sampleHost({ phones: 120 }), 1280, 720],
    ['120 phones on shelves', sampleHost({ phones: 120 }), 1920, 1080],
    ['500 phones on shelves', sampleHost({ phones: 500 }), 1920, 1080],
    ['500 phones on shelves', sampleHost({ phones: 500 }), 3840, 2160],
    ['500 phones without a slot', loose(500), 1920, 1080],
  ])('shows all of %s on a wall', async (_, status, width, height) => {
    page = await viewer.open(status, '#wall', { viewport: { width, height } });
    expect(await lacking(page)).toBe(0);
    expect(await page.locator('.tile:not(.empty):visible').count()).toBe(status.phones.length);
    expect(await page.locator('.more').textContent()).toBe('');
    expect(await tooSmall(page)).toEqual([]);
  });

  it('shows those that need attention of more phones than fit on a wall, and says how many more there are', async () => {
    const status = sampleHost({ phones: 500 });
    const phones = status.phones.map((phone, place) =>
      place < 490 ? phone : { ...phone, condition: 'needsAttention' as const, sign: 'locked' },
    );
    page = await viewer.open(status, '#wall');
    const trouble = page.locator('.tile.needsAttention:visible');
    const seen = async () => {
      expect(await lacking(page)).toBe(0);
      return page.locator('.tile:visible').count();
    };
    expect(await trouble.count()).toBe(10);
    expect(await page.locator('.more').textContent()).toBe(
      `+ ${500 - (await seen())} more, none needs attention`,
    );
    viewer.served.push({ ...status, phones });
    await expect.poll(() => trouble.count(), { timeout: PATIENCE_MS }).toBe(20);
    expect(await page.locator('.more').textContent()).toBe(
      `+ ${500 - (await seen())} more, none needs attention`,
    );
    viewer.served.push({
      ...status,
      phones: phones.map((phone) => ({ ...phone, condition: 'needsAttention' })),
    });
    await expect
      .poll(() => page.locator('.more').textContent(), { timeout: PATIENCE_MS })
      .toMatch(/^\+ (\d+) more, \1 need attention$/);
    await page.setViewportSize({ width: 3840, height: 2160 });
    await expect.poll(() => page.locator('.more').textContent(), { timeout: PATIENCE_MS }).toBe('');
    expect(await seen()).toBe(502);
    await page.setViewportSize({ width: 1280, height: 720 });
    await expect.poll(() => page.locator('.more').textContent(), { timeout: PATIENCE_MS }).not.toBe('');
    await page.keyboard.press('Escape');
    await page.locator('html:not(.wall)').waitFor();
    expect(await page.locator('.tile:visible').count()).toBe(502);
  });

  it('has the title of each column of numbers over the numbers', async () => {
    page = await viewer.open(host, '#table?sort=-battery');
    const edges = await page.evaluate(() => {
      const edge = (element: Element | null, side: 'left' | 'right') => {
        const range = document.createRange();
        if (element?.lastChild) range.selectNodeContents(element.lastChild);
        return Math.round(range.getBoundingClientRect()[side]);
      };
      return [...document.querySelectorAll('thead th:not(:last-child)')].map((head, index) => {
        const cell = document.querySelector(`tbody tr:first-child > :nth-child(${index + 1})`);
        const side = head.classList.contains('number') ? 'right' : 'left';
        return [head.textContent, edge(head.querySelector('.title'), side) - edge(cell, side)];
      });
    });
    expect(edges.filter(([, apart]) => Math.abs(Number(apart)) > 1)).toEqual([]);
    expect(edges).toHaveLength(11);
  });

  it('keeps the names in view while the columns scroll, and says that there are more', async () => {
    page = await viewer.open(host, '#table', { viewport: { width: 400, height: 800 } });
    const name = page.locator('tbody th').first();
    const left = async () => (await name.boundingBox())?.x;
    const before = await left();
    const more = page.getByRole('button', { name: 'More columns' });
    const scrolled = () => page.locator('.scroller').evaluate(({ scrollLeft }) => scrollLeft);
    await more.click();
    await expect.poll(scrolled).toBeGreaterThan(100);
    expect(await left()).toBe(before);
    await page.locator('.scroller').evaluate((box) => box.scrollTo({ left: box.scrollWidth }));
    await more.waitFor({ state: 'detached' });
    expect(await left()).toBe(before);
    await page.setViewportSize({ width: 1600, height: 800 });
    expect(await more.count()).toBe(0);
  });
});
