import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packet } from '../../src/demo/phone.ts';
import { ShellV2Decoder } from '../../src/probe/shell-v2.ts';

const stdout = (text: string) => packet(1, Buffer.from(text));
const stderr = (text: string) => packet(2, Buffer.from(text));
const exit = packet(3, Buffer.of(0));

/** What comes out of the pieces, in their order, each in the place of the one before. */
function decode(pieces: readonly Buffer[]) {
  const decoder = new ShellV2Decoder();
  const stdouts = pieces.map((piece) => {
    const arrived = Buffer.from(piece);
    const stdout = Buffer.from(decoder.push(arrived));
    arrived.fill('#');
    return stdout;
  });
  return { text: Buffer.concat(stdouts).toString(), ended: decoder.ended };
}

describe('the shell protocol since Android 7', () => {
  it('carries stdout until the exit code comes', () => {
    expect(decode([stdout('AC powered: '), stdout(''), stdout('true\n')])).toEqual({
      text: 'AC powered: true\n',
      ended: false,
    });
    expect(decode([stdout('true\n'), exit, stdout('more')])).toEqual({ text: 'true\n', ended: true });
  });

  it('carries an error stream of its own, which is left out', () => {
    expect(decode([stdout('a'), stderr('no such thing'), stdout('b'), exit])).toEqual({
      text: 'ab',
      ended: true,
    });
  });

  it('is the same however it arrives', () => {
    const bytes = Buffer.concat([
      stdout('level: 87\n'),
      stderr('oh'),
      stdout(''),
      stdout('ü'.repeat(300)),
      exit,
    ]);
    const expected = { text: `level: 87\n${'ü'.repeat(300)}`, ended: true };

    expect(decode(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(expected);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 30 }), (places) => {
        const ends = [...places, bytes.length].sort((a, b) => a - b);
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        expect(decode(pieces)).toEqual(expected);
      }),
    );
  });

  it('hands a long packet on as it arrives', () => {
    const decoder = new ShellV2Decoder();
    const bytes = stdout('x'.repeat(1_000));

    expect(decoder.push(bytes.subarray(0, 505)).toString()).toBe('x'.repeat(500));
    expect(decoder.push(bytes.subarray(505)).toString()).toBe('x'.repeat(500));
  });

  it.each([
    ['text', Buffer.from('/system/bin/sh: not found\n')],
    ['a packet that nobody can have meant', packet(1, Buffer.alloc(0)).fill(0xff, 1)],
  ])('ends at %s', (_, garbage) => {
    expect(decode([stdout('a'), garbage, stdout('b')])).toEqual({ text: 'a', ended: true });
  });

  it('survives any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 })), (pieces) => {
        const { text } = decode(pieces.map((piece) => Buffer.from(piece)));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3 * Buffer.concat(pieces).length);
      }),
    );
  });
});
