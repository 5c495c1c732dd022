/** A folder that stands for `/sys` of a host. */
import { basename } from 'node:path';
import { hostTree } from './host-tree.ts';

const up = (path: string) => '../'.repeat(path.split('/').length - 1);

export interface Device {
  /** Below `/sys/devices`. */
  path: string;
  subsystem: string;
  attributes?: Record<string, string>;
}

/**
 * @param peers the port of one root hub, or hub, by that of its other half: `1-4.2` by `2-4.2`
 * @returns its path
 */
export async function sysfsTree(
  devices: readonly Device[],
  peers: Record<string, string> = {},
): Promise<string> {
  const files: Record<string, string> = {};
  const links: Record<string, string> = {};
  for (const { path, subsystem, attributes = {} } of devices) {
    const folder = `devices/${path}`;
    files[`${folder}/uevent`] = '';
    for (const [name, value] of Object.entries(attributes)) files[`${folder}/${name}`] = `${value}\n`;
    links[`${folder}/subsystem`] = `${up(`${folder}/subsystem`)}bus/${subsystem}`;
    if (subsystem === 'usb') links[`bus/usb/devices/${basename(path)}`] = `../../../${folder}`;
  }
  for (const [devpath, peer] of Object.entries(peers)) {
    const port = portFolder(devices, devpath);
    const other = portFolder(devices, peer);
    files[`${other}/uevent`] = '';
    links[`${port}/peer`] = `${up(`${port}/peer`)}${other}`;
    const device = devices.find(({ path }) => basename(path) === devpath);
    if (device) links[`devices/${device.path}/port`] = `${up(`devices/${device.path}/port`)}${port}`;
  }
  return hostTree(files, links);
}

/** `…/usb1/1-4/1-4:1.0/1-4-port2` for `1-4.2`, `…/usb1/1-0:1.0/usb1-port4` for `1-4`. */
function portFolder(devices: readonly Device[], devpath: string): string {
  const [, above = '', number = ''] = /^(.+)[-.](\d+)$/.exec(devpath) ?? [];
  const isOfRoot = !above.includes('-');
  const hub = isOfRoot ? `usb${above}` : above;
  const { path } = devices.find((device) => basename(device.path) === hub) ?? {};
  if (path === undefined) throw new RangeError(`no hub ${hub}`);
  return `devices/${path}/${isOfRoot ? `${above}-0` : above}:1.0/${hub}-port${number}`;
}

const highSpeed = { version: ' 2.00', speed: '480' };
const superSpeed = { version: ' 3.00', speed: '5000' };
const usb = (path: string, attributes: Record<string, string> = highSpeed): Device => ({
  path,
  subsystem: 'usb',
  attributes,
});

/** The controller of a PC's own sockets. */
const onboard = 'pci0000:00/0000:00:14.0';
/** One behind a PCI bridge, with a USB 3 hub at port 4 and phones in port 2 of that. */
const card = 'pci0000:00/0000:00:1c.0/0000:02:00.0';
/** One of a board whose PCI is a device of its own. */
const board = 'platform/scb/fd500000.pcie/pci0001:00/0001:00:00.0/0001:01:00.0';
/** One of a board without PCI. */
const soc = 'platform/soc/8af8800.usb/xhci-hcd.3.auto';

/** What is plugged in: `1-4.2`, `2-4.2`, `7-6`, `8-2`, `3-1`, `5-2`, `9-3`. */
export const lab: readonly Device[] = [
  { path: 'pci0000:00/0000:00:1c.0', subsystem: 'pci' },
  { path: card, subsystem: 'pci' },
  usb(`${card}/usb1`),
  usb(`${card}/usb1/1-4`),
  usb(`${card}/usb1/1-4/1-4.2`),
  usb(`${card}/usb2`, superSpeed),
  usb(`${card}/usb2/2-4`, superSpeed),
  usb(`${card}/usb2/2-4/2-4.2`, superSpeed),
  { path: onboard, subsystem: 'pci' },
  usb(`${onboard}/usb7`),
  usb(`${onboard}/usb7/7-6`),
  usb(`${onboard}/usb8`, superSpeed),
  usb(`${onboard}/usb8/8-2`, superSpeed),
  { path: 'platform/scb', subsystem: 'platform' },
  { path: 'platform/scb/fd500000.pcie', subsystem: 'platform' },
  { path: 'platform/scb/fd500000.pcie/pci0001:00/0001:00:00.0', subsystem: 'pci' },
  { path: board, subsystem: 'pci' },
  usb(`${board}/usb3`),
  usb(`${board}/usb3/3-1`),
  { path: 'platform/soc', subsystem: 'platform' },
  { path: 'platform/soc/8af8800.usb', subsystem: 'platform' },
  { path: soc, subsystem: 'platform' },
  usb(`${soc}/usb5`, superSpeed),
  usb(`${soc}/usb5/5-2`, superSpeed),
  usb('virtual/strange/usb9'),
  usb('virtual/strange/usb9/9-3'),
];

/** As in some real controllers, the ports of the two root hubs of `7` and `8` are numbered in different ways. */
export const peers = { '1-4.2': '2-4.2', '2-4.2': '1-4.2', '7-6': '8-2', '8-2': '7-6' };
