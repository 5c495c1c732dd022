import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { momentOf, parseMoment, spanOf } from '../../src/cli/moment.ts';

const now = Date.UTC(2026, 2, 28, 12);
const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('parseMoment for --until', () => {
  it.each([
    ['30m', '2026-03-28T12:30:00.000Z'],
    ['2h', '2026-03-28T14:00:00.000Z'],
    ['3d', '2026-03-31T12:00:00.000Z'],
    ['1w', '2026-04-04T12:00:00.000Z'],
    ['2026-03-28', '2026-03-28T23:00:00.000Z'],
    ['2026-03-29', '2026-03-29T22:00:00.000Z'],
    ['2026-12-31', '2026-12-31T23:00:00.000Z'],
    ['2026-03-28T18:00', '2026-03-28T17:00:00.000Z'],
    ['2026-03-30 18:00', '2026-03-30T16:00:00.000Z'],
    ['2026-03-28T18:00:30Z', '2026-03-28T18:00:30.000Z'],
    ['2026-03-28T18:00+05:30', '2026-03-28T12:30:00.000Z'],
    ['18:00', '2026-03-28T17:00:00.000Z'],
    // tomorrow, when the clock has changed
    ['13:00', '2026-03-29T11:00:00.000Z'],
    ['9:30', '2026-03-29T07:30:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(new Date(parseMoment('--until', text, now) ?? 0).toISOString()).toBe(expected);
  });

  it('reads a time of the hour that comes twice as its second time, where the first is past', () => {
    const until = (text: string, at: string) =>
      new Date(parseMoment('--until', text, Date.parse(at)) ?? 0).toISOString();
    expect(until('02:30', '2026-10-25T00:10:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(until('02:30', '2026-10-25T01:10:00Z')).toBe('2026-10-25T01:30:00.000Z');
    expect(until('02:30', '2026-10-25T01:40:00Z')).toBe('2026-10-26T01:30:00.000Z');
  });

  it.each([
    '',
    '2',
    '2 h',
    '-2h',
    '2y',
    'tomorrow',
    '2026-02-30',
    '2026-13-01',
    '2026-03-28T25:00',
    '28.3.2026',
    '99999h',
    '24:00',
    '9:5',
  ])('does not guess at %s', (text) => {
    expect(parseMoment('--until', text, now)).toBeUndefined();
  });
});

describe('parseMoment for --since', () => {
  it.each([
    ['30m', '2026-03-28T11:30:00.000Z'],
    ['1w', '2026-03-21T12:00:00.000Z'],
    ['2026-03-28', '2026-03-27T23:00:00.000Z'],
    ['2026-03-28T18:00', '2026-03-28T17:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(new Date(parseMoment('--since', text, now) ?? 0).toISOString()).toBe(expected);
  });

  it('is no time to come', () => {
    expect(() => momentOf('--since', '9999-01-01')).toThrow(
      'must be in the past, and 9999-01-01 00:00 is in the future',
    );
  });

  it('does not guess', () => {
    for (const text of ['', 'yesterday', '2026-02-30', '-7d'])
      expect(parseMoment('--since', text, now)).toBeUndefined();
  });
});

it('knows a span from a moment', () => {
  expect(['5m', '2h', '3d', '1w'].map((text) => spanOf('--for', text) / 60_000)).toEqual([
    5, 120, 4320, 10_080,
  ]);
  for (const text of ['5', 'm', '0m', '5s', '2026-11-23', ''])
    expect(() => spanOf('--for', text)).toThrow(`--for ${text}: must be 30m, 2h, 3d or 1w`);
});

describe('parseMoment for --from and --to', () => {
  it.each([
    ['--from', '30m', '2026-03-28T11:30:00.000Z'],
    ['--from', '2026-03-28', '2026-03-27T23:00:00.000Z'],
    ['--to', '30m', '2026-03-28T11:30:00.000Z'],
    ['--to', '2026-03-28', '2026-03-28T23:00:00.000Z'],
    ['--from', '13:00', '2026-03-28T12:00:00.000Z'],
    ['--from', '18:00', '2026-03-27T17:00:00.000Z'],
    ['--to', '2026-03-28T10:00:00.123456Z', '2026-03-28T10:00:00.123Z'],
    // summer time ends
    ['--from', '2025-10-26T02:30', '2025-10-26T00:30:00.000Z'],
    ['--to', '2025-10-26T02:30', '2025-10-26T01:30:00.000Z'],
    ['--to', '2025-10-26T02:30+02:00', '2025-10-26T00:30:00.000Z'],
    ['--to', '2025-10-26T03:30', '2025-10-26T02:30:00.000Z'],
  ] as const)('reads %s %s', (option, text, expected) => {
    expect(new Date(parseMoment(option, text, now) ?? 0).toISOString()).toBe(expected);
  });
});
