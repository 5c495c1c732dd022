/**
 * What replaces personal values: a mask for the screen, or a stand-in for files: of the same length and form, so that a
 * parser reads them alike, and drawn at random, so that nothing leads back. The same value has the same stand-in, different
 * ones have different ones.
 */
import { randomInt } from 'node:crypto';
import { hasCheckDigit } from '../../facts/identifier-form.ts';

/** Draws for a value; short ones may be used up, and then the last one drawn has to do. */
const DRAWS = 200;

export class StandIns {
  readonly #chosen = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #originals = new Set<string>();

  /** Says that this is somebody's: it is never drawn for another. */
  reserve(value: string): void {
    this.#originals.add(value.toLowerCase());
  }

  /** The stand-in, in upper and lower case as the value is. */
  of(value: string): string {
    if (isMac.test(value)) return separated(value, this.of(value.replace(/[:-]/g, '')));
    const key = value.toLowerCase();
    const known = this.#chosen.get(key);
    return inCaseOf(value, known ?? this.#choose(key));
  }

  #choose(key: string): string {
    let drawn = this.#draw(key);
    for (let i = 0; i < DRAWS && this.#isUsed(key, drawn); i += 1) drawn = this.#draw(key);
    this.#taken.add(drawn);
    this.#chosen.set(key, drawn);
    return drawn;
  }

  #isUsed(key: string, drawn: string): boolean {
    return drawn === key || this.#taken.has(drawn) || this.#originals.has(drawn);
  }

  #draw(key: string): string {
    if (isIpv4.test(key)) return ipv4(key);
    if (isIpv6.test(key)) return ipv6(key);
    const issuer = key.slice(0, 9); // and country, which Android shows to all
    if (isIccid.test(key)) return numberLike(key, issuer);
    if (isIccidWithLetters.test(key))
      return issuer + key.slice(9).replace(/[\da-f](?!$)|[\da-e]$/g, iccidDigit);
    if (/^\d{15}$/.test(key)) return numberLike(key, '00101'); // the test network's
    if (/^\d{14}$/.test(key)) return numberLike(key, key.slice(0, 2)); // whether it is a MEID
    if (/^\d{14,}$/.test(key)) return numberLike(key, '');
    return isHex.test(key) ? key.replace(/[0-9a-f]/g, hex) : textLike(key);
  }
}

const isIpv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const isIpv6 = /^(?=[^:]*:[^:]*:)[0-9a-f:]+$/;
const isMac = /^[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}$/i;
const isIccid = /^89\d{16,18}f?$/;
const isIccidWithLetters = /^8986[\da-f]{15,16}$/;
const isHex = /^(?:(?=.*\d)[0-9a-f-]{8,}|[0-9a-f]{12})$/;

const separated = (sample: string, digits: string): string =>
  digits.replace(/..(?=.)/g, `$&${sample.charAt(2)}`);

const pick = (characters: string): string => characters.charAt(randomInt(characters.length));
const hex = (character: string): string =>
  character >= 'a' && character <= 'f' ? pick('abcdef') : pick('0123456789');
/** An F at the end would be padding. */
const iccidDigit = (character: string): string => pick(/\d/.test(character) ? '0123456789' : 'abcde');

/** Keeps what says of which kind a network is, and below it zero and 255. */
function ipv4(address: string): string {
  if (/^192\.0\.0\.[0-7]$/.test(address)) return `192.0.0.${randomInt(8)}`; // RFC 7335
  const keptParts =
    /^(?:192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
  const firstDrawn = keptParts.test(address) ? 2 : 1;
  return address
    .split('.')
    .map((part, index) => (index < firstDrawn ? part : octetLike(part)))
    .join('.');
}

function octetLike(part: string): string {
  const octet = Number(part);
  if (octet === 0 || octet >= 255) return part;
  const drawn = octet < 10 ? randomInt(1, 10) : octet < 100 ? randomInt(10, 100) : randomInt(100, 255);
  return String(drawn).padStart(part.length, '0');
}

/** Keeps what says of which kind an address is, and zeros: a group must not begin with another one. */
function ipv6(address: string): string {
  const kind = /^(?:fe[89ab][0-9a-f]|f[cd]|2001|2)/.exec(address)?.[0] ?? '';
  return kind + address.slice(kind.length).replace(/[1-9a-f]/g, () => pick('123456789abcdef'));
}

/** Digits that begin with `prefix` and have a right check digit if, and only if, the given ones have. */
function numberLike(key: string, prefix: string): string {
  const digits = /^\d*/.exec(key)?.[0] ?? '';
  const drawn = prefix + digits.slice(prefix.length).replace(/\d/g, () => pick('0123456789'));
  const body = drawn.slice(0, -1);
  const valid = [...'0123456789'].find((last) => hasCheckDigit(body + last)) ?? '0';
  const isValid = hasCheckDigit(digits);
  const last = isValid ? valid : pick('0123456789'.replace(valid, ''));
  return body + last + key.slice(digits.length);
}

/** Letters for letters, digits for digits, the rest as it stands; as long, in UTF-8 too. */
const textLike = (key: string): string =>
  key.replace(/[\p{L}\p{N}\p{So}]/gu, (character) => {
    if (/\d/.test(character)) return pick('0123456789');
    if (/[a-z]/.test(character)) return pick('abcdefghijklmnopqrstuvwxyz');
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) return character;
    if (code < 0x800) return pick('àáâäåçèéêëìíîïñòóôöøùúûü');
    return code < 0x10000
      ? String.fromCodePoint(0x4e00 + randomInt(0x1000))
      : String.fromCodePoint(0x1f400 + randomInt(0x30));
  });

const inCaseOf = (sample: string, text: string): string =>
  text.replace(/[a-z]/g, (letter, at: number) =>
    /[A-Z]/.test(sample.charAt(at)) ? letter.toUpperCase() : letter,
  );

/** Hides all but the ends of a value, which is enough to know it again: `35***********17`, `******c9`. */
export function mask(value: string): string {
  const characters = [...value];
  const shownFirst = characters.length >= 12 ? 2 : 0;
  const shownLast = characters.length >= 6 ? 2 : 0;
  // one star for each UTF-16 unit: in a reply of `service call` no letter may move
  return characters
    .map((character, at) =>
      at < shownFirst || at >= characters.length - shownLast ? character : '*'.repeat(character.length),
    )
    .join('');
}
