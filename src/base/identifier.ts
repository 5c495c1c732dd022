import { createHash } from 'node:crypto';
import { printable } from './printable.ts';

/** Longer is no serial number, no USB path and no name on a network, characters. */
export const LONGEST_IDENTIFIER = 128;

/**
 * What a phone or adb calls a phone or its place, so that it can stand in a report, a file and a log: as it is where
 * it is printable and no longer than 128 characters, else a hash of it, the same at each start. Blanks around it do
 * not count. A safe one stays as it is.
 */
export function safeIdentifier(text: string): string {
  const plain = text.trim();
  const isSafe = plain.length <= LONGEST_IDENTIFIER && printable(plain, LONGEST_IDENTIFIER) === plain;
  return isSafe ? plain : `sha256-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
