import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { Screen } from '../../src/cli/demo-screen.ts';
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

const phone = (number: number) =>
  ({ udid: `phone-${number}`, state: 'device', message: 'Do something about it' }) as DeviceInfo;
const phones = Array.from({ length: 8 }, (_, number) => phone(number));
const hints = ['What you see', ...Array.from({ length: 4 }, (_, number) => ` - ${number} ${'x'.repeat(90)}`)];

/** The last picture, row by row as the terminal wraps it. */
async function shown(columns: number, rows: number): Promise<string[]> {
  const { out, text } = terminal(columns, rows);
  const screen = new Screen({
    out,
    title: () => ['demo · status page http://127.0.0.1:37517/ · Ctrl-C ends', 'demo '.repeat(20)],
    hints,
    devices: () => phones,
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
  });

  it('has the table alone on fewer, and everything on a large one', async () => {
    expect(count(await shown(80, 16), /^ phone-\d/)).toBe(8);
    const rows = await shown(120, 50);
    expect({ events: count(rows, / event \d+$/), hints: count(rows, /^ - \d/) }).toEqual({
      events: 12,
      hints: 4,
    });
  });
});
