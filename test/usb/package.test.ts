/** The package's ordinary days on a real bus: a race with the kernel, other adb servers, an upgrade, a reboot. */
import { expect, it } from 'vitest';
import { describeWithUsb } from '../support/describe-with.ts';
import { installed, Lab, losses, three } from './lab.ts';

const KEY_FILE = '/var/lib/hostnode-adb/.android/adbkey';

describeWithUsb('the package on a host with a USB bus', () => {
  // the controller waits
  const lab = new Lab((folder) =>
    installed(folder, 'printf "blacklist xhci_pci\\nblacklist uhci_hcd\\n" >"$all/etc/modprobe.d/lab.conf"'),
  );
  const lists = (ports: readonly string[], port?: number) => lab.machine.lists(ports, { port });

  it('starts before the kernel has USB, and lists the phones as soon as it has', async () => {
    expect((await lab.machine.run('ls /sys/bus/usb')).code).not.toBe(0);
    await lab.status('no phones');
    await lab.plugThree();
    await lab.machine.do('modprobe xhci_pci');
    await lists(three);
    await lab.status('3 phones, 3 answer');
  });

  it('opens the phones by the udev rule, and no other device', async () => {
    const nodes = 'stat -c "%G %a" $(sed -n s,^DEVNAME=,/dev/,p /sys/bus/usb/devices/*-*/uevent | sort -u)';
    const groups = (await lab.machine.do(nodes)).split('\n').slice(0, -1);
    expect(groups.toSorted()).toEqual(['plugdev 660', 'plugdev 660', 'plugdev 660', 'root 664']); // a hub
  });

  it('cuts no phone by an upgrade', async () => {
    // as after dpkg has unpacked it: the 130 MB themselves, which test/package unpacks, would take minutes here
    const unpacked = 's/^Status: .*/Status: install ok unpacked\\nConfig-Version: 0.0.1/';
    await lab.machine.do(`sed -i '/^Package: hostnode$/,/^$/${unpacked}' /var/lib/dpkg/status`);
    const agent = await lab.machine.do('systemctl show -P MainPID hostnode');
    const before = await lists(three); // with their connections' numbers
    await lab.machine.do('dpkg --configure hostnode');
    expect(await lab.machine.do('systemctl show -P MainPID hostnode')).not.toBe(agent);
    await lab.status('3 phones, 3 answer');
    expect(await lists(three)).toBe(before);
  });

  it('leaves the phones to the adb server of another user, and takes them over when that ends', async () => {
    const other = 'systemd-run -q --unit=other --uid=nobody -p Group=plugdev -E HOME=/tmp';
    await lab.machine.do(`systemctl stop hostnode-adb && ${other} adb -L tcp:localhost:5037 server nodaemon`);
    await lists(three);
    await lab.machine.do('systemctl start hostnode-adb');
    await lab.machine.until(
      'systemctl show -P StatusText hostnode-adb',
      /^waiting: another process holds port/,
    );
    await lab.status('3 phones, 3 answer');
    await lab.machine.do('systemctl stop other');
    await lists(three);
    await lab.status('3 phones, 3 answer');
  });

  it('names the second adb server that holds the phones, and gets them without a replug', async () => {
    await lab.machine.do('systemctl stop hostnode-adb');
    await lab.machine.do('systemd-run -q --unit=second adb -L tcp:localhost:5038 server nodaemon');
    await lists(three, 5038);
    await lab.machine.do('systemctl start hostnode-adb');
    await lists([]);
    const both =
      /other adb server +\S+ \(process \d+ of root\)[\s\S]*failed +USB 1-1\.1 .*\n? *adb does not list it/;
    await lab.machine.until('hostnode doctor', both);
    await lab.machine.do('systemctl stop second');
    await lists(three);
    await lab.status('3 phones, 3 answer');
    await lab.machine.until(losses, /^1-1\.1 nothing 12 ff\/42\/01$/m);
  });

  it('says what to install where there is no adb program, and has the phones as soon as there is one', async () => {
    await lab.machine.do(
      'systemctl stop hostnode-adb && mv /usr/bin/adb /root && systemctl start hostnode-adb',
    );
    await lab.machine.until(
      'hostnode status',
      /Install adb, which is missing on this host \(Debian: apt-get/,
    );
    await lab.machine.do('mv /root/adb /usr/bin');
    await lists(three);
    await lab.status('3 phones, 3 answer');
  });

  it('says that an adb server has no USB in its /dev', async () => {
    await lab.machine.do('systemctl stop hostnode-adb');
    await lab.machine.do(
      'systemd-run -q --unit=blind -p PrivateDevices=yes adb -L tcp:localhost:5037 server nodaemon',
    );
    await lists([]);
    await lab.machine.until(
      'hostnode status',
      /3 phones with USB debugging on, and the adb server has no \/dev\/bus\/usb/,
    );
    await lab.machine.do('systemctl stop blind && systemctl start hostnode-adb');
    await lists(three);
  });

  it('has all phones after a reboot in which the kernel was first', async () => {
    const key = await lab.machine.do(`cat ${KEY_FILE}`);
    await lab.machine.do(
      'sed -i /xhci_pci/d /etc/modprobe.d/lab.conf && echo xhci_pci >/etc/modules-load.d/lab.conf',
    );
    await lab.machine.reboot();
    const started = (what: string) => lab.machine.do(`journalctl -b -q -o short-monotonic ${what} | head -1`);
    const seconds = (line: string) => Number(/^\[ *([\d.]+)\]/.exec(line)?.[1]);
    const [bus, unit] = [await started('-k -g "new USB bus"'), await started('-u hostnode-adb')];
    expect(seconds(bus)).toBeLessThan(seconds(unit));
    await lab.status('3 phones, 3 answer');
    expect(await lab.machine.do(`cat ${KEY_FILE}`)).toBe(key);
  });
});
