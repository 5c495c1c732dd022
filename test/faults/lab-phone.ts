/**
 * The phones of the lab, and what is true of them: from the recordings and from what the tests did, never from the
 * agent's words.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { DeviceInfo } from '../../src/cloud/contract/report.ts';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { outputOf, type Recording } from '../../src/demo/recording.ts';
import type { Rig, SimulatedPhone as RigPhone } from '../rig/rig.ts';

/** What the cloud has to hold of a phone. */
export interface Truth {
  udid: string;
  status: 'PLUGGED' | 'UNPLUGGED';
  state: string;
  modelName?: string;
  platformVersion?: string;
  /** Percent, as digits. */
  battery?: string;
}

export interface LabPhone {
  /** The name by which the cloud must know it. */
  readonly udid: string;
  readonly model: string;
  readonly isAttached: boolean;
  /** It was pulled at some time during the fault, so the cloud may be told so. */
  wasPulled: boolean;
  /** When it was last plugged in, by `performance.now()`. */
  readonly pluggedAt: number;
  readonly truth: Truth;
  plug(): Promise<void> | void;
  pull(): Promise<void> | void;
  /** Its battery has another charge from now on: only who asks it now can know that. */
  charge(): Promise<void> | void;
}

const property = (text: string, key: string): string =>
  new RegExp(`^\\[${key.replaceAll('.', '\\.')}\\]: \\[(.*)\\]\\r?$`, 'm').exec(text)?.[1] ?? '';

const anyLevel = (): number => randomInt(2, 99);
const withLevel = (dump: string, level: number): string =>
  dump.replace(/^(\s*level: )\d+/m, (_, key: string) => key + String(level));

/** A phone behind the simulated adb server. */
export class SimulatedLabPhone implements LabPhone {
  readonly udid: string;
  readonly phone: SimulatedPhone;
  readonly model: string;
  isAttached = false;
  wasPulled = false;
  pluggedAt = 0;
  readonly #release: string;
  readonly #server: () => SimulatedAdbServer;
  readonly #recording: Recording;
  #level: number;
  /** What it prints of its boot: the id, and the seconds since; as recorded until it reboots. */
  #clock: string | undefined;

  /** @param server the one that runs now */
  constructor(recording: Recording, udid: string, server: () => SimulatedAdbServer) {
    const properties = recording.answers['identity.properties'];
    const text = properties === undefined ? '' : outputOf(properties).text;
    const battery = recording.answers['battery.dump'];
    this.udid = udid;
    this.#recording = recording;
    this.phone = new SimulatedPhone(recording);
    this.model = property(text, 'ro.product.model');
    this.#release = property(text, 'ro.build.version.release');
    this.#server = server;
    this.#level = Number(/^\s*level: (\d+)/m.exec(battery === undefined ? '' : outputOf(battery).text)?.[1]);
  }

  get truth(): Truth {
    const { udid } = this;
    if (!this.isAttached) return { udid, status: 'UNPLUGGED', state: 'disconnected' };
    const { state } = this.phone;
    const told: Truth = {
      udid,
      status: 'PLUGGED',
      state: state.startsWith('no permissions') ? 'no permissions' : state,
    };
    if (state !== 'device') return told;
    return { ...told, modelName: this.model, platformVersion: this.#release, battery: String(this.#level) };
  }

  plug(): void {
    this.isAttached = true;
    this.pluggedAt = performance.now();
    this.#server().plug(this.phone);
  }

  pull(): void {
    this.isAttached = false;
    this.wasPulled = true;
    this.#server().unplug(this.phone.devpath === undefined ? this.phone.serial : `usb:${this.phone.devpath}`);
  }

  /** It is in another boot from now on. */
  reboot(): void {
    this.#clock = `${randomUUID()}\n3.10 2.00\n`;
    this.phone.alter('boot.clock', () => this.#clock ?? '');
  }

  /** The same phone, as adb lists it over the network. */
  overNetwork(serial: string): SimulatedPhone {
    const { devpath: _, ...recording } = { ...this.#recording, serial };
    const twin = new SimulatedPhone(recording);
    twin.alter('boot.clock', (recorded) => this.#clock ?? recorded);
    return twin;
  }

  charge(): void {
    const level = anyLevel();
    this.#level = level;
    this.phone.alter('battery.dump', (text) => withLevel(text, level));
  }
}

/** A phone behind the real adb server. */
export class RigLabPhone implements LabPhone {
  readonly udid: string;
  readonly model: string;
  isAttached = true;
  wasPulled = false;
  pluggedAt = 0;
  readonly phone: RigPhone;
  readonly #rig: Rig;
  readonly #release: string;
  readonly #dump: string;
  #level: number;

  /** @param properties what `getprop` prints on it; @param dump what `dumpsys battery` does */
  constructor(rig: Rig, phone: RigPhone, properties: ReadonlyMap<string, string>, dump: string) {
    this.#rig = rig;
    this.phone = phone;
    this.udid = properties.get('ro.serialno') ?? '';
    this.model = properties.get('ro.product.model') ?? '';
    this.#release = properties.get('ro.build.version.release') ?? '';
    this.#dump = dump;
    this.#level = Number(/^\s*level: (\d+)/m.exec(dump)?.[1]);
  }

  get truth(): Truth {
    const { udid } = this;
    if (!this.isAttached) return { udid, status: 'UNPLUGGED', state: 'disconnected' };
    const facts = { modelName: this.model, platformVersion: this.#release, battery: String(this.#level) };
    return { udid, status: 'PLUGGED', state: 'device', ...facts };
  }

  async plug(): Promise<void> {
    await this.#rig.plug(this.phone);
    this.isAttached = true;
    this.pluggedAt = performance.now();
  }

  async pull(): Promise<void> {
    this.isAttached = false;
    this.wasPulled = true;
    await this.#rig.unplug(this.phone);
  }

  async charge(): Promise<void> {
    this.#level = anyLevel();
    await this.phone.shell.record({
      command: 'dumpsys battery',
      stdout: withLevel(this.#dump, this.#level),
    });
  }
}

/** What the cloud holds of a phone, as far as `truth` says anything. */
export function asTold({ udid, status, state, ...facts }: DeviceInfo): Truth {
  const told = { udid, status, state: state ?? '' };
  if (status === 'UNPLUGGED' || state !== 'device') return told;
  const { modelName = '', platformVersion = '', battery } = facts;
  return { ...told, modelName, platformVersion, battery: battery?.percentage ?? '' };
}
