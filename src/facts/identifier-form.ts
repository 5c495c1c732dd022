/** Recognizes identifiers of the mobile network, and rejects others: a mask, zeros, a phone number, an ESN. */

/** A phone's identifier in the mobile network: an IMEI, or an MEID on CDMA. */
export interface DeviceId {
  imei?: string;
  meid?: string;
}

const allAlike = /^(.)\1*$/;

/**
 * IMEI: 15 digits with a Luhn check digit (3GPP TS 23.003, 6.2). MEID: 14 hexadecimal digits (3GPP2 S.R0048). An ESN (8
 * hexadecimal or 11 decimal digits) is neither.
 */
export function asDeviceId(text: string | undefined): DeviceId {
  if (text === undefined || allAlike.test(text)) return {};
  if (/^\d{15}$/.test(text) && hasCheckDigit(text)) return { imei: text };
  return /^[0-9A-Fa-f]{14}$/.test(text) ? { meid: text } : {};
}

/** ICCID: 18 to 20 digits that start with 89 (ITU-T E.118), without the padding F. Not all have a valid check digit. */
export function asIccid(text: string | undefined): string | undefined {
  return /^(89\d{16,18})[Ff]?$/.exec(text?.trim() ?? '')?.[1];
}

/** Luhn: every second digit from the right doubled, the digits of all of them summed up. */
export function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
