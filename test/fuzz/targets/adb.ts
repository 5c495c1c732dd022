/** What an adb server, and a phone behind it, may send. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import * as fc from 'fast-check';
import { confirmList } from '../../../src/adb/device-list.ts';
import { HungUpError, openService } from '../../../src/adb/service-socket.ts';
import { type ByteSource, encode, ForeignWordError, readStatus, readText } from '../../../src/adb/wire.ts';
import { AdbRefusedError, ParseError } from '../../../src/base/errors.ts';
import { anyText } from '../../support/any-text.ts';
import { checkTexts, nothingInherited, orError, orRejection, visit, wholeInRange } from '../invariants.ts';
import { vocabularyOf } from '../literals.ts';
import { deviceLists } from '../samples.ts';
import { type Target, target } from '../target.ts';
import { cuts, pieces, type Text, texts } from '../texts.ts';

/** No text of a line of the list is longer. */
const LONGEST_FIELD = 4096;

/** The short list to a long one. A phone writes no more of it than its serial number: the rest of the lines is in one list. */
const shortOf = (long: string) =>
  long
    .split('\n', 100)
    .map((line) => line.replace(/(?<! ) +(\S+).*$/s, '\t$1'))
    .join('\n');

const list = target<Text>({
  name: 'adb-device-list',
  inputs: texts({ samples: deviceLists(), vocabulary: vocabularyOf('adb/device-list.ts') }),
  check(input) {
    checkTexts([input], ([payload = '']) => {
      const { devices = [] } = orError(() => confirmList(payload, shortOf(payload)), ParseError) ?? {};
      assert.ok(devices.length <= payload.split('\n').length, `${devices.length} devices`);
      for (const device of devices) {
        assert.notEqual(device.state, '');
        wholeInRange('transportId', device.transportId, 0, Number.MAX_SAFE_INTEGER);
        visit(device, {
          text(where, text) {
            assert.ok(text.length <= LONGEST_FIELD, `${where} has ${text.length} characters`);
            // a serial number is the phone's own: it names the phone to adb as it is, carriage returns and all
            assert.ok(!text.includes('\n'), `${where} has more than one line`);
          },
        });
      }
    });
    nothingInherited();
  },
});

const hexLength = (text: string) => Buffer.byteLength(text).toString(16).padStart(4, '0');

/** Words of the protocol, right and wrong ones. */
const word = fc.oneof(
  fc.constantFrom(
    'OKAY',
    'FAIL',
    'okay',
    'OKAYOKAY',
    'FAIL0000',
    'FAILffff',
    'FAIL-001',
    'FAIL 10\n',
    'SYNC',
    '0x0a',
  ),
  anyText({ maxLength: 80 }).map((text) => `FAIL${hexLength(text)}${text}`),
  anyText({ maxLength: 80 }).map((text) => `${hexLength(text)}${text}`),
  fc.constantFrom(
    "FAIL000ddevice 'x' not",
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    'SSH-2.0-x\r\n',
    '\x15\x03\x01\0\x02\x02P',
  ),
);
const stream = fc
  .array(
    fc.oneof(
      word.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 40 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Buffer.concat(parts));

/** Bytes that are there at once, and then the end. */
class Bytes implements ByteSource {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  async readBytes(length: number): Promise<Buffer> {
    if (length > this.#rest.length) throw new HungUpError('the connection was closed');
    const bytes = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return bytes;
  }

  get rest(): Buffer {
    return this.#rest;
  }
}

/** No refusal's text is longer, whatever was sent. */
function shortRefusal(error: unknown): void {
  if (error instanceof AdbRefusedError) assert.ok(error.message.length <= 1000, 'the refusal is too long');
}

const wire = target<Buffer>({
  name: 'adb-wire',
  inputs: stream,
  async check(bytes) {
    const answers: ((source: ByteSource) => Promise<unknown>)[] = [readStatus, readText];
    for (const read of answers) {
      const reading = read(new Bytes(bytes)).catch((error) => {
        shortRefusal(error);
        throw error;
      });
      await orRejection(() => reading, AdbRefusedError, ForeignWordError, HungUpError);
    }
    const text = bytes.toString('latin1');
    assert.equal(await readText(new Bytes(encode(text))), text);
  },
});

/** What two requests and then a stream come to, when all is there at once. */
async function whole(bytes: Buffer): Promise<Buffer | undefined> {
  const source = new Bytes(bytes);
  return orRejection(
    async () => {
      await readStatus(source);
      await readStatus(source);
      return source.rest;
    },
    AdbRefusedError,
    ForeignWordError,
    HungUpError,
  );
}

const LIMIT_MS = 30_000;
const request = encode('host:transport-id:1');
let server: Server;
let answer: readonly Buffer[] = [];

const socket = target<{ bytes: Buffer; lengths: readonly number[] }>({
  name: 'adb-service-socket',
  inputs: fc.record({ bytes: stream, lengths: cuts }).map(({ bytes, lengths }) => ({
    // a good beginning in half of them
    bytes: bytes.length % 2 === 0 ? Buffer.concat([Buffer.from('OKAYOKAY'), bytes]) : bytes,
    lengths,
  })),
  async open() {
    server = createServer({ noDelay: true }, (client) => {
      client.on('error', () => {}).resume(); // what nobody reads keeps its file
      for (const piece of answer) client.write(piece);
      client.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return async () => void server.close();
  },
  async check({ bytes, lengths }) {
    answer = pieces(bytes, lengths);
    const { port } = server.address() as AddressInfo;
    const signal = AbortSignal.timeout(LIMIT_MS);
    const opened = openService({ host: '127.0.0.1', port }, [request, request], signal, signal).catch(
      (error) => {
        shortRefusal(error);
        // the server may have hung up before our second request
        if (['EPIPE', 'ECONNRESET'].includes(error?.code)) throw new HungUpError('the connection was cut');
        throw error;
      },
    );
    const output = await orRejection(() => opened, AdbRefusedError, ForeignWordError, HungUpError);
    const expected = await whole(bytes);
    if (output === undefined) return;
    const heard: Buffer[] = [];
    await output.read((piece) => {
      heard.push(Buffer.from(piece));
      return false;
    }, signal);
    assert.ok(expected !== undefined, 'it was opened although it was refused');
    // a connection that is reset loses what had not been read
    assert.ok(
      expected.subarray(0, Buffer.concat(heard).length).equals(Buffer.concat(heard)),
      'other bytes were heard',
    );
  },
});

export const adbTargets: readonly Target[] = [list, wire, socket];
