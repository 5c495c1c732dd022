import { spawnSync } from 'node:child_process';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { Machine } from '../../src/cloud/contract/report.ts';
import { networkOf, readMachine } from '../../src/host/machine.ts';

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

describe('networkOf', () => {
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

  it('is the entry with the address that the kernel sends from', () => {
    const interfaces = { lo: [ipv6('::1')], eth0: [ipv6('fe80::1'), ipv6('2001:db8::2'), ipv4] };
    expect(networkOf(interfaces, '192.0.2.2')).toEqual(ipv4);
    expect(networkOf(interfaces, '2001:db8::2')).toEqual({
      address: '2001:db8::2',
      netmask: 'ffff:ffff:ffff:ffff::',
      family: 'IPv6',
      mac: '02:00:00:00:00:01',
      internal: false,
    });
  });

  it('is unknown without a default route', () => {
    expect(networkOf({ eth0: [ipv4] }, undefined)).toBeUndefined();
  });
});

/** What a host says in a network of its own that these commands of ip(8) make; skips where this may not be made. */
function networkAfter(commands: readonly string[], skip: (why: string) => void): unknown {
  const module = new URL('../../src/host/machine.ts', import.meta.url).href;
  const code = `console.log(JSON.stringify((await (await import('${module}')).readNetwork()) ?? null))`;
  const script = [...commands.map((each) => `ip ${each}`), 'exec "$0" --input-type=module -e "$1"'].join(
    ' && ',
  );
  const args = ['-n', 'sh', '-c', script, process.execPath, code];
  const { status, stdout } = spawnSync('unshare', args, { encoding: 'utf8' });
  if (status !== 0) skip('needs root and ip(8)');
  return JSON.parse(stdout);
}

describe('readNetwork', () => {
  const addresses = [
    'link set lo up',
    'address add 192.0.2.2/24 dev lo',
    'address add 198.51.100.2/24 dev lo',
    'address add 2001:db8:1::2/64 dev lo',
  ];

  it('takes the default route with the lowest metric, and none to a part of the world', ({ skip }) => {
    const routes = [
      'route add default dev lo src 192.0.2.2 metric 600',
      'route add default dev lo src 198.51.100.2 metric 100',
      'route add 10.0.0.0/8 dev lo src 192.0.2.2 metric 1',
    ];
    expect(networkAfter([...addresses, ...routes], skip)).toMatchObject({
      address: '198.51.100.2',
      family: 'IPv4',
    });
  });

  it('takes IPv6 where IPv4 has no default route', ({ skip }) => {
    const route = '-6 route add default dev lo src 2001:db8:1::2';
    expect(networkAfter([...addresses, route], skip)).toMatchObject({ address: '2001:db8:1::2' });
  });

  it('is unknown without a default route, or where it rejects', ({ skip }) => {
    expect(networkAfter(addresses, skip)).toBeNull();
    expect(networkAfter([...addresses, 'route add unreachable default'], skip)).toBeNull();
  });
});
