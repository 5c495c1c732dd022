import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiding, LONGEST_SEARCHED, redactor, shown, wordsIn } from '../../src/cloud/redaction.ts';
import { anyText } from '../support/any-text.ts';

const username = 'lab@example.com';
const apiKey = 'Zx9"very/secret+K&y=1';
const credentials = Buffer.from(`${username}:${apiKey}`).toString('base64');
const redact = redactor([credentials, apiKey]);

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const percent = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&');

const forms: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'a URL': encodeURIComponent,
  'a URL in lower case': (text) => encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
  'a URL, all of it': percent,
  'a URL, all of it in capitals': (text) => percent(text).toUpperCase(),
  'a form': (text) => new URLSearchParams({ key: text }).toString().slice(4),
  base64,
  'base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  base64url,
  'base64 of a login': (text) => base64(`${username}:${text}`),
  'base64 of a login with another name': (text) => base64(`somebody:${text}`),
  'base64 behind one byte': (text) => base64(`x${text}tail`),
  'base64 behind two bytes': (text) => base64(`xy${text} and more`),
  'base64 behind three bytes': (text) => base64url(`xyz${text}`),
  'base64 within a word': (text) => `token-${base64url(text)}-end`,
  'base64 in a URL': (text) => encodeURIComponent(base64(text)),
  'base64 of a login in a URL': (text) => encodeURIComponent(base64(`${username}:${text}`)),
};

describe('the API key in a text', () => {
  it.each(Object.entries(forms))('is not shown as %s', (_, form) => {
    const said = form(apiKey);
    const text = redact(`an Äpfel error: <b>${said}</b> and what follows`);
    expect(text).toMatch(/^an Äpfel error: <b>.*\[redacted\].*<\/b> and what follows$/);
    for (const hidden of [said, apiKey, credentials, base64(apiKey).slice(0, 8)])
      expect(text).not.toContain(hidden);
  });

  it.each([
    'k3y-that-nobody-may-see',
    'ключ-к-облаку-7',
    'with blank 1',
    'a+b/c==',
    '😀key😀',
    '%41%42%43%44',
    'p4ss',
    '(a|b)*[c]{2}^$.?\\',
  ])('is found whatever it is made of: %s', (key) => {
    const hide = redactor([key]);
    for (const [name, form] of Object.entries(forms))
      expect(hide(`text ${form(key)} text`), name).toContain('[redacted]');
  });

  it('is found in base64 wherever it stands', () => {
    const any = anyText();
    fc.assert(
      fc.property(any, any, fc.boolean(), (before, behind, isOfUrls) => {
        const bytes = Buffer.from(`${before}${apiKey}${behind}`);
        expect(redact(`> ${bytes.toString(isOfUrls ? 'base64url' : 'base64')} <`)).toContain('[redacted]');
      }),
      { numRuns: 300 },
    );
  });

  it('is hidden as a whole where one secret is within another', () => {
    expect(redactor(['key', 'key-and-more'])('a key-and-more, a key')).toBe('a [redacted], a [redacted]');
  });

  it.each([
    'the cloud cannot answer now: Service Unavailable (503)',
    '{"error":"invalid_request","trace":"4bf92f3577b34da6a3ce929d0e0e4736","at":"2026-01-01T00:00:00Z"}',
    '<!DOCTYPE html><title>502 Bad Gateway</title><h1>nginx&copy;&nbsp;100%25</h1>',
    `data:image/png;base64,${Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 37) % 256)).toString('base64')}`,
    'Äpfel 😀 \ud800 %zz \\u00zz &#xzz; &bogus; \\',
  ])('hides nothing of ordinary text: %s', (text) => {
    expect(redact(text)).toBe(text);
    expect(redactor(['p4ss'])(text)).toBe(text);
    expect(redactor([''])(text)).toBe(text);
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

  it('is not cut in half where the message is cut', () => {
    for (let before = 150; before < 210; before += 1) {
      const body = JSON.stringify({ message: `${'.'.repeat(before)}${apiKey}` });
      expect(wordsIn(body, redact).said).not.toContain('Zx9');
    }
  });

  it('is looked for in the start of a long text only', () => {
    const searched: number[] = [];
    const counted = (text: string) => {
      searched.push(text.length);
      return redact(text);
    };
    expect(shown('x'.repeat(1_048_576), counted)).toBe('x'.repeat(1000));
    expect(searched).toEqual([LONGEST_SEARCHED]);
  });
});

describe('the message of a body', () => {
  const plain = (text: string) => text;

  it.each([
    ['{"message":"the \\"key\\" is\\u0020old"}', { said: 'the "key" is old' }],
    ['\n {"code":7,"message":"no"}', { said: 'no' }],
    ['{"status":404,"error":"Not Found","path":"/v1"}', { said: 'Not Found' }],
    ['{"error":{"code":7,"message":"no licence"}}', { said: 'no licence' }],
    ['{"errors":[{"code":7,"detail":"too many"},{"detail":"and more"}]}', { said: 'too many' }],
    ['{"errors":["no such app"]}', { said: 'no such app' }],
    ['{"type":"about:blank","title":"Forbidden","detail":"not yours"}', { said: 'not yours' }],
    [`{"message":"${'x'.repeat(5000)}"}`, { said: 'x'.repeat(200) }],
    ['{"message":"a\\r\\n\\u001b[2Jb\\u202e"}', { said: 'a ␛[2Jb\\u{202e}' }],
    ['{"message":7}', { kind: 'JSON without a message' }],
    ['{"message":" "}', { kind: 'JSON without a message' }],
    ['{"error":{"error":{"error":{"error":{"error":"deep"}}}}}', { kind: 'JSON without a message' }],
    ['["no"]', { kind: 'JSON without a message' }],
    ['"no"', { kind: 'JSON without a message' }],
    ['<!DOCTYPE html><h1>no</h1>', { kind: 'an HTML page' }],
    ['no', { kind: 'not JSON' }],
    [`{"message":"no","more":"${'x'.repeat(70_000)}"}`, { kind: 'not JSON' }],
    ['  ', {}],
  ])('%s', (body, words) => {
    expect(wordsIn(body, plain)).toEqual(words);
  });
});

describe('many known identifiers', () => {
  const identifiers = Array.from({ length: 5000 }, (_, index) => String(350_000_000_000_000 + index * 7919));

  it('are all hidden, with look-ups and no expression for each', () => {
    const hide = hiding(identifiers);
    expect(hide(identifiers.map((each) => `IMEI${each};`).join(''))).toBe('IMEI[number];'.repeat(5000));
    expect(hide(identifiers.slice(0, 3).join(''))).toBe('[number]');
  });

  it('are hidden where they overlap and where one is longer', () => {
    const hide = hiding(['12345678901234', '1234567890123456', '90123456789012']);
    expect(hide('x 1234 5678-9012 3456 7')).toBe('x [number]');
    expect(hide('12345678901234')).toBe('[number]');
    expect(hide('1234567890123 4')).toBe('[number]');
    expect(hide('1234567890123456789012')).toBe('[number]');
  });
});
