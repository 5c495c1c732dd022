import { createHash } from 'node:crypto';
import { printable } from './printable.ts';

/** No serial number, USB path or network name is longer, characters. */
export const LONGEST_IDENTIFIER = 128;
/** What most are made of. */
const PLAIN = new RegExp(`^[!-~]{0,${LONGEST_IDENTIFIER}}$`);

/**
 * Makes a serial, path or name safe for reports, files and logs. A printable text of at most 128 characters stays,
 * without blanks around it; any other becomes a hash, the same at each start. A safe identifier does not change.
 */
export function safeIdentifier(text: string): string {
  if (PLAIN.test(text)) return text;
  const plain = text.trim();
  const isSafe = plain.length <= LONGEST_IDENTIFIER && printable(plain, LONGEST_IDENTIFIER) === plain;
  return isSafe ? plain : `sha256-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
