/** What the kernel said of USB as events: one for each port and fault in a while, with how often it said so. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { KernelLine } from '../../host/kernel-line.ts';
import type { UsbTopology } from '../../host/usb-devices.ts';
import type { NewEvent, Where } from './event.ts';
import { whereOf } from './where.ts';

/** The kernel tries four times, in a second or in a minute and a half, ms. */
const TOGETHER_MS = 10_000;
/** A port that floods is one event in so long, ms. */
const LONGEST_MS = 60_000;
/** Ports at once; whatever is more is left out. */
const MOST = 100;

interface Open {
  event: Extract<NewEvent, { kind: 'kernel' }>;
  /** By the monotonic clock, ms. */
  since: number;
  timer?: NodeJS.Timeout;
}

/** The events go to `happened`. */
export function kernelEvents(
  topology: Pick<UsbTopology, 'bus' | 'refresh'>,
  happened: (events: readonly NewEvent[]) => void,
) {
  const opened = new Map<string, Open>();

  const close = (key: string, { event, timer }: Open) => {
    clearTimeout(timer);
    opened.delete(key);
    happened([event]);
  };
  const placeOf = (port: string): Where => {
    topology.refresh();
    const controller = topology.bus(Number(port.split('-', 1)[0]))?.controller;
    const path = port.slice(port.indexOf('-') + 1);
    return whereOf({ devpath: port, ...(controller && { portPaths: [`${controller}-usb-0:${path}`] }) });
  };

  return {
    /** @param at ms since the epoch */
    add({ fault, port, controller }: KernelLine, at: number): void {
      const key = `${fault} ${port ?? controller}`;
      const known = opened.get(key);
      if (known === undefined && opened.size >= MOST) return;
      const now = performance.now();
      const where = known?.event.where ?? (port === undefined ? {} : placeOf(port));
      const open: Open = known ?? {
        event: omitUndefined({ kind: 'kernel' as const, fault, count: 0, at, where, controller }),
        since: now,
      };
      open.event.count += 1;
      opened.set(key, open);
      clearTimeout(open.timer);
      const waitMs = Math.max(0, Math.min(TOGETHER_MS, LONGEST_MS - (now - open.since)));
      open.timer = setTimeout(() => close(key, open), waitMs).unref();
    },

    /** Says at once what was to wait: the agent stops. */
    end(): void {
      for (const [key, open] of opened) close(key, open);
    },
  };
}
