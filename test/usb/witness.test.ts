/** What the bus and the kernel saw of losses, and what the package makes of it. */
import { expect, it } from 'vitest';
import { codeBlocks, section } from '../docs/pages.ts';
import { describeWithUsb } from '../support/describe-with.ts';
import { history, installed, Lab, losses, three } from './lab.ts';

const DRIVER = '/sys/bus/pci/drivers/xhci_hcd';
/** The line that lets the agent follow the log of the kernel. */
const [withKernelLog = ''] = codeBlocks(section('docs/operate.md', "## The kernel's log"), 'sh')
  .flatMap((block) => block.split('\n'))
  .filter((each) => each.startsWith('install '));

/** xHCI counts what its bus carries, as it does on an Intel Panther Point (XHCI_SW_BW_CHECKING). */
const MODULES = 'blacklist uhci_hcd\noptions xhci_hcd quirks=0x100';

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

describeWithUsb('a host whose bus and kernel are asked', () => {
  const lab = new Lab((folder) =>
    installed(
      folder,
      `chroot "$all" ${withKernelLog}`,
      `echo '${MODULES}' >"$all/etc/modprobe.d/lab.conf"; echo xhci_pci >"$all/etc/modules-load.d/lab.conf"`,
    ),
  );
  const lists = (ports: readonly string[]) => lab.machine.lists(ports);

  it('lists the phones where the kernel was first', async () => {
    await lab.plugThree();
    await lists(three);
    await lab.status('3 phones, 3 answer');
  });

  it('sees a phone that is unplugged and plugged back in, and a hub that loses its power', async () => {
    await lab.machine.unplug('2');
    await lists(['1-1.1', '1-1.2']);
    await lab.status('2 phones, 2 answer');
    await lab.plug('2', { speed: 'high' });
    await lab.status('3 phones, 3 answer');
    await lab.machine.cutHub();
    await lab.status('1 phone, 1 answers');
    await lab.machine.restoreHub();
    await Promise.all([lab.plug('1.1'), lab.plug('1.2')]);
    await lists(three);
    await lab.status('3 phones, 3 answer');
  });

  it('has the phones back after the last controller was lost', async () => {
    const controller = (await lab.machine.do(`basename $(readlink -f ${DRIVER}/0000:*)`)).trim();
    await lab.machine.do(`echo ${controller} >${DRIVER}/unbind`);
    await lists([]);
    await lab.machine.do(`echo ${controller} >${DRIVER}/bind`);
    await lists(three);
  });

  it('lists the phones of a controller that comes later, until it dies', async () => {
    await lab.machine.addController('later');
    await lab.plug('1', { serial: 'LAB-3', speed: 'high' }, 'later'); // listed last
    await lists([...three, '3-1']);
    // with the memory of its card switched off it answers nothing, as one that died
    const card = '$(dirname $(readlink -f /sys/bus/usb/devices/usb3))';
    await lab.machine.do(`printf '\\0\\0' | dd of=${card}/config bs=1 seek=4 conv=notrunc status=none`);
    await lab.machine.do('timeout 5 sh -c "echo 0 >/sys/bus/usb/devices/3-1/authorized" || true');
    await lists(three);
    await lab.machine.unplug('1', 'later');
  });

  it('hears from the kernel of what it cannot read, set up or carry, and of a reset', async () => {
    await lab.plug('4', { fails: 'ioerror' });
    await lab.plug('5', { fails: 'configuration' });
    await lab.plug('6', { speed: 'high', hasDebugging: false, isGreedy: true });
    await lab.machine.until('cat /sys/bus/usb/devices/1-6/serial', /^LAB-6$/m);
    await lab.machine.until(
      'journalctl -k -q -g "1-4: device desc|usb1-port4: unable" --no-pager',
      /error -71[\s\S]*unable to enumerate/,
    );
    await lab.machine.do(usbfs('1-2', RESET));
    await lab.machine.until('journalctl -k -q -g "usb 1-2: reset" --no-pager', /reset/);
    expect((await lab.machine.run(usbfs('1-6', OTHER_SETTING))).output).toMatch(/Cannot allocate memory/);
  });

  it('keeps what USB showed of each loss', async () => {
    const seen = ['1-1.1 controller', '1-1.1 hub', '1-1.2 controller', '1-1.2 hub', '1-2 controller'];
    const found = [...seen, '1-2 phone', '3-1 phone'].map((loss) => `${loss} .* ff/42/01\n`);
    await lab.machine.until(`${losses} | grep -v nothing`, new RegExp(`^${found.join('')}$`));
  });

  it('has from a port, and from the kernel, that a hub cut a phone off, which does not switch its ports', async () => {
    // two devices of an old controller, to which a device is whoever answers to an address
    await lab.plug('2', { serial: 'LAB-old' }, 'old');
    const hub = await lab.machine.plugHub('1', 'old');
    await lab.machine.do('modprobe uhci_hcd');
    await lists([...three, '5-2']);
    // it says that it switches each port, and does not: a phone goes on in one that was switched off
    const off = await lab.machine.do('uhubctl -l 5-1 -p 2 -a off');
    expect(off).toMatch(/New status for hub 5-1 \[0bda:5411.*, ppps\]\n *Port 2: 0100 power\n/);
    // the phone is removed and waits for an address, its port goes on: now it is the one in the hub's second port
    const on = "port = open('/dev/port', 'r+b', 0); port.seek(io + 0x12); port.write(bytes([4]))";
    const removed = "open(device + '/remove', 'w').write('1')";
    const io = "io = int(open(device + '/../../resource').read().split()[12], 16)";
    await lab.machine.do(usbfs('5-2', [io, NO_ADDRESS, removed, on].join('\n')));
    hub.connect(2);
    await lists([...three, '5-1.2']);
    await lab.status('4 phones, 4 answer');
    // once more where this machine was too slow for a check
    const said = await lab.machine.until('hostnode doctor --json', /USB debugging off[\s\S]*"hub 5-1"/);
    expect(said).toMatch(
      /"8 ports \(0409:55aa\), each can be switched, .*: uhubctl -l 1-1 -p PORT -a cycle; the kernel/,
    );
    expect(said).toMatch(/"8 ports \(1d6b:0002\), none can be switched, it says; the kernel has/);
    expect(said).toMatch(
      /"4 ports \(0bda:5411\), each can be switched, it says, but some hubs with this chip cut the data/,
    );
    await lab.machine.do(usbfs('5-1.2', NO_ADDRESS)); // by which it is found once more
    hub.cutPower(2);
    await lists(three);
    expect(await lab.machine.do('cat /sys/bus/usb/devices/5-1:1.0/5-1-port2/over_current_count')).toBe('1\n');
    await lab.machine.until(history('usb', "it.get('overCurrents')"), /^5-1\.2 1$/m);
    hub.connect(2);
    await lists([...three, '5-1.2']);
    hub.disable(2);
    await lists(three);
    const [cut, disturbed] = ['5-1-port2: over-current condition', '5-1-port2: disabled by hub .EMI'];
    await lab.machine.until(`journalctl -k -q --no-pager -g "${cut}"`, /over/);
    await lab.machine.until(`journalctl -k -q --no-pager -g "${disturbed}"`, /EMI/);
    await Promise.all([lab.machine.unplug('1', 'old'), lab.machine.unplug('2', 'old')]);
  });

  it('has from the kernel what it could not read, and which phone it reset', async () => {
    await lab.machine.until('hostnode status', /cannot read what is plugged in at USB port 1-4\b/);
    expect(await lab.machine.do('hostnode why 1-2')).toMatch(
      /the kernel, of USB port 1-2: reset what is plugged in/,
    );
    expect(await lab.machine.do('hostnode why LAB-3')).toMatch(/its USB controller left/);
    const faults = await lab.machine.until(history('kernel', "it['fault']"), /^None died$/m);
    expect(faults.split('\n')).toEqual(
      expect.arrayContaining([
        ...['1-2 reset', '1-4 descriptor', '1-4 enumerate', '1-5 config', '1-6 bandwidth'],
        ...['5-1.2 overCurrent', '5-1.2 emi'],
      ]),
    );
    await Promise.all(['4', '5', '6'].map((port) => lab.machine.unplug(port)));
  });

  // the last one: SeaBIOS forgets where the registers for sleep are
  it('has the phones back after the host has slept, and blames nobody else for it', async () => {
    await lab.machine.do('rtcwake -m mem -s 6');
    await lists(three);
    await lab.status('3 phones, 3 answer');
    await lab.machine.until('hostnode why LAB-2', /this host: the host had just woken up/);
  });
});
