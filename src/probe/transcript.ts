/**
 * Cuts what a phone printed at the marks of its script, as it arrives.
 *
 * Keeps at most its limit of each command; a command that prints more has no answer.
 */
import { uptimeMs } from '../base/clock.ts';
import type { Script } from './script.ts';

/** No command's limit is larger. */
export const MAX_ANSWER_BYTES = 512 * 1024;
const MAX_MARK_LINE = 160;
const LF = 0x0a;

/** What became of one command; its end arrived at `at`, ms since the epoch, and `readAt` by `uptimeMs`. */
export type CommandOutcome =
  | { kind: 'answered'; text: string; exitCode: number; at: number; readAt: number }
  /** Its watchdog killed it: what it had printed is not a reading. */
  | { kind: 'timed-out' }
  /** It printed more than is kept. */
  | { kind: 'flooded' };

type Arrival = { at: number; readAt: number };

/** Exit code of a job that was killed by signal 9. */
const KILLED = 137;

/** Here a piece is appended to the rest of the last one: so a flood allocates nothing. */
const workspace = Buffer.allocUnsafeSlow(128 * 1024);

export class Transcript {
  readonly outcomes = new Map<string, CommandOutcome>();
  /** The final mark has come: nothing that follows matters. */
  finished = false;
  /** The command whose start mark came and whose end mark has not. */
  current: string | undefined;

  readonly #mark: Buffer;
  /** Limit of each command's output, bytes. */
  readonly #limits: ReadonlyMap<string, number>;
  readonly #isPty: boolean;
  #pending: Buffer = Buffer.alloc(0);
  readonly #printed = new Printed();

  /** @param isPty the output went through a terminal (adbd before Android 7), which made CR LF of every LF */
  constructor({ mark, commands }: Script, isPty = false) {
    this.#mark = Buffer.from(mark);
    this.#limits = new Map(
      commands.map(({ name, limitBytes = MAX_ANSWER_BYTES }) => [
        name,
        Math.min(limitBytes, MAX_ANSWER_BYTES),
      ]),
    );
    this.#isPty = isPty;
  }

  /**
   * @param at when it arrived, ms since the epoch
   * @param readAt the same by `uptimeMs`
   */
  push(chunk: Buffer, at = Date.now(), readAt = uptimeMs()): void {
    if (this.finished) return;
    const bytes = joined(this.#pending, chunk);
    let from = 0;
    for (;;) {
      const markAt = bytes.indexOf(this.#mark, from);
      if (markAt < 0) break;
      this.#keep(bytes.subarray(from, markAt));
      const end = bytes.subarray(markAt, markAt + MAX_MARK_LINE).indexOf(LF);
      if (end < 0 && bytes.length - markAt < MAX_MARK_LINE) {
        this.#pending = Buffer.from(bytes.subarray(markAt));
        return;
      }
      const lineEnd = markAt + (end < 0 ? MAX_MARK_LINE : end + 1);
      const line = bytes.subarray(markAt + this.#mark.length, lineEnd).toString('latin1');
      this.#turn(line.trim(), { at, readAt });
      if (this.finished) {
        this.#pending = Buffer.alloc(0);
        return;
      }
      from = lineEnd;
    }
    // A mark may be cut by the end of this piece: keep as much as could be its beginning.
    const keepFrom = Math.max(from, bytes.length - (this.#mark.length - 1));
    this.#keep(bytes.subarray(from, keepFrom));
    this.#pending = Buffer.from(bytes.subarray(keepFrom));
  }

  #turn(line: string, arrived: Arrival): void {
    if (line === '.') {
      this.finished = true;
    } else if (line.startsWith('<')) {
      const limitBytes = this.#limits.get(line.slice(1));
      this.current = limitBytes === undefined ? undefined : line.slice(1);
      this.#printed.clear(limitBytes);
    } else if (this.current !== undefined && line.startsWith(`>${this.current} `)) {
      this.outcomes.set(this.current, this.#outcome(Number(line.slice(this.current.length + 2)), arrived));
      this.current = undefined;
    }
  }

  #outcome(exitCode: number, arrived: Arrival): CommandOutcome {
    if (exitCode === KILLED) return { kind: 'timed-out' };
    const printed = this.#printed.text;
    if (printed === undefined) return { kind: 'flooded' };
    const text = this.#isPty ? printed.replaceAll('\r\n', '\n') : printed;
    // the last line feed is the one that the script put before the mark
    return { kind: 'answered', text: text.endsWith('\n') ? text.slice(0, -1) : text, exitCode, ...arrived };
  }

  #keep(piece: Buffer): void {
    if (this.current !== undefined) this.#printed.add(piece);
  }
}

/** What one command has printed: kept in one piece, however small the pieces are in which it came. */
class Printed {
  #bytes = Buffer.alloc(0);
  #length = 0;
  #limitBytes = MAX_ANSWER_BYTES;

  clear(limitBytes = MAX_ANSWER_BYTES): void {
    this.#length = 0;
    this.#limitBytes = limitBytes;
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#limitBytes) this.#bytes = Buffer.alloc(0);
    else {
      if (length > this.#bytes.length) this.#bytes = grown(this.#bytes, length);
      piece.copy(this.#bytes, this.#length);
    }
    this.#length = length;
  }

  /** Undefined where it was more than is kept. */
  get text(): string | undefined {
    if (this.#length > this.#limitBytes) return undefined;
    return this.#bytes.toString('utf8', 0, this.#length);
  }
}

/** The same bytes with at least twice the room, so that they are seldom copied. */
function grown(bytes: Buffer, least: number): Buffer<ArrayBuffer> {
  const room = Buffer.allocUnsafe(Math.max(least, bytes.length * 2));
  bytes.copy(room);
  return room;
}

/** Both in one buffer: in the workspace if they fit, valid until the next call. */
function joined(left: Buffer, piece: Buffer): Buffer {
  const length = left.length + piece.length;
  if (length > workspace.length) return Buffer.concat([left, piece]);
  left.copy(workspace);
  piece.copy(workspace, left.length);
  return workspace.subarray(0, length);
}
