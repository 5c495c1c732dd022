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
  });
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
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('panel');
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
      'Without a slot 1 of 1 attached name them: hostnode slots learn ',
    ]);
    expect(await page.locator('.shelf .bay > .text').allTextContents()).toEqual([
      'A09',
      'bay 4',
      third.devpath,
    ]);
  });

  it('suggests a filter that finds a shelf whose name holds quotes', async () => {
    const phones = host.phones.slice(0, 3).map((phone, place) => ({
      ...phone,
      slot: `${place === 0 ? 'the "big" rack' : 'another'}, bay ${place}`,
    }));
    const slots = phones.map(({ slot }) => slot);
    page = await viewer.open({ ...host, phones, bands: bandsOf(slots, phones) }, '#table');
    await page.getByRole('button', { name: /^slot:/ }).click();
    await vi.waitFor(async () => expect(await serials(page)).toEqual([phones[0]?.serial]), PATIENCE_MS);
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
    expect(await panel.locator('.timeline li').count()).toBe(50);
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

  it('does not call an adb server lost that was never there, and shows the cloud’s words beside the remedy', async () => {
    const [first, ...others] = host.causes;
    if (first === undefined) throw new Error('the sample has no cause');
    const adb = { address: '127.0.0.1:5037', state: 'unreachable', since: host.takenAt } as const;
    page = await viewer.open({ ...host, adb, causes: [{ ...first, said: 'no licence left' }, ...others] });
    await page.getByText('adb: cannot reach 127.0.0.1:5037').waitFor();
    await page.getByText('The cloud says: no licence left').waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/\blost\b/);
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
    await filter.fill('andoid<12 unauthorized');
    await page.getByText('Cannot read andoid<12: did you mean android?').waitFor();
    await page.getByText('1 of 32 phones').waitFor();
    await page.getByRole('button', { name: 'unauthorized', exact: true }).click();
    await page.getByText('Cannot read').waitFor({ state: 'detached' });
    await page.getByText('1 of 32 phones').waitFor();
    expect(await serials(page)).toEqual([udids[1]]);
  });

  it('filters the rack from the key /, dims what does not match, and goes to the first match', async () => {
    page = await viewer.open(host);
    const places = () =>
      page.locator('a.tile').evaluateAll((all) =>
        all.map((tile) => {
          const { x, y } = tile.getBoundingClientRect();
          return [x, y];
        }),
      );
    const before = await places();
    await page.keyboard.press('/');
    await page.keyboard.type('unplugged slot:"shelf 3"');
    await page.getByText('7 of 32 phones').waitFor();
    expect(await hash(page)).toBe('#rack?filter=unplugged+slot%3A%22shelf+3%22');
    const matching = await page
      .locator('a.tile:not(.unmatched)')
      .evaluateAll((all) => all.map((tile) => tile.dataset.udid));
    expect(matching).toEqual(udids.slice(20, 27));
    expect(await places()).toEqual(before);
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe(udids[20]);
    await page.keyboard.press('End');
    expect(await focused(page)).toBe(udids[26]);
    await page.getByRole('link', { name: 'Table' }).click();
    await page.getByText('7 of 32 phones').waitFor(); // above the rack, too
    await vi.waitFor(async () => expect(await serials(page)).toEqual(udids.slice(20, 27)), PATIENCE_MS);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await vi.waitFor(async () => expect(await hash(page)).toBe('#table'), PATIENCE_MS);
    await vi.waitFor(async () => expect(await serials(page)).toHaveLength(32), PATIENCE_MS);
  });

  it('says which term of the filter it cannot read', async () => {
    page = await viewer.open(host);
    await page.getByLabel('Filter').fill('andoid<12 hot');
    await page.getByText('Cannot read andoid<12: did you mean android?').waitFor();
    await page.getByLabel('Filter').fill('android<12');
    await page.getByText('Cannot read').waitFor({ state: 'detached' });
  });

  it('lists its keys at the key ? and from its foot; Escape closes only the list', async () => {
    page = await viewer.open(host, `#phone/${udids[4]}`);
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keys' });
    await list.waitFor();
    expect(await list.locator('kbd').allTextContents()).toEqual(
      expect.arrayContaining(['/', '?', 'Enter', 'Escape', 'Home', 'End', '←', '→', '↑', '↓']),
    );
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await page.locator('.panel').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Keys' }).click();
    await list.waitFor();
    await list.getByRole('button').click();
    await list.waitFor({ state: 'detached' });
  });

  it('takes / and ? as text while somebody types', async () => {
    page = await viewer.open(host);
    await page.getByLabel('Filter').pressSequentially('a/b?');
    expect(await page.getByLabel('Filter').inputValue()).toBe('a/b?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('says at its foot what runs, and links to metrics and documents that this host serves', async () => {
    page = await viewer.open(host);
    const foot = page.getByRole('contentinfo');
    expect(await foot.textContent()).toContain('hostnode 0.1.0');
    const links = await foot
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['metrics', 'api/status', 'docs/status.html', 'docs/troubleshooting.html']);
    const context = page.context();
    for (const link of links.slice(1))
      expect((await context.request.get(`${viewer.served.origin}/${link}`)).status()).toBe(200);
    expect(await (await context.request.get(`${viewer.served.origin}/docs/status.md`)).text()).toMatch(
      /^# Status/,
    );
  });

  it('tells the steps to the first phone, with hostnode doctor to copy', async () => {
    const empty = { ...sampleHost({ phones: 0 }), bands: [] };
    page = await viewer.open(empty, '', { permissions: ['clipboard-read', 'clipboard-write'] });
    const steps = page.getByRole('region', { name: 'No phones yet' });
    expect(await steps.getByRole('listitem').count()).toBe(3);
    await steps.getByRole('button').click();
    await page.locator('[data-outcome=copied]').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('hostnode doctor');
    expect(await page.locator('.count.none').textContent()).toBe('0 phones fine');
    expect(await page.locator('.check').count()).toBe(1); // that of the button
  });

  it('tells that USB shows phones of which adb lists none', async () => {
    const empty = { ...sampleHost({ phones: 0 }), bands: [] };
    const onUsb = { phones: 2, withDebugging: 0 };
    page = await viewer.open({ ...empty, adb: { ...empty.adb, onUsb } });
    expect(await page.locator('.on-usb').textContent()).toBe(
      'adb lists no phone. USB shows 2 phones with USB debugging off: switch it on in Settings > Developer options',
    );
  });

  it('tells a problem of the host apart from the phones that need attention', async () => {
    const cause = {
      key: 'adb',
      kind: 'adb',
      title: 'Cannot reach adb: nothing listens at 127.0.0.1:5037',
      remedy: 'Start the adb server',
      since: host.takenAt - 60_000,
      udids: [],
    } as const;
    page = await viewer.open({ ...host, causes: [{ ...cause, udids: [] }, ...host.causes] });
    const problem = page.getByRole('region', { name: 'Problem of this host' });
    expect(await problem.textContent()).toContain('Cannot reach adb');
    expect(await page.locator('.causes li').count()).toBe(host.causes.length);
    const count = host.counts.needsAttention;
    expect(await page.locator('.count.trouble').textContent()).toContain(` with ${count} phones`);
    expect(await page.title()).toBe(`! (${count}) lab-07`);
    viewer.served.push({
      ...sampleHost({ phones: 3, hasTroubles: false }),
      causes: [{ ...cause, udids: [] }],
    });
    await vi.waitFor(async () => expect(await page.title()).toBe('! lab-07'), PATIENCE_MS);
  });

  it('names the host as it is configured, and its machine beside it', async () => {
    page = await viewer.open({ ...host, host: { ...host.host, name: 'rack-2', hostname: 'lab-07' } });
    expect(await page.locator('h1').textContent()).toBe('rack-2 on lab-07');
  });

  it('keeps the model on one line: its copy button stands beside the title', async () => {
    const phones = host.phones.map((phone) => ({ ...phone, model: '24069PC21I' }));
    page = await viewer.open({ ...host, phones }, `#phone/${udids[4]}`);
    const [model, android] = await page
      .locator('.cards .value')
      .evaluateAll((all) => all.map((value) => value.getBoundingClientRect().height));
    expect(model).toBe(android);
  });

  it('leads with what the phone is, says once why fields are missing, and folds the fields', async () => {
    page = await viewer.open(host, `#phone/${udids[4]}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const cards = await page
      .locator('.cards > div')
      .evaluateAll((all) =>
        all.map((card) => Array.from(card.querySelectorAll('dt, .value, small'), (each) => each.textContent)),
      );
    expect(cards).toEqual([
      ['Model', 'CPH2467', 'OnePlus'],
      ['Android', '13'],
      ['Battery', 'charging 100\u00a0%', 'good'],
      ['Temperature', '47.3\u00a0°C', 'of the battery'],
      ['Storage', '28\u00a0% used', '35.8 / 128.0\u00a0GiB'],
      ['Network', 'reachable'],
    ]);
    for (const [name, text] of [
      ['Copy Model: CPH2467', 'CPH2467'],
      ['Copy Android: 13', '13'],
      [`Copy UDID ${udids[4]}`, udids[4]],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      await vi.waitFor(
        async () => expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text),
        PATIENCE_MS,
      );
    }
    const fields = page.locator('.fact-list');
    expect(await fields.locator('table').isVisible()).toBe(false);
    await fields.locator('summary').click();
    expect(await fields.locator('table').isVisible()).toBe(true);
    expect(await fields.locator('.missing').allTextContents()).toEqual([
      'The command exceeded its time limit: screen.width',
    ]);
    const order = await page
      .locator('.panel :is(.cards, .why, .strip, .plot, .choices, .facts, .fact-list)')
      .evaluateAll((all) => all.map(({ classList }) => classList[0]));
    expect(order).toEqual([
      'cards',
      'why',
      'strip',
      'choices',
      'plot',
      'plot',
      'choices',
      'facts',
      'fact-list',
    ]);
    expect(await page.locator('.timeline time').first().textContent()).toMatch(/\d\d:\d\d:\d\d$/);
  });

  it('says a reason once for all fields without a value', async () => {
    page = await viewer.open(host, `#phone/${udids[1]}`);
    await page.locator('.fact-list summary').click();
    const text = (await page.locator('.panel').innerText()).toLowerCase();
    expect(text).not.toContain('not known');
    expect(text.match(/the phone gave no value/g)).toHaveLength(1);
  });

  it('says which part of the history is simulated', async () => {
    viewer.served.simulatedUntil = host.takenAt - 60_000;
    page = await viewer.open(host, `#phone/${udids[4]}`);
    expect(await page.getByText('simulated before').count()).toBe(3);
    viewer.served.simulatedUntil = undefined;
    await page.reload();
    await page.locator('.fact-list').waitFor();
    expect(await page.getByText('simulated before').count()).toBe(0);
  });

  it('has the maintenance command in each row of what needs attention, of the table, and in the panel', async () => {
    page = await viewer.open(host, `#phone/${udids[4]}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const copied = async (name: string) => {
      const button = page.getByRole('button', { name }).last();
      await button.click();
      await vi.waitFor(
        async () => expect(await button.getAttribute('data-outcome')).toBe('copied'),
        PATIENCE_MS,
      );
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const command = (udid = '') => `hostnode maintenance --until 2h --reason 'REASON' -- ${udid}`;
    expect(await copied('Copy the maintenance command for OnePlus Nord CE 3 Lite 5G')).toBe(
      command(udids[4]),
    );
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    expect(await copied('Copy the maintenance command for 7 phones')).toBe(
      udids.slice(20, 27).map(command).join('\n'),
    );
    await page.getByRole('link', { name: 'Table' }).click();
    await page.locator('tbody tr').first().waitFor();
    expect(await page.locator('tbody .copies button').count()).toBe(32);
    await page.setViewportSize({ width: 1600, height: 900 });
    expect(await copied('Copy the maintenance command for Redmi Note 9 Pro')).toMatch(/ -- R58M\w+$/);
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
    expect(await copy(/^Copy as Markdown/)).toContain(
      '- **7 phones behind hub 1-3 are unplugged** (`HUB_LOST`), since ',
    );
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
