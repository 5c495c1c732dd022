/**
 * Where log lines go: a descriptor that may be stuck behind a reader who has stopped reading.
 *
 * No write waits for a reader. A blocking one, on the loop's thread or on a thread of the pool, would hold
 * the process: the first at once, the second when it exits and waits for its pool. Pipes and sockets are written by
 * the event loop itself; a terminal is opened again, non-blocking, and tried again while it is held.
 */
import { constants, fstatSync, openSync, write } from 'node:fs';
import { Socket } from 'node:net';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import { attempt, hasCode } from './errors.ts';
import { sleep, within } from './time.ts';

/** Bytes that wait for a stuck reader; what comes after them is dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Before a terminal that was busy is tried again, ms. */
const BUSY_MS = 20;

const writePart: (fd: number, part: Buffer) => Promise<{ bytesWritten: number }> = promisify(write);

export interface LogDestination {
  write(line: string): void;
  dropped(): number;
  /** Resolves when every line before it is written or lost, or after `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>;
}

/** Called with the number of lines lost, once lines are taken again. */
type OnDropped = (lines: number) => void;

/** One write at a time. What it does not take (a full disk, a reader that is gone) is dropped, and the next lines are tried. */
function destinationOf(send: (text: string) => Promise<void>, onDropped: OnDropped): LogDestination {
  let waiting: string[] = [];
  /** Of the lines that wait or are being written. */
  let length = 0;
  let dropped = 0;
  let reported = 0;
  let draining: Promise<void> | undefined;
  const drain = async () => {
    while (waiting.length > 0) {
      const lines = waiting;
      const text = lines.join('');
      waiting = [];
      const isTaken = await send(text).then(
        () => true,
        () => false,
      );
      length -= text.length;
      if (!isTaken) dropped += lines.length;
      else if (waiting.length === 0 && dropped > reported) {
        onDropped(dropped - reported); // there is room for it
        reported = dropped;
      }
    }
    draining = undefined;
  };
  return {
    write(line) {
      if (length + line.length > MAX_WAITING_BYTES) {
        dropped += 1;
        return;
      }
      waiting.push(line);
      length += line.length;
      draining ??= drain();
    },
    dropped: () => dropped,
    flush: (timeoutMs) => within(timeoutMs, Promise.resolve(draining)),
  };
}

function toSocket(fd: number): (text: string) => Promise<void> {
  const socket = new Socket({ fd, readable: false, writable: true });
  socket.on('error', () => {}); // the callback has it too
  return (text) =>
    new Promise((resolve, reject) => {
      socket.write(text, (error) => (error ? reject(error) : resolve()));
    });
}

/**
 * A terminal, opened again: only our own writes shall come back at once while it is held (Ctrl-S), not those of the
 * shell that shares the descriptor. One that may not be opened (another user's, after su) is written as it is.
 */
const openTerminal = (fd: number): number =>
  attempt(() =>
    openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY),
  ) ?? fd;

/** A terminal may accept nothing for a moment (EAGAIN). */
async function writeAll(fd: number, text: string): Promise<void> {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray((await writePart(fd, rest)).bytesWritten);
    } catch (error) {
      if (!hasCode(error, 'EAGAIN')) throw error;
      await sleep(BUSY_MS);
    }
  }
}

export function openDestination(fd: number, onDropped: OnDropped): LogDestination {
  const kind = fstatSync(fd);
  if (kind.isFIFO() || kind.isSocket()) return destinationOf(toSocket(fd), onDropped);
  const place = isatty(fd) ? openTerminal(fd) : fd;
  return destinationOf((text) => writeAll(place, text), onDropped);
}
