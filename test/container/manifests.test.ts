import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DaemonSet } from 'kubernetes-models/apps/v1';
import { ConfigMap, Namespace } from 'kubernetes-models/v1';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import type { ListenerConfig } from '../../src/config/status.ts';
import { type Manifest, manifestNames, readDeployed, readManifests } from './manifests.ts';

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
  const folder = await mkdtemp(join(tmpdir(), 'hostnode-manifests-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
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

const daemonSet = (name: string): Manifest => {
  const [found] = readManifests(name).filter(({ kind }) => kind === 'DaemonSet');
  if (found === undefined) throw new Error(`${name} has no DaemonSet`);
  return found;
};

describe('the manifests', () => {
  it('are the three ways to the USB, each a namespace, a configuration and the agent on each node', () => {
    const kinds = manifestNames.map((name) => [name, ...readManifests(name).map(({ kind }) => kind)]);
    expect(kinds).toEqual(
      ['adb-sidecar.yaml', 'host-adb.yaml', 'usb-plugin.yaml'].map((name) => [
        name,
        'Namespace',
        'ConfigMap',
        'DaemonSet',
      ]),
    );
  });

  it.each(manifestNames)('%s has values that the API takes', (name) => {
    for (const manifest of readManifests(name)) validate(manifest);
  });

  it('would be refused with a value of another kind', () => {
    const manifest = daemonSet('host-adb.yaml');
    expect(() => validate(altered(manifest, '"containerPort":9477', '"containerPort":"9477"'))).toThrow();
    expect(() =>
      validate(altered(manifest, '"matchLabels":{"app":"hostnode"}', '"matchLabels":["app"]')),
    ).toThrow();
  });

  it('have fields that the API knows, each in its place', async () => {
    const manifests = manifestNames.flatMap((name) =>
      readManifests(name).map((manifest) => [`${name}-${manifest.kind}`, manifest] as const),
    );
    const good = daemonSet('adb-sidecar.yaml');
    const said = await misspelt({
      ...Object.fromEntries(manifests),
      'wrong-selector': altered(good, '"nodeSelector"', '"nodeSelecter"'),
      'wrong-security': altered(good, '"readOnlyRootFilesystem"', '"readonlyRootFilesystem"'),
    });
    expect(said).toEqual([
      expect.stringMatching(/^wrong-security: error TS2353: .*readonlyRootFilesystem/),
      expect.stringMatching(/^wrong-selector: error TS2353: .*nodeSelecter/),
    ]);
  }, 60_000);
});

describe.each(manifestNames)('the pod of %s', (name) => {
  const { pod, containers, agent, adb, configuration } = readDeployed(name);

  it('has an agent that may do nothing but write its state', () => {
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
    const privileged = containers.filter(({ securityContext }) => securityContext?.privileged);
    expect(privileged.map((container) => container.name)).toEqual(name === 'adb-sidecar.yaml' ? ['adb'] : []);
  });

  it('has one adb server: the node’s, or a sidecar that outlives the agent', () => {
    expect({ host: pod.hostNetwork === true, sidecar: adb?.restartPolicy }).toEqual(
      name === 'host-adb.yaml' ? { host: true, sidecar: undefined } : { host: false, sidecar: 'Always' },
    );
    if (adb)
      expect(adb.command?.join(' ')).toMatch(
        /^\/usr\/bin\/tini -- adb -L tcp:localhost:5037 server nodaemon$/,
      );
  });

  it('mounts what it has, and leaves the round in hand its time', () => {
    const volumes = new Set(pod.volumes?.map((volume) => volume.name));
    const mounted = new Set(
      containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map((mount) => mount.name)),
    );
    expect([...mounted].toSorted()).toEqual([...volumes].toSorted());
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });

  it('configures the agent without a fault: named by its node, and heard where the probes ask', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hostnode-pod-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [file, credentials] = [join(folder, 'hostnode.yaml'), join(folder, 'credentials')];
    await writeFile(file, configuration);
    await mkdir(credentials);
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
      file,
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
    for (const probe of [agent.startupProbe, agent.livenessProbe])
      expect(probe?.httpGet).toEqual({ path: '/healthz', port: port?.name });
  });
});
