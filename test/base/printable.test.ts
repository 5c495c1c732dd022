import { describe, expect, it } from 'vitest';
import { safeIdentifier } from '../../src/base/printable.ts';
import { LONGEST, phoneText } from '../../src/facts/phone-text.ts';

describe('safeIdentifier', () => {
  it.each([
    'R58M123',
    '192.168.1.7:5555',
    'adb-R58M (2)._adb._tcp',
    'Küche 1',
    'x'.repeat(128),
    '',
    '😀'.repeat(64),
  ])('leaves %j as it is', (text) => {
    expect(safeIdentifier(text)).toBe(text);
  });

  it.each([
    'x'.repeat(129),
    'A'.repeat(900_000),
    'a\nb',
    'a\rb',
    '\u001b[2J',
    '\u202eabc',
    '\ud800',
    'a\u2028b',
    'a\u009bb',
    ...['R58\u00adM', 'R58\u034fM', 'R58\u180eM', 'R58\u206aM', 'R58\ufff9M'], // each looks like R58M
    '\0',
  ])('puts a hash in place of an unsafe one', (text) => {
    const safe = safeIdentifier(text);
    expect(safe).toMatch(/^sha256-[0-9a-f]{32}$/);
    expect(safeIdentifier(text)).toBe(safe);
    expect(safeIdentifier(safe)).toBe(safe);
    expect(safeIdentifier(`${text}x`)).not.toBe(safe);
  });

  it('takes blanks around it for nothing', () => {
    expect(safeIdentifier(' R58M123\r\n')).toBe('R58M123');
  });
});

describe('phoneText', () => {
  it('is one printable line, cut between characters', () => {
    expect(phoneText('a\u001b[2J\nb', 'name')).toBe('a [2J b');
    expect(phoneText('\ufeffLab\u200b1\u2060\ufeff', 'name')).toBe('Lab 1');
    expect(phoneText('\u200b\u2060', 'name')).toBeUndefined();
    expect(phoneText('👩‍🔬', 'name')).toBe('👩\u200d🔬');
    expect(phoneText(`${'x'.repeat(LONGEST.word - 1)}😀`, 'word')).toBe('x'.repeat(LONGEST.word - 1));
    expect(phoneText('😀'.repeat(10_000), 'name')).toBe('😀'.repeat(128));
    expect(phoneText('\n \0', 'name')).toBeUndefined();
    expect(phoneText(undefined, 'name')).toBeUndefined();
  });
});
