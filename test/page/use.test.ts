/** Somebody works with the page: by keyboard, by pointer, by address. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { HostStatus } from '../../src/status/host-status.ts';
import { bandsOf } from '../../src/status/rack.ts';
import { describeWithChromium, PATIENCE_MS } from '../support/describe-with.ts';
import { sampleHost } from './sample-host.ts';
import { Viewer } from './viewer.ts';

const hash = (page: Page) => page.evaluate(() => location.hash);
const focused = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.udid);
const serials = (page: Page) => page.locator('tbody tr code').allTextContents();

describeWithChromium('working with the status page', () => {
  const host = sampleHost({ phones: 32 });
  const udids = host.phones.map(({ udid }) => udid);
  let viewer: Viewer;
  let page: Page;
  beforeAll(async () => {
    viewer = await Viewer.start();
  }, PATIENCE_MS);
  afterAll(() => viewer.close());
  afterEach(async () => {
    await page.context().close();
    expect(viewer.complaints.splice(0)).toEqual([]);
  });

  it('walks the rack by arrow keys, opens a phone by Enter, closes it by Escape, and is where it was', async () => {
    page = await viewer.open(host);
    expect(await page.locator('a.tile[tabindex="0"]').count()).toBe(1);
    await page.locator('a.tile').first().focus();
    const walked = [];
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'End', 'Home']) {
      await page.keyboard.press(key);
      walked.push(udids.indexOf((await focused(page)) ?? ''));
    }
    expect(walked).toEqual([1, 11, 21, 20, 10, 31, 0]);
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('a.tile[tabindex="0"]').getAttribute('data-udid')).toBe(udids[1]);
    await page.keyboard.press('Enter');
    await page.locator('.panel .fact-list').waitFor();
    expect(await hash(page)).toBe(`#phone/${udids[1]}`);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('phone');
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe(udids[1]);
  });

  it('shows every phone of a slot, and leads to the one that was there before them', async () => {
    const slot = 'rack 1, shelf 1, bay 1';
    const phones = host.phones.slice(0, 3).map((phone) => ({ ...phone, slot }));
    const [former = '', ...present] = phones.map(({ udid }) => udid);
    Object.assign(phones[0] ?? {}, { attached: false });
    const cause = { kind: 'unplugged', title: 'It is unplugged', remedy: 'Plug it in', since: 0 } as const;
    const causes = [{ ...cause, key: 'unplugged', udids: [former] }];
    page = await viewer.open({ ...host, phones, causes, bands: bandsOf([slot], phones) });
    const tiles = page.locator('a.tile');
    expect(await tiles.evaluateAll((all) => all.map((tile) => tile.dataset.udid))).toEqual(present);
    expect(await page.locator('.shelf h2').textContent()).toContain('2 of 2 attached');
    expect(await page.locator('.where').textContent()).toBe(slot);
    await page.locator('.where a').click();
    expect(await hash(page)).toBe(`#phone/${former}`);
    await page.locator('.panel .fact-list').waitFor();
  });

  it('tells slots without a shelf from phones without a slot', async () => {
    const [first, second, third] = host.phones.slice(-3).map(({ slot: _, ...phone }) => phone);
    if (!first || !second || !third) throw new Error('too few phones');
    const phones = [{ ...first, slot: 'A09' }, { ...second, slot: 'bay 4' }, third];
    page = await viewer.open({ ...host, phones, bands: bandsOf(['A09', 'bay 4'], phones) });
    expect(await page.locator('.shelf h2').allTextContents()).toEqual([
      'Slots 2 of 2 attached ',
      'Without a slot 1 of 1 attached ',
    ]);
    expect(await page.locator('.shelf .bay > .text').allTextContents()).toEqual([
      'A09',
      'bay 4',
      third.devpath,
    ]);
  });

  it('is at the phone after its panel, opened by its address, is closed', async () => {
    page = await viewer.open(host, `#phone/${udids[5]}`);
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe(udids[5]);
  });

  it('shows all about a phone at an address of its own', async () => {
    page = await viewer.open(host, `#phone/${udids[4]}`);
    const panel = page.getByRole('complementary', { name: 'OnePlus Nord CE 3 Lite 5G' });
    await panel.getByText('hot 47.3 °C').waitFor();
    await panel.getByText('Let the phone cool down').waitFor();
    await panel.getByText('stored it with the last report').waitFor();
    expect(await panel.locator('.plot canvas').count()).toBe(2);
    expect(await panel.getByText('last 66 %, from 42 % to 98 %').count()).toBe(1);
    await panel.getByText('As a table').click();
    expect(await panel.locator('.hours tbody tr').count()).toBeGreaterThan(20);
    expect(await panel.locator('.timeline li').count()).toBe(4);
  });

  it.each([
    ['is fine', 0, ['for 5\u00a0h']],
    ['is hot', 4, ['for 6\u00a0min']],
    ['is in maintenance (not known)', 6, []],
  ])('says for how long a phone %s', async (_, index, ages) => {
    page = await viewer.open(host, `#phone/${udids[index]}`);
    expect(await page.locator('.panel .condition .age').allTextContents()).toEqual(ages);
    expect(await page.locator('.panel dt:text-is("State") + dd').textContent()).toBe('device');
  });

  it('says when an address names a phone that this host does not know', async () => {
    page = await viewer.open(host, '');
    await page.evaluate(() => {
      location.hash = '#phone/nobody';
    });
    await page.getByText('This host does not know the phone.').waitFor();
    viewer.complaints.splice(0); // the browser's own words about the 404
  });

  it('goes back and forth by the browser’s buttons', async () => {
    page = await viewer.open(host, '#table?sort=-temp');
    await page.locator('tbody a').first().click();
    await page.locator('.panel .fact-list').waitFor();
    expect(await page.locator('.table').count()).toBe(1);
    await page.goBack();
    await page.locator('.panel').waitFor({ state: 'detached' });
    expect(await hash(page)).toBe('#table?sort=-temp');
    await page.getByRole('link', { name: 'Wall' }).click();
    await page.locator('html.wall').waitFor();
    await page.goBack();
    await page.locator('html:not(.wall) .table').waitFor();
  });

  it('covers the page on a narrow screen, and the keyboard stays in the panel', async () => {
    page = await viewer.open(host, `#phone/${udids[4]}`, { viewport: { width: 320, height: 700 } });
    await vi.waitFor(async () => expect(await page.locator('.behind[inert]').count()).toBe(1), PATIENCE_MS);
    await page.getByRole('button', { name: 'Close the panel' }).click();
    await page.locator('.behind:not([inert])').waitFor();
  });

  it('sorts by a column, says so, and keeps it in the address', async () => {
    page = await viewer.open(host, '#table');
    expect(await serials(page)).toEqual(udids);
    const battery = page.getByRole('columnheader', { name: 'Battery' });
    await battery.getByRole('button').click();
    await page.locator('th[aria-sort=ascending]', { hasText: 'Battery' }).waitFor();
    expect(await hash(page)).toBe('#table?sort=battery');
    const rising = host.phones.flatMap(({ battery }) => battery?.levelRatio ?? []).sort((a, b) => a - b);
    const shown = async () =>
      (await page.locator('tbody td:nth-child(5)').allTextContents()).map((text) =>
        Number.parseInt(text.replace(/\D/g, ''), 10),
      );
    expect(await shown()).toEqual([...rising.map((ratio) => Math.round(ratio * 100)), Number.NaN]);
    await battery.getByRole('button').click();
    await page.locator('th[aria-sort=descending]').waitFor();
    expect(await hash(page)).toBe('#table?sort=-battery');
    expect(await shown()).toEqual([...rising.map((ratio) => Math.round(ratio * 100)).reverse(), Number.NaN]);
  });

  it('filters as one types, and keeps it in the address', async () => {
    page = await viewer.open(host, '#table?sort=-temp');
    const filter = page.getByLabel('Filter');
    await filter.pressSequentially('slot:"shelf 3" unplugged');
    await page.getByText('7 of 32 phones').waitFor();
    expect(await hash(page)).toBe('#table?sort=-temp&filter=slot%3A%22shelf+3%22+unplugged');
    await page.reload();
    await page.getByText('7 of 32 phones').waitFor();
    expect(await filter.inputValue()).toBe('slot:"shelf 3" unplugged');
    await filter.fill('nothing like it');
    await page.getByText('No phone matches the filter.').waitFor();
    await page.getByRole('button', { name: 'unauthorized', exact: true }).click();
    await page.getByText('1 of 32 phones').waitFor();
    expect(await serials(page)).toEqual([udids[1]]);
  });

  const copies: [string, string][] = [
    ['with the clipboard of a secure page', 'secure'],
    ['without it, as on plain HTTP in a network', 'plain'],
  ];
  it.each(copies)('copies serials, commands and the list of problems %s', async (_, kind) => {
    page = await viewer.open(host, '', { permissions: ['clipboard-read', 'clipboard-write'] });
    const read = () => page.evaluate(() => navigator.clipboard.readText());
    if (kind === 'plain')
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error('not secure'));
      });
    const copy = async (name: string | RegExp) => {
      const button = page.getByRole('button', { name });
      await button.click();
      await page.locator('[data-outcome=copied]').first().waitFor();
      return read();
    };
    expect(await copy(`Copy serial ${udids[1]}`)).toBe(udids[1]);
    expect(await copy('Copy 7 serials')).toBe(udids.slice(20, 27).join('\n'));
    expect(await copy(/^Copy as Markdown/)).toContain('- **7 phones behind hub 1-3 are unplugged**, since ');
  });

  it('shows hostile text as text', async () => {
    const name = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
    const [phone, ...others] = host.phones;
    if (phone === undefined) throw new Error('the sample has no phone');
    const udid = '"><b>x</b>/../%2e?#';
    const hostile: HostStatus = {
      ...host,
      host: { ...host.host, name },
      causes: host.causes.map((cause) => ({ ...cause, title: name, remedy: name, command: name })),
      bands: [{ name, bays: [{ name, slot: name, udid }] }],
      phones: [
        {
          ...phone,
          udid,
          serial: udid,
          name,
          slot: name,
          model: name,
          sign: name,
          message: name,
          condition: 'needsAttention',
        },
        ...others,
      ],
    };
    page = await viewer.open(hostile, `#phone/${encodeURIComponent(udid)}`);
    expect(await page.locator('.panel h2').textContent()).toBe(name);
    await page.evaluate(() => {
      location.hash = '#table';
    });
    await page.locator('tbody tr').first().waitFor();
    expect(await page.locator('img, script:not([src]), td b, a b').count()).toBe(0);
    expect(await page.locator('tbody th').first().textContent()).toBe(name);
    await vi.waitFor(async () => expect(await page.title()).toContain(name), PATIENCE_MS);
  });

  it('has times that are short to read and exact under the pointer', async () => {
    page = await viewer.open(host);
    const time = page.locator('.causes time').first();
    expect(await time.getAttribute('datetime')).toBe(new Date(host.causes[0]?.since ?? 0).toISOString());
    expect(await time.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });
});
