/**
 * Where log lines go: a descriptor that may be stuck behind a reader who has stopped reading.
 *
 * Pipes and sockets are written by the event loop itself, non-blocking. A blocking write, on the loop's thread or on
 * a thread of the pool, would hold the process: the first at once, the second when it exits and waits for its pool.
 */
import { fstatSync, write } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasCode } from './errors.ts';

/** Bytes that wait for a stuck reader; what comes after them is dropped. */
const maxWaitingBytes = 1024 * 1024;
/** Before a terminal that was busy is tried again, ms. */
const BUSY_MS = 100;

const writePart: (fd: number, part: Buffer) => Promise<{ bytesWritten: number }> = promisify(write);

export interface LogDestination {
  write(line: string): void;
  /** Lines dropped so far. */
  dropped(): number;
  /** Resolves when every line before it is written or lost, or after `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>;
}

/** @param onDropped is called with the number of lines lost, once the reader reads again */
export function socketDestination(fd: number, onDropped: (lines: number) => void): LogDestination {
  const socket = new Socket({ fd, readable: false, writable: true });
  let dropped = 0;
  let told = 0;
  // the reader is gone (EPIPE): the agent works on without its log
  socket.on('error', () => {});
  socket.on('drain', () => {
    if (dropped === told) return;
    const lost = dropped - told;
    told = dropped;
    onDropped(lost);
  });
  return {
    write(line) {
      if (socket.destroyed || socket.writableLength + line.length > maxWaitingBytes) dropped++;
      else socket.write(line);
    },
    dropped: () => dropped,
    flush: (timeoutMs) => within(timeoutMs, (done) => socket.write('', () => done())),
  };
}

/** A file, a terminal or a device. What it does not take (a full disk) is dropped, and the next lines are tried again. */
function fileDestination(fd: number): LogDestination {
  let waiting: string[] = [];
  let waitingLength = 0;
  let dropped = 0;
  let writing: Promise<void> | undefined;
  const drain = async () => {
    while (waiting.length > 0) {
      const lines = waiting;
      const text = lines.join('');
      waiting = [];
      await writeAll(fd, text).catch(() => {
        dropped += lines.length;
      });
      waitingLength -= text.length;
    }
    writing = undefined;
  };
  return {
    write(line) {
      if (waitingLength + line.length > maxWaitingBytes) {
        dropped++;
        return;
      }
      waiting.push(line);
      waitingLength += line.length;
      writing ??= drain();
    },
    dropped: () => dropped,
    flush: (timeoutMs) => within(timeoutMs, (done) => void Promise.resolve(writing).then(done)),
  };
}

/** A terminal may say that it takes nothing just now. */
async function writeAll(fd: number, text: string): Promise<void> {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray((await writePart(fd, rest)).bytesWritten);
    } catch (error) {
      if (!hasCode(error, 'EAGAIN')) throw error;
      await pause(BUSY_MS);
    }
  }
}

function within(timeoutMs: number, start: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    start(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The destination that fits what the descriptor is. */
export function openDestination(fd: number, onDropped: (lines: number) => void): LogDestination {
  const kind = fstatSync(fd);
  return kind.isFIFO() || kind.isSocket() ? socketDestination(fd, onDropped) : fileDestination(fd);
}
