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

  it('does not ask at all where the lab does not want it', () => {
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
