/**
 * Sends the agent's state to systemd (sd_notify(3)), through a descriptor that was opened before Node started: a
 * datagram socket connected to `$NOTIFY_SOCKET`. Node itself cannot open one.
 *
 * HOSTNODE_NOTIFY_FD has its number (set by the opener in hostnode.service), or systemd passes it under the name
 * `notify` (`OpenFile=…:notify`, systemd 253; LISTEN_PID, LISTEN_FDNAMES: sd_listen_fds(3)).
 */

import { fstatSync, writeSync } from 'node:fs';
import type { Environment } from '../base/environment.ts';
import { attempt } from '../base/errors.ts';
import { NOTIFY_FD } from '../config/environment.ts';

/** The first descriptor that systemd passes. */
const FIRST_HANDED_OVER = 3;

/** Sends assignments such as `READY=1`. */
export type Notify = (...assignments: string[]) => void;

/** To the systemd that started this process; without one it sends nothing. */
export function openNotify(env: Environment, pid = process.pid): Notify {
  const fd = given(env[NOTIFY_FD]) ?? handedOver(env, pid);
  return fd !== undefined && isSocket(fd) ? notifyOver(fd) : () => {};
}

/** @param fd of the socket */
export function notifyOver(fd: number): Notify {
  return (...assignments) => {
    try {
      writeSync(fd, `${assignments.join('\n')}\n`);
    } catch {
      // EAGAIN: systemd is busy; the next message repeats it. Nothing here may stop the agent.
    }
  };
}

const given = (text = ''): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined);

function handedOver({ LISTEN_PID, LISTEN_FDNAMES = '' }: Environment, pid: number): number | undefined {
  const place = LISTEN_FDNAMES.split(':').indexOf('notify');
  return place < 0 || LISTEN_PID !== String(pid) ? undefined : FIRST_HANDED_OVER + place;
}

const isSocket = (fd: number): boolean => attempt(() => fstatSync(fd).isSocket()) ?? false;
