/**
 * A machine of its own with a real kernel and a real USB bus: QEMU without KVM. Its controller is `x`, with a hub on
 * port 1 (port 1-1 to the kernel); phones behind the hub run at full speed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ran } from '../systemd/guest.ts';
import { labRoot } from './lab-root.ts';
import { Qmp } from './qmp.ts';
import { UsbHub } from './usb-hub.ts';
import { UsbPhone, type UsbPhoneOptions } from './usb-phone.ts';

const LOOK_EVERY_MS = 200;
/** Both only end what hangs: of a machine that gets no processor the looks take longer too. */
export interface Patience {
  limitMs: number;
  leastLooks: number;
}
const PATIENCE: Patience = { limitMs: 200_000, leastLooks: 100 };
const BOOT_LIMIT_MS = 500_000;
const LAST_CHARACTERS = 4000;

/**
 * $1: folder of the machine, $2: the layers of its root, $3: a line of sh that prepares the root, with its path in $all; the
 * rest is QEMU's. All is on one disk: what QEMU shares costs the guest more. The mounts are this process's own.
 */
const START = `set -e
  cd "$1"; mkdir -p upper work all; all="$1/all"
  mount -t overlay -o "lowerdir=$2,upperdir=upper,workdir=work" overlay all
  eval "$3"
  truncate -s 8G disk && mkfs.ext4 -q -E lazy_itable_init=1 -O ^metadata_csum,^has_journal -d all disk >/dev/null
  umount all; rm -rf upper
  shift 3; exec "$@"`;

/** Without KVM each look at another clock than the processor's is dear. */
const BOOT = [
  tscFrequency(),
  'root=/dev/vda console=ttyS0 quiet panic=-1 mitigations=off audit=0 tsc=reliable clocksource=tsc no_timer_check',
  'systemd.default_timeout_start_sec=600 8250.nr_uarts=1',
].join(' ');

/**
 * The guest's counter of time is this machine's. A guest that gets no processor while it measures how fast that counts has
 * a clock that runs several times too fast, and systemd ends what starts slowly. Where the processor's clock changes,
 * /proc/cpuinfo does not have it.
 */
function tscFrequency(): string {
  if (existsSync('/sys/devices/system/cpu/cpu0/cpufreq')) return '';
  const megahertz = /^cpu MHz\s*: ([\d.]+)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1];
  return megahertz === undefined ? '' : `tsc_early_khz=${Math.round(1000 * Number(megahertz))}`;
}

/** What QEMU has to imitate dearly where a program finds it. */
const CPU = 'max,-avx,-avx2,-la57,-fma,-f16c,-bmi1,-bmi2';

const HUB = { driver: 'usb-hub', id: 'hub', bus: 'x.0', port: '1', 'port-power': true };

export class Machine {
  readonly #folder: string;
  readonly #patience: Patience;
  readonly #process: ChildProcess;
  #said = '';
  #qmp!: Qmp;
  #shell!: Socket;
  #lines!: AsyncIterator<string>;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #plugged = new Map<string, Server>();

  private constructor(folder: string, prepare: string, patience: Patience) {
    this.#folder = folder;
    this.#patience = patience;
    const { layers, kernel, initrd } = labRoot();
    const socket = (name: string) => `socket,id=${name},path=${join(folder, name)},server=on,wait=off`;
    const qemu = [
      ...['qemu-system-x86_64', '-nodefaults', '-no-user-config', '-nographic', '-machine', 'q35'],
      ...['-accel', 'tcg,thread=multi,tb-size=512', '-cpu', CPU, '-smp', '1', '-m', '1536'],
      ...['-kernel', kernel, '-initrd', initrd, '-append', BOOT],
      ...['-serial', 'stdio', '-chardev', socket('qmp'), '-mon', 'chardev=qmp,mode=control'],
      ...['-drive', `file=${folder}/disk,format=raw,if=virtio,cache=unsafe`],
      ...['-device', 'virtio-serial-pci', '-chardev', socket('lab')],
      ...['-device', 'virtserialport,chardev=lab,name=lab'],
      ...['-device', 'qemu-xhci,id=x,p2=8,p3=8', '-device', 'pcie-root-port,id=spare,chassis=1'],
      ...['-device', 'piix3-usb-uhci,id=old', '-device', JSON.stringify(HUB)],
    ];
    this.#process = spawn(
      'setpriv',
      ['--pdeathsig', 'KILL', 'unshare', '-m', '--propagation', 'private', 'sh', '-c', START, 'sh'].concat(
        ...[folder, layers.join(':'), prepare],
        qemu,
      ),
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said = (this.#said + text).slice(-LAST_CHARACTERS);
      });
  }

  /** @param prepare a line of sh, run before the boot with the path of the machine's root in $all */
  static async boot(prepare = '', patience = PATIENCE): Promise<Machine> {
    const machine = new Machine(await mkdtemp(join(tmpdir(), 'hostnode-usb-')), prepare, patience);
    try {
      await machine.#connect();
      await machine.ready();
      return machine;
    } catch (error) {
      await machine.end();
      throw new Error(`no machine came up: ${machine.#said}`, { cause: error });
    }
  }

  async #connect(): Promise<void> {
    this.#qmp = await Qmp.over(await this.#dial('qmp'));
    this.#shell = await this.#dial('lab');
    const lines = createInterface(this.#shell).on('error', () => this.#shell.destroy()); // of the socket
    this.#lines = lines[Symbol.asyncIterator]();
  }

  get #hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Connects to a socket of QEMU's, as soon as it listens. */
  async #dial(name: string): Promise<Socket> {
    for (;;) {
      const socket = connect(join(this.#folder, name));
      const isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      if (isOpen) return socket;
      if (this.#hasEnded) throw new Error(`QEMU has ended\n${this.#said}`);
      await pause(LOOK_EVERY_MS);
    }
  }

  /** Waits until systemd has started all. */
  async ready(): Promise<void> {
    const wait = 'timeout 60 systemctl is-system-running --wait';
    const state = await this.until(wait, /^(?:running|degraded)$/m, { limitMs: BOOT_LIMIT_MS });
    if (state.startsWith('degraded'))
      throw new Error(await this.do('systemctl --failed --plain; journalctl -q -b --no-pager -n 40'));
  }

  /** Runs a line of sh in it, as root; one after the other. */
  run(line: string): Promise<Ran> {
    const ran = this.#turn.then(async () => {
      this.#shell.write(`${Buffer.from(line).toString('hex')}\n`);
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`the machine has ended\n${this.#said}`);
      const [code, output = ''] = value.split(' ');
      return { code: Number(code), output: Buffer.from(output, 'hex').toString() };
    });
    this.#turn = ran.catch(() => {});
    return ran;
  }

  /** Waits until what a line prints, or what is read from that, is like this; returns that. */
  async until(
    line: string,
    pattern: RegExp,
    { limitMs = this.#patience.limitMs, read = (output: string) => output } = {},
  ): Promise<string> {
    const signal = AbortSignal.timeout(limitMs);
    for (let looks = 1; ; looks += 1) {
      const began = performance.now();
      const output = read((await this.run(line)).output);
      if (pattern.test(output)) return output;
      if (signal.aborted && looks >= this.#patience.leastLooks)
        throw new Error(`in the machine, not ${pattern}: ${line}\n${output}`);
      // what is waited for has the processor as long as the look had it
      await pause(Math.max(LOOK_EVERY_MS, performance.now() - began));
    }
  }

  /**
   * Waits until an adb server lists exactly the phones in these ports, each of them ready, in the order of their serials.
   * No adb program is asked: it might start a server, or end one.
   *
   * @param within what runs a command where the server listens
   * @returns the list, with the numbers of the connections
   */
  lists(ports: readonly string[], { port = 5037, within = '' } = {}): Promise<string> {
    const ask = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 000ehost:devices-l >&3; read -r -N 65536 -u 3; printf %s "$REPLY"`;
    const lines = ports.map((at) => `LAB\\S+ +device usb:${at.replaceAll('.', '\\.')} .*\\n`);
    const sorted = (list: string) =>
      list.startsWith('OKAY') ? (list.slice(8).match(/.*\n/g) ?? []).toSorted().join('') : `none: ${list}`;
    return this.until(`${within} bash -c '${ask}'`, new RegExp(`^${lines.join('')}$`), { read: sorted });
  }

  /** Runs a line that has to succeed. */
  async do(line: string): Promise<string> {
    const { code, output } = await this.run(line);
    if (code !== 0) throw new Error(`in the machine, ${code}: ${line}\n${output}`);
    return output;
  }

  /**
   * Plugs a phone into a port.
   *
   * @param port `1.2` is the hub's second, `2` the controller's second
   * @param controller its id
   */
  plug(port: string, phone: UsbPhoneOptions, controller = 'x'): Promise<void> {
    return this.#attach(port, controller, (socket) => new UsbPhone(socket, phone));
  }

  /** Plugs a hub into a port that says of its ports what it is told to. */
  async plugHub(port: string, controller: string): Promise<UsbHub> {
    let hub: UsbHub | undefined;
    await this.#attach(port, controller, (socket) => {
      hub = new UsbHub(socket);
    });
    if (hub === undefined) throw new Error('QEMU did not connect');
    return hub;
  }

  async #attach(port: string, controller: string, device: (socket: Socket) => void): Promise<void> {
    const id = `phone-${controller}-${port}`;
    const path = join(this.#folder, id);
    const server = createServer(device);
    server.listen(path);
    await once(server, 'listening');
    this.#plugged.set(id, server);
    const address = { type: 'unix', data: { path } };
    const backend = { type: 'socket', data: { addr: address, server: false } };
    await this.#qmp.do('chardev-add', { id, backend });
    await this.#qmp.do('device_add', { driver: 'usb-redir', chardev: id, id, bus: `${controller}.0`, port });
  }

  async unplug(port: string, controller = 'x'): Promise<void> {
    const id = `phone-${controller}-${port}`;
    await this.#qmp.remove(id); // and the chardev with it
    this.#forget(id);
  }

  /** Cuts the hub's power: it is gone, and the phones behind it with it. */
  async cutHub(): Promise<void> {
    await this.#qmp.remove('hub');
    for (const id of this.#plugged.keys()) if (id.startsWith('phone-x-1.')) this.#forget(id);
  }

  /** The hub is back; the phones are to be plugged in again. */
  async restoreHub(): Promise<void> {
    await this.#qmp.do('device_add', HUB);
  }

  /** Puts another USB controller into the spare slot. */
  async addController(id: string): Promise<void> {
    await this.#qmp.do('device_add', { driver: 'qemu-xhci', id, bus: 'spare' });
  }

  /** Starts the machine again; what is plugged in stays so. */
  async reboot(): Promise<void> {
    await Promise.all([this.#qmp.until('RESET'), this.do('systemctl --no-block reboot')]);
    await this.ready();
  }

  #forget(id: string): void {
    this.#plugged.get(id)?.close();
    this.#plugged.delete(id);
  }

  async end(): Promise<void> {
    if (!this.#hasEnded) {
      const ended = once(this.#process, 'close');
      this.#process.kill('SIGKILL');
      await ended;
    }
    for (const server of this.#plugged.values()) server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
