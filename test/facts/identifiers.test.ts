import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { identifiers, parseIdentifiers } from '../../src/facts/identifiers.ts';
import { expectFacts, expectUnreadable, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';
import { parcelOf, REFUSED } from '../support/telephony-phone.ts';

const IMEI_0 = '490154203237518';
const IMEI_1 = '860955020018374';
const ICCID_0 = '89860045101234567890';
const ICCID_1 = '89860315209876543210';
const meid = readFileSync(new URL('../fixtures/identifiers/parcel-meid.txt', import.meta.url), 'utf8');
const NULL = "Result: Parcel(00000000 ffffffff   '........')\n";

const row = (subId: number, slot: number, shown: string) =>
  `[SubscriptionInfoInternal: id=${subId} iccId=${shown} simSlotIndex=${slot}\n`;
const slot = (number: number, reply: string) => `slot ${number}\n${reply}`;
const call = (number: number, reply: string) => `call ${number}\n${reply}`;

describe('parseIdentifiers', () => {
  it.each(samples('iphonesubinfo').filter(({ file }) => file.includes('dumpsys')))(
    'reads from $file what a careful person reads',
    ({ file, text, expected }) => {
      const read = () => parseIdentifiers('', text, '');
      if (text === '') expectUnreadable(file, read);
      else
        expectFacts(file, read(), {
          carriers: expected.imei === null ? [] : [{ slot: 0, imei: expected.imei }],
        });
    },
  );

  it.each(samples('siminfo'))('reports of $file the cards that are in', ({ file, text, expected }) => {
    const cards = [...text.matchAll(/icc_id=(\d+), sim_id=([01]),/g)];
    expect(cards).toHaveLength(
      (expected.active ?? expected.rows.filter(({ active }: { active: boolean }) => active)).length,
    );
    expectFacts(file, parseIdentifiers('', '', text), {
      carriers: cards.map(([, iccid, number]) => ({ slot: Number(number), iccid })),
    });
  });

  it('reads two SIMs', () => {
    const answer =
      slot(0, parcelOf(IMEI_0)) +
      slot(1, parcelOf(IMEI_1)) +
      row(2, 0, '898600451[****]') +
      call(5, parcelOf(IMEI_0)) +
      call(14, parcelOf(ICCID_0)) +
      row(3, 1, '898603152[****]') +
      call(5, parcelOf(IMEI_1)) +
      call(14, parcelOf(ICCID_1));
    const facts = {
      carriers: [
        { slot: 0, imei: IMEI_0, iccid: ICCID_0 },
        { slot: 1, imei: IMEI_1, iccid: ICCID_1 },
      ],
    };
    expect(parseIdentifiers(answer, '', '')).toEqual(facts);
    expect(parseIdentifiers(answer.replaceAll('\n', '\r\n'), '', '')).toEqual(facts);
  });

  it('drops the echo of slot 0 that a slot gives which is not there', () => {
    expect(parseIdentifiers(slot(0, parcelOf(IMEI_0)) + slot(1, parcelOf(IMEI_0)), '', '')).toEqual({
      carriers: [{ slot: 0, imei: IMEI_0 }],
    });
  });

  it('reads the MEID of a CDMA phone by its slot and the IMEI by its SIM', () => {
    const answer = slot(0, meid) + row(1, 0, '898600451[****]') + call(4, parcelOf(IMEI_0));
    expect(parseIdentifiers(answer, '', '')).toEqual({
      carriers: [{ slot: 0, imei: IMEI_0, meid: '99000646475557' }],
    });
  });

  it('adds the check digit that a modem leaves out, also where the other slot has it', () => {
    const answer = slot(0, parcelOf(IMEI_0.slice(0, 14))) + slot(1, parcelOf(IMEI_1));
    const both = {
      carriers: [
        { slot: 0, imei: IMEI_0 },
        { slot: 1, imei: IMEI_1 },
      ],
    };
    expect(parseIdentifiers(answer, '', '')).toEqual(both);
    expect(
      parseIdentifiers(slot(0, parcelOf(IMEI_0)) + slot(1, parcelOf(IMEI_1.slice(0, 14))), '', ''),
    ).toEqual(both);
  });

  it('takes the IMEI with its check digit before one without it', () => {
    const card = row(2, 0, '898600451[****]') + call(5, parcelOf(IMEI_0));
    expect(parseIdentifiers(slot(0, parcelOf(IMEI_1.slice(0, 14))) + card, '', '')).toEqual({
      carriers: [{ slot: 0, imei: IMEI_0 }],
    });
  });

  it('takes for no MEID what a phone answers for its slot and for its SIM: its modem is not CDMA', () => {
    const short = '99000646475557';
    const card = row(2, 0, '898600451[****]') + call(5, parcelOf(short));
    expect(parseIdentifiers(slot(0, parcelOf(short)) + card, '', '')).toEqual({
      carriers: [{ slot: 0, imei: '990006464755577' }],
    });
    const dump = (type: string) => `Phone Subscriber Info:\n  Phone Type = ${type}\n  Device ID = ${short}\n`;
    expect(parseIdentifiers('', dump('GSM'), '').carriers).toEqual([{ slot: 0, imei: '990006464755577' }]);
    expect(parseIdentifiers('', dump('CDMA'), '').carriers).toEqual([{ slot: 0, meid: short }]);
  });

  it('drops the echo of slot 0 without a check digit as well', () => {
    const short = parcelOf(IMEI_0.slice(0, 14));
    expect(parseIdentifiers(slot(0, parcelOf(IMEI_0)) + slot(1, short), '', '')).toEqual({
      carriers: [{ slot: 0, imei: IMEI_0 }],
    });
  });

  describe('an ICCID with letters, of China Mobile', () => {
    const iccid = '898600A01234567890B1';
    const read = (shown: string, stored: string) =>
      parseIdentifiers(
        slot(0, parcelOf(IMEI_0)) + row(2, 0, shown),
        '',
        `Row: 0 _id=2, icc_id=${stored}, sim_id=0\n`,
      ).carriers[0]?.iccid;

    it.each([
      ['898600A01[****]', iccid],
      ['898600a01[****]', iccid.toLowerCase()],
      ['898600A01XXXXXXXXXXX', iccid],
      [iccid, ''],
      [iccid, iccid],
    ])('is read where the digits agree that Android shows: %s and %s', (shown, stored) => {
      expect(read(shown, stored)).toBe(iccid);
    });

    it('is read without its padding', () => {
      expect(read('898600A01[****]', '898600A012345678901F')).toBe('898600A012345678901');
      expect(read('898600A012345678901F', '')).toBe('898600A012345678901');
    });

    it.each([
      ['another card is shown', '898600B01[****]', iccid],
      ['Android stores the digits before the first letter', '898600', '898600'],
      ['it is of another country', '891480A01[****]', '891480A01234567890B1'],
      ['it is too long', '898600A01[****]', `${iccid}2`],
    ])('is not read where %s', (_, shown, stored) => {
      expect(read(shown, stored)).toBeUndefined();
    });

    it('is not read where Android shows no digits of it', () => {
      expect(parseIdentifiers('', '', `Row: 0 _id=2, icc_id=${iccid}, sim_id=0\n`).carriers).toEqual([]);
      expect(parseIdentifiers('', '', `Row: 0 _id=2, icc_id=${ICCID_0}, sim_id=0\n`).carriers).toEqual([
        { slot: 0, iccid: ICCID_0 },
      ]);
    });
  });

  it('refuses an ICCID that is not of the card which is shown', () => {
    const crossed = row(2, 0, '898603152[****]') + call(14, parcelOf(ICCID_0));
    const rows = `Row: 0 _id=2, icc_id=${ICCID_0}, sim_id=0\n`;
    expect(parseIdentifiers(slot(0, parcelOf(IMEI_0)) + crossed, '', rows)).toEqual({
      carriers: [{ slot: 0, imei: IMEI_0 }],
    });
  });

  it('takes an ICCID that Android shows whole, or masks by crosses and answers elsewhere', () => {
    const rows = `Row: 0 _id=3, icc_id=${ICCID_1}, sim_id=1\n`;
    expect(parseIdentifiers(row(2, 0, ICCID_0) + row(3, 1, '898603152XXXXXXXXXXX'), '', rows)).toEqual({
      carriers: [
        { slot: 0, iccid: ICCID_0 },
        { slot: 1, iccid: ICCID_1 },
      ],
    });
  });

  it('believes call 15 of Android 15 before call 14, which may answer for the default SIM', () => {
    const cards = (late: [string, string], early: [string, string]) =>
      row(2, 0, '89860[****]') +
      call(15, late[0]) +
      call(14, early[0]) +
      row(3, 1, '89860[****]') +
      call(15, late[1]) +
      call(14, early[1]);
    const [one, other] = [parcelOf(ICCID_0), parcelOf(ICCID_1)];
    const both = {
      carriers: [
        { slot: 0, iccid: ICCID_0 },
        { slot: 1, iccid: ICCID_1 },
      ],
    };
    expect(parseIdentifiers(cards([one, other], [one, one]), '', '')).toEqual(both);
    expect(parseIdentifiers(cards([parcelOf('+15551234567'), NULL], [one, other]), '', '')).toEqual(both);
    expect(parseIdentifiers(cards([NULL, other], [other, other]), '', '')).toEqual({
      carriers: [{ slot: 1, iccid: ICCID_1 }],
    });
    expect(parseIdentifiers(cards([NULL, NULL], [one, one]), '', '')).toEqual({ carriers: [] });
  });

  it.each([
    ['a refusal', slot(0, REFUSED)],
    ['an unknown call', slot(0, 'Result: Parcel(Error: 0xffffffff "Unknown transaction")\n')],
    ['a phone without telephony', slot(0, 'service: Service iphonesubinfo does not exist\n')],
    ['zeros', slot(0, parcelOf('000000000000000'))],
    ['an ESN', slot(0, parcelOf('80123456'))],
  ])('knows no identifier after %s', (_, answer) => {
    expect(parseIdentifiers(answer, '', '')).toEqual({ carriers: [] });
  });

  it.each(['', '/system/bin/sh: service: not found', 'slot 0\n'])('throws ParseError at %j', (answer) => {
    expect(() => parseIdentifiers(answer, '', '')).toThrow(ParseError);
  });

  it('sends no command if the configuration forbids it', () => {
    const options = { shellV2: true, reachabilityOnMetered: false };
    expect(identifiers.commands({ ...options, telephonyIdentifiers: false })).toEqual({});
  });

  it('stands whatever a phone prints', () => {
    const texts = [
      slot(0, parcelOf(IMEI_0)) + row(2, 0, '898600451[****]') + call(15, parcelOf(ICCID_0)),
      ...samples('iphonesubinfo').map(({ text }) => text),
    ];
    const rows = samples('siminfo').map(({ text }) => text);
    fc.assert(
      fc.property(hostileText(texts), hostileText(texts), hostileText(rows), (calls, dump, cards) => {
        expectOnlyParseErrors((text) => parseIdentifiers(text, dump, cards), calls);
      }),
    );
    for (const text of texts.filter((text) => text !== '')) {
      expectOnlyParseErrors((answer) => parseIdentifiers(answer, '', ''), huge(text));
      expectOnlyParseErrors((answer) => parseIdentifiers('', answer, ''), huge(text));
    }
    expectOnlyParseErrors((answer) => parseIdentifiers('', '', answer), huge(`${rows[0]}\n`));
    expectOnlyParseErrors((answer) => parseIdentifiers(answer, '', ''), huge('slot 1\n'));
  });
});
