import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deriveNodeId, parseMachineId, readNodeId, unfitForOnce } from '../../src/host/identity.ts';
import { hostTree } from '../support/host-tree.ts';
import { makeUnreadable } from '../support/unreadable.ts';

const machineId = '0123456789abcdef0123456789abcdef';
// printed by systemd-id128 252 for this machine-id and hostnode's application id
const derived = '9dd575c3-dbf7-4196-84b2-8bdda01506d8';

describe('deriveNodeId', () => {
  it('gives what systemd-id128 machine-id --app-specific gives', () => {
    expect(deriveNodeId(machineId)).toBe(derived);
  });
});

describe('parseMachineId', () => {
  it.each(['', 'uninitialized\n', `${'0'.repeat(32)}\n`, 'not an id'])('finds none in %j', (text) => {
    expect(parseMachineId(text)).toBeUndefined();
  });
});

/** A host with these files, and a state directory on it. */
async function host(files: Record<string, string> = { 'etc/machine-id': `${machineId}\n` }, env = {}) {
  const root = await hostTree(files);
  const stateDir = join(root, 'state');
  await mkdir(stateDir, { recursive: true });
  const read = (configured?: string) => readNodeId(configured, stateDir, { root, env });
  return { root, stateDir, read, kept: join(stateDir, 'node-id') };
}

const random = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

describe('the name of a host', () => {
  it('is the configured one before all else', async () => {
    const { read } = await host();
    expect(await read('rack-2')).toEqual({ nodeId: 'rack-2', source: 'configuration' });
  });

  it('is derived from the machine-id once, then kept although the machine-id changes', async () => {
    const { root, read, kept } = await host();
    expect(await read()).toEqual({ nodeId: derived, source: 'machine-id' });
    expect(await readFile(kept, 'utf8')).toBe(`${derived}\n`);
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    await rm(join(root, 'etc/machine-id'));
    expect(await read()).toEqual({ nodeId: derived, source: 'state' });
  });

  it('is derived from the machine-id of D-Bus where there is no other', async () => {
    const { read } = await host({
      'etc/machine-id': 'uninitialized\n',
      'var/lib/dbus/machine-id': machineId,
    });
    expect(await read()).toEqual({ nodeId: derived, source: 'machine-id' });
  });

  it('is random and kept where there is no machine-id', async () => {
    const { read } = await host({});
    const made = await read();
    expect(made).toEqual({ nodeId: random, source: 'random' });
    expect(await read()).toEqual({ nodeId: made.nodeId, source: 'state' });
  });

  it('is random where the derived one is taken', async () => {
    const { root, stateDir } = await host();
    const made = await readNodeId(undefined, stateDir, { root, env: {}, taken: derived });
    expect(made).toEqual({ nodeId: random, source: 'random' });
    expect(made.nodeId).not.toBe(derived);
  });

  it('is made again if the file is damaged', async () => {
    const { read, kept } = await host();
    await writeFile(kept, '\0\0\0');
    expect(await read()).toMatchObject({ nodeId: derived, source: 'machine-id' });
  });

  it('says that it could not be kept', async () => {
    const { root } = await host();
    const made = await readNodeId(undefined, join(root, 'missing'), { root, env: {} });
    expect(made).toMatchObject({ nodeId: derived, notKept: { code: 'STATE_UNWRITABLE' } });
  });

  it('is not kept for who only looks', async () => {
    const { root, stateDir, kept } = await host();
    await readNodeId(undefined, stateDir, { root, env: {}, mayKeep: false });
    await expect(stat(kept)).rejects.toThrow('ENOENT');
  });
});

describe('the name of a host in a run that keeps nothing', () => {
  const look = async (files?: Record<string, string>, env?: Record<string, string>) => {
    const { root, stateDir } = await host(files, env);
    return (configured?: string) =>
      readNodeId(configured, stateDir, { root, env: env ?? {}, mayKeep: false }).then(unfitForOnce);
  };

  it('is unfit for a report where it is random: the next run would have another one', async () => {
    expect(await (await look({}))()).toEqual({
      seen: 'nodeId is not set, and this host has no machine-id',
      remedy: expect.stringMatching(/^Set HOSTNODE_NODE_ID to the host’s name: /),
    });
  });

  it('is fit where it is derived, kept or configured', async () => {
    expect(await (await look())()).toBeUndefined();
    expect(await (await look({ 'state/node-id': `${derived}\n` }))()).toBeUndefined();
    expect(await (await look({}))('rack-2')).toBeUndefined();
  });

  it('is unfit in a container without a name for the reason that the daemon gives', async () => {
    const { seen = '' } = (await (await look({}, { container: 'oci' }))()) ?? {};
    expect(seen).toMatch(/a container has no machine-id/);
  });
});

describe('the name of a container', () => {
  const inContainer = { container: 'oci' };
  const nameless = {
    nodeId: random,
    source: 'random',
    unfit: {
      seen: 'nodeId is not set, and a container has no machine-id of its own',
      remedy:
        'Set HOSTNODE_NODE_ID to the host’s name, or mount the host’s /etc/machine-id at /etc/hostnode/host-machine-id',
    },
  };

  it('is not made from the machine-id that its image or its engine gave it, and not kept', async () => {
    const { read, kept } = await host({ 'etc/machine-id': machineId }, inContainer);
    expect(await read()).toEqual(nameless);
    await expect(stat(kept)).rejects.toThrow('ENOENT');
  });

  it('is the host’s own where the host’s machine-id is mounted', async () => {
    const files = { 'etc/machine-id': 'f'.repeat(32), 'etc/hostnode/host-machine-id': `${machineId}\n` };
    const { read } = await host(files, inContainer);
    expect(await read()).toEqual({ nodeId: derived, source: 'machine-id' });
  });

  it('is not made from an empty folder, which an engine makes for a file that is not there', async () => {
    const { root, read } = await host({}, inContainer);
    await mkdir(join(root, 'etc/hostnode/host-machine-id'), { recursive: true });
    expect(await read()).toEqual(nameless);
  });

  it('is the kept one, and before it the configured one', async () => {
    const { read, kept } = await host({}, inContainer);
    await writeFile(kept, `${derived}\n`);
    expect(await read()).toEqual({ nodeId: derived, source: 'state' });
    expect(await read('rack-2')).toEqual({ nodeId: 'rack-2', source: 'configuration' });
  });

  it('that boots a systemd of its own is made as on a host', async () => {
    const { read } = await host({ 'etc/machine-id': machineId, 'run/systemd/container': 'systemd-nspawn\n' });
    expect(await read()).toEqual({ nodeId: derived, source: 'machine-id' });
  });
});

describe('the name of a host, where the disk fails', () => {
  it('is not made again while the saved one cannot be read', async () => {
    const { read, kept } = await host();
    const { nodeId } = await read();
    await writeFile(kept, '11111111-2222-4333-8444-555555555555\n'); // kept from another machine-id
    const mend = await makeUnreadable(kept);
    await expect(read()).rejects.toMatchObject({
      code: 'STATE_UNREADABLE',
      message: `cannot read ${kept}: EIO: i/o error, read`,
    });
    await mend();
    expect(await read()).toEqual({ nodeId: '11111111-2222-4333-8444-555555555555', source: 'state' });
    expect(nodeId).toBe(derived);
    await makeUnreadable(kept);
    expect(await read('rack-2')).toEqual({ nodeId: 'rack-2', source: 'configuration' });
  });

  it('is not random while the machine-id cannot be read, nor from another file', async () => {
    const { root, read, kept } = await host({
      'etc/machine-id': `${machineId}\n`,
      'var/lib/dbus/machine-id': 'f'.repeat(32),
    });
    const mend = await makeUnreadable(join(root, 'etc/machine-id'));
    await expect(read()).rejects.toMatchObject({ code: 'STATE_UNREADABLE' });
    await expect(stat(kept)).rejects.toThrow('ENOENT');
    await mend();
    expect(await read()).toEqual({ nodeId: derived, source: 'machine-id' });
  });

  it('is no name for a report of who only looks', async () => {
    const { root, stateDir, kept } = await host({ 'etc/machine-id': '' });
    const look = () => readNodeId(undefined, stateDir, { root, env: {}, mayKeep: false });
    const unknown = { mayPass: true, seen: expect.stringContaining('EIO'), remedy: expect.anything() };
    await makeUnreadable(join(root, 'etc/machine-id'));
    expect(unfitForOnce(await look())).toEqual(unknown);
    await rm(join(root, 'etc/machine-id'));
    await makeUnreadable(kept);
    expect(unfitForOnce(await look())).toEqual(unknown);
  });

  it.each(['', '\0\0\0', '9dd575c3-dbf7-4196', 'rack-2\n'])(
    'is set aside with a word where it holds %j',
    async (text) => {
      const { stateDir, read, kept } = await host();
      await writeFile(kept, text);
      expect((await read()).keptProblem).toMatch(
        /node-id is damaged \(it holds no name\); it was set aside as /,
      );
      const aside = (await readdir(stateDir)).find((name) => name.startsWith('node-id.damaged-'));
      expect(await readFile(join(stateDir, aside ?? ''), 'utf8')).toBe(text);
    },
  );
});
