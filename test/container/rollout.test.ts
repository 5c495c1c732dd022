/** A lab's own overlay: what it changes, and what its agents do with it. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCode } from '../../src/base/exit-code.ts';
import { loadConfig } from '../../src/config/load.ts';
import { codeBlocks, readText } from '../docs/pages.ts';
import { describeWithKubectl } from '../support/describe-with.ts';
import { Daemon, hostnode } from '../support/program.ts';
import { startAdb, startCloud, temporaryFolder, toAdb, toCloud } from '../support/program-lab.ts';
import {
  buildManifests,
  configurationIn,
  daemonSetOf,
  deployedBy,
  type Manifest,
  manifestFolder,
  writeBelow,
  writeConfiguration,
} from './manifests.ts';

/** The manifests of the overlay in the guide, with these files beside its kustomization. */
async function labManifests(files: Record<string, string>): Promise<Manifest[]> {
  const [kustomization = ''] = codeBlocks(readText('config/kubernetes/README.md'), 'yaml');
  const folder = await temporaryFolder();
  await cp(manifestFolder, join(folder, 'hostnode/config/kubernetes'), { recursive: true });
  await writeBelow(join(folder, 'my-lab'), { 'kustomization.yaml': kustomization, ...files });
  return buildManifests(join(folder, 'my-lab'));
}

/** In the pod it is a credential. */
const key = { HOSTNODE_CLOUD_API_KEY: 'x' };

const cloudOf = (user: string) => `cloud: { baseUrl: 'https://cloud.example.com/v1', username: ${user} }\n`;
const labFiles = {
  'hostnode.yaml': cloudOf('rack'),
  'conf.d/20-slots.yaml': 'slots:\n  - name: bay 1\n    paths: [1-2]\n',
};
const wrongFiles = { ...labFiles, 'conf.d/20-slots.yaml': 'roster:\n  forgetAfterDays: never\n' };

describeWithKubectl('a lab’s own overlay, as in the guide', () => {
  it('goes over the base: image, hostnode.yaml and another drop-in', async () => {
    const manifests = await labManifests(labFiles);
    const { containers } = deployedBy(daemonSetOf(manifests));
    expect(containers.map(({ image }) => image)).toEqual(
      containers.map(() => 'registry.example.com/lab/hostnode:0.1.0'),
    );
    const files = configurationIn(manifests);
    expect(Object.keys(files).toSorted()).toEqual([
      '/etc/hostnode/conf.d/10-lab.yaml',
      '/etc/hostnode/conf.d/20-slots.yaml',
      '/etc/hostnode/hostnode.yaml',
    ]);
    const file = await writeConfiguration(await temporaryFolder(), manifests);
    const { config } = await loadConfig({ file, env: key });
    expect(config.slots.map((slot) => slot.name)).toEqual(['bay 1']);
  });

  it('can be checked before it is applied', async () => {
    const folder = await temporaryFolder();
    await writeBelow(folder, labFiles);
    expect(await hostnode(['config', 'check', '--quiet', folder], key)).toMatchObject({
      code: 0,
      stderr: '',
    });
    await writeBelow(folder, wrongFiles);
    const { code, stderr } = await hostnode(['config', 'check', '--quiet', folder], key);
    expect({ code, stderr }).toEqual({
      code: exitCode.config,
      stderr: expect.stringContaining(`${folder}/conf.d/20-slots.yaml:2`),
    });
  });

  it('is a new pod on each node when a file changes, and only then', async () => {
    const template = async (files: Record<string, string>) =>
      daemonSetOf(await labManifests(files)).spec?.template;
    const before = await template(labFiles);
    expect(await template(labFiles)).toEqual(before);
    expect(await template({ ...labFiles, 'hostnode.yaml': cloudOf('tower') })).not.toEqual(before);
    expect(await template({ ...labFiles, 'conf.d/20-slots.yaml': 'slots: []\n' })).not.toEqual(before);
  });

  /** An agent with the files of the pod, and what its startup probe finds. */
  async function start(manifests: Manifest[]) {
    const { agent } = deployedBy(daemonSetOf(manifests));
    const [program, ...args] = agent.startupProbe?.exec?.command ?? [];
    expect(program).toBe('hostnode');
    const [folder, adb, cloud] = [await temporaryFolder(), await startAdb(), await startCloud()];
    const env = { ...toAdb(adb.port, join(folder, 'state')), ...toCloud(cloud) };
    const daemon = new Daemon(env, '--config', await writeConfiguration(folder, manifests));
    return { daemon, probe: async () => (await hostnode(args, env)).code };
  }

  it('gets ready where its configuration is right', async () => {
    const { daemon, probe } = await start(await labManifests(labFiles));
    await daemon.says('round');
    expect(await probe()).toBe(0);
  });

  it('does not get ready where a drop-in is wrong, and its last words name the line', async () => {
    const { daemon, probe } = await start(await labManifests(wrongFiles));
    expect(await daemon.ended).toBe(exitCode.config);
    expect(daemon.stdout + daemon.stderr).toContain('/etc/hostnode/conf.d/20-slots.yaml:2');
    expect(await probe()).toBe(exitCode.failed);
  });
});
