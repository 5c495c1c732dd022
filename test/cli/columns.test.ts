import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/base/styled-text.ts';
import { broken, type Cell, fitted, layOut, shortened, type TextColumn } from '../../src/cli/columns.ts';

const columns: TextColumn[] = [
  { title: 'UDID', leastWidth: 20 },
  { title: 'NAME', leastWidth: 12 },
  { title: 'STATE' },
  { title: 'BATTERY', alignRight: true },
  { title: 'NETWORK' },
  { title: 'WHAT TO DO', isSentence: true },
];
const dispensable = ['NETWORK', 'BATTERY'];

const lines = (rows: Cell[][], width?: number) =>
  fitted([layOut(columns, rows, dispensable)], width).map(textOf);

const emulator = 'emulator-5554@3f0c2a5e-7d61-4b7c-9c0e-5b8d1f64a927';
const rows = [
  [emulator, 'sdk_gphone64_x86_64', 'device', '100 %', 'reachable'],
  ['R58M1', '测试手机', 'unauthorized', '', '', 'Accept the USB debugging prompt on the phone'],
];

describe('a table', () => {
  it('shows everything beside each other where there is room', () => {
    expect(lines(rows)).toEqual([
      'UDID                                                NAME                 STATE         BATTERY  NETWORK    WHAT TO DO',
      `${emulator}  sdk_gphone64_x86_64  device          100 %  reachable`,
      'R58M1                                               测试手机             unauthorized                      Accept the USB debugging prompt on the phone',
    ]);
  });

  it('puts sentences below their rows before it shortens a name, and shortens names before it drops a reading', () => {
    expect(lines(rows, 120)).toEqual([
      'UDID                                                NAME                 STATE         BATTERY  NETWORK',
      `${emulator}  sdk_gphone64_x86_64  device          100 %  reachable`,
      'R58M1                                               测试手机             unauthorized',
      '    Accept the USB debugging prompt on the phone',
    ]);
    expect(lines(rows, 80)).toEqual([
      'UDID                       NAME                 STATE         BATTERY  NETWORK',
      'emulator-5554@3f…1f64a927  sdk_gphone64_x86_64  device          100 %  reachable',
      'R58M1                      测试手机             unauthorized',
      '    Accept the USB debugging prompt on the phone',
    ]);
    expect(lines(rows, 60)).toEqual([
      'UDID                  NAME             STATE         BATTERY',
      'emulator-5554…64a927  sdk_gphone…6_64  device          100 %',
      'R58M1                 测试手机         unauthorized',
      '    Accept the USB debugging prompt on the phone',
    ]);
  });
});

describe('any table', () => {
  const cell = fc.oneof(
    fc.constant(''),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(emulator, '测试手机一号机', '👩‍👩‍👧‍👦 phone', 'unauthorized', 'x\x1b[2J\u202e'),
  );
  const sentence = fc
    .array(fc.oneof(fc.constantFrom('Open', 'the', 'browser', '手机'), fc.string({ unit: 'grapheme-ascii' })))
    .map((words) => words.join(' '));
  const table = fc.array(
    fc.tuple(cell, cell, cell, cell, cell, sentence).map((row) => [...row]),
    { maxLength: 5 },
  );

  it('has no line that is wider than the terminal', () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 20, max: 300 }), (rows, width) => {
        for (const line of lines(rows, width)) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('has each sentence whole', () => {
    const letters = (text: string) => text.replaceAll(/\s/g, '');
    const action = fc.constantFrom(
      'Accept the USB debugging prompt on the phone',
      'The network of the phone answers with HTTP 302 in place of the internet: open a browser on the phone and sign in (captive portal?)',
      `Check ${'/var/lib/hostnode'.repeat(9)}`,
      '把手机插回去',
    );
    fc.assert(
      fc.property(
        fc.tuple(cell, cell, cell, cell, cell),
        action,
        fc.integer({ min: 20, max: 300 }),
        (row, text, width) => {
          expect(letters(lines([[...row, text]], width).join(''))).toContain(letters(text));
        },
      ),
    );
  });
});

const texts = fc.string({ unit: 'grapheme', maxLength: 60 });
const widths = fc.integer({ min: 8, max: 50 }); // no character is wider

describe('a name too wide for its column', () => {
  it('keeps its start and its end', () => {
    const name = 'emulator-5554@3f0c2a5e-7d61-4b7c-9c0e-5b8d1f64a927';
    expect(shortened(name, 20)).toBe('emulator-5554…64a927');
    expect(shortened(name, 50)).toBe(name);
    expect(shortened(name, 1)).toBe('…');
  });

  it('counts two columns for a Chinese character or an emoji, and cuts none in two', () => {
    expect(shortened('测试手机一号', 8)).toBe('测试…号');
    expect(shortened('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5)).toBe('👩‍👩‍👧‍👦…👩‍👩‍👧‍👦');
  });

  it('fits, whatever it holds', () => {
    fc.assert(
      fc.property(texts, widths, (text, width) => {
        const short = shortened(text, width);
        expect(stringWidth(short)).toBeLessThanOrEqual(width);
        if (stringWidth(text) <= width) expect(short).toBe(text);
      }),
    );
  });
});

it('a word is broken into pieces that fit, and loses nothing', () => {
  fc.assert(
    fc.property(texts, widths, (text, width) => {
      const pieces = broken(text, width);
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) expect(stringWidth(piece)).toBeLessThanOrEqual(width);
    }),
  );
});
