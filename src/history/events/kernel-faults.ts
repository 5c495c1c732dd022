/** What the kernel said of USB as events: one for each port and fault in a while, with how often it said so. */
import type { KernelFault, KernelLine } from '../../host/kernel-line.ts';
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
  fault: KernelFault;
  where: Where;
  controller?: string;
  count: number;
  at: number;
  since: number;
  timer?: NodeJS.Timeout;
}

export interface KernelFaultsOptions {
  topology: Pick<UsbTopology, 'bus' | 'refresh'>;
  happened(events: readonly NewEvent[]): void;
}

export class KernelFaults {
  readonly #options: KernelFaultsOptions;
  readonly #open = new Map<string, Open>();

  constructor(options: KernelFaultsOptions) {
    this.#options = options;
  }

  /** @param at ms since the epoch */
  add({ fault, port, controller }: KernelLine, at: number): void {
    const key = `${fault} ${port ?? controller}`;
    const known = this.#open.get(key);
    if (known === undefined && this.#open.size >= MOST) return;
    const now = performance.now();
    const open = known ?? {
      ...{ fault, count: 0, at, since: now, where: port === undefined ? {} : this.#where(port) },
      ...(controller !== undefined && { controller }),
    };
    open.count += 1;
    this.#open.set(key, open);
    clearTimeout(open.timer);
    const waitMs = Math.max(0, Math.min(TOGETHER_MS, LONGEST_MS - (now - open.since)));
    open.timer = setTimeout(() => this.#close(key), waitMs).unref();
  }

  /** Says at once what was to wait: the agent stops. */
  end(): void {
    for (const key of this.#open.keys()) this.#close(key);
  }

  #close(key: string): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    clearTimeout(open.timer);
    this.#open.delete(key);
    const { fault, where, controller, count, at } = open;
    this.#options.happened([
      { kind: 'kernel', fault, count, at, where, ...(controller !== undefined && { controller }) },
    ]);
  }

  #where(port: string): Where {
    const { topology } = this.#options;
    topology.refresh();
    const controller = topology.bus(Number(port.split('-', 1)[0]))?.controller;
    const path = port.slice(port.indexOf('-') + 1);
    return whereOf({ devpath: port, ...(controller && { portPaths: [`${controller}-usb-0:${path}`] }) });
  }
}
