import { printable } from '../base/printable.ts';

/** Limits for stored texts of phones, adb and the cloud, by kind, characters. */
export const LONGEST = {
  /** A version, a state, a kind of battery: one word or a few. */
  word: 64,
  /** A name: of a model, a maker, or the owner's name for a phone. */
  name: 256,
  /** A sentence. */
  reason: 300,
  /** A host (RFC 1035, 2.3.4). */
  host: 253,
  /** An IPv6 address with an IPv4 address at its end. */
  address: 45,
  /** An app's package: the limit of file systems. */
  packageName: 223,
} as const;

/** Foreign text as one printable line within the limit of its kind; undefined if nothing remains. */
export const phoneText = (text: string | undefined, kind: keyof typeof LONGEST): string | undefined =>
  printable(text ?? '', LONGEST[kind]) || undefined;

/** The text without the CR of a pty, NULs and a byte order mark. */
export const plainText = (text: string): string => text.replace(/[\0\r\uFEFF]+/g, '');
