import { execFile } from 'node:child_process';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DaemonSet } from 'kubernetes-models/apps/v1';
import { ConfigMap, Namespace } from 'kubernetes-models/v1';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import type { ListenerConfig } from '../../src/config/status.ts';
import { describeWithKubectl } from '../support/describe-with.ts';
import { temporaryFolder } from '../support/program-lab.ts';
import {
  buildOverlay,
  daemonSetOf,
  deployedBy,
  type Manifest,
  overlayNames,
  writeConfiguration,
} from './manifests.ts';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** What the API's schema says of a manifest; it overlooks fields that it does not know. */
function validate(manifest: Manifest): void {
  const models = { ConfigMap, DaemonSet, Namespace } as const;
  const Model = models[manifest.kind as keyof typeof models];
  new Model(manifest as never).validate();
}

const typeModules: Record<string, string> = {
  DaemonSet: 'apps/v1',
  ConfigMap: 'core/v1',
  Namespace: 'core/v1',
};

/** What the compiler says of manifests by name, each written as a literal of the API's type: the names that are wrong. */
async function misspelt(manifests: Record<string, Manifest>): Promise<string[]> {
  const folder = await temporaryFolder();
  await symlink(modules, join(folder, 'node_modules'));
  const options = {
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, types: [] } }),
  );
  for (const [name, manifest] of Object.entries(manifests)) {
    const { kind } = manifest;
    const type = `import type { ${kind} } from 'kubernetes-types/${typeModules[kind]}';`;
    await writeFile(
      join(folder, `${name}.ts`),
      `${type}\nexport const manifest: ${kind} = ${JSON.stringify(manifest, null, 1)};\n`,
    );
  }
  const said = await promisify(execFile)(join(modules, '.bin/tsc'), ['-p', '.'], { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  return [...said.matchAll(/^([\w.-]+)\.ts\(\d+,\d+\): (.*)$/gm)].map(
    ([, name, problem]) => `${name}: ${problem}`,
  );
}

/** A manifest with a part of its text replaced. */
const altered = (manifest: Manifest, from: string, to: string): Manifest => {
  const text = JSON.stringify(manifest);
  expect(text).toContain(from);
  return JSON.parse(text.replace(from, to));
};

describeWithKubectl('the manifests', () => {
  const built: Record<string, Manifest[]> = {};
  const of = (name: string): Manifest[] => built[name] ?? [];

  beforeAll(async () => {
    for (const name of overlayNames) built[name] = await buildOverlay(name);
  });

  it('are two ways to the USB, each a namespace, a configuration and the agent on each node', () => {
    const kinds = Object.entries(built).map(([name, manifests]) => [
      name,
      ...manifests.map(({ kind }) => kind),
    ]);
    expect(kinds).toEqual(
      ['adb-sidecar', 'host-adb'].map((name) => [name, 'Namespace', 'ConfigMap', 'ConfigMap', 'DaemonSet']),
    );
  });

  it.each(overlayNames)('%s has values that the API takes', (name) => {
    for (const manifest of of(name)) validate(manifest);
  });

  it('would be refused with a value of another kind', () => {
    const manifest = daemonSetOf(of('host-adb'));
    expect(() => validate(altered(manifest, '"containerPort":9477', '"containerPort":"9477"'))).toThrow();
    expect(() =>
      validate(altered(manifest, '"matchLabels":{"app":"hostnode"}', '"matchLabels":["app"]')),
    ).toThrow();
  });

  it('have fields that the API knows, each in its place', async () => {
    const manifests = overlayNames.flatMap((name) =>
      of(name).map((manifest, at) => [`${name}-${at}-${manifest.kind}`, manifest] as const),
    );
    const good = daemonSetOf(of('adb-sidecar'));
    const said = await misspelt({
      ...Object.fromEntries(manifests),
      'wrong-selector': altered(good, '"nodeSelector"', '"nodeSelecter"'),
      'wrong-security': altered(good, '"readOnlyRootFilesystem"', '"readonlyRootFilesystem"'),
    });
    expect(said).toEqual([
      expect.stringMatching(/^wrong-security: error TS2353: .*readonlyRootFilesystem/),
      expect.stringMatching(/^wrong-selector: error TS2353: .*nodeSelecter/),
    ]);
  });

  describe.each(overlayNames)('the pod of %s', (name) => {
    const deployed = () => deployedBy(daemonSetOf(of(name)));

    it('has an agent that may do nothing but write its state', () => {
      const { pod, containers, agent } = deployed();
      expect(agent.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      const writable = (agent.volumeMounts ?? []).filter(({ readOnly }) => !readOnly);
      expect(writable.map(({ mountPath }) => mountPath)).toEqual(['/var/lib/hostnode', '/tmp']);
      expect(containers.map(({ securityContext }) => securityContext?.readOnlyRootFilesystem)).toEqual(
        containers.map(() => true),
      );
    });

    it('gives privileges to the adb server alone, and only where there is no other way', () => {
      const privileged = deployed().containers.filter(({ securityContext }) => securityContext?.privileged);
      expect(privileged.map((container) => container.name)).toEqual(name === 'adb-sidecar' ? ['adb'] : []);
    });

    it('has one adb server: the node’s, or a sidecar that outlives the agent', () => {
      const { pod, adb } = deployed();
      expect({ host: pod.hostNetwork === true, sidecar: adb?.restartPolicy }).toEqual(
        name === 'host-adb' ? { host: true, sidecar: undefined } : { host: false, sidecar: 'Always' },
      );
      if (adb)
        expect(adb.command?.join(' ')).toMatch(
          /^\/usr\/bin\/tini -- adb -L tcp:localhost:5037 server nodaemon$/,
        );
    });

    it('makes the node’s folders its own before anything writes to them', () => {
      const { pod, containers } = deployed();
      const [first, ...others] = containers;
      expect(first?.name).toBe('own-state');
      const onNode = pod.volumes?.filter(({ hostPath }) => hostPath?.type === 'DirectoryOrCreate') ?? [];
      const owned = first?.volumeMounts?.map((mount) => mount.name) ?? [];
      expect(owned.toSorted()).toEqual(onNode.map((volume) => volume.name).toSorted());
      expect(others.length).toBe(name === 'host-adb' ? 1 : 2);
    });

    it('mounts what it has, and leaves the round in hand its time', () => {
      const { pod, containers } = deployed();
      const volumes = new Set(pod.volumes?.map((volume) => volume.name));
      const mounted = new Set(
        containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map((mount) => mount.name)),
      );
      expect([...mounted].toSorted()).toEqual([...volumes].toSorted());
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
    });

    it('configures the agent without a fault: named by its node, and heard where the probes ask', async () => {
      const { pod, agent } = deployed();
      const credentials = await temporaryFolder();
      await writeFile(join(credentials, 'cloud-api-key'), 'k3y');
      await chmod(join(credentials, 'cloud-api-key'), 0o440); // as the kubelet has it

      const fields: Record<string, string> = { 'spec.nodeName': 'rack-2', 'status.podIP': '10.42.0.7' };
      const env: Record<string, string> = {};
      for (const { name: variable, value, valueFrom } of agent.env ?? []) {
        const text = value ?? fields[valueFrom?.fieldRef?.fieldPath ?? ''] ?? '';
        env[variable] = text.replace(/\$\((\w+)\)/g, (_, other: string) => env[other] ?? '');
      }
      const mount = agent.volumeMounts?.find(({ mountPath }) => mountPath === env.CREDENTIALS_DIRECTORY);
      expect(pod.volumes?.find((volume) => volume.name === mount?.name)?.secret).toEqual({
        secretName: 'hostnode',
        defaultMode: 0o440,
      });
      const { config, warnings } = await loadConfig({
        file: await writeConfiguration(await temporaryFolder(), of(name)),
        env: { ...env, CREDENTIALS_DIRECTORY: credentials },
      });
      expect(warnings).toEqual([]);
      expect(config.nodeId).toBe('rack-2');
      expect(config.cloud?.apiKey.reveal()).toBe('k3y');
      const [port] = agent.ports ?? [];
      const listeners: ListenerConfig[] = [
        { address: '10.42.0.7', port: port?.containerPort ?? 0, parts: ['health', 'metrics'] },
        { address: '127.0.0.1', port: 9477, parts: ['page', 'metrics', 'health'] },
      ];
      expect(config.status.listeners).toEqual(listeners);
      expect(agent.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: port?.name });
    });

    it('is rolled out to 5 % of the nodes at a time, and counts when its liveness was found', () => {
      const { spec } = daemonSetOf(of(name));
      expect(spec?.updateStrategy).toEqual({
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: '5%' },
      });
      const { periodSeconds = 0, failureThreshold = 0 } = deployed().agent.livenessProbe ?? {};
      expect(spec?.minReadySeconds).toBeGreaterThan(periodSeconds * failureThreshold);
    });
  });
});
