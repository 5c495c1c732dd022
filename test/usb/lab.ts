/**
 * A host with a USB bus for the tests of one file, which are its days in their order: booted before the first, ended after
 * the last. CI has time for some of them.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { SimulatedPhone } from '../rig/rig.ts';
import { builtPackage } from '../support/built-package.ts';
import { usbSeconds } from '../support/describe-with.ts';
import { Machine } from './machine.ts';
import type { UsbPhoneOptions } from './usb-phone.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** When this run of the tests began, ms since the epoch. */
    beganAt: number;
  }
}

/** Another package, as one from before: which of the tests fail with it? */
const given = process.env.HOSTNODE_TEST_USB_PACKAGE;

const isLate = () => Date.now() > inject('beganAt') + usbSeconds * 1000;

export class Lab {
  #machine: Machine | undefined;
  #adbd: SimulatedPhone | undefined;

  /** @param prepare makes a line of sh, run before the boot with the path of the host's root in $all; gets a folder */
  constructor(prepare: (folder: string) => Promise<string>) {
    let folder: string;
    beforeAll(async () => {
      if (isLate()) return; // its tests are left too
      folder = await mkdtemp(join(tmpdir(), 'hostnode-usb-lab-'));
      const [line, adbd] = await Promise.all([prepare(folder), SimulatedPhone.start('xiaomi-poco-f6-15')]);
      this.#adbd = adbd;
      this.#machine = await Machine.boot(line, given ? { limitMs: 30_000, leastLooks: 8 } : undefined);
    });
    beforeEach(({ skip }) => skip(isLate(), 'left: no time'));
    // what somebody would do; else all that follow would fail for the reason of the first
    afterEach(async ({ task }) => {
      if (given && task.result?.state === 'fail')
        await this.#machine?.run(
          'mv /root/adb /usr/bin; systemctl stop other second blind; systemctl restart hostnode-adb hostnode',
        );
    });
    afterAll(async () => {
      await this.#machine?.end();
      await this.#adbd?.[Symbol.asyncDispose]();
      if (folder) await rm(folder, { recursive: true, force: true });
    });
  }

  get machine(): Machine {
    if (this.#machine === undefined) throw new Error('no machine');
    return this.#machine;
  }

  /** Plugs a phone into a port, by default one of the first controller. */
  plug(port: string, more: Partial<UsbPhoneOptions> = {}, controller?: string): Promise<void> {
    const adbdPort = this.#adbd?.adbd.port ?? 0;
    return this.machine.plug(port, { serial: `LAB-${port}`, adbdPort, ...more }, controller);
  }

  /** Plugs in two phones behind the hub and one of high speed beside it. */
  async plugThree(): Promise<void> {
    await Promise.all([this.plug('1.1'), this.plug('1.2'), this.plug('2', { speed: 'high' })]);
  }

  /** Waits until the agent says this of its phones; before it may stand the codes of findings. */
  status(text: string): Promise<string> {
    return this.machine.until('systemctl show -P StatusText hostnode', new RegExp(`(?:^|; )${text};`));
  }
}

/** The ports of `plugThree`. */
export const three = ['1-1.1', '1-1.2', '1-2'];

/** systemd watches nothing, and the agent says how it is once a second. */
const EACH_SECOND = 'WatchdogSec=0\\nEnvironment=WATCHDOG_USEC=3000000';

/**
 * Installs the package in the root of a host.
 *
 * @param more lines of sh, each of which succeeds with the package of this tree
 */
export async function installed(folder: string, ...more: string[]): Promise<string> {
  return `
    cp ${given ?? (await builtPackage(folder))} "$all/opt/hostnode.deb"
    chroot "$all" dpkg -i /opt/hostnode.deb; rm "$all/opt/hostnode.deb"
    mkdir -p "$all/etc/systemd/system/hostnode.service.d"
    printf '[Service]\\nTimeoutStartSec=600\\n${EACH_SECOND}\\n' >"$all/etc/systemd/system/hostnode.service.d/slow.conf"
    ${more.map((line) => `${line}${given ? ' || :' : ''}`).join('\n')}`;
}

/** What the history has of events of this kind: port, and what `fields` says in Python. */
export const history = (kind: string, fields: string) => `python3 -c "
import json, sqlite3
file = sqlite3.connect('file:/var/lib/hostnode/history.sqlite?mode=ro', uri=True, timeout=1)
for port, rest in file.execute('SELECT devpath, rest FROM events WHERE kind = ?', ['${kind}']):
  it = json.loads(rest)
  print(port, ${fields})" | sort -u`;

/** Of each loss what was gone on USB, and the speed and interfaces of the phone before. */
export const losses = history('usb', "it['gone'], it['speedMbpsBefore'], it['interfacesBefore']");
