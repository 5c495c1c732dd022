import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lookAtUsb, phonesOnUsb, showsAdb } from '../../src/host/usb-sight.ts';
import { hostTree } from '../support/host-tree.ts';

const adb = { bInterfaceClass: 'ff', bInterfaceSubClass: '42', bInterfaceProtocol: '01' };
const mtp = { bInterfaceClass: '06', bInterfaceSubClass: '01', bInterfaceProtocol: '01' };

let sysfs: string;
const devices = () => join(sysfs, 'bus/usb/devices');

/** A phone behind two hubs, and one at the host itself, which has no interface. */
beforeEach(async () => {
  const files: Record<string, string> = {};
  const put = (folder: string, attributes: Record<string, string>) => {
    for (const [name, value] of Object.entries(attributes))
      files[`bus/usb/devices/${folder}/${name}`] = `${value}\n`;
  };
  put('usb1', { devnum: '1' });
  put('1-4', { devnum: '2' });
  put('1-4.1', { devnum: '3' });
  put('1-4.1.2', { devnum: '7', speed: '480' });
  put('1-4.1.2/1-4.1.2:1.0', mtp);
  put('1-4.1.2/1-4.1.2:1.1', adb);
  put('1-4.1:1.0/1-4.1-port2', { over_current_count: '3' });
  put('1-5', { devnum: '9', speed: '1.5' });
  put('1-0:1.0/usb1-port5', { over_current_count: '0' });
  sysfs = await hostTree(files);
});

describe('lookAtUsb', () => {
  it('shows the way to a phone, and the phone', () => {
    expect(lookAtUsb('1-4.1.2', sysfs)).toEqual({
      line: ['1', '2', '3', '7'].map((number) => expect.stringMatching(`^${number} \\d+$`)),
      overCurrents: 3,
      phone: { speedMbps: 480, configuration: 1, interfaces: '06/01/01 ff/42/01' },
    });
    expect(lookAtUsb('1-5', sysfs)).toEqual({
      line: [expect.any(String), expect.any(String)],
      overCurrents: 0,
      phone: { speedMbps: 1.5, interfaces: '' },
    });
  });

  it('knows the same device again, and takes no other one for it', async () => {
    const before = lookAtUsb('1-4.1.2', sysfs);
    expect(lookAtUsb('1-4.1.2', sysfs)).toEqual(before);
    await writeFile(join(devices(), '1-4.1.2/devnum'), '8\n');
    expect(lookAtUsb('1-4.1.2', sysfs)?.line).toEqual([
      ...(before?.line.slice(0, 3) ?? []),
      expect.stringMatching(/^8 /),
    ]);
    // the controller was started again, and gives the same numbers
    await writeFile(join(devices(), '1-4.1.2/devnum'), '7\n');
    await rename(join(devices(), 'usb1'), join(devices(), 'former'));
    await mkdir(join(devices(), 'usb1'));
    await writeFile(join(devices(), 'usb1/devnum'), '1\n');
    expect(lookAtUsb('1-4.1.2', sysfs)?.line[0]).not.toBe(before?.line[0]);
  });

  it('shows what is not there', async () => {
    await rm(join(devices(), '1-4.1'), { recursive: true });
    await rm(join(devices(), '1-4.1.2'), { recursive: true });
    expect(lookAtUsb('1-4.1.2', sysfs)).toMatchObject({
      line: [expect.stringMatching(/^1 /), expect.stringMatching(/^2 /), '', ''],
    });
    expect(lookAtUsb('3-1', sysfs)).toEqual({ line: ['', ''] });
  });

  it.each(['', '1-', '../1-4', '1-4.1.2/..', '192.168.0.4:5555', '1-4'.padEnd(99, '.1')])(
    'takes %j for no port',
    (devpath) => expect(lookAtUsb(devpath, sysfs)).toBeUndefined(),
  );

  it('counts the phones, and those with USB debugging on', async () => {
    expect(phonesOnUsb(sysfs)).toEqual({ phones: 0, withDebugging: 0 });
    const interfaces = (port: string, ...kinds: (typeof adb)[]) =>
      Object.fromEntries(
        kinds.flatMap((kind, at) =>
          Object.entries(kind).map(([name, text]) => [`bus/usb/devices/${port}:1.${at}/${name}`, text]),
        ),
      );
    const tree = await hostTree({
      ...interfaces('1-1', mtp, adb),
      ...interfaces('1-2', mtp),
      'bus/usb/devices/1-2/idVendor': '18d1\n',
      ...interfaces('1-3', mtp), // a camera
      ...interfaces('usb1', { ...adb, bInterfaceClass: '09' }),
    });
    expect(phonesOnUsb(tree)).toEqual({ phones: 2, withDebugging: 1 });
    expect(phonesOnUsb('/nowhere')).toEqual({ phones: 0, withDebugging: 0 });
  });

  it('says whether USB debugging is on', () => {
    const shows = (devpath: string) => showsAdb(lookAtUsb(devpath, sysfs) ?? { line: [] });
    expect(['1-4.1.2', '1-5', '1-9'].map(shows)).toEqual([true, false, false]);
  });
});
