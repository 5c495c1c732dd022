import { describe, expect, it } from 'vitest';
import { anyHost } from '../../src/base/environment.ts';
import { readHostKind } from '../../src/host/host-kind.ts';
import { hostTree } from '../support/host-tree.ts';

const booted = { 'run/systemd/system/README': '' };
const units = {
  'etc/systemd/system/hostnode.service': '',
  'usr/lib/systemd/system/hostnode-adb.service': '',
};

describe('readHostKind', () => {
  it.each<[string, Record<string, string>, object]>([
    ['a machine without systemd, also with units left on its disk', units, anyHost],
    ['a machine with systemd alone', booted, { hasSystemd: true, units: [], inContainer: false }],
    [
      'a host of the package, by hand or not',
      { ...booted, ...units },
      { hasSystemd: true, units: ['hostnode', 'hostnode-adb'], inContainer: false },
    ],
    ['a container', { '.dockerenv': '' }, { hasSystemd: false, units: [], inContainer: true }],
  ])('knows %s', async (_, files, hostKind) => {
    expect(await readHostKind(await hostTree(files), {})).toEqual(hostKind);
  });
});
