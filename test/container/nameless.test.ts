/** What the program says of its name where it believes to be in a container, and where its state was copied. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markHost, readHostSigns, writeHostMark } from '../../src/host/identity.ts';
import { Daemon, type Environment, hostnode } from '../support/program.ts';
import { nodeId, startAdb, startCloud, temporaryFolder, toAdb, toCloud } from '../support/program-lab.ts';

const nameless =
  'nodeId is not set, and a container has no machine-id of its own. Set HOSTNODE_NODE_ID to the host’s name, or mount the host’s /etc/machine-id at /etc/hostnode/host-machine-id';

/** A container's environment without a name. */
async function container(): Promise<{ env: Environment; stateDir: string }> {
  const [adb, stateDir] = [await startAdb(), await temporaryFolder()];
  const { HOSTNODE_NODE_ID, ...env } = toAdb(adb.port, stateDir);
  return { env: { ...env, container: 'oci' }, stateDir };
}

it('a container without a name does not run: 78', async () => {
  const { env } = await container();
  const { code, stderr } = await hostnode(['run'], env);
  expect({ code, stderr }).toEqual({ code: 78, stderr: `hostnode: ${nameless}\n` });
});

it('a container whose name is in a misspelt variable is told so: 78', async () => {
  const { env } = await container();
  const daemon = new Daemon({ ...env, HOSTNODE_NODEID: 'rack-2' });
  const meant = 'HOSTNODE_NODEID: unknown variable, ignored; did you mean HOSTNODE_NODE_ID?';
  expect(await daemon.ended).toBe(78);
  expect(daemon.logged(meant).map(({ level }) => level)).toEqual(['warn']);
});

it('a container without a name reads its phones, and puts nothing to the cloud: 78', async () => {
  const [{ env }, cloud] = [await container(), await startCloud()];
  expect(await hostnode(['inventory'], env)).toMatchObject({ code: 0, stderr: '' });
  const { code, stderr } = await hostnode(['inventory', '--report'], { ...env, ...toCloud(cloud) });
  expect({ code, stderr }).toEqual({ code: 78, stderr: `hostnode: ${nameless}\n` });
  expect(cloud.requests).toEqual([]);
});

it('a container whose name is taken away by a reload goes on with the old one', async () => {
  const { env, stateDir } = await container();
  const file = join(stateDir, 'hostnode.yaml');
  await writeFile(file, 'nodeId: rack-2\n');
  const daemon = new Daemon(env, '--config', file);
  expect(await daemon.says('hostnode starts')).toMatchObject({ nodeId: 'rack-2' });
  await writeFile(file, 'log: { level: info }\n');
  daemon.signal('SIGHUP');
  await daemon.says('the new configuration cannot be used; the old one stays in force');
  expect(await daemon.says('hostnode starts')).toMatchObject({ nodeId: 'rack-2' });
  expect((await daemon.end()).code).toBe(0);
});

it('a host whose state was written on another one by the same name says so, and reports', async () => {
  const [adb, cloud, stateDir] = [await startAdb(), await startCloud(), await temporaryFolder()];
  await writeHostMark(stateDir, markHost(nodeId, ['aa:bb:cc:00:00:02']));
  const daemon = new Daemon({ ...toAdb(adb.port, stateDir), ...toCloud(cloud) });
  const isTold = (await readHostSigns()).length > 0; // a machine that shows nothing of itself cannot tell
  await daemon.says('round');
  const said = daemon.logged(
    'the state directory comes from another host with the same name: two hosts may report as one',
  );
  expect(said.map(({ level, remedy }) => ({ level, remedy }))).toEqual(
    isTold ? [{ level: 'error', remedy: expect.stringContaining('host-mark.json') }] : [],
  );
});
