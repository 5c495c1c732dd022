import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Hub, lookAtPortPower, parseUhubctl, resultOf } from '../../src/doctor/port-power.ts';
import { hostTree } from '../support/host-tree.ts';

describe('what uhubctl prints', () => {
  it('is read as people have posted it', () => {
    // mvp/uhubctl#484, with an older version's line of mvp/uhubctl#92
    const posted = `Current status for hub 2 [1d6b:0003 Linux 5.10.103-v7l+ xhci-hcd xHCI Host Controller 0000:01:00.0, USB 3.00, 4 ports, ppps]
  Port 1: 02a0 power 5gbps Rx.Detect
Current status for hub 1-1 [2109:3431 USB2.0 Hub, USB 2.10, 4 ports, ppps]
  Port 2: 0103 power enable connect [1a86:7523 USB Serial]
  Port 4: 0507 power highspeed suspend enable connect [1a40:0201 USB 2.0 Hub [MTT], USB 2.00, 7 ports, ganged]
Current status for hub 1-1.2 [110a:0407, USB 2.00, 7 ports]
`;
    expect([...parseUhubctl(posted)]).toEqual([
      ['usb2', 'each'],
      ['1-1', 'each'],
    ]);
  });

  it('tells hubs that switch all ports at once, or none', () => {
    // mvp/uhubctl#677 and #541; "nops" is what uhubctl.c prints else
    const posted = `Current status for hub 1-4.5 [0835:8500 Action Star USB2.0 Hub, USB 2.00, 5 ports, ganged]
  Port 4: 0503 power highspeed enable connect [1bbb:022c Spreadtrum HSPA+ USB Modem]
Current status for hub 3-4 [1a40:0101 USB 2.0 Hub, USB 2.00, 4 ports, ganged]
Current status for hub 1-1 [0409:55aa, USB 1.10, 8 ports, nops]\r
`;
    expect(Object.fromEntries(parseUhubctl(posted))).toEqual({ '1-4.5': 'all', '3-4': 'all', '1-1': 'none' });
  });
});

describe('a hub', () => {
  const hub: Hub = {
    ...{ port: '1-4', bus: 1, vendorId: '1a40', productId: '0201', ports: 7 },
    hasDisable: true,
  };
  const seen = (...about: Parameters<typeof resultOf>) => resultOf(...about).seen;

  it('that switches each port comes with what a person runs', () => {
    expect(seen(hub, 'each')).toBe(
      '7 ports (1a40:0201), each can be switched, it says; whether its power goes too, a lamp in the port shows: uhubctl -l 1-4 -p PORT -a cycle; the kernel has "disable" for each',
    );
  });

  it('that switches all at once says so', () => {
    expect(seen({ ...hub, hasDisable: false }, 'all')).toBe(
      '7 ports (1a40:0201), switched only all at once, it says: uhubctl -f -l 1-4 -a cycle; this kernel has no "disable" (6.0 has)',
    );
  });

  it('of a chip that some makers build in without the switches is not to be believed', () => {
    expect(seen({ ...hub, vendorId: '0bda', productId: '5411' }, 'each')).toMatch(
      /it says, but some hubs with this chip cut the data only \(mvp\/uhubctl#629\): uhubctl/,
    );
  });

  it('that switches none comes without a command', () => {
    const root = { ...hub, port: 'usb1', vendorId: '1d6b', productId: '0002' };
    expect(seen(root, 'none')).toBe(
      '7 ports (1d6b:0002), none can be switched, it says; the kernel has "disable" for each',
    );
    expect(resultOf(root, undefined).status).toBe('skipped');
  });
});

describe('the look at all hubs', () => {
  const devices = 'sys/bus/usb/devices';
  const files = {
    [`${devices}/1-4/bDeviceClass`]: '09\n',
    [`${devices}/1-4/maxchild`]: '7\n',
    [`${devices}/1-4/idVendor`]: '1a40\n',
    [`${devices}/1-4/idProduct`]: '0201\n',
    [`${devices}/1-4:1.0/1-4-port1/disable`]: '0\n',
  };

  /** @param programs a line of sh by name, on a host with this hub alone */
  async function look(programs: Record<string, string>, uid = 0) {
    const scripts = Object.entries(programs).map(([name, line]) => [`bin/${name}`, `#!/bin/sh\n${line}\n`]);
    const root = await hostTree({ ...files, ...Object.fromEntries(scripts) });
    for (const name of Object.keys(programs)) await chmod(join(root, 'bin', name), 0o755);
    return await lookAtPortPower(root, uid, { PATH: join(root, 'bin') });
  }

  it('asks uhubctl', async () => {
    const uhubctl = `test "$*" = '--force --nodesc' && echo 'Current status for hub 1-4 [1a40:0201, USB 2.00, 7 ports, ganged]'`;
    const all = expect.stringMatching(/^7 ports .* all at once.*-l 1-4 .*has "disable" for each$/);
    expect(await look({ uhubctl })).toEqual([{ name: 'hub 1-4', status: 'ok', seen: all }]);
  });

  it('says what is missing, and what failed', async () => {
    const seen = '1 hub; whether their ports can be switched is not known';
    const skipped = { name: 'port power', status: 'skipped' };
    expect(await look({}, 1000)).toEqual([{ ...skipped, seen, remedy: 'Run as root' }]);
    const remedy = 'Install uhubctl (Debian: apt-get install uhubctl)';
    expect(await look({})).toEqual([{ ...skipped, seen, remedy }]);
    const failed = expect.stringMatching(/^1 hub; .*: uhubctl failed/);
    expect(await look({ uhubctl: 'exit 1' })).toEqual([{ ...skipped, seen: failed }]);
    expect(await look({ uhubctl: 'yes' })).toEqual([{ ...skipped, seen: failed }]);
  });

  it('has nothing to say of a machine without USB', async () => {
    expect(await lookAtPortPower(await hostTree({}), 0, {})).toEqual([]);
  });
});
