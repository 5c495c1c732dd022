/** What may answer a push of the metrics, what may stand in the file of its headers, and what another host may say. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { textOf } from '../../../src/base/styled-text.ts';
import { hostsLines, readAnswer } from '../../../src/cli/hosts.ts';
import { Endpoint } from '../../../src/cloud/endpoint.ts';
import { parseHeaders } from '../../../src/config/metrics.ts';
import { Secret } from '../../../src/config/secrets.ts';
import { rejectionIn } from '../../../src/status/metrics/otlp/encoder.ts';
import { otlpWords } from '../../../src/status/metrics/otlp/push.ts';
import {
  checkTexts,
  inRange,
  nothingInherited,
  orError,
  printableLine,
  wholeInRange,
} from '../invariants.ts';
import { vocabularyOf } from '../literals.ts';
import { type Target, target } from '../target.ts';
import { hostile, type Text, texts } from '../texts.ts';

const LONGEST_MESSAGE = 1600;
const token = 't0ken-0123456789/+äö';
const url = new URL('https://x.example/v1/metrics');
const endpoint = new Endpoint(
  {
    ...{ url, request: `POST ${url.href}`, words: otlpWords },
    headers: { authorization: new Secret(`Bearer ${token}`) },
    contentType: 'application/x-protobuf',
    timeoutMs: 1000,
  },
  {},
);

interface Answer {
  status: number;
  type: string;
  location: string;
  bytes: Uint8Array;
}

/** A message of protobuf, with or without a length that is right. */
const message = fc
  .tuple(fc.constantFrom(0x0a, 0x08, 0x12, 0x0d, 0x09, 0x0b), fc.uint8Array({ maxLength: 40 }), fc.boolean())
  .map(([tag, inner, isRight]) => Buffer.concat([Buffer.of(tag, inner.length + (isRight ? 0 : 7)), inner]));
const endless = fc.constantFrom(0x80, 0xff).map((byte) => Buffer.alloc(65_536, byte));
const said = fc
  .constantFrom(...hostile, token, `Bearer ${token}`, '<!doctype html>')
  .map((text) => Buffer.from(text));

const answers = target<Answer>({
  name: 'otlp-answers',
  inputs: fc.record({
    status: fc.oneof(fc.constantFrom(200, 202, 307, 400, 401, 429, 503), fc.integer({ min: 100, max: 999 })),
    type: fc.constantFrom('application/x-protobuf', 'text/plain', 'application/json; charset=utf-8', ''),
    location: fc.oneof(fc.webUrl(), fc.constantFrom(...hostile), fc.string({ maxLength: 60 })),
    bytes: fc.oneof(
      fc.array(fc.oneof(message, said), { maxLength: 8 }).map((parts) => Buffer.concat(parts)),
      fc.uint8Array({ maxLength: 200 }),
      endless,
    ),
  }),
  check({ status, type, location, bytes }) {
    const rejection = orError(() => rejectionIn(bytes), Error);
    wholeInRange('the number of points', rejection?.points, 1, Number.MAX_SAFE_INTEGER);
    const text = new TextDecoder().decode(bytes);
    const headers = { 'content-type': type, location, 'retry-after': location };
    const answer = { status, headers, bytes, text, isWhole: true, isSent: true };
    const error = endpoint.failure(answer);
    printableLine('the message', error.message, LONGEST_MESSAGE);
    inRange('Retry-After', error.retryAfterMs, 0, 3_600_000);
    assert.ok(!error.message.includes(token), `the token is in it: ${error.message}`);
    nothingInherited();
  },
});

const headers = target<Text>({
  name: 'otlp-headers',
  inputs: texts({
    samples: [
      'Authorization: Bearer t0ken\nX-Scope-OrgID: lab\n',
      'a:b\r\n\r\nA: c',
      ': x\n',
      '__proto__: x',
    ],
    vocabulary: vocabularyOf('config/metrics.ts'),
  }),
  check(input) {
    checkTexts([input], ([text = '']) => {
      const parsed = parseHeaders(text);
      if ('problem' in parsed) printableLine('the problem', parsed.problem, 200);
      else {
        new Headers(parsed.headers); // as HTTP takes them
        assert.ok(Object.keys(parsed.headers).length <= 20);
        for (const value of Object.values(parsed.headers)) assert.match(value, /^[ -~]{1,8192}$/);
      }
    });
    nothingInherited();
  },
});

/** What `hostnode status --hosts` reads, of any host that stands in the list. */
const otherHosts = target<Text>({
  name: 'other-hosts',
  inputs: texts({
    samples: [
      JSON.stringify({
        takenAt: 1_795_000_000_000,
        host: { name: 'rack-1', version: '0.2.0' },
        reports: { storedAt: 1_794_999_990_000, failure: '401' },
        counts: { phones: 2, needsAttention: 1 },
        causes: [
          {
            ...{ kind: 'finding', code: 'HUB_LOST', severity: 'major', certainty: 'likely', subject: 'hub' },
            ...{ title: 'Lost', remedy: 'Check it', since: 1_794_999_000_000, udids: ['A'] },
          },
        ],
        phones: [{ udid: 'A', serial: 'R58M1', name: 'Pixel', slot: 'rack 1, bay 1', devpath: '1-4.2' }],
      }),
    ],
    vocabulary: vocabularyOf('cli/hosts.ts'),
  }),
  check(input) {
    checkTexts([input], ([text = '']) => {
      const read = readAnswer({ status: 200, text, isWhole: true }, false);
      assert.ok((read.status === undefined) !== (read.failure === undefined));
      const lines = hostsLines([{ name: 'x', origin: 'http://x:9477', ...read }], { width: 80, rows: 24 });
      for (const line of lines) printableLine('a line', textOf(line).trim(), 80);
    });
    nothingInherited();
  },
});

export const metricsTargets: readonly Target[] = [answers, headers, otherHosts];
