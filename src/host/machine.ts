/** Facts about the host itself, in the contract's form. Starts no process. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import os, { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { attempt } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Machine } from '../cloud/contract/report.ts';

/** systeminformation returns 0, NaN or null for unknown values; then we use node:os. */
const known = (bytes: unknown, otherwise: number): number =>
  typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes > 0 ? bytes : otherwise;

async function readMemory(): Promise<Pick<Machine, 'freemem' | 'totalmem'>> {
  // only this file: the whole package would keep 600 kB in memory
  const { mem } = await import('systeminformation/lib/memory.js');
  const { free, total } = await mem();
  return { freemem: known(free, os.freemem()), totalmem: known(total, os.totalmem()) };
}

/** Memory in bytes, uptime in whole seconds. */
export async function readMachine(buildNumber: string): Promise<Machine> {
  const [memory, network] = await Promise.all([readMemory(), readNetwork()]);
  return omitUndefined({
    hostname: os.hostname(),
    arch: os.arch(),
    ...memory,
    platform: os.platform(),
    type: os.type(),
    uptime: Math.floor(os.uptime()),
    version: os.version(),
    buildNumber,
    network,
  });
}

type Network = NonNullable<Machine['network']>;

/** Addresses for documentation (RFC 5737, RFC 3849): only a default route leads there. */
const ELSEWHERE = { udp4: '203.0.113.1', udp6: '2001:db8::1' } as const;

/** The host's current network, that of its default route, IPv4 before IPv6; undefined if unknown. */
export async function readNetwork(): Promise<Network | undefined> {
  const address = (await addressOnRoute('udp4')) ?? (await addressOnRoute('udp6'));
  // in a sandbox without netlink sockets getifaddrs fails
  return attempt(() => networkOf(networkInterfaces(), address));
}

/** The address that the kernel would send from. A datagram socket that connects sends nothing: connect(2). */
async function addressOnRoute(family: keyof typeof ELSEWHERE): Promise<string | undefined> {
  const socket = createSocket(family);
  socket.on('error', () => {}); // a second one, after that of `once`
  try {
    socket.connect(9, ELSEWHERE[family]);
    await once(socket, 'connect');
    return socket.address().address;
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

export function networkOf(
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>,
  sender: string | undefined,
): Network | undefined {
  const entry = Object.values(interfaces)
    .flat()
    .find((each) => each?.address === sender);
  if (entry === undefined) return undefined;
  const { address, netmask, family, mac, cidr, internal } = entry;
  return omitUndefined({ address, netmask, family, mac, cidr: cidr ?? undefined, internal });
}
