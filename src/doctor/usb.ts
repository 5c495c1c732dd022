/** Phones on USB as the kernel sees them, and whether the adb server may open them. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedDevice } from '../adb/adb.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { quantity } from '../base/words.ts';
import { BLOCKED, DEBUGGING_OFF } from '../diagnosis/rules/usb-unlisted.ts';
import { hasAdb, PHONE_VENDORS, readUsbTree, sharesFiles, type UsbDevice } from '../host/usb-devices.ts';
import { type Accounts, groupName, userName } from './accounts.ts';
import type { AdbProcess } from './adb.ts';
import { type CheckResult, failed, notChecked, ok, skipped, warning } from './check.ts';

export interface UsbPhone extends Pick<UsbDevice, 'port' | 'product'> {
  /** It has the adb interface: USB debugging is on. */
  readonly hasAdb: boolean;
  /** This host does not let it in. */
  readonly isBlocked?: boolean;
  /** `/dev/bus/usb/001/007`; without `owner` if the node does not exist. */
  readonly node: string;
  readonly owner?: { readonly uid: number; readonly gid: number; readonly mode: number };
}

export async function readUsbPhones(root: string): Promise<UsbPhone[]> {
  const { devices } = readUsbTree(join(root, 'sys'));
  const phones = devices
    .filter((device) => hasAdb(device) || sharesFiles(device) || isBlockedPhone(device))
    .toSorted((one, other) => (one.port < other.port ? -1 : 1));
  return Promise.all(phones.map((phone) => readPhone(root, phone)));
}

/** What is blocked shows no interfaces. */
const isBlockedPhone = ({ isBlocked, isHub, vendorId = '' }: UsbDevice): boolean =>
  isBlocked === true && !isHub && PHONE_VENDORS.has(vendorId);

async function readPhone(root: string, device: UsbDevice): Promise<UsbPhone> {
  const { port, product, bus, number = 0, isBlocked } = device;
  const [folder, file] = [bus, number].map((each) => String(each).padStart(3, '0'));
  const node = `/dev/bus/usb/${folder}/${file}`;
  const stats = await stat(join(root, node)).catch(() => undefined);
  return omitUndefined({
    port,
    hasAdb: hasAdb(device),
    isBlocked,
    node,
    product,
    owner: stats && { uid: stats.uid, gid: stats.gid, mode: stats.mode & 0o777 },
  });
}

const RULE = 'udev rule';
/** The first goes before the others (udev(7)). */
const RULE_FOLDERS = ['etc', 'run', 'usr/local/lib', 'usr/lib', 'lib'].map((folder) =>
  join(folder, 'udev/rules.d'),
);

/** @returns undefined on a machine without udev */
export async function readRules(root: string): Promise<string[] | undefined> {
  let hasUdev = false;
  const files = new Map<string, string>(); // udev reads only the first of several files with one name
  for (const folder of RULE_FOLDERS) {
    const names = await readdir(join(root, folder)).catch(() => undefined);
    hasUdev ||= names !== undefined;
    for (const name of names ?? [])
      if (name.endsWith('.rules') && !files.has(name)) files.set(name, join(folder, name));
  }
  if (!hasUdev) return undefined;
  const found: string[] = [];
  for (const file of files.values()) {
    const text = await readFile(join(root, file), 'utf8').catch(() => '');
    const rules = text.split('\n').map((line) => line.split('#', 1)[0] ?? '');
    if (rules.some((rule) => /ff4201|adb_user|android_usb|"android/.test(rule))) found.push(`/${file}`);
  }
  return found;
}

export function checkRules(files: readonly string[] | undefined, inContainer: boolean): CheckResult {
  if (inContainer && !files?.length) return skipped(RULE, 'in a container; the rule belongs on the host');
  if (files === undefined) return skipped(RULE, 'this machine has no udev');
  if (files.length > 0) return ok(RULE, files.join(', '));
  return warning(
    RULE,
    'no udev rule gives adb access to phones',
    'Copy systemd/72-hostnode.rules to /etc/udev/rules.d, run udevadm control --reload, and replug the phones',
  );
}

export interface UsbView {
  readonly phones: readonly UsbPhone[];
  readonly listed?: readonly ListedDevice[];
  readonly server?: AdbProcess;
  readonly accounts: Accounts;
  readonly inContainer: boolean;
}

const PASS_USB = 'Pass the whole folder /dev/bus/usb to the adb server’s container';

/** One result for each phone with a fault; if none has one, a single result for all. */
export function checkUsb(view: UsbView): CheckResult[] {
  const { phones, listed, inContainer } = view;
  if (phones.length === 0) {
    const where = inContainer ? ' (a container sees only the phones passed to it)' : '';
    return [skipped('USB', `no phone on the USB of this machine${where}`)];
  }
  const count = `${quantity(phones.length, 'phone')} on USB`;
  if (view.server?.seesUsb === false) {
    const restart = 'Restart the adb server: it started before the kernel’s USB was there';
    const remedy = inContainer ? PASS_USB : restart;
    return [failed('USB', `${count}, and the adb server has no /dev/bus/usb`, remedy)];
  }
  const results = phones.flatMap((phone) => checkUsbPhone(phone, view) ?? []);
  if (results.length > 0) return results;
  if (listed === undefined)
    return [notChecked('USB', 'adb server', `${count}; whether adb lists them is not checked`)];
  return [ok('USB', `${count}, all known to adb`)];
}

function checkUsbPhone(
  { port, product = 'a phone', hasAdb, isBlocked, node, owner }: UsbPhone,
  { listed, server, accounts, inContainer }: UsbView,
): CheckResult | undefined {
  const name = `USB ${port}`;
  const known = listed?.find(({ devpath }) => devpath === port);
  if (isBlocked) return failed(name, `${product} ${BLOCKED.is}`, BLOCKED.remedy);
  if (!hasAdb) {
    if (known !== undefined) return undefined;
    return warning(name, `${product} ${DEBUGGING_OFF.is}`, DEBUGGING_OFF.remedy);
  }
  if (owner === undefined) {
    const replug = 'Unplug the phone and plug it back in; if that does not help, check udev';
    return failed(name, `${product} has no device node ${node}`, inContainer ? PASS_USB : replug);
  }
  if (known !== undefined && known.state !== 'no permissions') return undefined;
  const mode = owner.mode.toString(8).padStart(4, '0');
  const seen = `${product}: ${node} is ${userName(accounts, owner.uid)}:${groupName(accounts, owner.gid)} ${mode}`;
  if (server?.uid !== undefined && mayOpen(server, owner) === false) {
    const user = userName(accounts, server.uid);
    const remedy = inContainer
      ? 'Install the udev rule on the machine that runs this container, start the adb server’s container with the group plugdev of that machine (--group-add), and replug the phone'
      : `Install the udev rule, add ${user} to the group plugdev, restart the adb server, and replug the phone`;
    return failed(name, `${seen}: the adb server’s user, ${user}, cannot write to it`, remedy);
  }
  if (listed === undefined) return undefined;
  return failed(
    name,
    `${seen}; adb does not list it`,
    'Unplug it and plug it back in; if that does not help, another program may hold it (adb server, file manager, container)',
  );
}

/** By the node's permission bits; undefined if we cannot see the user or the groups of the process. */
function mayOpen(
  { uid, process }: AdbProcess,
  owner: { uid: number; gid: number; mode: number },
): boolean | undefined {
  const { mode } = owner;
  if (uid === 0 || (mode & 0o006) === 0o006) return true;
  if (uid === owner.uid) return (mode & 0o600) === 0o600;
  if (uid === undefined || process === undefined) return undefined;
  return process.gids.includes(owner.gid) && (mode & 0o060) === 0o060;
}
