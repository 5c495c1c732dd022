/** Who asks over TCP, as far as an address says: what one machine can change at will counts as one. */
import { isIPv4, isIPv6 } from 'node:net';

/** ::ffff:0:0/96, as a socket that takes both families calls an IPv4 address (RFC 4291, section 2.5.5.2). */
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * An IPv4 address as it is, also one that is written as IPv6; of IPv6 the /64, all of which one machine has
 * (RFC 7421); '' where there is none, as on a Unix socket.
 */
export function clientOf(address = ''): string {
  const [bare = ''] = address.split('%');
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return '';
  const plain = new URL(`http://[${bare}]`).hostname.slice(1, -1); // lower case, no dotted end
  const [, high, low] = MAPPED.exec(plain) ?? [];
  if (high !== undefined && low !== undefined) return dotted(high, low);
  const [front = '', back] = plain.split('::');
  const groups = groupsOf(front);
  if (back !== undefined) groups.push(...Array(8 - groups.length - groupsOf(back).length).fill('0'));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));

const dotted = (...groups: string[]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join('.');
