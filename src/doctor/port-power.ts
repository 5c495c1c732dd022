/**
 * Whether the ports of the hubs can be switched off and on. That stands in the descriptor of a hub, for which sysfs has no
 * file: uhubctl asks for it. Nothing is switched here.
 *
 * Source: USB 2.0 specification, table 11-13 (wHubCharacteristics); Linux Documentation/ABI/testing/sysfs-bus-usb (`disable`,
 * since 6.0).
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment, type Environment } from '../base/environment.ts';
import { hasCode } from '../base/errors.ts';
import { quantity } from '../base/words.ts';
import { isRootHub, kernelPortOf, readUsbTree, type UsbDevice } from '../host/usb-devices.ts';
import { type CheckResult, errorText, ok, skipped } from './check.ts';

/** What a hub says of its ports: each can be switched, only all at once, or none. */
export type Switching = 'each' | 'all' | 'none';

const NAME = 'port power';
const LIMIT_MS = 4_000;
const LONGEST_OUTPUT = 1_000_000;
const LONGEST_LINE = 500;

/** Chips of which some hubs say that they switch each port, and cut the data only; others of them do as they say. */
const DOUBTFUL = new Map([
  ['0bda:5411', 'mvp/uhubctl#629'],
  ['0bda:0411', 'mvp/uhubctl#629'],
  ['2109:0817', 'mvp/uhubctl#523'],
  ['2109:2817', 'mvp/uhubctl#523'],
]);

/**
 * By the hub's port, `1-4`, `usb1`.
 *
 * @param text of `uhubctl --force --nodesc`
 */
export function parseUhubctl(text: string): Map<string, Switching> {
  const words: Record<string, Switching> = { ppps: 'each', ganged: 'all', nops: 'none' };
  return new Map(
    text.split('\n').flatMap((long): [string, Switching][] => {
      const line = long.slice(0, LONGEST_LINE).trimEnd();
      const hub = /^Current status for hub (\d{1,4}(?:-\d[\d.]{0,30})?) \[/.exec(line)?.[1];
      const word = words[/, (ppps|ganged|nops)\]$/.exec(line)?.[1] ?? ''];
      return hub && word ? [[hub.includes('-') ? hub : `usb${hub}`, word]] : [];
    }),
  );
}

export interface Hub extends Pick<UsbDevice, 'port' | 'vendorId' | 'productId' | 'ports' | 'bus'> {
  /** The kernel can switch its ports: it has `disable`. */
  readonly hasDisable: boolean;
}

/** @param root of the file system, `/` */
function readHubs(root: string): Hub[] {
  const sysfs = join(root, 'sys');
  const hubs = readUsbTree(sysfs).devices.filter(({ isHub, ports }) => isHub && ports);
  return hubs.map((hub) => {
    const first = isRootHub(hub.port) ? `${hub.bus}-1` : `${hub.port}.1`;
    return { ...hub, hasDisable: existsSync(join(sysfs, 'bus/usb/devices', kernelPortOf(first), 'disable')) };
  });
}

export async function lookAtPortPower(root: string, uid: number, env: Environment): Promise<CheckResult[]> {
  const hubs = readHubs(root);
  if (hubs.length === 0) return [];
  const seen = `${quantity(hubs.length, 'hub')}; whether their ports can be switched is not known`;
  if (uid !== 0) return [skipped(NAME, seen, 'Run as root')];
  try {
    const { stdout } = await promisify(execFile)('uhubctl', ['--force', '--nodesc'], {
      timeout: LIMIT_MS,
      maxBuffer: LONGEST_OUTPUT,
      env: childEnvironment({ ...env }),
    });
    const byPort = parseUhubctl(stdout);
    return hubs.map((hub) => resultOf(hub, byPort.get(hub.port)));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) return [skipped(NAME, `${seen}: uhubctl failed (${errorText(error)})`)];
    return [skipped(NAME, seen, 'Install uhubctl (Debian: apt-get install uhubctl)')];
  }
}

export function resultOf(hub: Hub, switching: Switching | undefined): CheckResult {
  const { port, ports, vendorId, productId, bus, hasDisable } = hub;
  const name = `hub ${port}`;
  const chip = `${vendorId}:${productId}`;
  const at = isRootHub(port) ? String(bus) : port;
  const kernel = hasDisable ? 'the kernel has "disable" for each' : 'this kernel has no "disable" (6.0 has)';
  const about = `${quantity(ports ?? 0, 'port')} (${chip})`;
  if (switching === undefined) return skipped(name, `${about}: it did not say whether they can be switched`);
  if (switching === 'none') return ok(name, `${about}, none can be switched, it says; ${kernel}`);
  if (switching === 'all')
    return ok(name, `${about}, switched only all at once, it says: uhubctl -f -l ${at} -a cycle; ${kernel}`);
  const doubt = DOUBTFUL.get(chip);
  const but = doubt
    ? `, but some hubs with this chip cut the data only (${doubt})`
    : '; whether its power goes too, a lamp in the port shows';
  return ok(
    name,
    `${about}, each can be switched, it says${but}: uhubctl -l ${at} -p PORT -a cycle; ${kernel}`,
  );
}
