/**
 * Whether the ports of the hubs can be switched off and on. That stands in the descriptor of a hub, for which sysfs has no
 * file: uhubctl asks for it. Nothing is switched here.
 *
 * Source: USB 2.0 specification, table 11-13 (wHubCharacteristics).
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment, type Environment } from '../base/environment.ts';
import { hasCode } from '../base/errors.ts';
import { quantity } from '../base/words.ts';
import { isRootHub, readUsbTree, type UsbDevice } from '../host/usb-devices.ts';
import { type CheckResult, errorText, ok, skipped } from './check.ts';

/** What a hub says of its ports: each can be switched, only all at once, or none. */
export type Switching = 'each' | 'all' | 'none';

const NAME = 'port power';
const LIMIT_MS = 4_000;
const LONGEST_OUTPUT = 1_000_000;
const LONGEST_LINE = 500;

/** Takes the text of `uhubctl --force --nodesc` apart, by the hub's port: `1-4`, `usb1`. */
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

export async function lookAtPortPower(root: string, uid: number, env: Environment): Promise<CheckResult[]> {
  const hubs = readUsbTree(join(root, 'sys')).devices.filter(({ isHub, ports }) => isHub && ports);
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

export function resultOf(
  {
    port,
    ports,
    vendorId,
    productId,
    bus,
  }: Pick<UsbDevice, 'port' | 'ports' | 'vendorId' | 'productId' | 'bus'>,
  switching: Switching | undefined,
): CheckResult {
  const name = `hub ${port}`;
  const at = isRootHub(port) ? String(bus) : port;
  const about = `${quantity(ports ?? 0, 'port')} (${vendorId}:${productId})`;
  if (switching === undefined) return skipped(name, `${about}: it did not say whether they can be switched`);
  if (switching === 'none') return ok(name, `${about}, none can be switched, it says`);
  if (switching === 'all')
    return ok(name, `${about}, switched only all at once, it says: uhubctl -f -l ${at} -a cycle`);
  const but = 'whether its power goes too, a lamp in the port shows';
  return ok(name, `${about}, each can be switched, it says; ${but}: uhubctl -l ${at} -p PORT -a cycle`);
}
