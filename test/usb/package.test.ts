/** The package on a host with a real kernel and a real USB bus; the tests are its days, in this order. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SimulatedPhone } from '../rig/rig.ts';
import { builtPackage } from '../support/built-package.ts';
import { describeWithUsb } from '../support/describe-with.ts';
import { Machine } from './machine.ts';

const DRIVER = '/sys/bus/pci/drivers/xhci_hcd';
const KEY_FILE = '/var/lib/hostnode-adb/.android/adbkey';

describeWithUsb('a host with a USB bus', () => {
  let folder: string;
  let machine: Machine;
  let adbd: SimulatedPhone;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hostnode-usb-package-'));
    const [deb, phone] = await Promise.all([builtPackage(folder), SimulatedPhone.start('xiaomi-poco-f6-15')]);
    adbd = phone;
    machine = await Machine.boot(`
      cp ${deb} "$all/opt/hostnode.deb"
      chroot "$all" dpkg -i /opt/hostnode.deb; rm "$all/opt/hostnode.deb"
      mkdir "$all/etc/systemd/system/hostnode.service.d"
      printf '[Service]\\nTimeoutStartSec=600\\nWatchdogSec=600\\n' >"$all/etc/systemd/system/hostnode.service.d/slow.conf"
      echo blacklist xhci_pci >"$all/etc/modprobe.d/lab.conf"`);
  });

  afterAll(async () => {
    await machine?.end();
    await adbd?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const all = ['1-1.1', '1-1.2', '1-2'];
  const plug = (port: string, more = {}, controller?: string) =>
    machine.plug(port, { serial: `LAB-${port}`, adbdPort: adbd.adbd.port, ...more }, controller);
  const lists = (ports: readonly string[], port?: number) => machine.lists(ports, { port });
  /** Waits until the agent says this of its phones; before it may stand the codes of findings. */
  const status = (text: string) =>
    machine.until('systemctl show -P StatusText hostnode', new RegExp(`(?:^|; )${text};`));

  it('starts before the kernel has USB, and lists the phones as soon as it has', async () => {
    expect((await machine.run('ls /sys/bus/usb')).code).not.toBe(0);
    await status('no phones');
    await Promise.all([plug('1.1'), plug('1.2'), plug('2', { speed: 'high' })]);
    await machine.do('modprobe xhci_pci');
    await lists(all);
    await status('3 phones, 3 answer');
  });

  it('opens the phones by the udev rule, and no other device', async () => {
    const nodes = 'stat -c "%G %a" $(sed -n s,^DEVNAME=,/dev/,p /sys/bus/usb/devices/*-*/uevent | sort -u)';
    const groups = (await machine.do(nodes)).split('\n').slice(0, -1);
    expect(groups.toSorted()).toEqual(['plugdev 660', 'plugdev 660', 'plugdev 660', 'root 664']); // a hub
  });

  it('sees a phone that is unplugged and plugged back in, and a hub that loses its power', async () => {
    await machine.unplug('2');
    await lists(['1-1.1', '1-1.2']);
    await status('2 phones, 2 answer');
    await plug('2', { speed: 'high' });
    await status('3 phones, 3 answer');
    await machine.cutHub();
    await status('1 phone, 1 answers');
    await machine.restoreHub();
    await Promise.all([plug('1.1'), plug('1.2')]);
    await lists(all);
    await status('3 phones, 3 answer');
  });

  it('has the phones back after the last controller was lost', async () => {
    const controller = (await machine.do(`basename $(readlink -f ${DRIVER}/0000:*)`)).trim();
    await machine.do(`echo ${controller} >${DRIVER}/unbind`);
    await lists([]);
    await machine.do(`echo ${controller} >${DRIVER}/bind`);
    await lists(all);
  });

  it('lists the phones of a controller that comes later', async () => {
    await machine.addController('later');
    await plug('1', { serial: 'LAB-3', speed: 'high' }, 'later'); // listed last
    await lists([...all, '3-1']);
    await machine.unplug('1', 'later');
    await lists(all);
  });

  it('says which phone has USB debugging off', async () => {
    await plug('1.3', { hasDebugging: false });
    await machine.until('cat /sys/bus/usb/devices/1-1.3/serial', /^LAB-1.3$/m);
    // once more where this machine was too slow for a check
    await machine.until('hostnode doctor', /warning +USB 1-1\.3 +Pixel has USB debugging off/);
    await machine.unplug('1.3');
  });

  it('cuts no phone by an upgrade', async () => {
    // as after dpkg has unpacked it: the 130 MB themselves, which test/package unpacks, would take minutes here
    const unpacked = 's/^Status: .*/Status: install ok unpacked\\nConfig-Version: 0.0.1/';
    await machine.do(`sed -i '/^Package: hostnode$/,/^$/${unpacked}' /var/lib/dpkg/status`);
    const agent = await machine.do('systemctl show -P MainPID hostnode');
    const before = await lists(all); // with their connections' numbers
    await machine.do('dpkg --configure hostnode');
    expect(await machine.do('systemctl show -P MainPID hostnode')).not.toBe(agent);
    await status('3 phones, 3 answer');
    expect(await lists(all)).toBe(before);
  });

  it('leaves the phones to the adb server of another user, and takes them over when that ends', async () => {
    const other = 'systemd-run -q --unit=other --uid=nobody -p Group=plugdev -E HOME=/tmp';
    await machine.do(`systemctl stop hostnode-adb && ${other} adb -L tcp:localhost:5037 server nodaemon`);
    await lists(all);
    await machine.do('systemctl start hostnode-adb');
    await machine.until('systemctl show -P StatusText hostnode-adb', /^waiting: another process holds port/);
    await status('3 phones, 3 answer');
    await machine.do('systemctl stop other');
    await lists(all);
    await status('3 phones, 3 answer');
  });

  it('names the second adb server that holds the phones, and gets them without a replug', async () => {
    await machine.do('systemctl stop hostnode-adb');
    await machine.do('systemd-run -q --unit=second adb -L tcp:localhost:5038 server nodaemon');
    await lists(all, 5038);
    await machine.do('systemctl start hostnode-adb');
    await lists([]);
    const both =
      /other adb server +\S+ \(process \d+ of root\)[\s\S]*failed +USB 1-1\.1 .*\n? *adb does not list it/;
    await machine.until('hostnode doctor', both);
    await machine.do('systemctl stop second');
    await lists(all);
    await status('3 phones, 3 answer');
  });

  it('has all phones after a reboot in which the kernel was first', async () => {
    const key = await machine.do(`cat ${KEY_FILE}`);
    await machine.do('rm /etc/modprobe.d/lab.conf && echo xhci_pci >/etc/modules-load.d/lab.conf');
    await machine.reboot();
    const started = (what: string) => machine.do(`journalctl -b -q -o short-monotonic ${what} | head -1`);
    const seconds = (line: string) => Number(/^\[ *([\d.]+)\]/.exec(line)?.[1]);
    const [bus, unit] = [await started('-k -g "new USB bus"'), await started('-u hostnode-adb')];
    expect(seconds(bus)).toBeLessThan(seconds(unit));
    await status('3 phones, 3 answer');
    expect(await machine.do(`cat ${KEY_FILE}`)).toBe(key);
  });
});
