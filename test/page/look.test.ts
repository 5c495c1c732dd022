/** How the page looks: at every width, in both schemes, in every view. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HostStatus } from '../../src/status/host-status.ts';
import { describeWithChromium } from '../support/describe-with.ts';
import { sampleHost } from './sample-host.ts';
import { Viewer } from './viewer.ts';

const WIDTHS = [320, 390, 768, 1280, 1920, 3840];
const SCHEMES = ['light', 'dark'] as const;
/** The widths at which the colours of the other scheme are looked at, and the only rule of axe that looks at colours. */
const DARK_WIDTHS: readonly number[] = [320, 1280];
const COLOURS = ['color-contrast'];

/** What axe, which is in the page already, finds wrong; a line each. */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
      ...(runOnly && { runOnly }),
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }, rules);
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describeWithChromium('the look of the status page', () => {
  let viewer: Viewer;
  beforeAll(async () => {
    viewer = await Viewer.start();
  });
  afterAll(() => viewer.close());

  const host = sampleHost({ phones: 24 });
  const hot = host.phones[4]?.udid;
  const views: [string, string][] = [
    ['the rack', ''],
    ['the rack with a filter', '#rack?filter=unplugged+modl:x'],
    ['the panel of a phone', `#phone/${hot}`],
    ['the panel of a shelf', `#place/${encodeURIComponent('rack 1, shelf 1')}`],
    ['the table', '#table?sort=-temp'],
    ['the wall', '#wall'],
  ];

  it.each(views)('%s is sound at all widths, light and dark', async (_, hash) => {
    viewer.complaints.length = 0;
    const page = await viewer.open(host, hash);
    await page.evaluate(axe.source); // not as a script element, which the policy would refuse
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      expect([width, await overflow(page), await violations(page)]).toEqual([
        width,
        expect.toSatisfy((pixels: number) => pixels <= 0),
        [],
      ]);
      if (!DARK_WIDTHS.includes(width)) continue;
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([width, await violations(page, COLOURS)]).toEqual([width, []]);
    }
    await page.context().close();
    expect(viewer.complaints).toEqual([]);
  });

  const lost: HostStatus = {
    ...host,
    causes: [
      {
        key: 'cloud',
        kind: 'cloud',
        title: 'The cloud rejects our reports',
        remedy: 'Check cloud.apiKeyFile',
        said: `${'a word '.repeat(30)}${'w'.repeat(200)}`,
        command: 'hostnode doctor',
        since: host.takenAt - 300_000,
        udids: [],
      },
      ...host.causes,
    ],
    adb: {
      address: '127.0.0.1:5037',
      state: 'unreachable',
      failure: 'connect ECONNREFUSED',
      since: host.takenAt - 90_000,
    },
    reports: {
      failure: `it answers HTTP 503 ${'and does not mend '.repeat(9)}`,
      failingSince: host.takenAt - 300_000,
    },
  };
  const empty: HostStatus = {
    ...sampleHost({ phones: 0 }),
    bands: [],
    reports: { notReporting: 'no cloud configured' },
  };

  it.each([
    ['lost its adb server and its cloud', lost],
    ['has no phone', empty],
    ['has nothing to complain of', sampleHost({ phones: 30, hasTroubles: false })],
  ])('a host that %s is shown soundly', async (_, status) => {
    for (const width of [320, 1280]) {
      const page = await viewer.open(status, '', { viewport: { width, height: 720 }, colorScheme: 'dark' });
      await page.evaluate(axe.source);
      expect(await violations(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      if (status === lost) expect(await page.locator('.tile', { hasText: /[%°]/ }).count()).toBe(0);
      await page.context().close();
    }
    expect(viewer.complaints).toEqual([]);
  });

  it('the list of keys is sound', async () => {
    const page = await viewer.open(host);
    await page.evaluate(axe.source);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
    }
    await page.context().close();
  });

  it('the notices are sound, those of the host too', async () => {
    const [notice] = host.notices;
    if (notice === undefined) throw new Error('the sample has no notice');
    const ofHost = { ...notice, key: 'host', subject: 'host' as const, udids: [], title: 'w'.repeat(300) };
    const page = await viewer.open({ ...host, notices: [notice, ofHost] });
    await page.evaluate(axe.source);
    await page.getByRole('button', { name: '2 notices' }).click();
    for (const width of [320, 1280])
      for (const colorScheme of SCHEMES) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        expect(await violations(page)).toEqual([]);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
      }
    await page.context().close();
  });

  it('shows sixty phones and three problems on 1280 × 720 without scrolling', async () => {
    const status = sampleHost({ phones: 62 });
    const [, ...causes] = status.causes;
    const page = await viewer.open({
      ...status,
      causes,
      bands: status.bands.filter(({ name }) => name !== ''),
    });
    expect(await page.locator('a.tile').count()).toBe(60);
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
    await page.context().close();
  });

  it('shows three tiles in a row at 320 pixels', async () => {
    const page = await viewer.open(host, '', { viewport: { width: 320, height: 700 } });
    const tops = await page
      .locator('a.tile')
      .evaluateAll((tiles) => tiles.slice(0, 4).map((tile) => tile.getBoundingClientRect().top));
    expect(new Set(tops.slice(0, 3)).size).toBe(1);
    expect(tops[3]).toBeGreaterThan(tops[0] ?? Number.NaN);
    await page.context().close();
  });

  it('shows the wall in type up to twice as large, and all of it', async () => {
    const small = await viewer.open(sampleHost({ phones: 12 }), '#wall', {
      viewport: { width: 1920, height: 1080 },
    });
    expect(await small.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    expect(await small.locator('a, button').count()).toBe(0);
    await small.context().close();
    const large = await viewer.open(sampleHost(), '#wall', { viewport: { width: 1920, height: 1080 } });
    expect(await large.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
    await large.context().close();
  });

  it('draws a change of a host of 200 phones with one write to each of them at most', async () => {
    const status = sampleHost({ phones: 200 });
    const page = await viewer.open(status);
    expect(await page.locator('a.tile').count()).toBe(200);
    await page.evaluate(() => {
      const touched = { all: 0, tiles: 0 };
      Object.assign(globalThis, { touched });
      new MutationObserver((mutations) => {
        const elements = mutations.map(({ target }) =>
          target instanceof Element ? target : target.parentElement,
        );
        touched.all += elements.length;
        touched.tiles += elements.filter((element) => element?.closest('a.tile')).length;
      }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    });
    for (let change = 1; change <= 5; change += 1) {
      viewer.served.push({ ...status, counts: { ...status.counts, fine: 1000 + change } });
      await page.locator('.count.fine b', { hasText: String(1000 + change) }).waitFor();
    }
    const touched = await page.evaluate(
      () => (globalThis as unknown as { touched: { all: number; tiles: number } }).touched,
    );
    expect(touched.all).toBeGreaterThanOrEqual(5);
    expect(touched.tiles).toBeLessThanOrEqual(5 * 200);
    await page.context().close();
  });
});
