import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSimRows } from '../../src/facts/siminfo.ts';
import { parseSubscriptions } from '../../src/facts/subscriptions.ts';
import { expectFacts, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/mobile/${name}.txt`, import.meta.url), 'utf8');
const isub = samples('isub');
const siminfo = samples('siminfo');

interface Expected {
  id: number;
  simSlotIndex: number;
  iccIdMasked?: boolean;
}

describe('parseSubscriptions', () => {
  it.each(isub)('reads from $file what a careful person reads', ({ file, text, expected }) => {
    const { active, defaultDataSubId } = parseSubscriptions(text);
    const read = { active: active?.map(({ slot, subId }) => ({ slot, subId })), defaultDataSubId };
    expectFacts(file, read, {
      active: expected.activeSubs.map(({ id, simSlotIndex }: Expected) => ({
        slot: simSlotIndex,
        subId: id,
      })),
      defaultDataSubId: expected.defaultDataSubId,
    });
  });

  it('reads two SIMs of Android 14 and not the removed one', () => {
    expect(parseSubscriptions(fixture('isub-android-14-two-sims'))).toEqual({
      defaultDataSubId: 2,
      active: [
        { slot: 0, subId: 2, shownIccid: '898600451[****]' },
        { slot: 1, subId: 3, shownIccid: '898603152[****]' },
      ],
    });
  });

  it('reads that no SIM is in', () => {
    expect(parseSubscriptions(fixture('isub-sunmi-v2pro-7.1-no-sim-in'))).toEqual({
      defaultDataSubId: 2,
      active: [],
    });
  });

  it('reads the rows of the later releases of Android 13', () => {
    const dump = [
      ' defaultDataSubId=2',
      ' ActiveSubInfoList:',
      '  [SubscriptionInfo: id=1 iccId=894921006[****] simSlotIndex=0 portIndex=0 isEmbedded=false displayName=A]',
      '  [SubscriptionInfo: id=2 iccId=894920020[****] simSlotIndex=1 portIndex=0 isEmbedded=true displayName=B]',
      ' AllSubInfoList:',
      '  [SubscriptionInfo: id=3 iccId=894920020[****] simSlotIndex=-1 portIndex=0 isEmbedded=true displayName=C]',
    ].join('\n');
    expect(parseSubscriptions(dump)).toEqual({
      defaultDataSubId: 2,
      active: [
        { slot: 0, subId: 1, shownIccid: '894921006[****]' },
        { slot: 1, subId: 2, shownIccid: '894920020[****]' },
      ],
    });
  });

  it('reads the rows of Android 5.0', () => {
    const dump = [
      ' defaultDataSubId=1',
      ' ActiveSubInfoList:',
      '  {mSubId=1, mIccId=89860318740211132823 mSlotId=0 mDisplayName=CARD 1 mNameSource=0 mColor=0 mNumber= }',
      ' AllSubInfoList:',
    ].join('\n');
    expect(parseSubscriptions(dump)).toEqual({
      defaultDataSubId: 1,
      active: [{ slot: 0, subId: 1, shownIccid: '89860318740211132823' }],
    });
  });

  it('reads of a Xiaomi the SIMs that are in, not those that its database remembers', () => {
    const dump = [
      ' defaultDataSubId=11',
      ' ActiveSubInfoList:',
      '  {id=11 iccId=894411[****] simSlotIndex=1 carrierId=28 displayName=VOXI}',
      ' ActiveSubInfoList in the DB:',
      '  {id=4 iccId=894420[****] simSlotIndex=0 carrierId=28 displayName=old}',
      ' AllSubInfoList:',
    ].join('\n');
    expect(parseSubscriptions(dump)).toEqual({
      defaultDataSubId: 11,
      active: [{ slot: 1, subId: 11, shownIccid: '894411[****]' }],
    });
  });

  it('is not misled by the name that someone gave a SIM', () => {
    const name = 'displayName=x iccId=8914800000244553823 simSlotIndex=1';
    expect(parseSubscriptions(` ActiveSubInfoList:\n  {id=4 iccId= simSlotIndex=0 ${name}}`)).toEqual({
      active: [{ slot: 0, subId: 4 }],
    });
  });

  it.each(["Can't find service: isub", '', "*** SERVICE 'isub' DUMP TIMEOUT (10000ms) EXPIRED ***"])(
    'knows nothing after %j',
    (text) => {
      expect(parseSubscriptions(text)).toEqual({});
    },
  );

  it('stands whatever a phone prints', () => {
    const texts = [...isub.map(({ text }) => text), fixture('isub-android-14-two-sims')];
    fc.assert(
      fc.property(hostileText(texts), (text) => {
        expect(parseSubscriptions(text)).toBeTypeOf('object');
      }),
    );
    for (const text of texts) expectOnlyParseErrors(parseSubscriptions, huge(text));
    expectOnlyParseErrors(parseSubscriptions, ` ActiveSubInfoList:\n${huge(' ')}`);
    expectOnlyParseErrors(parseSubscriptions, ` ActiveSubInfoList:\n${huge('{id=1 ')}`);
  });
});

describe('parseSimRows', () => {
  it.each(siminfo)('reads from $file what a careful person reads', ({ file, text, expected }) => {
    const rows = parseSimRows(text);
    const slots = (expected.active ?? expected.rows).map(({ slot }: { slot: number }) => slot);
    expectFacts(
      file,
      rows.map(({ slot }) => slot).filter((slot) => slot >= 0 || expected.rows),
      slots,
    );
    if (expected.rows)
      expectFacts(
        file,
        rows.map(({ iccid }) => iccid),
        [expected.rows[0].iccid],
      );
  });

  it.each([
    'No result found.\n',
    'Error while accessing provider:telephony\njava.lang.SecurityException: Access',
    '',
  ])('finds no card in %j', (text) => {
    expect(parseSimRows(text)).toEqual([]);
  });

  it('stands whatever a phone prints', () => {
    const texts = siminfo.map(({ text }) => text);
    fc.assert(
      fc.property(hostileText(texts), (text) => {
        expect(parseSimRows(text)).toBeInstanceOf(Array);
      }),
    );
    for (const text of texts) expectOnlyParseErrors(parseSimRows, huge(text));
    expectOnlyParseErrors(parseSimRows, `Row: 0 _id=1, ${huge(', ')}`);
  });
});
