import { readFileSync } from 'node:fs';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { Machine } from '../../src/cloud/contract/report.ts';
import { chooseNetwork, parseIpv6Routes, parseRoutes, readMachine } from '../../src/host/machine.ts';

describe('readMachine', () => {
  it('describes this host', async () => {
    const before = Math.floor(os.uptime());
    const machine = await readMachine('2611.21');
    expect(Machine.parse(machine)).toEqual(machine);
    expect(machine).toMatchObject({
      hostname: os.hostname(),
      arch: os.arch(),
      platform: os.platform(),
      type: os.type(),
      version: os.version(),
      totalmem: os.totalmem(),
      buildNumber: '2611.21',
    });
    expect(machine.freemem).toBeGreaterThan(0);
    expect(machine.freemem).toBeLessThan(machine.totalmem);
    expect(machine.uptime).toBeGreaterThanOrEqual(before);
    expect(machine.uptime).toBeLessThanOrEqual(os.uptime());
  });
});

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/machine/${name}`, import.meta.url), 'utf8');

describe('parseRoutes', () => {
  it('finds the default route of a virtual machine', () => {
    expect(parseRoutes(fixture('proc-net-route.txt'))).toBe('eth0');
  });

  it('takes the lowest metric, and no route that is down, rejected or to a part of the world', () => {
    const heading = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n';
    const route = (name: string, flags: string, metric: number, mask = '00000000') =>
      `${name}\t00000000\t0102000A\t${flags}\t0\t0\t${metric}\t${mask}\t0\t0\t0\n`;
    const table = [
      route('wlan0', '0003', 600),
      route('eth0', '0003', 100),
      route('eth1', '0002', 1),
      route('eth2', '0201', 1),
      route('tun0', '0003', 1, '00000080'),
    ];
    expect(parseRoutes(heading + table.join(''))).toBe('eth0');
  });

  it('finds none in an empty table', () => {
    expect(parseRoutes('')).toBeUndefined();
  });
});

describe('parseIpv6Routes', () => {
  it('finds the default route of a virtual machine, not the rejecting one of lo', () => {
    expect(parseIpv6Routes(fixture('proc-net-ipv6-route.txt'))).toBe('eth0');
    expect(
      parseIpv6Routes(`${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00 ${'0'.repeat(32)} ffffffff 1 0 00200200 lo`),
    ).toBeUndefined();
  });
});

describe('chooseNetwork', () => {
  const ipv4: NetworkInterfaceInfo = {
    address: '192.0.2.2',
    netmask: '255.255.255.0',
    family: 'IPv4',
    mac: '02:00:00:00:00:01',
    internal: false,
    cidr: '192.0.2.2/24',
  };
  const ipv6 = (address: string): NetworkInterfaceInfo => ({
    address,
    netmask: 'ffff:ffff:ffff:ffff::',
    family: 'IPv6',
    mac: '02:00:00:00:00:01',
    internal: false,
    cidr: null,
    scopeid: 0,
  });

  it('takes the IPv4 address of the default route', () => {
    expect(chooseNetwork({ eth0: [ipv6('2001:db8::2'), ipv4] }, 'eth0', 'eth0')).toEqual(ipv4);
  });

  it('takes the first IPv6 address that is more than link-local where there is no IPv4', () => {
    const interfaces = { eth0: [ipv6('fe80::1'), ipv6('2001:db8::2')] };
    expect(chooseNetwork(interfaces, undefined, 'eth0')).toEqual({
      address: '2001:db8::2',
      netmask: 'ffff:ffff:ffff:ffff::',
      family: 'IPv6',
      mac: '02:00:00:00:00:01',
      internal: false,
    });
  });

  it('is unknown without a default route', () => {
    expect(chooseNetwork({ eth0: [ipv4] }, undefined, undefined)).toBeUndefined();
  });
});
