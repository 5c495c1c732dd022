/**
 * How a command's output travels: as it is, through a pty, or in the frames of the shell protocol
 * (one byte of identity, a little-endian length, the data).
 *
 * Source: AOSP packages/modules/adb, shell_protocol.h; Linux termios, ONLCR.
 */
import { Transform, type TransformCallback } from 'node:stream';

const identities = { stdin: 0, stdout: 1, stderr: 2, exit: 3, closeStdin: 4 } as const;

export function encodeFrame(identity: keyof typeof identities, data: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt8(identities[identity]);
  header.writeUInt32LE(data.length, 1);
  return Buffer.concat([header, data]);
}

/** Wraps each chunk in a frame. */
export const framed = (identity: 'stdout' | 'stderr'): Transform =>
  new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, encodeFrame(identity, chunk)),
  });

/** Unwraps frames of stdin, and ends at the frame that closes it. */
export function unframedStdin(): Transform {
  let buffered = Buffer.alloc(0);
  return new Transform({
    transform(this: Transform, chunk: Buffer, _encoding, done: TransformCallback) {
      buffered = Buffer.concat([buffered, chunk]);
      while (buffered.length >= 5 && buffered.length >= 5 + buffered.readUInt32LE(1)) {
        const end = 5 + buffered.readUInt32LE(1);
        if (buffered[0] === identities.stdin) this.push(buffered.subarray(5, end));
        if (buffered[0] === identities.closeStdin) this.end();
        buffered = buffered.subarray(end);
      }
      done();
    },
  });
}

/** What a pty does to output: each LF becomes CR LF. */
export const throughPty = (): Transform =>
  new Transform({
    transform: (chunk: Buffer, _encoding, done) =>
      done(null, Buffer.from(chunk.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')),
  });
