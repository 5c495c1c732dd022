/**
 * Where log lines go: a descriptor that may be stuck behind a reader who has stopped reading.
 *
 * Pipes and sockets are written by the event loop itself, non-blocking. A blocking write, on the loop's thread or on
 * a thread of the pool, would hold the process: the first at once, the second when it exits and waits for its pool.
 */
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { pino } from 'pino';

/** Bytes that wait for a stuck reader; what comes after them is dropped. */
const maxWaitingBytes = 1024 * 1024;

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

/** A file, a terminal or a device. */
function fileDestination(fd: number): LogDestination {
  const file = pino.destination({ dest: fd, sync: false, maxLength: maxWaitingBytes });
  let dropped = 0;
  file.on('drop', () => {
    dropped++;
  });
  file.on('error', () => {});
  return {
    write: (line) => {
      file.write(line);
    },
    dropped: () => dropped,
    flush: (timeoutMs) => within(timeoutMs, (done) => file.flush(() => done())),
  };
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
