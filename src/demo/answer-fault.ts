/** Faults of one answer of a simulated phone. */
import { once } from 'node:events';
import { wait } from '../base/time.ts';
import type { RecordedOutput } from './recording.ts';

export type AnswerFault =
  | { kind: 'delay'; ms: number }
  /** Answers when the caller lets it. */
  | { kind: 'held'; until: Promise<unknown> }
  /** Prints half of its answer and hangs, until the phone's own watchdog kills it at its limit. */
  | { kind: 'hang' }
  /** Prints half of its answer, then nothing, as if the watchdog had died too. */
  | { kind: 'stuck' }
  /** Prints this many bytes of noise before its answer. */
  | { kind: 'flood'; bytes: number }
  | { kind: 'dribble'; everyMs: number }
  /** The connection breaks after this many bytes of the answer. */
  | { kind: 'drop'; afterBytes: number }
  | { kind: 'rubbish' };

/** The phone's connection broke in the middle of an answer. */
export class ConnectionDropped extends Error {}

/** Bytes that are neither UTF-8 nor any command's output. */
const rubbish = Buffer.from([0, 0xff, 0xfe, 0x1b, 0x5b, 0x32, 0x4a, 0x0d, 0x07, 0xc3, 0x28, 0x0a]);
const floodBlock = Buffer.alloc(64 * 1024, 'all work and no play makes a dull phone\n');
const killed = 137;

/**
 * Plays an answer, with or without a fault: yields the command's output and returns its exit code.
 *
 * @throws {ConnectionDropped}
 */
export async function* play(
  { text, exitCode }: RecordedOutput,
  fault: AnswerFault | undefined,
  limitSeconds: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer, number> {
  const bytes = Buffer.from(text);
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
  switch (fault?.kind) {
    case 'delay':
      await wait(fault.ms, signal);
      break;
    case 'held':
      await Promise.race([fault.until, once(signal, 'abort')]);
      signal.throwIfAborted();
      break;
    case 'flood':
      for (let left = fault.bytes; left > 0; left -= floodBlock.length) yield floodBlock.subarray(0, left);
      break;
    case 'hang':
      yield half;
      await wait(limitSeconds * 1000, signal);
      return killed;
    case 'stuck':
      yield half;
      for (;;) await wait(60_000, signal);
    case 'dribble':
      for (const byte of bytes) {
        await wait(fault.everyMs, signal);
        yield Buffer.from([byte]);
      }
      return exitCode;
    case 'drop':
      yield bytes.subarray(0, fault.afterBytes);
      throw new ConnectionDropped();
  }
  yield fault?.kind === 'rubbish' ? rubbish : bytes;
  return exitCode;
}
