import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { BLOCKED, DEBUGGING_OFF } from '../../src/diagnosis/rules/usb-unlisted.ts';
import { readAccounts } from '../../src/doctor/accounts.ts';
import type { AdbProcess } from '../../src/doctor/adb.ts';
import { checkRules, checkUsb, readRules, readUsbPhones, type UsbView } from '../../src/doctor/usb.ts';
import { accountFiles, hostTree } from '../support/host-tree.ts';

const devices = 'sys/bus/usb/devices';

/** An interface by its class, subclass and protocol, as sysfs has it. */
const usbInterface = (name: string, kind: string, label = ''): Record<string, string> => {
  const [major = '', minor = '', protocol = ''] = kind.split('/');
  return {
    [`${devices}/${name}/bInterfaceClass`]: `${major}\n`,
    [`${devices}/${name}/bInterfaceSubClass`]: `${minor}\n`,
    [`${devices}/${name}/bInterfaceProtocol`]: `${protocol}\n`,
    ...(label && { [`${devices}/${name}/interface`]: `${label}\n` }),
  };
};

/** A Pixel with USB debugging on 1-4.2, a phone that only charges and shares files on 1-3, an iPhone, a keyboard and a hub. */
const bus = {
  ...accountFiles,
  [`${devices}/1-4.2/busnum`]: '1\n',
  [`${devices}/1-4.2/devnum`]: '7\n',
  [`${devices}/1-4.2/product`]: 'Pixel 8\n',
  ...usbInterface('1-4.2:1.0', 'ff/ff/00', 'MTP'),
  ...usbInterface('1-4.2:1.1', 'ff/42/01', 'ADB Interface'),
  [`${devices}/1-3/busnum`]: '1\n',
  [`${devices}/1-3/devnum`]: '12\n',
  [`${devices}/1-3/product`]: 'SM-T736B\n',
  ...usbInterface('1-3:1.0', '06/01/01', 'MTP'),
  [`${devices}/1-5/product`]: 'iPhone\n',
  [`${devices}/1-5/idVendor`]: '05ac\n',
  ...usbInterface('1-5:4.0', '06/01/01', 'PTP'),
  [`${devices}/1-2/busnum`]: '1\n',
  ...usbInterface('1-2:1.0', '03/01/01'),
  ...usbInterface('usb1', '09/00/00'),
  'dev/bus/usb/001/007': '',
  'dev/bus/usb/001/012': '',
};

/** The adb server of the user hostnode-adb, in these groups. */
const server = (...gids: number[]): AdbProcess => ({
  uid: 997,
  isOpen: false,
  process: { pid: 700, name: 'adb', uid: 997, gids, sockets: [] },
});
const pixel: ListedDevice = { serial: '44424FDD7335M7', state: 'device', devpath: '1-4.2' };

async function judged(mode: number, view: Partial<UsbView>, files: Record<string, string> = bus) {
  const root = await hostTree(files);
  await chmod(join(root, 'dev/bus/usb/001/007'), mode).catch(() => {});
  const phones = (await readUsbPhones(root)).filter(({ hasAdb }) => hasAdb);
  return checkUsb({ phones, accounts: await readAccounts(root), inContainer: false, ...view });
}

describe('phones on USB', () => {
  it('are seen by no server without /dev/bus/usb', async () => {
    const results = await judged(0o660, { server: { ...server(46), seesUsb: false }, listed: [] });
    expect(results).toMatchObject([
      {
        seen: '1 phone on USB, and the adb server has no /dev/bus/usb',
        remedy: expect.stringMatching(/^Restart the adb server/),
      },
    ]);
  });

  it('are those with an adb interface, or with pictures and files to show', async () => {
    expect(await readUsbPhones(await hostTree(bus))).toEqual([
      {
        port: '1-3',
        product: 'SM-T736B',
        hasAdb: false,
        node: '/dev/bus/usb/001/012',
        owner: expect.anything(),
      },
      {
        port: '1-4.2',
        product: 'Pixel 8',
        hasAdb: true,
        node: '/dev/bus/usb/001/007',
        owner: expect.anything(),
      },
    ]);
  });

  it('without USB debugging are told what to switch on', async () => {
    const root = await hostTree(bus);
    const [phone] = await readUsbPhones(root);
    const accounts = await readAccounts(root);
    expect(checkUsb({ phones: phone ? [phone] : [], listed: [], accounts, inContainer: false })).toEqual([
      {
        name: 'USB 1-3',
        status: 'warning',
        seen: 'SM-T736B has USB debugging off',
        remedy: DEBUGGING_OFF.remedy,
      },
    ]);
  });

  it('that the host blocks are told how to let them in', async () => {
    const blocked = (port: string, idVendor: string, deviceClass = '00') => ({
      [`${devices}/${port}/authorized`]: '0\n',
      [`${devices}/${port}/idVendor`]: `${idVendor}\n`,
      [`${devices}/${port}/bDeviceClass`]: `${deviceClass}\n`,
    });
    const root = await hostTree({
      ...blocked('1-6', '18d1'),
      ...blocked('1-7', '046d'),
      ...blocked('1-8', '2717', '09'),
    });
    const accounts = await readAccounts(root);
    const view = { phones: await readUsbPhones(root), listed: [], accounts, inContainer: false };
    expect(checkUsb(view)).toEqual([
      { name: 'USB 1-6', status: 'failed', seen: 'a phone is blocked on this host', remedy: BLOCKED.remedy },
    ]);
  });

  it('that adb does not list are a failure, or a warning where USB debugging is off', async () => {
    const phones = await readUsbPhones(await hostTree(bus));
    const none = { users: [], groups: [] };
    const results = checkUsb({ phones, listed: [], accounts: none, inContainer: false });
    expect(results.map(({ name, status }) => `${name}: ${status}`)).toEqual([
      'USB 1-3: warning',
      'USB 1-4.2: failed',
    ]);
  });

  it('that adb lists are fine', async () => {
    expect(await judged(0o660, { listed: [pixel], server: server(46) })).toEqual([
      { name: 'USB', status: 'ok', seen: '1 phone on USB, all known to adb' },
    ]);
  });

  it('are not called known to an adb server that does not answer', async () => {
    expect(await judged(0o666, { server: server(46) })).toEqual([
      {
        name: 'USB',
        status: 'skipped',
        seen: '1 phone on USB; whether adb lists them is not checked: adb server failed',
      },
    ]);
  });

  it('whose node the server’s user may not write name the node, the user and the rule', async () => {
    const listed = [{ ...pixel, state: 'no permissions' }];
    expect(await judged(0o664, { listed, server: server(46) })).toEqual([
      {
        name: 'USB 1-4.2',
        status: 'failed',
        seen: expect.stringMatching(
          /^Pixel 8: \/dev\/bus\/usb\/001\/007 is \S+:\S+ 0664: the adb server’s user, hostnode-adb, cannot write to it$/,
        ),
        remedy:
          'Install the udev rule, add hostnode-adb to the group plugdev, restart the adb server, and replug the phone',
      },
    ]);
  });

  it('that may be opened and are not listed are held by something else', async () => {
    const [found] = await judged(0o666, { listed: [], server: server(46) });
    expect(found).toMatchObject({
      status: 'failed',
      seen: expect.stringContaining('adb does not list it'),
      remedy: expect.stringContaining('another program may hold it'),
    });
  });

  it('without a node are the container’s fault, where this is one', async () => {
    const { 'dev/bus/usb/001/007': _, ...nodeless } = bus;
    const [found] = await judged(0, { inContainer: true, listed: [] }, nodeless);
    expect(found).toEqual({
      name: 'USB 1-4.2',
      status: 'failed',
      seen: 'Pixel 8 has no device node /dev/bus/usb/001/007',
      remedy: 'Pass the whole folder /dev/bus/usb to the adb server’s container',
    });
  });
});

describe('the udev rule', () => {
  it('is ours, or a distribution’s', async () => {
    const ours = 'ACTION!="remove", ENV{ID_USB_INTERFACES}=="*:ff4201:*|*:ff4203:*", MODE="0660"\n';
    const theirs = 'ATTR{idVendor}=="18d1", ENV{adb_user}="yes"\n';
    const root = await hostTree({
      'etc/udev/rules.d/72-hostnode.rules': ours,
      'usr/lib/udev/rules.d/51-android.rules': theirs,
      'usr/lib/udev/rules.d/60-sensor.rules': '# ff4201\nSUBSYSTEM=="iio"\n',
    });
    const files = ['/etc/udev/rules.d/72-hostnode.rules', '/usr/lib/udev/rules.d/51-android.rules'];
    expect(await readRules(root)).toEqual(files);
    expect(checkRules(files, false)).toEqual({ name: 'udev rule', status: 'ok', seen: files.join(', ') });
  });

  it('is that of the administrator’s own software too, which goes before a distribution’s of the same name', async () => {
    const name = 'udev/rules.d/51-android.rules';
    const root = await hostTree({
      [`usr/local/lib/${name}`]: 'ATTR{idVendor}=="18d1", ENV{adb_user}="yes"\n',
      [`usr/lib/${name}`]: '',
    });
    expect(await readRules(root)).toEqual([`/usr/local/lib/${name}`]);
  });

  it('is missed on a host, and not in a container', () => {
    expect([checkRules([], false).status, checkRules([], true).status]).toEqual(['warning', 'skipped']);
  });

  it('is no matter on a machine without udev', async () => {
    const files = await readRules(await hostTree({}));
    expect(checkRules(files, false)).toEqual({
      name: 'udev rule',
      status: 'skipped',
      seen: 'this machine has no udev',
    });
    expect(await readRules(await hostTree({ 'usr/lib/udev/rules.d/60-sensor.rules': '' }))).toEqual([]);
  });
});
