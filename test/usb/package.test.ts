/** The package on a host with a real kernel and a real USB bus; the tests are its days, in this order. CI has time for the first. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeBlocks, section } from '../docs/pages.ts';
import { SimulatedPhone } from '../rig/rig.ts';
import { builtPackage } from '../support/built-package.ts';
import { describeWithUsb, usbSeconds } from '../support/describe-with.ts';
import { testContainers } from './container.ts';
import { Machine } from './machine.ts';

const DRIVER = '/sys/bus/pci/drivers/xhci_hcd';
/** The line that lets the agent follow the log of the kernel. */
const [withKernelLog = ''] = codeBlocks(section('docs/operate.md', "## The kernel's log"), 'sh')
  .flatMap((block) => block.split('\n'))
  .filter((each) => each.startsWith('install '));
/** What the history has of events of this kind: port, and what `fields` says in Python. */
const history = (kind: string, fields: string) => `python3 -c "
import json, sqlite3
file = sqlite3.connect('file:/var/lib/hostnode/history.sqlite?mode=ro', uri=True, timeout=1)
for port, rest in file.execute('SELECT devpath, rest FROM events WHERE kind = ?', ['${kind}']):
  it = json.loads(rest)
  print(port, ${fields})" | sort -u`;
const LOSSES = history('usb', "it['gone'], it['speedMbpsBefore'], it['interfacesBefore']");

/** The controllers wait. xHCI counts what its bus carries, as it does on an Intel Panther Point (XHCI_SW_BW_CHECKING). */
const MODULES = 'blacklist xhci_pci\nblacklist uhci_hcd\noptions xhci_hcd quirks=0x100';

/** Python: asks the kernel for something on a device; `node` is its file. */
const usbfs = (port: string, ioctl: string) => `python3 -c "
import fcntl, re, struct
device = '/sys/bus/usb/devices/${port}'
node = open('/dev/' + re.search('DEVNAME=(.*)', open(device + '/uevent').read())[1], 'r+b', 0)
${ioctl}"`;
const RESET = 'fcntl.ioctl(node, 0x5514)';
const OTHER_SETTING = "fcntl.ioctl(node, 0x80085504, struct.pack('II', 0, 1))";
/** As it is after a reset of its port. */
const NO_ADDRESS = "fcntl.ioctl(node, 0xc0185500, struct.pack('BBHHHIxxxxQ', 0, 5, 0, 0, 0, 1000, 0))";

const KEY_FILE = '/var/lib/hostnode-adb/.android/adbkey';

/** Another package, as one from before: which of the tests fail with it? */
const given = process.env.HOSTNODE_TEST_USB_PACKAGE;

describeWithUsb('a host with a USB bus', () => {
  let folder: string;
  let machine: Machine;
  let adbd: SimulatedPhone;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hostnode-usb-package-'));
    const [deb, phone] = await Promise.all([
      given ?? builtPackage(folder),
      SimulatedPhone.start('xiaomi-poco-f6-15'),
    ]);
    adbd = phone;
    const prepare = `
      cp ${deb} "$all/opt/hostnode.deb"
      chroot "$all" sh -ec 'dpkg -i /opt/hostnode.deb; rm /opt/hostnode.deb; ${withKernelLog}${given ? ' || :' : ''}'
      mkdir -p "$all/etc/systemd/system/hostnode.service.d"
      printf '[Service]\\nTimeoutStartSec=600\\nWatchdogSec=600\\n' >"$all/etc/systemd/system/hostnode.service.d/slow.conf"
      echo '${MODULES}' >"$all/etc/modprobe.d/lab.conf"`;
    machine = await Machine.boot(prepare, given ? { limitMs: 30_000, leastLooks: 8 } : undefined);
  });

  const isLate = () => performance.now() > usbSeconds * 1000;
  beforeEach(({ skip }) => skip(isLate(), 'left: no time'));

  // what somebody would do; else all that follow would fail for the reason of the first
  afterEach(async ({ task }) => {
    if (given && task.result?.state === 'fail') await machine?.run('systemctl restart hostnode-adb hostnode');
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

  it('lists the phones of a controller that comes later, until it dies', async () => {
    await machine.addController('later');
    await plug('1', { serial: 'LAB-3', speed: 'high' }, 'later'); // listed last
    await lists([...all, '3-1']);
    // with the memory of its card switched off it answers nothing, as one that died
    const card = '$(dirname $(readlink -f /sys/bus/usb/devices/usb3))';
    await machine.do(`printf '\\0\\0' | dd of=${card}/config bs=1 seek=4 conv=notrunc status=none`);
    await machine.do('timeout 5 sh -c "echo 0 >/sys/bus/usb/devices/3-1/authorized" || true');
    await lists(all);
    await machine.unplug('1', 'later');
  });

  it('keeps what USB showed of each loss', async () => {
    const seen = ['1-1.1 controller', '1-1.1 hub', '1-1.2 controller', '1-1.2 hub', '1-2 controller'];
    const losses = [...seen, '1-2 phone', '3-1 phone'].map((loss) => `${loss} .* ff/42/01\n`);
    await machine.until(`${LOSSES} | grep -v nothing`, new RegExp(`^${losses.join('')}$`));
  });

  it('says which phone has USB debugging off, and which hub can switch its ports', async () => {
    await plug('1.3', { hasDebugging: false });
    await plug('4', { fails: 'ioerror' });
    await plug('5', { fails: 'configuration' });
    await plug('6', { speed: 'high', hasDebugging: false, isGreedy: true });
    const serials = 'cat /sys/bus/usb/devices/1-1.3/serial /sys/bus/usb/devices/1-6/serial';
    await machine.until(serials, /^LAB-1.3\nLAB-6$/m);
    await machine.until(
      'journalctl -k -q -g "1-4: device desc|usb1-port4: unable" --no-pager',
      /error -71[\s\S]*unable to enumerate/,
    );
    // once more where this machine was too slow for a check
    const said = await machine.until('hostnode doctor --json', /USB debugging off[\s\S]*"hub 1-1"/);
    expect(said).toMatch(
      /"8 ports \(0409:55aa\), each can be switched.*: uhubctl -l 1-1 -p PORT -a cycle; the kernel has/,
    );
    expect(said).toMatch(/"8 ports \(1d6b:0002\), none can be switched, it says; the kernel has/);
    await machine.unplug('1.3');
    await machine.do(usbfs('1-2', RESET));
    await machine.until('journalctl -k -q -g "usb 1-2: reset" --no-pager', /reset/);
    expect((await machine.run(usbfs('1-6', OTHER_SETTING))).output).toMatch(/Cannot allocate memory/);
  });

  it('has from a port, and from the kernel, that its hub cut a phone off', async () => {
    // two devices of an old controller, to which a device is whoever answers to an address
    await plug('2', { serial: 'LAB-old' }, 'old');
    const hub = await machine.plugHub('1', 'old');
    await machine.do('modprobe uhci_hcd');
    await lists([...all, '5-2']);
    // the phone is removed and waits for an address, its port goes on: now it is the one in the hub's second port
    const on = "port = open('/dev/port', 'r+b', 0); port.seek(io + 0x12); port.write(bytes([4]))";
    const removed = "open(device + '/remove', 'w').write('1')";
    const io = "io = int(open(device + '/../../resource').read().split()[12], 16)";
    await machine.do(usbfs('5-2', [io, NO_ADDRESS, removed, on].join('\n')));
    hub.connect(2);
    await lists([...all, '5-1.2']);
    await status('4 phones, 4 answer');
    await machine.do(usbfs('5-1.2', NO_ADDRESS)); // by which it is found once more
    hub.cutPower(2);
    await lists(all);
    expect(await machine.do('cat /sys/bus/usb/devices/5-1:1.0/5-1-port2/over_current_count')).toBe('1\n');
    await machine.until(history('usb', "it.get('overCurrents')"), /^5-1\.2 1$/m);
    hub.connect(2);
    await lists([...all, '5-1.2']);
    hub.disable(2);
    await lists(all);
    const [cut, disturbed] = ['5-1-port2: over-current condition', '5-1-port2: disabled by hub .EMI'];
    await machine.until(`journalctl -k -q --no-pager -g "${cut}"`, /over/);
    await machine.until(`journalctl -k -q --no-pager -g "${disturbed}"`, /EMI/);
    await Promise.all([machine.unplug('1', 'old'), machine.unplug('2', 'old')]);
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
    await machine.until(LOSSES, /^1-1\.1 nothing 12 ff\/42\/01$/m);
    await machine.do('systemctl stop second');
    await lists(all);
    await status('3 phones, 3 answer');
  });

  it('says what to install where there is no adb program, and has the phones as soon as there is one', async () => {
    await machine.do('systemctl stop hostnode-adb && mv /usr/bin/adb /root && systemctl start hostnode-adb');
    await machine.until('hostnode status', /Install adb, which is missing on this host \(Debian: apt-get/);
    await machine.do('mv /root/adb /usr/bin');
    await lists(all);
    await status('3 phones, 3 answer');
  });

  it('has from the kernel what it could not read days ago, and which phone it reset', async () => {
    await machine.until('hostnode status', /cannot read what is plugged in at USB port 1-4\b/);
    expect(await machine.do('hostnode why 1-2')).toMatch(/the kernel: reset what is plugged in/);
    expect(await machine.do('hostnode why LAB-3')).toMatch(/its USB controller left/);
    const faults = await machine.until(history('kernel', "it['fault']"), /^None died$/m);
    expect(faults.split('\n')).toEqual(
      expect.arrayContaining([
        ...['1-2 reset', '1-4 descriptor', '1-4 enumerate', '1-5 config', '1-6 bandwidth'],
        ...['5-1.2 overCurrent', '5-1.2 emi'],
      ]),
    );
    await Promise.all(['4', '5', '6'].map((port) => machine.unplug(port)));
  });

  it('has all phones after a reboot in which the kernel was first', async () => {
    const key = await machine.do(`cat ${KEY_FILE}`);
    await machine.do(
      'sed -i /xhci_pci/d /etc/modprobe.d/lab.conf && echo xhci_pci >/etc/modules-load.d/lab.conf',
    );
    await machine.reboot();
    const started = (what: string) => machine.do(`journalctl -b -q -o short-monotonic ${what} | head -1`);
    const seconds = (line: string) => Number(/^\[ *([\d.]+)\]/.exec(line)?.[1]);
    const [bus, unit] = [await started('-k -g "new USB bus"'), await started('-u hostnode-adb')];
    expect(seconds(bus)).toBeLessThan(seconds(unit));
    await status('3 phones, 3 answer');
    expect(await machine.do(`cat ${KEY_FILE}`)).toBe(key);
  });

  describe('with an adb server in a container', () =>
    testContainers(async () => {
      if (isLate()) return machine; // its tests are left too
      await machine.do('systemctl stop hostnode hostnode-adb');
      await Promise.all(['1.1', '1.2', '2'].map((port) => machine.unplug(port)));
      return machine;
    }, plug));
});
