/** What may answer at the cloud's address. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import * as fc from 'fast-check';
import { omitUndefined } from '../../../src/base/omit-undefined.ts';
import { AgentClient } from '../../../src/cloud/agent-client.ts';
import { DeviceList, DeviceStatus } from '../../../src/cloud/contract/devices.ts';
import { DevicesAnswer, type DevicesBody } from '../../../src/cloud/contract/report.ts';
import { CloudError } from '../../../src/cloud/errors.ts';
import { failureOfStatus, retryAfterIn } from '../../../src/cloud/failure.ts';
import { gotEngine } from '../../../src/cloud/got-engine.ts';
import { hiding, redactor } from '../../../src/cloud/redaction.ts';
import { Refusals } from '../../../src/report/refusals.ts';
import { silentLog } from '../../support/log.ts';
import { checkTexts, inRange, nothingInherited, orRejection, printableLine } from '../invariants.ts';
import { vocabularyOf } from '../literals.ts';
import { type Target, target } from '../target.ts';
import { cuts, hostile, pieces, type Text, texts } from '../texts.ts';

const LONGEST_MESSAGE = 1600;
const apiKey = '3f9c/ä"k+Y=\\7&é-0123456789';
const username = 'lab@example.com';
const basic = Buffer.from(`${username}:${apiKey}`).toString('base64');
const imei = '490154203237518';

const samples = [
  '{"failedDevices":[]}',
  '{}',
  '{"failedDevices":null}',
  '{"failedDevices":[{"udid":"R58M1","message":"no licence left"},{"udid":"R58M2","message":""}]}',
  '{"privateDevices":[{"id":7,"udid":"R58M1","isOnline":true,"resolution":{"width":1080,"height":2400}}],"favoriteDevices":[],"cloudDevices":[]}',
  '{"isBooked":false,"isOnline":true}',
  '{"error":"invalid API key","message":"…"}',
  '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>',
];
const json = texts({
  samples,
  vocabulary: vocabularyOf('cloud/contract/report.ts', 'cloud/contract/devices.ts'),
});
const anyJson = fc.json({ maxDepth: 6 });

/** Nothing of the key as it is, in a URL and in base64. */
function hidesKey(text: string): void {
  const base64 = Buffer.from(apiKey).toString('base64');
  const spellings = [apiKey, basic, encodeURIComponent(apiKey), base64];
  for (const spelling of spellings) assert.ok(!text.includes(spelling), `the key is in it: ${text}`);
}

const answers = target<Text>({
  name: 'cloud-answers',
  inputs: fc.oneof(json, anyJson),
  check(input) {
    checkTexts([input], ([text = '']) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return;
      }
      for (const schema of [DeviceList, DeviceStatus]) schema.safeParse(value);
      const answer = DevicesAnswer.safeParse(value);
      for (const { message } of answer.data?.failedDevices ?? []) printableLine('message', message, 1000);
      const failed = answer.data?.failedDevices ?? [];
      const sent = ['R58M1', '__proto__'];
      const refusals = new Refusals({ firstDelayMs: 5_000, mostRetries: 4, log: silentLog });
      for (let round = 0; round < 8; round += 1) {
        const now = round * 40_000;
        const refused = refusals.answered(sent, failed, () => true, now);
        assert.ok([...refused, ...refusals.due(now)].every((udid) => sent.includes(udid)));
        inRange('the next retry', refusals.nextAtMs, 0, 1e9);
      }
      refusals.answered([], [], () => false);
      assert.deepEqual(
        sent.flatMap((udid) => refusals.message(udid) ?? []),
        [],
      );
    });
    nothingInherited();
  },
});

interface Failed {
  status: number;
  retryAfter: string | undefined;
  date: string | undefined;
  body: Text;
}

const header = fc.option(
  fc.oneof(
    fc.constantFrom(
      '0',
      '120',
      '99999999999999999999',
      '-1',
      '1.5',
      'Fri, 31 Dec 1999 23:59:59 GMT',
      'Sat, 32 Foo',
      '',
    ),
    fc.constantFrom(...hostile),
    fc.string({ maxLength: 60 }),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  ),
  { nil: undefined },
);

const failures = target<Failed>({
  name: 'cloud-failures',
  inputs: fc.record({
    status: fc.oneof(
      fc.constantFrom(400, 401, 403, 404, 405, 407, 408, 413, 429, 500, 503),
      fc.integer({ min: 400, max: 999 }),
    ),
    retryAfter: header,
    date: header,
    body: fc.oneof(
      json,
      fc
        .array(
          fc.oneof(
            fc.constantFrom(
              apiKey,
              basic,
              encodeURIComponent(apiKey),
              Buffer.from(apiKey).toString('base64'),
              imei,
              '4901 5420 3237 518',
              ' ',
            ),
            fc.constantFrom(...hostile),
          ),
          { maxLength: 12 },
        )
        .map((parts) => JSON.stringify({ message: parts.join('') })),
    ),
  }),
  check({ status, retryAfter, date, body }) {
    inRange('Retry-After', retryAfterIn({ 'retry-after': retryAfter }, 0), 0, 3_600_000);
    checkTexts([body], ([text = '']) => {
      const hide = hiding([imei, '89490200001234567890', 'A10000009296F2']);
      const hideKey = redactor([basic, apiKey]);
      const error = failureOfStatus(
        {
          request: 'PUT https://cloud.example.com/v1/devices',
          status,
          headers: omitUndefined({ 'retry-after': retryAfter, date }),
          body: text,
        },
        (each) => hideKey(hide(each)),
        1_717_400_000_000,
      );
      assert.ok(error instanceof CloudError);
      printableLine('the message', error.message, LONGEST_MESSAGE);
      hidesKey(error.message);
      assert.ok(!error.message.includes(imei), 'the IMEI is in it');
    });
  },
});

let server: Server;
let client: AgentClient;
let answer: readonly Buffer[] = [];
const body: DevicesBody = {
  nodeId: 'rack-2',
  machine: {
    hostname: 'lab-07',
    uptime: 1,
    version: '1.2.3',
    buildNumber: '2611.22',
  } as DevicesBody['machine'],
  devices: [],
};

const startLine = fc.constantFrom(
  ...[
    'HTTP/1.1 200 OK',
    'HTTP/1.1 200 OK',
    'HTTP/1.1 200 OK',
    'HTTP/1.1 500 x',
    'HTTP/1.1 307 x',
    'HTTP/1.1 101 x',
  ],
  ...[
    'HTTP/1.1 401 x',
    'HTTP/1.1 429 x',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK',
    'HTTP/2 200',
    'HTTP/1.1 999 x',
  ],
  ...[
    'HTTP/1.1 204 x',
    'HTTP/1.1 304 x',
    'HTTP/1.0 200 OK',
    'ICY 200 OK',
    '',
    'HTTP/1.1 2147483648 OK',
    'HTTP/1.1 00200 OK',
  ],
);
const field = fc.oneof(
  fc.constantFrom(
    ...[
      'Content-Length: 2',
      'Content-Length: 0',
      'Content-Length: -1',
      'Content-Length: 99999999999999999999',
    ],
    ...[
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: gzip, chunked',
      'Content-Encoding: gzip',
      'Connection: close',
    ],
    ...[
      'Location: /v1/devices',
      'Location: //evil.example/x',
      'Location: http://127.0.0.1:1/',
      'Location: \x80',
      'Location:',
    ],
    ...[
      'Retry-After: 5',
      'Date: x',
      'Upgrade: h2c',
      'Connection: upgrade',
      'Set-Cookie: a=b',
      ': x',
      'X',
      'Trailer: x',
    ],
  ),
  fc.constantFrom(...hostile).map((text) => `X-${text}: ${text}`),
  fc.integer({ min: 1, max: 200_000 }).map((length) => `X: ${'x'.repeat(length)}`),
);
const responses = fc
  .record({
    line: startLine,
    fields: fc.array(field, { maxLength: 5 }),
    body: fc.oneof(
      fc.constantFrom(...samples),
      anyJson,
      fc.constantFrom('2\r\n{}\r\n0\r\n\r\n', 'ffffffffffffffff\r\nx', '\x1f\x8b'),
    ),
    noise: fc.option(fc.uint8Array({ maxLength: 30 }), { nil: new Uint8Array(), freq: 3 }),
  })
  .map(({ line, fields, body: text, noise }) =>
    Buffer.concat([
      Buffer.from(`${[line, ...fields].join('\r\n')}\r\n\r\n`, 'latin1'),
      Buffer.from(text),
      noise,
    ]),
  );

const http = target<{ bytes: Buffer; lengths: readonly number[] }>({
  name: 'cloud-http',
  inputs: fc.record({ bytes: responses, lengths: cuts }),
  async open() {
    server = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        for (const piece of answer) socket.write(piece);
        socket.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    client = new AgentClient({
      engine: gotEngine,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      username,
      apiKey,
      userAgent: 'hostnode/1.2.3',
      proxyEnv: {},
    });
    return async () => {
      client.close();
      server.close();
    };
  },
  async check({ bytes, lengths }) {
    answer = pieces(bytes, lengths);
    const asked = client.putDevices(body).catch((error) => {
      if (error instanceof CloudError) {
        printableLine('the message', error.message, LONGEST_MESSAGE);
        hidesKey(error.message);
      }
      throw error;
    });
    const { failedDevices = [] } = (await orRejection(() => asked, CloudError)) ?? {};
    for (const { udid, message } of failedDevices) {
      printableLine('udid', udid, 1000);
      printableLine('message', message, 1000);
    }
    nothingInherited();
  },
});

export const cloudTargets: readonly Target[] = [answers, failures, http];
