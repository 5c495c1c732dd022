/**
 * Sends the agent's state to systemd (sd_notify(3)), through a descriptor that was opened before Node started: a
 * datagram socket connected to `$NOTIFY_SOCKET`. Node itself cannot open one.
 *
 * HOSTNODE_NOTIFY_FD has its number (set by the opener in hostnode.service), or systemd passes it under the name
 * `notify` (`OpenFile=…:notify`, systemd 253; LISTEN_PID, LISTEN_FDNAMES: sd_listen_fds(3)).
 */
import { fstatSync, writeSync } from 'node:fs';
import type { Environment } from '../base/environment.ts';
import { NOTIFY_FD } from '../config/environment.ts';

/** The first descriptor that systemd passes. */
const FIRST_HANDED_OVER = 3;

export class Notifier {
  readonly #fd: number | undefined;

  /** @param fd absent without systemd: then nothing is sent */
  constructor(fd?: number) {
    this.#fd = fd;
  }

  /** The agent works. Also ends a reload. */
  ready(status: string): void {
    this.#send('READY=1', `STATUS=${status}`);
  }

  /** Resets the watchdog and sets the status line. */
  alive(status: string): void {
    this.#send('WATCHDOG=1', `STATUS=${status}`);
  }

  status(status: string): void {
    this.#send(`STATUS=${status}`);
  }

  /** The configuration is being read again, until `ready`. */
  reloading(): void {
    this.#send('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`);
  }

  stopping(): void {
    this.#send('STOPPING=1', 'STATUS=stopping');
  }

  #send(...assignments: string[]): void {
    if (this.#fd === undefined) return;
    try {
      writeSync(this.#fd, `${assignments.join('\n')}\n`);
    } catch {
      // EAGAIN: systemd is busy; the next message repeats it. Nothing here may stop the agent.
    }
  }
}

/** The notifier of this process; without a socket it sends nothing. */
export function openNotifier(env: Environment, pid = process.pid): Notifier {
  const fd = given(env[NOTIFY_FD]) ?? handedOver(env, pid);
  return fd !== undefined && isSocket(fd) ? new Notifier(fd) : new Notifier();
}

const given = (text = ''): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined);

function handedOver({ LISTEN_PID, LISTEN_FDNAMES = '' }: Environment, pid: number): number | undefined {
  const place = LISTEN_FDNAMES.split(':').indexOf('notify');
  return place < 0 || LISTEN_PID !== String(pid) ? undefined : FIRST_HANDED_OVER + place;
}

function isSocket(fd: number): boolean {
  try {
    return fstatSync(fd).isSocket();
  } catch {
    return false;
  }
}
