/** What is shown of others' words: a bounded, printable message without our secrets, and nothing else of a body. Pure. */
import { parseJson } from '../base/errors.ts';
import { printable, visible } from '../base/printable.ts';

/** Hides secrets and telephony identifiers in a text. */
export type Redact = (text: string) => string;

export const HIDDEN = '[redacted]';

/** Looks like an IMEI, IMSI, ICCID or MEID that the cloud quotes; these must not reach a log. */
const identifier = /(?<![0-9A-Za-z])(?:\d{14,20}|[0-9A-F]{14}|[0-9a-f]{14})(?![0-9A-Za-z])/g;

/** A parameter of a pre-signed URL that the cloud quotes: `X-Vendor-Signature=…`. */
const signed = /(?:signature|credential|token|sig)(?:=|%3d)[^\s&"'<>\\]+/gi;

/**
 * Builds a function that hides these values as they are, percent-encoded, and in base64, alone or with more, as in
 * `Authorization`; and everything that looks like a telephony identifier or like a parameter of a pre-signed URL.
 */
export function redactor(secrets: readonly string[]): Redact {
  const longestFirst = secrets
    .filter((secret) => secret !== '')
    .toSorted((one, other) => other.length - one.length);
  const forms = longestFirst.flatMap((secret) => [spelled(secret), ...inBase64(secret)]);
  const hidden = new RegExp(forms.join('|') || '(?!)', 'g');
  return (text) => text.replace(hidden, HIDDEN).replace(signed, HIDDEN).replace(identifier, '[number]');
}

/** A pattern for a text, any of its characters percent-encoded; forms write a blank as a plus. */
const spelled = (text: string): string =>
  Array.from(text, (character) => {
    const encoded = Buffer.from(character).toString('hex').replace(/../g, '%$&');
    const percent = encoded.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
    return `(?:${percent}|${plain}${character === ' ' ? '|\\+' : ''})`;
  }).join('');

/** Fewer characters of base64 occur by chance. */
const SHORTEST_BASE64 = 4;

/** Patterns for the characters of base64 that come from this text, whatever stands before and behind it. */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const own = encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
    if (own.length < SHORTEST_BASE64) return [];
    const pattern = own.replaceAll('-', '(?:[+-]|%2[bB])').replaceAll('_', '(?:[/_]|%2[fF])');
    // the characters at both ends hold bits of the text, too
    return `[\\w+/-]?${pattern}[\\w+/-]?(?:=|%3[dD]){0,2}`;
  });
}

/** At least as many hexadecimal digits as a MEID has, with blanks or dashes between them. */
const digits = /[0-9A-Fa-f](?:[\s\p{Pd}]*[0-9A-Fa-f]){13,}/gu;
const separators = /[\s\p{Pd}]+/gu;

/**
 * Builds a function that hides these identifiers next to any text, also with blanks or dashes inside: with all digits that
 * stand there. One look-up per digit and length.
 */
export function hiding(identifiers: readonly string[]): Redact {
  const known = new Set(
    identifiers.filter((each) => /^[0-9A-Fa-f]{14,}$/.test(each)).map((each) => each.toUpperCase()),
  );
  const lengths = [...new Set([...known].map(({ length }) => length))];
  const isKnown = (run: string): boolean => {
    const plain = run.replace(separators, '').toUpperCase();
    return lengths.some((length) => {
      for (let at = 0; at + length <= plain.length; at += 1)
        if (known.has(plain.slice(at, at + length))) return true;
      return false;
    });
  };
  return (text) =>
    known.size === 0 ? text : text.replace(digits, (run) => (isKnown(run) ? '[number]' : run));
}

/** How much of a text we search for secrets, characters: more than we show. */
export const LONGEST_SEARCHED = 4096;
/**
 * The end of a text that was cut, characters: not shown, because the first half of a secret may stand there, which the
 * search does not find.
 */
const NOT_SHOWN_AT_CUT = 2048;

/**
 * Foreign text as one line without secrets. Whitespace becomes a blank; other characters that a person would not see
 * are made visible. The work does not depend on the text's length.
 */
export function shown(text: string, redact: Redact, limit = 1000): string {
  const redacted = redact(text.slice(0, LONGEST_SEARCHED));
  const whole = text.length > LONGEST_SEARCHED ? redacted.slice(0, -NOT_SHOWN_AT_CUT) : redacted;
  const line = whole.replace(/\s+/g, ' ').trim();
  return printable(visible(line.slice(0, 2 * limit)), limit);
}

/** How much of a request's failure message we show, characters. */
export const LONGEST_MESSAGE = 200;
/** A longer body has no message for people, characters. */
export const LONGEST_BODY = 65_536;

/** The message of a failed request's body; where there is none, what the body is instead. */
export interface Words {
  readonly said?: string;
  /** `an HTML page`; absent for an empty body. */
  readonly kind?: string;
}

export function wordsIn(body: string, redact: Redact): Words {
  const text = body.slice(0, LONGEST_BODY).trim();
  if (text === '') return {};
  if (text.startsWith('<')) return { kind: 'an HTML page' };
  if (text.startsWith('\x1f\ufffd')) return { kind: 'gzip, for which hostnode did not ask' };
  const value = body.length > LONGEST_BODY ? undefined : parseJson(text);
  const said = shown(messageIn(value) ?? '', redact, LONGEST_MESSAGE);
  if (said !== '') return { said };
  return { kind: value === undefined ? 'not JSON' : 'JSON without a message' };
}

/** Where APIs have the message of an error; `detail` and `title` are those of RFC 9457. */
const MESSAGE_KEYS = ['message', 'error', 'errors', 'detail', 'title'];

/** The text below the first of these keys: a text itself, the first of a list, or the message of an object. */
function messageIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return depth > 0 ? value : undefined;
  if (typeof value !== 'object' || value === null || depth > 3) return undefined;
  if (Array.isArray(value)) return depth > 0 ? messageIn(value[0], depth + 1) : undefined;
  const messages = MESSAGE_KEYS.map((key) => messageIn(Reflect.get(value, key), depth + 1));
  return messages.find((message) => message !== undefined && message !== '');
}
