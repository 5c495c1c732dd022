import { printable } from '../base/printable.ts';

/** How long what a phone, adb or the cloud says may be where it is kept, by what it is, characters. */
export const LONGEST = {
  /** A version, a state, a kind of battery: one word or a few. */
  word: 64,
  /** What people call something: a model, a maker, the owner's name for a phone. */
  name: 256,
  /** A sentence. */
  reason: 300,
  /** A host (RFC 1035, 2.3.4). */
  host: 253,
  /** An IPv6 address with an IPv4 address at its end. */
  address: 45,
  /** An app's package: what a file system takes. */
  packageName: 223,
} as const;

/** Foreign text as one printable line that is not too long for what it is; undefined where nothing is left of it. */
export const phoneText = (text: string | undefined, kind: keyof typeof LONGEST): string | undefined =>
  printable(text ?? '', LONGEST[kind]) || undefined;
