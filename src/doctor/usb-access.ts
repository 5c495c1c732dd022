/** May the adb server open the phones on USB? */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ListedDevice } from '../adb/adb.ts';
import { type Accounts, groupName, userName } from './accounts.ts';
import type { AdbProcess } from './adb-process.ts';
import { type Finding, failed, ok, skipped, warning } from './finding.ts';
import type { UsbPhone } from './usb.ts';

const RULE = 'udev rule';
const RULE_FOLDERS = ['etc/udev/rules.d', 'run/udev/rules.d', 'usr/lib/udev/rules.d', 'lib/udev/rules.d'];

/** The udev rule files about phones: by the adb interface, or by maker as distributions have them. */
export async function readRules(root: string): Promise<string[]> {
  const lists = await Promise.all(
    RULE_FOLDERS.map(async (folder) => {
      const names = await readdir(join(root, folder)).catch(() => []);
      return names.filter((name) => name.endsWith('.rules')).map((name) => join(folder, name));
    }),
  );
  const found: string[] = [];
  const seen = new Set<string>();
  for (const file of lists.flat()) {
    if (seen.has(basename(file))) continue; // of several files of one name udev reads the first
    seen.add(basename(file));
    const text = await readFile(join(root, file), 'utf8').catch(() => '');
    const rules = text.split('\n').map((line) => line.split('#', 1)[0] ?? '');
    if (rules.some((rule) => /ff4201|adb_user|android_usb|"android/.test(rule))) found.push(`/${file}`);
  }
  return found;
}

export function judgeRules(files: readonly string[], inContainer: boolean): Finding {
  if (files.length > 0) return ok(RULE, files.join(', '));
  if (inContainer) return skipped(RULE, 'this is a container: the rule belongs on its host');
  return warning(
    RULE,
    'no udev rule lets adb open phones',
    'Copy systemd/72-hostnode.rules to /etc/udev/rules.d, then run udevadm control --reload and plug the phones in again',
  );
}

export interface UsbView {
  readonly phones: readonly UsbPhone[];
  /** adb's list; absent while adb cannot be asked. */
  readonly listed?: readonly ListedDevice[];
  readonly server?: AdbProcess;
  readonly accounts: Accounts;
  readonly inContainer: boolean;
}

/** One finding a phone that is not as it should be; one for all where they are. */
export function judgeUsb({ phones, listed, server, accounts, inContainer }: UsbView): Finding[] {
  if (phones.length === 0) {
    const where = inContainer ? ' (a container sees those that were passed to it)' : '';
    return [skipped('USB', `no phone on the USB of this machine${where}`)];
  }
  const troubles = phones.flatMap(
    (phone) => judgeUsbPhone(phone, listed, server, accounts, inContainer) ?? [],
  );
  const count = `${phones.length} ${phones.length === 1 ? 'phone' : 'phones'} on USB`;
  return troubles.length > 0 ? troubles : [ok('USB', `${count}, all known to adb`)];
}

function judgeUsbPhone(
  phone: UsbPhone,
  listed: readonly ListedDevice[] | undefined,
  server: AdbProcess | undefined,
  accounts: Accounts,
  inContainer: boolean,
): Finding | undefined {
  const { port, product = 'a phone', hasAdb, node, owner } = phone;
  const name = `USB ${port}`;
  const known = listed?.find(({ devpath }) => devpath === port);
  if (!hasAdb) {
    if (known !== undefined) return undefined;
    const mend = 'On the phone: Settings, developer options, switch on USB debugging';
    return warning(name, `${product} is plugged in without USB debugging`, mend);
  }
  if (owner === undefined) {
    const mend = inContainer
      ? 'Pass the whole folder /dev/bus/usb to the container of the adb server'
      : 'Plug the phone in again; still so: check udev';
    return failed(name, `${product} has no device node ${node}`, mend);
  }
  if (known !== undefined && known.state !== 'no permissions') return undefined;
  const mode = owner.mode.toString(8).padStart(4, '0');
  const seen = `${product}: ${node} is ${userName(accounts, owner.uid)}:${groupName(accounts, owner.gid)} ${mode}`;
  if (server?.uid !== undefined && mayOpen(server, owner) === false) {
    const user = userName(accounts, server.uid);
    const mend = `Install the udev rule and put ${user} into the group plugdev, then restart the adb server and plug in again`;
    return failed(name, `${seen}: the adb server’s user, ${user}, may not write it`, mend);
  }
  if (listed === undefined) return undefined;
  return failed(
    name,
    `${seen}; adb does not list it`,
    'Plug it in again; still so: another program may hold it (another adb server, a file manager, a container)',
  );
}

/** By the node's permission bits; undefined where the user or the groups of the process cannot be seen. */
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
