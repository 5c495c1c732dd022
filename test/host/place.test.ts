import { describe, expect, it } from 'vitest';
import { anywhere } from '../../src/base/place.ts';
import { readPlace } from '../../src/host/place.ts';
import { hostTree } from '../support/host-tree.ts';

const booted = { 'run/systemd/system/README': '' };
const units = {
  'etc/systemd/system/hostnode.service': '',
  'usr/lib/systemd/system/hostnode-adb.service': '',
};

describe('readPlace', () => {
  it.each<[string, Record<string, string>, object]>([
    ['a machine without systemd, also with units left on its disk', units, anywhere],
    ['a machine with systemd alone', booted, { hasSystemd: true, units: [], inContainer: false }],
    [
      'a host of the package, by hand or not',
      { ...booted, ...units },
      { hasSystemd: true, units: ['hostnode', 'hostnode-adb'], inContainer: false },
    ],
    ['a container', { '.dockerenv': '' }, { hasSystemd: false, units: [], inContainer: true }],
  ])('knows %s', async (_, files, place) => {
    expect(await readPlace(await hostTree(files), {})).toEqual(place);
  });
});
