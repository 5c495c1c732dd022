import { describe, expect, it } from 'vitest';
import { asIccid, asImei, isMeid } from '../../src/facts/identifier-form.ts';

/** What a phone of an unknown kind says of itself. */
const kindOf = (text: string) => (isMeid(text) ? { meid: text } : { imei: asImei(text) });

describe('an identifier of a phone', () => {
  it.each([
    ['490154203237518', { imei: '490154203237518' }],
    ['860955020018374', { imei: '860955020018374' }],
    ['A00000330E3FF2', { meid: 'A00000330E3FF2' }],
    ['99000646475557', { meid: '99000646475557' }],
    ['97000646475557', { meid: '97000646475557' }],
    // without its check digit
    ['49015420323751', { imei: '490154203237518' }],
    ['86095502001837', { imei: '860955020018374' }],
  ])('takes %s for what it is', (text, id) => {
    expect(kindOf(text)).toEqual(id);
  });

  it.each([
    ['490154203237519', 'its check digit is wrong'],
    ['000000000000000', 'it is all zeros'],
    ['FFFFFFFFFFFFFF', 'it is all one digit'],
    ['00000000000000', 'it is all zeros, and short'],
    ['35A00330E3FF27', 'nobody assigns a MEID that starts so'],
    ['9900064647555A', 'one from 99 on has decimal digits alone'],
    ['270113182610065042', 'it is the decimal form of a MEID'],
    ['80123456', 'it is an ESN'],
    ['12801234567', 'it is a decimal ESN'],
    ['4901542032375180', 'it is an IMEISV'],
    ['49015420[****]', 'it is masked'],
    ['', 'it is empty'],
  ])('refuses %s: %s', (text) => {
    expect(kindOf(text)).toEqual({ imei: undefined });
  });
});

describe('asIccid', () => {
  it.each([
    ['89148000002445538231', '89148000002445538231'],
    ['8914800000244553823F', '8914800000244553823'],
    ['893144000000000000', '893144000000000000'],
    ['899187404[****]', undefined],
    ['898600451XXXXXXXXXXX', undefined],
    ['898602', undefined],
    ['460020592123456789', undefined],
    ['891480000024455382311', undefined],
    ['898600A0123456789012', '898600A0123456789012'],
    ['898600a012345678901', '898600A012345678901'],
    ['898600A012345678901F', '898600A012345678901'],
    ['898600F012345678901A', '898600F012345678901A'],
    ['898600A01234567890', undefined],
    ['898600A0123456789012B', undefined],
    ['898600A012345678FFFF', undefined],
    ['898600A01[****]', undefined],
    ['8914800000A445538231', undefined],
    [undefined, undefined],
  ])('reads %s as %s', (text, iccid) => {
    expect(asIccid(text)).toBe(iccid);
  });
});
