import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lookAtIdentity } from '../../src/doctor/host.ts';
import { markHost, writeHostMark } from '../../src/host/identity.ts';
import { hostTree } from '../support/host-tree.ts';

const card = 'sys/devices/pci0000:00/0000:00:1f.6';

async function host(env: Record<string, string> = {}) {
  const root = await hostTree(
    {
      'etc/machine-id': '0123456789abcdef0123456789abcdef\n',
      [`${card}/net/eno1/address`]: 'aa:bb:cc:00:00:01\n',
      [`${card}/net/eno1/addr_assign_type`]: '0\n',
    },
    {
      [`${card}/net/eno1/device`]: '../..',
      'sys/class/net/eno1': '../../devices/pci0000:00/0000:00:1f.6/net/eno1',
    },
  );
  const stateDir = join(root, 'state');
  await mkdir(stateDir);
  const look = async (configured?: string) => await lookAtIdentity(configured, stateDir, { root, env });
  return { stateDir, look };
}

it('says the name of this host and where it is from, and keeps nothing', async () => {
  const { stateDir, look } = await host();
  expect(await look('rack-2')).toEqual({
    name: 'node id',
    status: 'ok',
    seen: 'rack-2, from the configuration',
  });
  expect(await look()).toEqual({
    name: 'node id',
    status: 'ok',
    seen: '9dd575c3-dbf7-4196-84b2-8bdda01506d8, derived from the machine-id',
  });
  expect(await readdir(stateDir)).toEqual([]);
});

it('says that a container needs a name', async () => {
  const { look } = await host({ KUBERNETES_SERVICE_HOST: '10.96.0.1' });
  expect(await look()).toMatchObject({
    status: 'failed',
    remedy: expect.stringContaining('HOSTNODE_NODE_ID'),
  });
});

it('says that the state was written on another host', async () => {
  const { stateDir, look } = await host();
  await writeHostMark(stateDir, markHost('rack-2', ['aa:bb:cc:00:00:02']));
  expect(await look('rack-2')).toEqual({
    name: 'node id',
    status: 'failed',
    seen: `${stateDir} comes from another host with the same name: two hosts may report as rack-2`,
    remedy: expect.stringContaining('set another nodeId'),
  });
  expect(await look('rack-3')).toMatchObject({ status: 'ok' });
});
