/** Facts about the host itself, in the contract's form. Starts no process. */
import { readFile } from 'node:fs/promises';
import os, { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
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

/**
 * Reads the current values. Memory in bytes, uptime in whole seconds. Starts no process.
 *
 * @param buildNumber the agent's own build, `YYMM.DD`
 */
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
type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

// linux/route.h
const routeUp = 0x1;
const routeReject = 0x200;

interface Route {
  name: string;
  metric: number;
}

const lowestMetric = (routes: Route[]): string | undefined =>
  routes.sort((a, b) => a.metric - b.metric)[0]?.name;

const rowsOf = (table: string): string[][] => table.split('\n').map((line) => line.trim().split(/\s+/));

const usable = (flags: string) => (Number.parseInt(flags, 16) & (routeUp | routeReject)) === routeUp;

/**
 * The interface of the IPv4 default route with the lowest metric.
 *
 * @param table /proc/net/route: a heading, then Iface, Destination, Gateway, Flags, RefCnt, Use, Metric, Mask, …
 *   (net/ipv4/fib_trie.c); addresses and flags in hexadecimal, the metric in decimal
 */
export function parseRoutes(table: string): string | undefined {
  const routes = rowsOf(table).flatMap(([name = '', destination, , flags = '', , , metric, mask]) =>
    destination === '00000000' && mask === '00000000' && usable(flags)
      ? [{ name, metric: Number(metric) }]
      : [],
  );
  return lowestMetric(routes);
}

/**
 * The interface of the IPv6 default route with the lowest metric.
 *
 * @param table /proc/net/ipv6_route: destination, its prefix length, source, its prefix length, next hop, metric,
 *   references, use, flags, interface (net/ipv6/route.c); all in hexadecimal
 */
export function parseIpv6Routes(table: string): string | undefined {
  const routes = rowsOf(table).flatMap(
    ([destination = '', length, , , , metric = '', , , flags = '', name = '']) =>
      /^0{32}$/.test(destination) && length === '00' && usable(flags) && name !== 'lo'
        ? [{ name, metric: Number.parseInt(metric, 16) }]
        : [],
  );
  return lowestMetric(routes);
}

/** The first address of a family on an interface; for IPv6 the first that is not link-local. */
function addressOf(
  interfaces: Interfaces,
  name: string | undefined,
  family: 'IPv4' | 'IPv6',
): NetworkInterfaceInfo | undefined {
  if (name === undefined) return undefined;
  return interfaces[name]?.find((entry) => entry.family === family && !entry.address.startsWith('fe80:'));
}

/** The entry of the default route, IPv4 before IPv6, in the contract's form; undefined without a default route. */
export function chooseNetwork(
  interfaces: Interfaces,
  ipv4Name: string | undefined,
  ipv6Name: string | undefined,
): Network | undefined {
  const entry = addressOf(interfaces, ipv4Name, 'IPv4') ?? addressOf(interfaces, ipv6Name, 'IPv6');
  if (entry === undefined) return undefined;
  const { address, netmask, family, mac, cidr, internal } = entry;
  return omitUndefined({ address, netmask, family, mac, cidr: cidr ?? undefined, internal });
}

/** The host's current network; undefined if unknown. */
export async function readNetwork(): Promise<Network | undefined> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const [ipv4, ipv6] = await Promise.all([read('/proc/net/route'), read('/proc/net/ipv6_route')]);
  try {
    return chooseNetwork(networkInterfaces(), parseRoutes(ipv4), parseIpv6Routes(ipv6));
  } catch {
    // a sandbox without netlink sockets: getifaddrs fails
    return undefined;
  }
}
