/** The image as docs/install.md says to build it and to run it. */
import { chmod, cp, mkdir, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCode } from '../../src/base/exit-code.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { deriveNodeId } from '../../src/host/identity.ts';
import { bundleLab } from '../support/bundle-lab.ts';
import { describeWithContainers } from '../support/describe-with.ts';
import { keys } from '../systemd/keys.ts';
import { Engine } from './engine.ts';
import { buildImage, image } from './images.ts';
import { deployedBy, manifestFolder, readBase } from './manifests.ts';

const username = 'lab';
const apiKey = keys.first;
const machineId = '0123456789abcdef0123456789abcdef';

describeWithContainers('the image', () => {
  let engine: Engine;

  const inAgent = async (line: string) => (await engine.inside('hostnode', line)).stdout;
  const pidOf = async (name: string) =>
    (await engine.do('podman', 'inspect', '--format={{.State.Pid}}', name)).trim();
  const logs = async (name: string) => {
    const { stdout, stderr } = await engine.run('podman', 'logs', name);
    return stdout + stderr;
  };

  /** Waits for a line in a container's log. */
  async function says(name: string, line: RegExp): Promise<void> {
    const signal = AbortSignal.timeout(30_000);
    for (;;) {
      const text = await logs(name);
      if (line.test(text)) return;
      if (signal.aborted) throw new Error(`${name} did not say ${line}\n${text}`);
      await pause(200);
    }
  }

  const startAgent = (name: string, ...args: string[]) =>
    engine.start(
      name,
      ...['--network=container:hostnode-adb', '--health-interval=disable'],
      ...['-e=HOSTNODE_CLOUD_BASE_URL=http://127.0.0.1:8080/v1', `-e=HOSTNODE_CLOUD_USERNAME=${username}`],
      ...['--secret=cloud-api-key,uid=65532,mode=0400'],
      ...['-e=HOSTNODE_CLOUD_API_KEY_FILE=/run/secrets/cloud-api-key', `-v=${name}-state:/var/lib/hostnode`],
      ...args,
      image,
    );

  beforeAll(async () => {
    engine = await Engine.start();
    await buildImage(engine);
    const lab = join(engine.folder, 'lab');
    await mkdir(lab);
    await chmod(engine.folder, 0o755);
    await bundleLab(join(lab, 'lab.mjs'));
    const key = join(engine.folder, 'cloud-api-key');
    await writeFile(key, apiKey);
    await engine.do('podman', 'secret', 'create', 'cloud-api-key', key);
    await engine.start(
      'hostnode-adb',
      ...['--network=none', '--no-healthcheck', '-v=hostnode-adb-key:/var/lib/hostnode'],
      ...['--entrypoint=/usr/bin/tini', image, '--', 'adb', '-L', 'tcp:localhost:5037', 'server', 'nodaemon'],
    );
    await engine.start(
      'lab',
      ...['--network=container:hostnode-adb', '--no-healthcheck', `-v=${lab}:/lab:ro`, '--entrypoint=node'],
      ...[image, '/lab/lab.mjs', 'container'],
    );
    await says('lab', /^ready$/m);
    await startAgent('hostnode', '-e=HOSTNODE_NODE_ID=rack-2');
  });

  afterAll(() => engine?.end());

  it('is for nobody in particular, can be asked how it is, and holds no more than what runs', async () => {
    const [shown] = JSON.parse(await engine.do('podman', 'image', 'inspect', image));
    expect(shown.Config).toMatchObject({ User: '65532:65532', StopSignal: 'SIGTERM', Cmd: ['run'] });
    expect(shown.Healthcheck.Test).toEqual(['CMD', 'hostnode', 'status', '--check']);
    expect(await inAgent('ls -A /opt/hostnode /var/lib/apt/lists; command -v npm')).toBe(
      '/opt/hostnode:\nCHANGELOG.md\nLICENSE\nREADME.md\nbundled-licences\nconfig\ndist\ndocs\nhostnode.cdx.json\nnode-licence\n\n/var/lib/apt/lists:\n',
    );
    expect(await inAgent('hostnode --version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('lists its parts: each package that is bundled, with its licence, and the Node that runs it', async () => {
    const { components } = JSON.parse(await inAgent('cat /opt/hostnode/hostnode.cdx.json'));
    const node = components.find(({ name }: { name: string }) => name === 'node');
    expect(await inAgent('node --version')).toBe(`v${node.version}\n`);
    const licences = await inAgent('cat /opt/hostnode/bundled-licences');
    const bundled = components.filter((each: object) => each !== node);
    expect(bundled.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['got', 'pino', 'preact', '@opentelemetry/sdk-metrics', 'yauzl']),
    );
    for (const { name, version } of bundled) expect(licences).toContain(`${name} ${version} — `);
  });

  it('reports from a container that may do nothing but write its state', async () => {
    await says('lab', /^PUT 200 rack-2 0$/m);
    expect(await inAgent('cat /proc/1/comm /proc/1/task/1/children')).toMatch(/^tini\n\d+ \n?$/);
    const status = await inAgent('set -- $(cat /proc/1/task/1/children) && cat /proc/$1/status');
    expect(status).toMatch(/^Name:\thostnode$/m);
    expect(status).toMatch(/^Uid:\t65532\t65532\t65532\t65532$/m);
    expect(status).toMatch(/^CapEff:\t0{16}$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status).toMatch(/^Seccomp:\t2$/m);
    const write = await engine.inside('hostnode', 'touch /x || touch /var/lib/hostnode/x');
    expect(write).toMatchObject({ code: 0, stderr: expect.stringContaining('Read-only file system') });
    expect(await inAgent('stat -c %a:%u /var/lib/hostnode')).toBe('700:65532\n');
  });

  it('keeps the key out of its log, its environment and its image', async () => {
    const shown = await engine.do('podman', 'inspect', 'hostnode', image);
    expect((await logs('hostnode')) + shown).not.toContain(apiKey);
  });

  it('answers how it is, and does not when it hangs', async () => {
    const check = () => engine.run('podman', 'healthcheck', 'run', 'hostnode');
    await says('hostnode', /"msg":"round"/);
    expect((await check()).code).toBe(0);
    await inAgent('kill -STOP $(cat /proc/1/task/1/children)');
    const { code, stdout } = await check();
    await inAgent('kill -CONT $(cat /proc/1/task/1/children)');
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 1, stdout: 'unhealthy' });
    expect((await check()).code).toBe(0);
  });

  describe('as adb server and as agent', () => {
    it('keeps the key of the lab in the adb server’s volume alone', async () => {
      const { stdout } = await engine.inside(
        'hostnode-adb',
        'cd /var/lib/hostnode/.android && stat -c "%a %u %n" adbkey',
      );
      expect(stdout).toBe('600 65532 adbkey\n');
      expect(await inAgent('ls -A /var/lib/hostnode')).not.toContain('.android');
    });

    it('stops with 0 at once, and is started again under the adb server that goes on', async () => {
      const [adb, keyBefore] = [await pidOf('hostnode-adb'), await adbKey()];
      await engine.do('podman', 'stop', '--time=10', 'hostnode'); // then podman kills it: no 0
      expect(await engine.do('podman', 'inspect', '--format={{.State.ExitCode}}', 'hostnode')).toBe('0\n');
      await engine.do('podman', 'start', 'hostnode');
      await says('hostnode', /"msg":"stopped".*"msg":"round"/s);
      expect({ adb: await pidOf('hostnode-adb'), key: await adbKey() }).toEqual({ adb, key: keyBefore });
    });

    const adbKey = async () =>
      (await engine.inside('hostnode-adb', 'cksum /var/lib/hostnode/.android/adbkey')).stdout;
  });

  it('takes the phones of an adb server by its address', async () => {
    await startAgent('by-address', '-e=HOSTNODE_NODE_ID=rack-3', '-e=HOSTNODE_ADB_PORT=5038');
    await says('lab', new RegExp(`^PUT 200 rack-3 ${recordings.length}$`, 'm'));
  });

  it('has the name that the host has without a container, where the host’s machine-id is mounted', async () => {
    const file = join(engine.folder, 'machine-id');
    await writeFile(file, `${machineId}\n`);
    await startAgent('by-machine-id', `-v=${file}:/etc/hostnode/host-machine-id:ro`);
    await says('lab', new RegExp(`^PUT 200 ${deriveNodeId(machineId)} `, 'm'));
  });

  it('is given a folder of the node by the pod’s first container, and again at the next start', async () => {
    const { containers } = deployedBy(readBase());
    const first = containers.find(({ name }) => name === 'own-state');
    const [command = '', ...args] = first?.command ?? [];
    const folder = join(engine.folder, 'node-folder');
    await mkdir(folder);
    for (const start of ['first', 'next']) {
      const { code, stderr } = await engine.foreground(
        ...['--network=none', '--no-healthcheck', '--user=0:65532', '--cap-add=chown'],
        ...[`-v=${folder}:/state/agent`, `--entrypoint=${command}`, image, ...args],
      );
      expect({ start, code, stderr }).toEqual({ start, code: 0, stderr: '' });
      const { uid, gid, mode } = await stat(folder);
      expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 65532, gid: 65532, mode: 0o700 });
    }
  });

  it('reads its configuration where the pod mounts it; a wrong drop-in ends it with 78, and its startup probe fails', async () => {
    const { agent } = deployedBy(readBase());
    const mounted = (agent.volumeMounts ?? []).filter(({ mountPath }) =>
      mountPath.startsWith('/etc/hostnode'),
    );
    const folder = join(engine.folder, 'config-maps');
    await cp(join(manifestFolder, 'base'), folder, { recursive: true });
    const mounts = mounted.map(
      ({ mountPath }) => `-v=${join(folder, relative('/etc/hostnode', mountPath))}:${mountPath}:ro`,
    );
    const probe = ['podman', 'exec', 'in-a-pod', ...(agent.startupProbe?.exec?.command ?? [])] as const;

    await startAgent('in-a-pod', '-e=HOSTNODE_NODE_ID=rack-4', ...mounts);
    await says('in-a-pod', /"msg":"round"/);
    expect((await engine.run(...probe)).code).toBe(0);

    await writeFile(join(folder, 'conf.d/20-wrong.yaml'), 'roster:\n  forgetAfterDays: never\n');
    await engine.run('podman', 'restart', '--time=10', 'in-a-pod');
    await says('in-a-pod', /\/etc\/hostnode\/conf\.d\/20-wrong\.yaml:2/);
    expect(await engine.do('podman', 'wait', 'in-a-pod')).toBe(`${exitCode.config}\n`);
    expect((await engine.run(...probe)).code).not.toBe(0);
  });

  it('without a name does not run: 78', async () => {
    const { code, stderr } = await engine.foreground('--network=none', '--no-healthcheck', image);
    expect(code).toBe(78);
    expect(stderr).toMatch(/^hostnode: nodeId is not set, .*HOSTNODE_NODE_ID/m);
  });
});
