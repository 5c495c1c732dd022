/** What the kernel of a made-up host sees on USB: controllers, hubs, and a phone at each taken port. */
import type { UsbController, UsbDevice } from '../../src/host/usb-devices.ts';
import { HOUR, type SceneLab, type ScenePhone } from './scene.ts';

type Made = { -readonly [K in keyof UsbDevice]: UsbDevice[K] };

export const ADB = { kind: 'ff/42/01', endpoints: 2 };
export const FASTBOOT = { kind: 'ff/42/03', endpoints: 2 };
export const MTP = { kind: 'ff/ff/00', endpoints: 3, name: 'MTP' };
export const PTP = { kind: '06/01/01', endpoints: 3 };

/** Vendor and device of controllers without a known limit. */
const AMD = { vendorId: '1022', deviceId: '43d5' };

export class MadeUsb {
  readonly devices: Made[] = [];
  readonly controllers: { -readonly [K in keyof UsbController]: UsbController[K] }[] = [];
  readonly #lab: SceneLab;

  /** Tell the lab's life first: the tree shows its end. */
  constructor(lab: SceneLab) {
    this.#lab = lab;
    for (const { controller, bus } of lab.hubs) {
      if (this.at(`usb${bus}`)) continue;
      if (lab.known.usbPath) this.controllers.push({ name: controller, driver: 'xhci_hcd', ...AMD });
      for (const [number, speedMbps, version] of [
        [bus, 480, 2],
        [bus + 1, 5000, 3],
      ] as const)
        this.add(`usb${number}`, controller, {
          isHub: true,
          ports: 16,
          speedMbps,
          version,
          isSelfPowered: true,
        });
    }
    for (const hub of lab.hubs) {
      const chains = new Set(hub.ports.flatMap(({ chain }) => above(chain)));
      for (const chain of chains)
        for (const [bus, speedMbps, version] of [
          [hub.bus, 480, 2.1],
          [hub.bus + 1, 5000, 3.2],
        ] as const)
          this.add(`${bus}-${chain}`, hub.controller, {
            isHub: true,
            ports: 4,
            speedMbps,
            version,
            isSelfPowered: true,
            isSuperSpeed: true,
            interfaces: [{ kind: '09/00/00', endpoints: 1 }],
            maxPowerMilliamps: 0,
            peer: { port: `${bus === hub.bus ? bus + 1 : hub.bus}-${chain}`, isCertain: chain.includes('.') },
          });
    }
    for (const phone of lab.usbPhones.filter((each) => lab.isFree(each, lab.now, lab.now))) this.#plug(phone);
    lab.picture.usb = { devices: this.devices, controllers: this.controllers };
    const slots = lab.hubs.flatMap((hub) => hub.ports);
    lab.picture.setting = {
      expected: [],
      slots: lab.known.slots
        ? slots.map(({ slot, bus, chain }) => ({ name: slot, paths: [`${bus}-${chain}`] }))
        : [],
    };
    lab.picture.adbPorts = this.phones.map(({ port }) => port);
  }

  at(port: string): Made | undefined {
    return this.devices.find((device) => device.port === port);
  }

  /** The phones that adb lists. */
  get phones(): Made[] {
    return this.devices.filter(({ interfaces }) => interfaces.includes(ADB));
  }

  of(phone: ScenePhone): Made {
    const { bus, chain } = this.#lab.portOf(phone);
    const device = this.at(`${bus}-${chain}`);
    if (device === undefined) throw new RangeError(`${phone.udid} is not attached`);
    return device;
  }

  /** A phone that is attached now, of a hub where at least so many are. */
  attached(least = 1): ScenePhone[] {
    const { random, hubs } = this.#lab;
    const groups = hubs.flatMap((hub) => [
      ...Map.groupBy(
        this.#lab.phonesOf(hub).filter((phone) => this.#lab.isFree(phone, this.#lab.now, this.#lab.now)),
        (phone) => above(this.#lab.portOf(phone).chain).at(-1),
      ).values(),
    ]);
    const fit = groups.filter((group) => group.length >= least);
    return fit.length === 0 ? [] : random.pick(fit);
  }

  add(port: string, controller: string, more: Partial<Made>): Made {
    const { known, now } = this.#lab;
    const chain = port.slice(port.indexOf('-') + 1);
    const device: Made = {
      port,
      usbPath: known.usbPath && !port.startsWith('usb') ? `${controller}-usb-0:${chain}` : port,
      bus: Number(/\d+/.exec(port)?.[0]),
      isHub: false,
      interfaces: [],
      connectedAt: now - 5 * HOUR,
      ...(known.usbPath && { controller }),
      ...more,
    };
    this.devices.push(device);
    return device;
  }

  /** A device at a free port of a hub, or of the host itself. */
  plugIn(more: Partial<Made>): Made {
    const [first] = this.#lab.hubs;
    const own = { bus: first?.bus ?? 1, chain: '11', controller: first?.controller ?? '' };
    const free = this.#lab.freePorts(this.#lab.now).filter(({ bus, chain }) => !this.at(`${bus}-${chain}`));
    const [port = own] = this.#lab.random.shuffled(free);
    return this.add(`${port.bus}-${port.chain}`, port.controller, more);
  }

  #plug(phone: ScenePhone): void {
    const { bus, chain, controller } = this.#lab.portOf(phone);
    this.add(`${bus}-${chain}`, controller, {
      vendorId: '18d1',
      productId: '4ee7',
      product: `Pixel ${phone.udid}`,
      serial: phone.udid,
      version: this.#lab.random.pick([2, 2.01, 2.1]),
      speedMbps: 480,
      isSelfPowered: false,
      maxPowerMilliamps: 500,
      interfaces: [ADB],
      peer: { port: `${bus + 1}-${chain}`, isCertain: true },
    });
  }
}

/** The hubs above a port, the nearest last: `4`, `4.1` for `4.1.2`. */
export function above(chain: string): string[] {
  const parts = chain.split('.');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
}
