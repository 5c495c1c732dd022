/** What happens on the page while somebody looks at it. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { HostStatus, PhoneStatus } from '../../src/status/host-status.ts';
import { describeWithChromium, PATIENCE_MS } from '../support/describe-with.ts';
import { sampleHost } from './sample-host.ts';
import { Viewer } from './viewer.ts';

/** The same host, with one phone changed. */
function changed(status: HostStatus, place: number, change: Partial<PhoneStatus>): HostStatus {
  const phones = status.phones.map((phone, index) => (index === place ? { ...phone, ...change } : phone));
  return { ...status, phones, takenAt: status.takenAt + 1000 };
}

const trouble = (status: HostStatus, udid: string): HostStatus => ({
  ...status,
  causes: [
    ...status.causes,
    {
      key: `locked ${udid}`,
      kind: 'locked',
      title: 'Nexus 5 is locked since it started',
      remedy: 'Unlock it once on the phone',
      since: status.takenAt,
      udids: [udid],
    },
  ],
});

const locked = {
  condition: 'needsAttention',
  sign: 'locked',
  message: 'Unlock it once on the phone',
} as const;

/** Where each tile and row is. */
const positions = (page: Page, of = 'a.tile') =>
  page.locator(of).evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y } = element.getBoundingClientRect();
      return [element.textContent?.slice(0, 5), x, y];
    }),
  );

/** As if its tab were hidden or shown; a browser without a window hides none. */
const turn = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

describeWithChromium('the live status page', () => {
  let viewer: Viewer;
  let page: Page;
  beforeAll(async () => {
    viewer = await Viewer.start();
  });
  afterAll(() => viewer.close());
  afterEach(async () => {
    await page.context().close();
    expect(viewer.complaints.splice(0)).toEqual([]);
  });

  it.each(['assets/page.js', 'api/events'])(
    'says that it connects while %s is not there yet',
    async (path) => {
      const context = await viewer.newContext();
      page = await context.newPage();
      const asked = page.waitForRequest(`**/${path}`);
      await page.route(`**/${path}`, () => undefined); // never answered
      await page.goto(viewer.served.origin, { waitUntil: 'commit' });
      await asked;
      await page.getByText('connecting…').waitFor();
    },
  );

  it('names its tab by the host and its troubles', async () => {
    page = await viewer.open(sampleHost());
    await vi.waitFor(async () => expect(await page.title()).toBe('(10) lab-07'), PATIENCE_MS);
    const icon = () => page.locator('link[rel=icon]').getAttribute('href');
    const red = await icon();
    viewer.served.push(sampleHost({ hasTroubles: false }));
    await vi.waitFor(async () => expect(await page.title()).toBe('lab-07'), PATIENCE_MS);
    expect(red).toMatch(/^data:image\/svg\+xml,/);
    expect(await icon()).not.toBe(red);
  });

  it('shows a change at once, flashes once, and moves no tile under the pointer', async () => {
    const status = sampleHost({ phones: 24 });
    page = await viewer.open(status);
    const tile = page.locator('a.tile').nth(15);
    await tile.hover();
    const before = await positions(page);
    await page.evaluate(() => {
      const [animate, flashed] = [Element.prototype.animate, [] as string[]];
      Object.assign(globalThis, { flashed });
      Element.prototype.animate = function (frames, options) {
        const animation = animate.call(this, frames, options);
        if (this.matches('a.tile')) flashed.push(`${animation.id} ${this.getAttribute('href')}`);
        return animation;
      };
    });
    viewer.served.push(trouble(changed(status, 15, locked), status.phones[15]?.udid ?? ''));
    await tile.locator('.sign', { hasText: 'locked' }).waitFor();
    expect(await page.evaluate(() => Reflect.get(globalThis, 'flashed'))).toEqual([
      `flash ${await tile.getAttribute('href')}`,
    ]);
    expect(await page.locator('.causes li').count()).toBe(4);
    expect(await positions(page)).toEqual(before);
    await page.mouse.move(1, 1);
    await vi.waitFor(async () => expect(await positions(page)).not.toEqual(before), PATIENCE_MS); // now there is room
  });

  it('does not flash for those who asked for less motion', async () => {
    const status = sampleHost({ phones: 24 });
    page = await viewer.open(status, '', { reducedMotion: 'reduce' });
    viewer.served.push(changed(status, 15, locked));
    const tile = page.locator('a.tile').nth(15);
    await tile.locator('.sign', { hasText: 'locked' }).waitFor();
    expect(await tile.evaluate((element) => element.getAnimations().length)).toBe(0);
  });

  it('tells those who hear it of new causes only', async () => {
    const status = sampleHost({ phones: 24 });
    page = await viewer.open(status);
    const heard = page.locator('[aria-live]');
    expect(await heard.count()).toBe(1);
    expect(await heard.textContent()).toBe('');
    const troubled = trouble(status, status.phones[15]?.udid ?? '');
    viewer.served.push(troubled);
    await page.locator('.causes li', { hasText: 'Nexus 5 is locked' }).waitFor();
    await vi.waitFor(
      async () =>
        expect(await heard.textContent()).toBe(
          'Nexus 5 is locked since it started. Unlock it once on the phone',
        ),
      PATIENCE_MS,
    );
  });

  it('says that the connection is lost, comes back by itself, and says it no more', async () => {
    const status = sampleHost({ phones: 12 });
    page = await viewer.open(status);
    viewer.served.answers = false;
    viewer.served.drop();
    await page.getByText('No connection to the agent since').waitFor();
    await vi.waitFor(async () => expect(await page.title()).toContain('no connection'), PATIENCE_MS);
    const asked = viewer.served.connections;
    await vi.waitFor(() => expect(viewer.served.connections).toBeGreaterThan(asked), PATIENCE_MS);
    viewer.served.answers = true;
    await page.getByText('No connection to the agent since').waitFor({ state: 'detached' });
    viewer.served.push(sampleHost({ phones: 12, hasTroubles: false }));
    await page.getByText('All 12 phones fine').waitFor();
    viewer.complaints.splice(0); // the browser's own words about the 503
  });

  it('asks when the stream is quiet, and lets a stream go that died without a word', async () => {
    const status = sampleHost({ phones: 12 });
    page = await viewer.open(status, '', {}, { hasClock: true });
    const asked = page.waitForRequest('**/api/status');
    await page.clock.fastForward(26_000);
    await asked;
    expect(await page.locator('.stale').count()).toBe(0);
    viewer.served.answers = false;
    await page.clock.fastForward(26_000);
    await page.getByText('No connection to the agent since').waitFor();
    viewer.served.answers = true;
    viewer.complaints.splice(0);
  });

  it('says on the wall in red when what it shows is older than a minute', async () => {
    page = await viewer.open(sampleHost({ phones: 12 }), '#wall', {}, { hasClock: true });
    viewer.served.answers = false;
    viewer.served.drop();
    await page.locator('.stale').waitFor();
    await page.clock.runFor(62_000);
    const old = page.getByText('Old: no data from the agent for 1 min');
    await old.waitFor();
    const [ground, text] = await old.evaluate((element) => {
      const { backgroundColor } = getComputedStyle(element.parentElement ?? element);
      return [backgroundColor, getComputedStyle(element).color];
    });
    expect([ground, text]).toEqual(['rgb(179, 32, 26)', 'rgb(255, 255, 255)']);
    viewer.served.answers = true;
    viewer.complaints.splice(0);
  });

  it('says nothing of the cloud and adb beside the words that all is old', async () => {
    page = await viewer.open(sampleHost({ phones: 12 }), '', {}, { hasClock: true });
    const cloud = page.getByText('cloud: reported');
    await cloud.waitFor();
    viewer.served.answers = false;
    viewer.served.drop();
    await page.locator('.stale').waitFor();
    await page.clock.runFor(62_000);
    await page.locator('.stale.old').waitFor();
    expect(await cloud.isVisible()).toBe(false);
    viewer.served.answers = true;
    viewer.complaints.splice(0);
  });

  it('lets a seventh tab be opened beside six hidden ones', async () => {
    page = await viewer.open(sampleHost({ phones: 12 }));
    for (let tab = 1; tab <= 7; tab += 1) {
      const other = await page.context().newPage();
      await other.goto(viewer.served.origin);
      await other.locator('.summary').waitFor({ timeout: 20_000 });
      if (tab < 7) await turn(other, 'hidden');
    }
  });

  it('follows on while it is hidden, and when it is shown has the newest at once and was never old', async () => {
    const [status, fine] = [sampleHost({ phones: 12 }), sampleHost({ phones: 12, hasTroubles: false })];
    page = await viewer.open(status, '', {}, { hasClock: true });
    await turn(page, 'hidden');
    viewer.served.push(fine);
    await page.clock.runFor(26_000);
    await vi.waitFor(async () => expect(await page.title()).toBe('lab-07'), PATIENCE_MS);
    await page.clock.setSystemTime(Date.now() + 3_600_000); // asleep
    let answer = () => {};
    const asleep = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/events', (route) => asleep.then(() => route.continue()));
    await turn(page, 'visible');
    await page.clock.runFor(2000);
    expect(await page.locator('.stale').count()).toBe(0);
    viewer.served.push(status);
    answer();
    await page.locator('.causes li').first().waitFor();
    expect(await page.locator('.stale').count()).toBe(0);
  });

  it('says that it is old when it is shown, if nobody answers', async () => {
    page = await viewer.open(sampleHost({ phones: 12 }), '', {}, { hasClock: true });
    await turn(page, 'hidden');
    await page.clock.runFor(1000);
    viewer.served.answers = false;
    await page.clock.setSystemTime(Date.now() + 3_600_000);
    await turn(page, 'visible');
    await page.getByText('Old: no data from the agent for').waitFor();
    viewer.served.answers = true;
    viewer.complaints.splice(0);
  });

  it('keeps the rows of the table where they are while somebody points at them', async () => {
    const status = sampleHost({ phones: 12, hasTroubles: false });
    page = await viewer.open(status, '#table?sort=battery');
    const names = () =>
      page
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.querySelector('code')?.textContent));
    const before = await names();
    await page.locator('tbody tr').nth(3).hover();
    const last = status.phones.findIndex(({ serial }) => serial === before.at(-1));
    viewer.served.push(changed(status, last, { battery: { levelRatio: 0.01 } }));
    await page.locator('tbody tr').last().getByText('1 %', { exact: true }).waitFor();
    expect(await names()).toEqual(before);
    await page.mouse.move(1, 1);
    await vi.waitFor(async () => expect((await names())[0]).toBe(before.at(-1)), PATIENCE_MS);
  });

  it('offers to reload itself once another version of the agent answers', async () => {
    const status = sampleHost({ phones: 12 });
    page = await viewer.open(status);
    viewer.served.push({ ...status, host: { ...status.host, version: '0.2.0' } });
    await page.getByText('This page is older than hostnode 0.2.0, which runs now.').waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.waitForSelector('.summary');
    expect(await page.locator('.stale').count()).toBe(0);
  });
});
