/** Identifies TCP clients by address. Addresses that one machine can change at will count as one client. */
import { isIPv6 } from 'node:net';

/**
 * An IPv4 address, also of a dual-stack socket. For IPv6 the /64, which belongs to one machine (RFC 7421). '' without an
 * address, as on a Unix socket.
 *
 * @param address as the system writes it (RFC 5952)
 */
export function clientOf(address = ''): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/, ''); // RFC 4291, section 2.5.5.2
  if (!isIPv6(plain)) return plain;
  const [front = '', back] = plain.split('::');
  const groups = groupsOf(front);
  const ends = back === undefined ? [] : groupsOf(back);
  groups.push(...Array(8 - groups.length - ends.length).fill('0'), ...ends);
  return `${groups.slice(0, 4).join(':')}::/64`;
}

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));
