import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_SEARCHED, redactor, shown, wordsIn } from '../../src/cloud/failure.ts';

const username = 'lab@example.com';
const apiKey = 'Zx9"very/secret+K&y=1';
const credentials = Buffer.from(`${username}:${apiKey}`).toString('base64');
const redact = redactor([credentials, apiKey]);

const each = (text: string, form: (character: string) => string) => Array.from(text, form).join('');
const code = (character: string) => character.codePointAt(0) ?? 0;
const hex = (character: string, length = 2) => code(character).toString(16).padStart(length, '0');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const inHex = (text: string) => Buffer.from(text).toString('hex');
const percent = (text: string) => inHex(text).replace(/../g, '%$&');

const forms: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON with \\/': (text) => text.replaceAll('/', '\\/').replaceAll('"', '\\"'),
  'JSON, all of it': (text) => each(text, (character) => `\\u${hex(character, 4)}`),
  'JavaScript, \\x': (text) => each(text, (character) => `\\x${hex(character)}`),
  'a URL': encodeURIComponent,
  'a URL in lower case': (text) => encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
  'a URL, all of it': percent,
  'a URL twice': (text) => encodeURIComponent(percent(text)),
  'a URL three times': (text) => encodeURIComponent(encodeURIComponent(percent(text).toUpperCase())),
  'HTML, named': (text) =>
    each(
      text,
      (character) =>
        ({ '"': '&quot;', '&': '&amp;', '/': '&sol;', '+': '&plus;', '=': '&equals;' })[character] ??
        character,
    ),
  'HTML, decimal': (text) => each(text, (character) => `&#${code(character)};`),
  'HTML, hexadecimal': (text) => each(text, (character) => `&#x${hex(character, 4).toUpperCase()};`),
  'HTML twice': (text) => each(text, (character) => `&amp;#x${hex(character)};`),
  'HTML of JSON': (text) => each(JSON.stringify(text).slice(1, -1), (character) => `&#${code(character)};`),
  base64,
  'base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  base64url,
  'base64 of a login': (text) => base64(`${username}:${text}`),
  'base64 behind one byte': (text) => base64(`x${text}tail`),
  'base64 behind two bytes': (text) => base64(`xy${text} and more`),
  'base64 behind three bytes': (text) => base64url(`xyz${text}`),
  'base64 within a word': (text) => `token-${base64url(text)}-end`,
  'base64 of JSON': (text) => base64(JSON.stringify({ key: text.replaceAll('/', '\\/') })),
  'base64 of a URL': (text) => base64(percent(text)),
  'base64 twice': (text) => base64(base64(`k:${text}`)),
  'base64 on several lines': (text) =>
    (base64(`user-name-of-some-length:${text}`).match(/.{1,8}/g) ?? []).join('\r\n'),
  'base64 in a URL': (text) => encodeURIComponent(base64(text)),
  hexadecimal: inHex,
  'hexadecimal in upper case': (text) => inHex(text).toUpperCase(),
  'hexadecimal within more': (text) => `abc${inHex(`x${text}y`)}f`,
  'hexadecimal with colons': (text) => (inHex(text).match(/../g) ?? []).join(':'),
  'hexadecimal with blanks': (text) => (inHex(text).match(/../g) ?? []).join(' '),
  'on several lines': (text) => (text.match(/.{1,4}/g) ?? []).join('\n  '),
  'hexadecimal with dashes': (text) => (inHex(text).match(/../g) ?? []).join('-'),
  'hexadecimal with commas': (text) => (inHex(text).match(/../g) ?? []).join(', '),
  'hexadecimal with 0x': (text) => inHex(text).replace(/../g, '0x$&, '),
  'hexadecimal with 0x alone': (text) => inHex(text).replace(/../g, '0x$&'),
  'a Buffer as JSON': (text) => JSON.stringify(Buffer.from(text)),
  'decimal numbers': (text) => [...Buffer.from(text)].join(' '),
  'base64 three times': (text) => base64(base64(base64(`k:${text}`))),
  'with word joiners': (text) => each(text, (character) => `${character}\u2060`),
  'with grapheme joiners': (text) => each(text, (character) => `${character}\u034f`),
  'with variation selectors': (text) => each(text, (character) => `${character}\ufe0f`),
  'with blanks of no width': (text) => each(text, (character) => `${character}\u200b`),
};

/** Forms of a key of ASCII characters. */
const formsOfAscii: Record<string, (text: string) => string> = {
  'a URL five times': (text) => [1, 2, 3, 4].reduce((encoded) => encodeURIComponent(encoded), percent(text)),
  'octal escapes': (text) => each(text, (character) => `\\${code(character).toString(8)}`),
  'octal escapes of three digits': (text) =>
    each(text, (character) => `\\${code(character).toString(8).padStart(3, '0')}`),
  'quoted-printable': (text) => each(text, (character) => `=${hex(character).toUpperCase()}`),
  'quoted-printable in part': (text) => text.replaceAll(/[^a-z]/gi, (sign) => `=${hex(sign).toUpperCase()}`),
  'quoted-printable on two lines': (text) => `${text.slice(0, 8)}=\r\n${text.slice(8)}`,
  'capital letters': (text) => text.toUpperCase(),
  'small letters': (text) => text.toLowerCase(),
  'fullwidth letters': (text) => each(text, (sign) => String.fromCharCode(code(sign) + 0xfee0)),
};

/** Everything that could be read back from a text, by whoever tries. */
const mayHide = (text: string) =>
  [text, text.replace(/\s/g, ''), JSON.stringify(text)].some((one) => one.includes(apiKey));

describe('the API key in a text', () => {
  it.each(Object.entries({ ...forms, ...formsOfAscii }))('is not shown as %s', (_, form) => {
    const said = form(apiKey);
    expect(redact(said)).toContain('[redacted]');
    const text = `an Äpfel error: <b>${said}</b> and what follows`;
    const shown = redact(text);
    expect(shown).toContain('an Äpfel error: <b>');
    expect(shown).toContain('</b> and what follows');
    expect(shown).toContain('[redacted]');
    expect(mayHide(shown)).toBe(false);
  });

  it.each([
    'k3y-that-nobody-may-see',
    'ключ-к-облаку-7',
    'with blank 1',
    'a+b/c==',
    '😀key😀',
    '%41%42%43%44',
  ])('is found whatever it is made of: %s', (key) => {
    const hide = redactor([key]);
    for (const [name, form] of Object.entries(forms)) {
      if (/named|\\x|HTML of JSON|^JSON, all|\\\//.test(name) || /^(?:a URL|HTML twice)/.test(name)) continue;
      expect(hide(`text ${form(key)} text`), name).toContain('[redacted]');
    }
    expect(hide(`${encodeURIComponent(key)} ${encodeURIComponent(encodeURIComponent(key))}`)).not.toContain(
      '%25',
    );
    expect(hide(JSON.stringify(key))).toBe('"[redacted]"');
    expect(hide(key.replaceAll(' ', '+'))).toBe('[redacted]');
  });

  it('is not shown in any form within any other', () => {
    const escapes = ['JSON, all of it', 'a URL, all of it', 'HTML, decimal', 'HTML, hexadecimal'];
    const form = fc.constantFrom(...escapes);
    const packed = fc.constantFrom('as it is', 'base64', 'hexadecimal', 'base64 of a login', 'base64url');
    fc.assert(
      fc.property(form, form, packed, fc.string(), fc.string(), (one, other, pack, before, behind) => {
        const said = forms[pack]?.(`${before}${forms[one]?.(apiKey)}${behind}`) ?? '';
        expect(redact(`> ${forms[other]?.(said)} <`)).toContain('[redacted]');
      }),
      { numRuns: 300 },
    );
  });

  it('is found where it is short, and ordinary text is left alone', () => {
    const hide = redactor(['p4ss']);
    for (const form of [base64('p4ss'), inHex('p4ss'), percent('p4ss'), base64(`lab:p4ss`), 'p4ss'])
      expect(hide(`x ${form} y`), form).toBe('x [redacted] y'.replace('[redacted]', hide(form)));
    for (const form of [base64('p4ss'), inHex('p4ss'), percent('p4ss'), base64(`lab:p4ss`)])
      expect(hide(`x ${form} y`), form).toContain('[redacted]');
    expect(hide('p4 ss, P4SS, p4-ss')).toBe('p4 ss, P4SS, p4-ss');
  });

  it.each([
    'the cloud cannot answer now: Service Unavailable (503)',
    '{"error":"invalid_request","trace":"4bf92f3577b34da6a3ce929d0e0e4736","at":"2026-01-01T00:00:00Z"}',
    '<!DOCTYPE html><title>502 Bad Gateway</title><h1>nginx&copy;&nbsp;100%25</h1>',
    `data:image/png;base64,${Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 37) % 256)).toString('base64')}`,
    'Äpfel 😀 \ud800 %zz \\u00zz &#xzz; &bogus; \\',
  ])('hides nothing of ordinary text: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([0, 1, 5, 11, 21, 40])(
    'is not cut in half where the search ends, %i characters before',
    (before) => {
      for (const blank of ['.', '\n', '\u0001', ' ']) {
        const text = `${blank.repeat(LONGEST_SEARCHED - before)}${apiKey}${'.'.repeat(100)}`;
        expect(shown(text, redact, 10_000)).not.toContain('Zx9');
      }
    },
  );

  it('is looked for in any bytes that an encoded text may hold', () => {
    const anyBytes = fc.array(fc.constantFrom(0xef, 0xbc, 0xbd, 0x00, 0x1a, 0x5c, 0x75, 0x25, 0x26, 0xff), {
      minLength: 12,
      maxLength: 60,
    });
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const encoded = Buffer.from(bytes);
        for (const form of ['base64', 'hex', 'latin1'] as const)
          expect(() => redact(encoded.toString(form))).not.toThrow();
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it('is not cut in half where the text is cut', () => {
    for (let before = 150; before < 210; before += 1)
      expect(wordsIn(`${'.'.repeat(before)}${apiKey}`, redact)).not.toContain('Zx9');
  });

  it.each(['A', 'a%', '&#', '\\u', 'QUJD', '%25', ' A', '&amp;', '61', '😀'])(
    'is looked for in 1 MiB of %s without end',
    (piece) => {
      const text = piece.repeat(Math.ceil(1_048_576 / piece.length)).slice(0, 1_048_576);
      expect(redact(`${text} ${base64(apiKey)}`)).toMatch(/\[redacted\]$/);
    },
    30_000,
  );
});
