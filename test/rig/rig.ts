import { Adbd, type Banner } from './adbd.ts';
import { AndroidShell } from './android-shell.ts';
import { readPhone } from './phone-recording.ts';
import { RealAdb } from './real-adb.ts';

/** A phone of test/rig/phones, switched on. Not attached yet. */
export class SimulatedPhone implements AsyncDisposable {
  readonly adbd: Adbd;
  readonly shell: AndroidShell;

  private constructor(adbd: Adbd, shell: AndroidShell) {
    this.adbd = adbd;
    this.shell = shell;
  }

  /** @param says in place of what the recording says in its banner */
  static async start(name: string, says: Partial<Banner> = {}): Promise<SimulatedPhone> {
    const recording = readPhone(name);
    const shell = await AndroidShell.build(recording);
    const property = (key: string) => recording.properties.get(key) ?? '';
    const banner = {
      product: property('ro.product.name'),
      model: property('ro.product.model'),
      device: property('ro.product.device'),
      ...says,
    };
    const adbd = new Adbd(shell.release, banner, shell);
    await adbd.listen();
    return new SimulatedPhone(adbd, shell);
  }

  /** adb's name for it. */
  get serial(): string {
    return this.adbd.serial;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.adbd[Symbol.asyncDispose]();
    await this.shell[Symbol.asyncDispose]();
  }
}

/** A real adb server and simulated phones, all gone when the rig is disposed. */
export class Rig implements AsyncDisposable {
  readonly adb: RealAdb;
  readonly #phones: SimulatedPhone[] = [];

  private constructor(adb: RealAdb) {
    this.adb = adb;
  }

  static async start(): Promise<Rig> {
    return new Rig(await RealAdb.start());
  }

  /** Switches a phone of test/rig/phones on, without attaching it. */
  async switchOn(name: string, says?: Partial<Banner>): Promise<SimulatedPhone> {
    const phone = await SimulatedPhone.start(name, says);
    this.#phones.push(phone);
    return phone;
  }

  /** Switches a phone of test/rig/phones on and attaches it to the server. */
  async attach(name: string, says?: Partial<Banner>): Promise<SimulatedPhone> {
    const phone = await this.switchOn(name, says);
    await this.plug(phone);
    return phone;
  }

  async plug(phone: SimulatedPhone): Promise<void> {
    const answer = await this.adb.connect(phone.adbd.port);
    if (!answer.startsWith('connected')) throw new Error(answer);
  }

  async unplug(phone: SimulatedPhone): Promise<void> {
    await this.adb.disconnect(phone.adbd.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.adb[Symbol.asyncDispose]();
    await Promise.all(this.#phones.map((phone) => phone[Symbol.asyncDispose]()));
  }
}
