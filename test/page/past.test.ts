/** What the page says of a phone's past, and of what follows from it. */
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { describeWithChromium, PATIENCE_MS } from '../support/describe-with.ts';
import { sampleHost } from './sample-host.ts';
import { SamplePast, sampleWhy } from './sample-past.ts';
import { Viewer } from './viewer.ts';

describeWithChromium('the past on the status page', () => {
  const now = Date.now();
  const host = sampleHost({ phones: 32, now });
  const udid = host.phones[4]?.udid ?? '';
  let viewer: Viewer;
  let page: Page;
  beforeAll(async () => {
    viewer = await Viewer.start();
  });
  afterAll(() => viewer.close());
  beforeEach(() => {
    viewer.served.past = new SamplePast(() => host, now);
  });
  afterEach(async () => {
    viewer.served.why = undefined;
    await page.context().close();
    expect(viewer.complaints.splice(0)).toEqual([]);
  });

  const texts = () => page.locator('.timeline li > span').allInnerTexts();
  const later = (ms: number) => viewer.served.push({ ...host, takenAt: now + ms });

  it('says why: what is so since when, who is to blame and how sure, what to do', async () => {
    page = await viewer.open(host, `#phone/${udid}`, { permissions: ['clipboard-read', 'clipboard-write'] });
    const why = page.getByRole('region', { name: 'Why' });
    await why.getByText('It was lost 3 times since yesterday, since').waitFor();
    expect(await why.locator('.blame').textContent()).toEqual(
      expect.stringMatching(
        /^To blame for the last loss, (?:\w{3}.)?\d\d:\d\d: the cable or the port \(likely\): Bay 5 lost 3 different phones in 9 days$/,
      ),
    );
    expect(await why.locator('.findings .title').textContent()).toBe(
      'Bay 5 lost 3 different phones in 9 days PORT_UNSTABLE likely',
    );
    expect(await why.locator('.findings li').textContent()).toContain('Replace the cable or the port.');
    await why.getByRole('button', { name: 'Copy command: hostnode doctor' }).click();
    await why.locator('[data-outcome=copied]').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('hostnode doctor');
  });

  it('asks for nothing above a fine phone: the finding below does', async () => {
    const { findings } = why();
    const remedy = findings[0]?.remedy ?? '';
    viewer.served.why = { ...why(), now: 'It is fine', condition: 'fine', remedy };
    page = await viewer.open(host, `#phone/${udid}`);
    await page.locator('.why .findings li', { hasText: remedy }).waitFor();
    expect(await page.locator('.why .remedy').count()).toBe(0);
  });

  it('says what to do about a loss that is over, but not below what is to be done now', async () => {
    const fine = host.phones.find(({ message }) => message === '');
    viewer.served.why = { ...why(), findings: [], remedy: '', remedyOfLoss: 'Replace the cable' };
    page = await viewer.open(host, `#phone/${fine?.udid}`);
    await page.locator('.why .blame + .remedy', { hasText: 'Replace the cable' }).waitFor();
    expect(await page.locator('.why .remedy').count()).toBe(1);
    await page.context().close();
    page = await viewer.open(host, `#phone/${udid}`); // what is wrong with it came after the answer of why
    await page.locator('.why .blame').waitFor();
    expect(await page.locator('.why .remedy').allTextContents()).toEqual([
      expect.stringContaining('Let the phone cool down'),
    ]);
  });

  it('says where the history does not answer', async () => {
    viewer.served.why = { ...why(), historyProblem: 'its thread has died' };
    page = await viewer.open(host, `#phone/${udid}`);
    await page.locator('.why', { hasText: 'The history does not answer: its thread has died' }).waitFor();
  });

  it('says the remedy also while nobody answers why', async () => {
    page = await viewer.open(host);
    await page.route('**/api/why/**', () => undefined);
    await page.evaluate((udid) => {
      location.hash = `#phone/${udid}`;
    }, udid);
    await page.locator('.why .remedy', { hasText: 'Let the phone cool down' }).waitFor();
  });

  it('asks again where something happened before the answer came', async () => {
    page = await viewer.open(host, `#phone/${udid}`);
    await page.locator('.why .blame').waitFor();
    const [answered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hold = async (route: Route) => {
      const response = await route.fetch();
      answered.resolve();
      await released.promise;
      await route.fulfill({ response });
    };
    await page.route('**/api/why/**', hold, { times: 1 });
    later(60_000);
    await answered.promise;
    viewer.served.why = { ...why(), now: 'It is fine again' };
    const told = page.waitForRequest(`**/api/phones/${udid}`);
    later(120_000);
    await told;
    released.resolve();
    await page.locator('.why', { hasText: 'It is fine again' }).waitFor();
  });

  it('has a bar for each of 90 days, and green for none that is not known', async () => {
    page = await viewer.open(host, `#phone/${udid}`);
    const bars = page.locator('.strip span');
    await vi.waitFor(async () => expect(await bars.count()).toBe(90), PATIENCE_MS);
    const [known, unknown] = await bars.evaluateAll((all) =>
      [all.at(-1), all[0]].map((bar) => {
        const { backgroundColor, backgroundImage } = getComputedStyle(bar as Element);
        return [backgroundColor, backgroundImage.slice(0, 25)];
      }),
    );
    expect(known).toEqual(['rgb(19, 107, 47)', 'none']);
    expect(unknown).toEqual(['rgba(0, 0, 0, 0)', 'repeating-linear-gradient']);
    expect(await page.locator('#uptime .summary-words').textContent()).toBe(
      '98.2\u00a0% in 30 days, lost 13\u00a0times',
    );
  });

  it('tells of a day under the pointer or chosen by the keyboard', async () => {
    page = await viewer.open(host, `#phone/${udid}`);
    const strip = page.getByRole('slider', { name: 'Day of the last 90' });
    const told = page.locator('.strip-words');
    const { width = 0 } = (await strip.boundingBox()) ?? {};
    await strip.hover({ position: { x: (62.5 / 90) * width, y: 10 } });
    await told.getByText('62.0\u00a0% online, lost 7\u00a0times').waitFor();
    await page.mouse.move(1, 1);
    await told.getByText('90 d ago').waitFor();
    await strip.focus();
    await page.keyboard.press('ArrowLeft');
    await told.getByText('Yesterday: 100\u00a0% online').waitFor();
    await page.keyboard.press('Home');
    await told.getByText('not known').waitFor();
    expect(await strip.getAttribute('aria-valuetext')).toMatch(/: not known$/);
    expect(await strip.getAttribute('aria-valuenow')).toBe('1');
    await page.keyboard.press('PageUp');
    expect(await strip.getAttribute('aria-valuenow')).toBe('8');
  });

  it('gets the readings of 90 days only for who wants them, and keeps them shown', async () => {
    page = await viewer.open(host, `#phone/${udid}`);
    await page.locator('.plot canvas').nth(1).waitFor();
    const asked = () => viewer.served.past.asked.filter((each) => each.startsWith('samples'));
    expect(asked()).toEqual([]);
    await page.getByRole('button', { name: '90 days' }).click();
    await page.getByText('from 10 % to 90 %').waitFor();
    expect(asked()).toEqual([`samples ${udid} 90`]);
    expect(await page.locator('.plot canvas').count()).toBe(2);
    await page.getByText('As a table').click();
    expect(await page.locator('.hours tbody tr').count()).toBeGreaterThan(80);
    later(2000);
    await page.locator('[aria-pressed=true]', { hasText: '90 days' }).waitFor();
    await page.getByRole('button', { name: 'Day', exact: true }).click();
    await page.getByText('last 66 %').waitFor();
    expect(asked()).toHaveLength(1);
  });

  it('filters events by kind, newest first under their days, and shows more on demand', async () => {
    page = await viewer.open(host, `#phone/${udid}`);
    await page.locator('.timeline li').nth(49).waitFor();
    expect((await texts()).slice(0, 2)).toEqual(['battery: overheat', 'note by anna: swapped the cable']);
    expect(await page.locator('.panel h4').first().textContent()).toMatch(/^(Today|Yesterday)$/);
    expect(await page.locator('.timeline .note').allInnerTexts()).toHaveLength(1);
    expect(await page.locator('.timeline small').first().textContent()).toBe('rack 1, shelf 1, bay 5');
    await page.getByRole('button', { name: 'Show more' }).click();
    await vi.waitFor(async () => expect(await texts()).toHaveLength(60), PATIENCE_MS);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.getByRole('button', { name: 'people' }).click();
    await vi.waitFor(
      async () => expect(await texts()).toEqual(['note by anna: swapped the cable']),
      PATIENCE_MS,
    );
    await page.getByRole('button', { name: 'reboots' }).click();
    await vi.waitFor(
      async () =>
        expect(new Set((await texts()).map((text) => text.split(' rack')[0]))).toEqual(
          new Set(['restarted by itself (kernel panic)']),
        ),
      PATIENCE_MS,
    );
  });

  it('shows a new event, but not under the pointer, and loses neither filter nor what was loaded', async () => {
    page = await viewer.open(host, `#phone/${udid}`, { viewport: { width: 1280, height: 2000 } });
    await page.getByRole('button', { name: 'connection' }).click();
    await page.locator('.timeline li').nth(20).waitFor();
    const third = page.locator('.timeline li').nth(2);
    const [text, before] = [await third.textContent(), await third.boundingBox()];
    await third.hover();
    viewer.served.past.happened({ kind: 'detached', text: 'lost just now' });
    viewer.served.why = { ...why(), findings: [...why().findings, ...why().findings.map(another)] };
    const asked = page.waitForResponse('**/events?kinds=**');
    later(60_000);
    await asked;
    await page.waitForResponse('**/api/phones/*');
    expect([await third.textContent(), await third.boundingBox()]).toEqual([text, before]);
    await page.mouse.move(1, 1);
    await vi.waitFor(async () => expect((await texts())[0]).toBe('lost just now'), PATIENCE_MS);
    expect(await page.locator('.choices [aria-pressed=true]').last().textContent()).toBe('connection');
  });
  const why = () => sampleWhy(host, udid) ?? never();
  const another = (finding: ReturnType<typeof why>['findings'][0]) => ({ ...finding, title: 'And another' });

  it('opens a shelf from its heading, says why, and is back at the heading after', async () => {
    page = await viewer.open(host);
    const heading = page.getByRole('link', { name: 'rack 1, shelf 2' });
    await heading.focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'rack 1, shelf 2' });
    await panel.locator('.blame').waitFor();
    expect(await panel.locator('.timeline li').count()).toBe(20);
    expect(await panel.locator('.timeline li').first().textContent()).toContain(
      'OnePlus Nord CE 3 Lite 5G battery',
    );
    expect(await panel.locator('.place-phones li').count()).toBe(10);
    expect(await panel.locator('.place-phones small').first().textContent()).toBe('bay 1');
    expect(await page.evaluate(() => location.hash)).toBe('#place/rack%201%2C%20shelf%202');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('rack 1, shelf 2');
  });

  it('leads from a phone to its slot, and back; closed, the focus is where it was', async () => {
    page = await viewer.open(host);
    await page.locator(`[data-udid="${udid}"]`).focus();
    await page.keyboard.press('Enter');
    await page.locator('.place a').focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'rack 1, shelf 1, bay 5' });
    await panel.locator('.blame').waitFor();
    await page.goBack();
    await page.getByRole('complementary', { name: 'OnePlus Nord CE 3 Lite 5G' }).waitFor();
    await page.goForward();
    await panel.waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.udid)).toBe(udid);
  });

  it('has the code of a finding beside its cause, and a mark on the tiles of its phones', async () => {
    page = await viewer.open(host);
    const cause = page.locator('.causes li', { hasText: '7 phones behind hub 1-3' });
    expect(await cause.locator('.title').textContent()).toContain('HUB_LOST likely');
    expect(await page.locator('.tile .mark').count()).toBe(8);
    expect(await page.locator('.tile:has(.mark)').first().getAttribute('title')).toContain('USB_SLOW');
  });

  it('shows minor findings on demand only, apart from what needs attention', async () => {
    page = await viewer.open(host);
    const button = page.getByRole('button', { name: '1 notice' });
    expect(await page.getByText('Try another cable').count()).toBe(0);
    await button.click();
    const notices = page.getByRole('region', { name: 'Notices' });
    await notices.getByText('Try another cable').waitFor();
    expect(await notices.textContent()).toContain('USB_SLOW likely');
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('.count.trouble').textContent()).toMatch(/ with 9 phones$/);
    await button.click();
    await notices.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Wall' }).click();
    await page.locator('html.wall').waitFor();
    expect(await page.getByText('1 notice').count()).toBe(0);
  });

  it('shows hostile text as text', async () => {
    const text = `<img src=x onerror="document.title=1"><b>bold</b> \u202eשלום ${'w'.repeat(300)}`;
    viewer.served.past.happened({ kind: 'note', text });
    viewer.served.why = {
      ...why(),
      now: text,
      remedy: text,
      blame: { party: 'phone', certainty: 'certain', because: text, evidence: [] },
      findings: why().findings.map((finding) => ({ ...finding, title: text, remedy: text })),
    };
    page = await viewer.open(host, `#phone/${udid}`, { viewport: { width: 320, height: 800 } });
    await vi.waitFor(async () => expect((await texts())[0]).toContain('<b>bold</b>'), PATIENCE_MS);
    expect(await page.locator('img, .panel b').count()).toBe(0);
    const panel = page.locator('.panel');
    expect(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });
});

function never(): never {
  throw new Error('the sample has no such phone');
}
