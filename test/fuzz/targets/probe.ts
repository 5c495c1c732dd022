/** What a phone's shell sends: the framing, and the marks around each command's output. However it is cut, it is the same. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Script } from '../../../src/probe/script.ts';
import { ShellV2Decoder } from '../../../src/probe/shell-v2.ts';
import { MAX_ANSWER_BYTES, Transcript } from '../../../src/probe/transcript.ts';
import { anyText } from '../../support/any-text.ts';
import { type Target, target } from '../target.ts';
import { cuts, hostile, pieces } from '../texts.ts';

const packet = fc
  .record({
    id: fc.oneof(fc.constantFrom(0, 1, 1, 1, 2, 3, 4, 255), fc.nat(255)),
    data: fc.uint8Array({ maxLength: 60 }),
    /** What the header says, where it is not the truth. */
    claimed: fc.option(fc.constantFrom(0, 1, 5, 1000, 16 * 1024 * 1024, 16 * 1024 * 1024 + 1, 0xffffffff), {
      freq: 12,
    }),
  })
  .map(({ id, data, claimed }) => {
    const header = Buffer.alloc(5);
    header.writeUInt8(id, 0);
    header.writeUInt32LE(claimed ?? data.length, 1);
    return Buffer.concat([header, data]);
  });

const framed = fc
  .array(
    fc.oneof({ arbitrary: packet, weight: 8 }, { arbitrary: fc.uint8Array({ maxLength: 12 }), weight: 1 }),
    {
      maxLength: 20,
    },
  )
  .map((parts) => Buffer.concat(parts));

function decode(arriving: readonly Buffer[]) {
  const decoder = new ShellV2Decoder();
  const stdout: Buffer[] = [];
  for (const piece of arriving) stdout.push(Buffer.from(decoder.push(Buffer.from(piece))));
  return {
    stdout: Buffer.concat(stdout).toString('latin1'),
    ended: decoder.ended,
    isForeign: decoder.isForeign,
  };
}

const shell = target<{ bytes: Buffer; lengths: readonly number[] }>({
  name: 'probe-shell-v2',
  inputs: fc.record({ bytes: framed, lengths: cuts }),
  check({ bytes, lengths }) {
    const atOnce = decode([bytes]);
    assert.deepEqual(decode(pieces(bytes, lengths)), atOnce);
    assert.ok(atOnce.stdout.length <= bytes.length);
  },
});

const mark = '0123456789abcdef01234567';
const names = ['battery.dump', 'root.su', 'network.probe'];
const script: Script = {
  text: '',
  mark,
  commands: names.map((name) => ({ name, limitSeconds: 4, text: '' })),
};

/** Pieces of a transcript, in and out of order. */
const told = fc.oneof(
  fc.constantFrom(...names).map((name) => `\n${mark}<${name}\n`),
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('0', '1', '137', '', '-1', '99999999999', 'x'))
    .map(([name, code]) => `\n${mark}>${name} ${code}\n`),
  fc.constantFrom(`\n${mark}.\n`, mark, mark.slice(0, 12), `${mark}<`, `${mark}>`, `${mark}<__proto__\n`),
  fc.constantFrom(`${mark}<${'x'.repeat(200)}\n`, `\r\n${mark}<root.su\r\n`, `${mark}${mark}`),
  fc.constantFrom(...hostile),
  anyText({ maxLength: 60 }),
  fc.integer({ min: 1, max: 40 }).map((times) => 'level: 87\r\n'.repeat(times)),
);
/** Seldom, as it takes its time: more than is kept of one command. */
const flood = fc
  .constantFrom(MAX_ANSWER_BYTES - 1, MAX_ANSWER_BYTES, MAX_ANSWER_BYTES + 1)
  .map((n) => 'x'.repeat(n));
const transcripts = fc
  .array(fc.oneof({ arbitrary: told, weight: 2000 }, { arbitrary: flood, weight: 1 }), { maxLength: 30 })
  .map((parts) => Buffer.from(parts.join('')));

function read(arriving: readonly Buffer[], pty: boolean) {
  const transcript = new Transcript(script, pty);
  for (const piece of arriving) {
    const arrived = Buffer.from(piece);
    transcript.push(arrived, 1, 1);
    arrived.fill('#');
  }
  const { outcomes, finished, current } = transcript;
  return { outcomes: Object.fromEntries(outcomes), finished, current };
}

const transcript = target<{ bytes: Buffer; lengths: readonly number[]; pty: boolean }>({
  name: 'probe-transcript',
  inputs: fc.record({ bytes: transcripts, lengths: cuts, pty: fc.boolean() }),
  check({ bytes, lengths, pty }) {
    const atOnce = read([bytes], pty);
    assert.deepEqual(read(pieces(bytes, lengths), pty), atOnce);
    for (const [name, outcome] of Object.entries(atOnce.outcomes)) {
      assert.ok(names.includes(name), `${name} was not asked`);
      if (outcome.kind === 'answered') assert.ok(Buffer.byteLength(outcome.text) <= 3 * MAX_ANSWER_BYTES);
    }
  },
});

export const probeTargets: readonly Target[] = [shell, transcript];
