/** Recognizes identifiers of the mobile network, and rejects others: a mask, zeros, a phone number, an ESN. */

const allAlike = /^(.)\1*$/;

/**
 * MEID: 14 hexadecimal digits (3GPP2 S.R0048). The first two name who assigned it: A0 to FF, or 97 to 99 and then decimal
 * digits only. An ESN (8 hexadecimal or 11 decimal digits) and a MEID's decimal form (18 digits) are none.
 *
 * Source: AOSP's tests for each Android, TelephonyManagerTest.java, assertMeidFormat().
 */
export const isMeid = (text: string): boolean =>
  /^(?:[A-Fa-f][0-9A-Fa-f]{13}|9[789]\d{12})$/.test(text) && !allAlike.test(text);

/**
 * IMEI: 15 digits with a Luhn check digit (3GPP TS 23.003, 6.2). A modem may leave the check digit out (the same source,
 * assertImei()): then it is added.
 *
 * @returns 15 digits; undefined for any other text
 */
export function asImei(text: string): string | undefined {
  if (!/^\d{14,15}$/.test(text) || allAlike.test(text)) return undefined;
  return [text, ...[...'0123456789'].map((digit) => text + digit)].find(isWholeImei);
}

/** An IMEI with its check digit. */
export const isWholeImei = (text: string): boolean =>
  /^\d{15}$/.test(text) && hasCheckDigit(text) && !allAlike.test(text);

/**
 * ICCID: 18 to 20 digits that start with 89 (ITU-T E.118), without the padding F. Not all have a valid check digit.
 * Cards of Chinese operators (8986) may have letters from A to F among their 19 or 20 digits; AOSP keeps those in
 * IccRecords.getFullIccId(), and stores them in upper or lower case.
 *
 * @returns in upper case
 */
export function asIccid(text: string | undefined): string | undefined {
  const plain = text?.trim().toUpperCase() ?? '';
  return /^(89\d{16,18}|8986[\dA-F]{14,15}[\dA-E])F?$/.exec(plain)?.[1];
}

/** Luhn: every second digit from the right doubled, the digits of all of them summed up. */
export function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
