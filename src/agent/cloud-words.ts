import { printable } from '../base/printable.ts';

const LONGEST = 300;

/** As long as an IMEI or an ICCID, in digits that may stand apart; a MEID is hexadecimal. */
const longNumber = /(?:[0-9a-f][ -]?){13,40}[0-9a-f]/gi;
const LEAST_DIGITS = 8;

/**
 * What the cloud said of a phone, as the history keeps it: printable, bounded, and without numbers as long as those of a
 * SIM or a radio. A cloud may repeat what it was sent.
 */
export const cloudWords = (message: string): string =>
  printable(message, LONGEST).replace(longNumber, (number) =>
    number.replace(/\D/g, '').length < LEAST_DIGITS ? number : '…',
  );
