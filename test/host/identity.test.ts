import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepIdentity, readHostSigns, readIdentity } from '../../src/host/identity.ts';
import { hostTree } from '../support/host-tree.ts';
import { makeUnreadable } from '../support/unreadable.ts';

const machineId = '0123456789abcdef0123456789abcdef';
const derived = '9dd575c3-dbf7-4196-84b2-8bdda01506d8';

const pci = 'sys/devices/pci0000:00';

interface Hardware {
  card?: string;
  disk?: string;
  hostname?: string;
}

/** A host with a network card and an NVMe disk, as Linux 6.1 shows them, and an empty state directory. */
async function host({ card = 'aa:bb:cc:00:00:01', disk = 'eui.0025388b01', hostname = 'rack-2' }: Hardware) {
  const root = await hostTree(
    {
      'etc/machine-id': `${machineId}\n`,
      'etc/hostname': `${hostname}\n`,
      [`${pci}/0000:00:1f.6/vendor`]: '0x8086\n',
      [`${pci}/0000:00:1f.6/net/eno1/address`]: `${card}\n`,
      [`${pci}/0000:00:1f.6/net/eno1/addr_assign_type`]: '0\n',
      [`${pci}/0000:01:00.0/nvme/nvme0/nvme0n1/wwid`]: `${disk}\n`,
      'state/.keep': '',
    },
    {
      [`${pci}/0000:00:1f.6/net/eno1/device`]: '../..',
      [`${pci}/0000:01:00.0/nvme/nvme0/nvme0n1/device`]: '..',
      'sys/class/net/eno1': `../../devices/pci0000:00/0000:00:1f.6/net/eno1`,
      'sys/block/nvme0n1': `../devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1`,
    },
  );
  const stateDir = join(root, 'state');
  const identify = (configured?: string, mayKeep = true) =>
    readIdentity(configured, stateDir, { root, env: {}, mayKeep });
  return { root, stateDir, mark: join(stateDir, 'host-mark.json'), identify };
}

type TestHost = Awaited<ReturnType<typeof host>>;

/** Puts the state of one host on another, as a cloned disk does. */
const clone = (from: TestHost, to: TestHost) => cp(from.stateDir, to.stateDir, { recursive: true });

const otherHardware = { card: 'aa:bb:cc:00:00:02', disk: 'eui.0025388b02' };

describe('a state directory', () => {
  it('that was made anew while the host ran gets its name and mark again; what lies there stays', async () => {
    const one = await host({});
    const [identity, nodeIdFile] = [await one.identify(), join(one.stateDir, 'node-id')];
    const kept = () =>
      Promise.all([readFile(nodeIdFile, 'utf8'), readFile(one.mark, 'utf8').then(JSON.parse)]);
    const [name, { signs }] = await kept();
    for (const file of [nodeIdFile, one.mark]) await rm(file);
    await keepIdentity(identity, one.stateDir, one.root);
    const [again, mark] = await kept();
    expect([again, mark]).toMatchObject([name, { nodeId: derived }]);
    expect(mark.signs).toHaveLength(signs.length);
    await keepIdentity({ ...identity, nodeId: 'another' }, one.stateDir, one.root);
    expect(await kept()).toEqual([again, mark]);
    await rm(nodeIdFile);
    await keepIdentity({ nodeId: 'lab-1', source: 'configuration' }, one.stateDir, one.root);
    await expect(readFile(nodeIdFile)).rejects.toThrow('ENOENT');
  });

  it('is marked, without the address of a card or the number of a disk', async () => {
    const one = await host({});
    expect(await one.identify()).toEqual({ nodeId: derived, source: 'machine-id' });
    const text = await readFile(one.mark, 'utf8');
    expect(JSON.parse(text)).toEqual({
      version: 1,
      nodeId: derived,
      salt: expect.stringMatching(/^[0-9a-f]{16}$/),
      signs: [expect.stringMatching(/^[0-9a-f]{5}$/), expect.stringMatching(/^[0-9a-f]{5}$/)],
    });
    expect((await stat(one.mark)).mode & 0o777).toBe(0o600);
  });

  it('is not marked by who only looks', async () => {
    const one = await host({});
    await one.identify(undefined, false);
    await expect(stat(one.mark)).rejects.toThrow('ENOENT');
  });

  it('on a cloned disk is called a copy at each start, until somebody decides', async () => {
    const [one, other] = [await host({}), await host(otherHardware)];
    await one.identify();
    await clone(one, other);
    const copy = {
      nodeId: derived,
      source: 'state',
      copied: {
        seen: `${other.stateDir} comes from another host with the same name: two hosts may report as ${derived}`,
        remedy: expect.stringContaining('remove node-id and roster.json there'),
      },
    };
    expect(await other.identify()).toEqual(copy);
    expect(await other.identify()).toEqual(copy);
    expect(await one.identify()).toEqual({ nodeId: derived, source: 'state' });
  });

  it('of a clone whose node-id was removed gets another name, although the machine-id was cloned too', async () => {
    const [one, other] = [await host({}), await host(otherHardware)];
    await one.identify();
    await clone(one, other);
    await rm(join(other.stateDir, 'node-id'));
    const made = await other.identify();
    expect(made).toEqual({ nodeId: expect.not.stringMatching(derived), source: 'random' });
    expect(await other.identify()).toEqual({ nodeId: made.nodeId, source: 'state' });
  });

  it('of a replacement is this host’s once its mark was removed', async () => {
    const [one, other] = [await host({}), await host(otherHardware)];
    await one.identify();
    await clone(one, other);
    await rm(other.mark);
    expect(await other.identify()).toEqual({ nodeId: derived, source: 'state' });
    expect(await other.identify()).toEqual({ nodeId: derived, source: 'state' });
  });

  it('with a configured name that was copied too is called a copy, and with another name is not', async () => {
    const [one, other] = [await host({}), await host(otherHardware)];
    await one.identify('rack-2');
    await clone(one, other);
    expect(await other.identify('rack-2')).toMatchObject({
      copied: { remedy: expect.stringContaining('set another nodeId and remove roster.json there') },
    });
    expect(await other.identify('rack-3')).toEqual({ nodeId: 'rack-3', source: 'configuration' });
    expect(await other.identify('rack-3')).toEqual({ nodeId: 'rack-3', source: 'configuration' });
  });

  it.each([
    ['a new network card', { card: 'aa:bb:cc:00:00:02' }],
    ['a new disk with the old files', { disk: 'eui.0025388b02' }],
    ['a new host name', { hostname: 'rack-9' }],
  ])('stays this host’s with %s', async (_, change) => {
    const [before, after] = [await host({}), await host(change)];
    await before.identify();
    await clone(before, after);
    expect(await after.identify()).toEqual({ nodeId: derived, source: 'state' });
  });

  it('stays this host’s when one part after the other is replaced', async () => {
    const before = await host({});
    const [newCard, newDisk] = [await host({ card: 'aa:bb:cc:00:00:02' }), await host(otherHardware)];
    await before.identify();
    await clone(before, newCard);
    await newCard.identify();
    await clone(newCard, newDisk);
    expect(await newDisk.identify()).toEqual({ nodeId: derived, source: 'state' });
  });

  it('on a host that shows nothing of itself is not called a copy', async () => {
    const [one, bare] = [await host({}), await host({})];
    await one.identify();
    await clone(one, bare);
    await rename(join(bare.root, 'sys'), join(bare.root, 'hidden'));
    expect(await bare.identify()).toEqual({ nodeId: derived, source: 'state' });
  });

  it('whose mark is damaged says so once, and is marked again', async () => {
    const one = await host({});
    await writeFile(one.mark, '{');
    expect(await one.identify()).toMatchObject({ problem: expect.stringContaining('is damaged') });
    expect(await one.identify()).toEqual({ nodeId: derived, source: 'state' });
  });
});

describe('the signs of a host', () => {
  it('are its own cards and disks, and the number of its board', async () => {
    const { root } = await host({});
    await mkdir(join(root, 'sys/firmware/devicetree/base'), { recursive: true });
    await writeFile(join(root, 'sys/firmware/devicetree/base/serial-number'), '10000000a3b1c2d3\0');
    expect(await readHostSigns(root)).toEqual(['10000000a3b1c2d3', 'aa:bb:cc:00:00:01', 'eui.0025388b01']);
  });

  it('are not what is plugged in, made by software, or the same on every machine', async () => {
    const usb = `${pci}/0000:00:14.0/usb1/1-2/1-2:1.0`;
    const root = await hostTree(
      {
        [`${usb}/net/usb0/address`]: '02:00:00:00:00:09\n',
        [`${usb}/net/usb0/addr_assign_type`]: '0\n',
        [`${pci}/0000:00:14.3/net/wlan0/address`]: '02:00:00:00:00:08\n',
        [`${pci}/0000:00:14.3/net/wlan0/addr_assign_type`]: '3\n',
        'sys/devices/virtual/net/docker0/address': '02:42:00:00:00:07\n',
        'sys/devices/virtual/net/docker0/addr_assign_type': '0\n',
        [`${pci}/0000:00:05.0/ata1/block/sda/device/wwid`]: 't10.ATA     QEMU HARDDISK    QM00001\n',
        [`${pci}/0000:00:07.0/virtio4/block/vda/serial`]: 'root-disk-0001\n',
        [`${pci}/0000:00:06.0/net/eth0/address`]: '00:00:00:00:00:00\n',
        [`${pci}/0000:00:06.0/net/eth0/addr_assign_type`]: '0\n',
      },
      {
        [`${usb}/net/usb0/device`]: '../..',
        [`${pci}/0000:00:14.3/net/wlan0/device`]: '../..',
        [`${pci}/0000:00:06.0/net/eth0/device`]: '../..',
        'sys/class/net/usb0': `../../devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/net/usb0`,
        'sys/class/net/wlan0': '../../devices/pci0000:00/0000:00:14.3/net/wlan0',
        'sys/class/net/eth0': '../../devices/pci0000:00/0000:00:06.0/net/eth0',
        'sys/class/net/docker0': '../../devices/virtual/net/docker0',
        [`${pci}/0000:00:07.0/virtio4/block/vda/device`]: '../..',
        'sys/block/vda': `../devices/pci0000:00/0000:00:07.0/virtio4/block/vda`,
        'sys/block/sda': `../devices/pci0000:00/0000:00:05.0/ata1/block/sda`,
      },
    );
    expect(await readHostSigns(root)).toEqual([]);
  });
});

it('a mark that cannot be read is not written over: a copy would go unnoticed for good', async () => {
  const [one, other] = [await host({}), await host(otherHardware)];
  await one.identify('rack-2');
  await clone(one, other);
  const mend = await makeUnreadable(other.mark);
  expect(await other.identify('rack-2')).toMatchObject({ problem: expect.stringContaining('EIO') });
  await mend();
  expect(await other.identify('rack-2')).toHaveProperty('copied');
});
