import { describe, expect, it } from 'vitest';
import type { FailedDevice } from '../../src/cloud/contract/report.ts';
import { MOST_UNSENT_KEPT, MOST_UNSENT_SHOWN, presentable } from '../../src/cloud/failed-devices.ts';
import { hiding, LONGEST_SEARCHED, redactor, shown, wordsIn } from '../../src/cloud/failure.ts';
import { SearchBudget } from '../../src/cloud/hidden-forms.ts';
import { answering, apiKey, credentials, put } from './exchange.ts';

const redact = redactor([credentials, apiKey]);
const MEBIBYTE = 1024 * 1024;

/** As many devices as an answer of 1 MiB names. */
function fullAnswer(device: (index: number) => FailedDevice): string {
  const devices: string[] = [];
  for (let size = 100; size < MEBIBYTE; size += (devices.at(-1)?.length ?? 0) + 1)
    devices.push(JSON.stringify(device(devices.length)));
  return `{"failedDevices":[${devices.slice(0, -1).join(',')}]}`;
}

const listOf = (count: number, device: (index: number) => FailedDevice) =>
  Array.from({ length: count }, (_, index) => device(index));

/** Counts what is searched for secrets. */
function counting() {
  const texts: string[] = [];
  const counted = (text: string, budget?: SearchBudget) => {
    texts.push(text);
    return redact(text, budget);
  };
  return { texts, counted };
}

describe('an answer that names many devices that were not sent', () => {
  const unsent = (index: number) => ({ udid: `phone-${index}`, message: `%25 &amp; ${index}` });

  it('has the first of them searched for secrets, and the others counted', async () => {
    const { texts, counted } = counting();
    const presented = await presentable(listOf(19_621, unsent), new Set(), counted);
    expect(texts).toHaveLength(2 * MOST_UNSENT_SHOWN);
    expect(new Set(presented.map(({ udid }) => udid)).size).toBe(19_621);
    expect(presented.slice(0, MOST_UNSENT_SHOWN)).toEqual(listOf(MOST_UNSENT_SHOWN, unsent));
    for (const { udid, message } of presented.slice(MOST_UNSENT_SHOWN)) {
      expect(udid).toMatch(/^sha256-[0-9a-f]{32}$/);
      expect(message).toBe('');
    }
  });

  it('leaves turns to the event loop', async () => {
    let turns = 0;
    let isDone = false;
    const tick = () => {
      turns += 1;
      if (!isDone) setImmediate(tick);
    };
    setImmediate(tick);
    await presentable(listOf(10_000, unsent), new Set(), redact);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('is not kept whole', async () => {
    const presented = await presentable(listOf(MOST_UNSENT_KEPT + 500, unsent), new Set(), redact);
    expect(presented).toHaveLength(MOST_UNSENT_KEPT);
  });

  it('keeps the devices that were sent, wherever they are, each once', async () => {
    const all = [...listOf(MOST_UNSENT_KEPT + 500, unsent), { udid: 'A', message: 'no' }];
    const presented = await presentable([...all, { udid: 'A', message: 'again' }], new Set(['A']), redact);
    expect(presented.filter(({ udid }) => udid === 'A')).toEqual([{ udid: 'A', message: 'no' }]);
  });

  it('is taken in 1 MiB, from the cloud itself', async () => {
    const { outcome } = await put(answering(200, fullAnswer(unsent)));
    expect(outcome).toMatchObject({ failedDevices: expect.arrayContaining([unsent(0)]) });
  });
});

describe('the work to search an answer for secrets', () => {
  const dense = (index: number) => `%25252541 aGVsbG8gd29ybGQ deadbeef00 &amp;amp; ${index} `.repeat(80);

  it('does not exceed the budget by more than one layer; what is left unsearched is not shown', async () => {
    const budget = new SearchBudget(2 * MEBIBYTE);
    const failed = listOf(300, (index) => ({ udid: `${index}`, message: dense(index) }));
    const sent = new Set(failed.map(({ udid }) => udid));
    const presented = await presentable(failed, sent, redact, budget);
    expect(budget.spent).toBeLessThan(budget.most + 100_000);
    expect(presented.at(-1)).toEqual({ udid: '299', message: '[redacted]' });
  });

  it('is done once for the same words', async () => {
    const { texts, counted } = counting();
    const failed = listOf(2000, (index) => ({ udid: `${index}`, message: 'no licence left' }));
    await presentable(failed, new Set(failed.map(({ udid }) => udid)), counted);
    expect(texts).toEqual(['no licence left']);
  });

  it.each(['%25252541', '&amp;amp;', '\\\\u0041', 'aGVsbG8gd29ybGQ', 'deadbeef', '=41', '107,51,', ' '])(
    'has an end for a page of %s',
    (piece) => {
      const budget = new SearchBudget();
      wordsIn(piece.repeat(8000), (text) => redact(text, budget));
      expect(budget.spent).toBeLessThan(budget.most + 100_000);
    },
  );

  it('takes a small part of the budget for ordinary words', () => {
    const budget = new SearchBudget();
    const words = 'The server is temporarily unable to service your request; please try again later. ';
    shown(words.repeat(100), redact, 1000, budget);
    expect(budget.spent).toBeLessThan(budget.most / 10);
  });

  it('is for the start of a long text', () => {
    const { texts, counted } = counting();
    expect(shown('x'.repeat(MEBIBYTE), counted)).toBe('x'.repeat(1000));
    expect(texts.map(({ length }) => length)).toEqual([LONGEST_SEARCHED]);
  });
});

describe('many known identifiers', () => {
  const identifiers = Array.from({ length: 5000 }, (_, index) => String(350_000_000_000_000 + index * 7919));

  it('are all hidden, with look-ups and no expression for each', () => {
    const hide = hiding(identifiers);
    expect(hide(identifiers.map((each) => `IMEI${each};`).join(''))).toBe('IMEI[number];'.repeat(5000));
    expect(hide(identifiers.slice(0, 3).join(''))).toBe('[number]'.repeat(3));
  });

  it('are hidden where they overlap and where one is longer', () => {
    const hide = hiding(['12345678901234', '1234567890123456', '90123456789012']);
    expect(hide('x 1234 5678-9012 3456 7')).toBe('x [number] 7');
    expect(hide('12345678901234')).toBe('[number]');
    expect(hide('1234567890123 4')).toBe('[number]');
    expect(hide('1234567890123456789012')).toBe('[number]');
  });
});
