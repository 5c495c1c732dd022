/** Identifies TCP clients by address. Addresses that one machine can change at will count as one client. */
import { isIPv4, isIPv6 } from 'node:net';

/** ::ffff:0:0/96: an IPv4 address on a dual-stack socket (RFC 4291, section 2.5.5.2). */
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * An IPv4 address, also from its IPv6 form. For IPv6 the /64, which belongs to one machine (RFC 7421). '' without an
 * address, as on a Unix socket.
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
