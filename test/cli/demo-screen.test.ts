import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { createScreen } from '../../src/cli/demo-screen.ts';
import type { DeviceInfo } from '../../src/cloud/contract/report.ts';

/** A terminal of this size, and the text that it was given. */
function terminal(columns: number, rows: number) {
  const out = Object.assign(new PassThrough(), {
    isTTY: true,
    columns,
    rows,
  }) as unknown as NodeJS.WriteStream;
  let text = '';
  out.on('data', (data) => {
    text += data;
  });
  return { out, text: () => text };
}

const phone = (number: number) => ({
  info: { udid: `phone-${number}`, state: 'device', message: 'Do something about it' } as DeviceInfo,
});
const phones = Array.from({ length: 8 }, (_, number) => phone(number));
const hints = ['What you see', ...Array.from({ length: 4 }, (_, number) => ` - ${number} ${'x'.repeat(90)}`)];

/** The last picture, row by row as the terminal wraps it. */
async function shown(columns: number, rows: number, all = phones): Promise<string[]> {
  const { out, text } = terminal(columns, rows);
  const screen = createScreen({
    out,
    title: () => ['demo · status page http://127.0.0.1:37517/ · Ctrl-C ends', 'demo '.repeat(20)],
    hints,
    devices: () => all,
  });
  for (let number = 0; number < 20; number++) screen.event(`event ${number}`);
  screen.end();
  await vi.waitFor(() => expect(text()).toContain('\x1b[J'), 50_000);
  expect(text()).not.toContain('\x1b[3J'); // what the terminal keeps of before is not the demo's
  const lines = (text().split('\x1b[H').at(-1) ?? '').replaceAll(/\x1b\[\d*[KJm]/g, '').split('\n');
  return lines.flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'g')) ?? ['']);
}

const count = (rows: string[], pattern: RegExp) => rows.filter((row) => pattern.test(row)).length;

describe('the screen of the demo', () => {
  it('has on a terminal of 24 lines where the page is, the whole table and the newest events', async () => {
    const rows = await shown(80, 24);
    expect(rows.length).toBeLessThanOrEqual(24);
    expect(rows[0]).toBe('demo · status page http://127.0.0.1:37517/ · Ctrl-C ends');
    expect(count(rows, /^ phone-\d/)).toBe(8);
    expect(count(rows, / event \d+$/)).toBeGreaterThanOrEqual(3);
    expect(rows.find((row) => row.includes(' event '))).toContain('event 19');
  });

  it('keeps the newest events on fewer, also of sixty phones, and has everything on a large one', async () => {
    for (const [lines, many] of [
      [16, phones],
      [24, Array.from({ length: 60 }, (_, number) => phone(number))],
    ] as const) {
      const small = await shown(80, lines, many);
      expect(count(small, /^ phone-\d/)).toBeGreaterThanOrEqual(2);
      expect(count(small, /^… \d+ more lines: enlarge/)).toBe(2); // of the table, and at the bottom
      expect(small.find((row) => row.includes(' event '))).toContain('event 19');
      expect(count(small, / event \d+$/)).toBeGreaterThanOrEqual(3);
    }
    const rows = await shown(120, 50);
    expect({ events: count(rows, / event \d+$/), hints: count(rows, /^ - \d/) }).toEqual({
      events: 12,
      hints: 4,
    });
  });

  it('cuts no event, keeps the newest of what comes again and again, and is drawn anew when the size changes', async () => {
    const { out, text } = terminal(60, 50);
    const screen = createScreen({
      out,
      title: () => ['demo'],
      hints: [],
      devices: () => phones.slice(0, 1),
    });
    screen.event('· hub 1-4 is off');
    for (let round = 1; round <= 30; round += 1) screen.event(`agent info: round ${round}`, 'round');
    screen.event(`finding began  HUB_LOST: ${'All 4 phones were lost, '.repeat(4)}end`);
    const picture = () => (text().split('\x1b[H').at(-1) ?? '').replaceAll(/\x1b\[\d*[KJm]/g, '');
    await vi.waitFor(() => expect(picture()).toContain('end'), 50_000);
    expect(picture()).toContain('hub 1-4 is off');
    expect(picture().match(/round \d+/g)).toEqual(['round 30']);
    expect(
      picture()
        .split('\n')
        .filter((line) => line.length > 60),
    ).toEqual([]);
    Object.assign(out, { rows: 12 }); // too few for the round, which is not what it is about
    out.emit('resize');
    await vi.waitFor(() => expect(picture()).not.toContain('round'), 50_000);
    expect(picture()).toContain('end');
    Object.assign(out, { columns: 200, rows: 50 });
    out.emit('resize');
    await vi.waitFor(() => expect(picture()).toMatch(/lost, All 4 phones were lost, All 4.*end/), 50_000);
    screen.end();
    expect(out.listenerCount('resize')).toBe(0);
  });

  it('says which host has each phone, where there are several', async () => {
    const { out, text } = terminal(120, 50);
    const devices = () => phones.slice(0, 2).map((each, index) => ({ ...each, host: `rack-${index}` }));
    createScreen({ out, title: () => ['demo'], hints: [], devices }).end();
    await vi.waitFor(() => expect(text()).toMatch(/HOST.*phone-0.*rack-0.*phone-1.*rack-1/s), 50_000);
  });
});
