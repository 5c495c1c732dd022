/** The manifests of config/kubernetes/, as kubectl makes them of a base and an overlay. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DaemonSet } from 'kubernetes-types/apps/v1.js';
import type { ConfigMap, Container, PodSpec } from 'kubernetes-types/core/v1.js';
import { parseAllDocuments } from 'yaml';

export const manifestFolder = fileURLToPath(new URL('../../config/kubernetes', import.meta.url));

export const overlayNames = readdirSync(`${manifestFolder}/overlays`);

export type Manifest = { kind: string; apiVersion: string; [field: string]: unknown };

/** YAML 1.1: a number that begins with 0 is an octal one. */
const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text, { version: '1.1' }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });

/** @param folder has a kustomization.yaml */
export async function buildManifests(folder: string): Promise<Manifest[]> {
  const { stdout } = await promisify(execFile)('kubectl', ['kustomize', folder]);
  return parseManifests(stdout);
}

export const buildOverlay = (name: string): Promise<Manifest[]> =>
  buildManifests(`${manifestFolder}/overlays/${name}`);

/** The DaemonSet that all overlays change. */
export const readBase = (): DaemonSet =>
  daemonSetOf(parseManifests(readFileSync(`${manifestFolder}/base/daemonset.yaml`, 'utf8')));

const isDaemonSet = (manifest: Manifest): manifest is Manifest & DaemonSet => manifest.kind === 'DaemonSet';

export function daemonSetOf(manifests: readonly Manifest[]): Manifest & DaemonSet {
  const found = manifests.find(isDaemonSet);
  if (found === undefined) throw new Error('no DaemonSet');
  return found;
}

export interface Deployed {
  pod: PodSpec;
  /** In the order of their start. */
  containers: Container[];
  agent: Container;
  adb: Container | undefined;
}

export function deployedBy(daemonSet: DaemonSet): Deployed {
  const pod = daemonSet.spec?.template.spec;
  const containers = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
  const agent = containers.find(({ name }) => name === 'hostnode');
  if (!pod || !agent) throw new Error('no agent');
  return { pod, containers, agent, adb: containers.find(({ name }) => name === 'adb') };
}

/** The files that the agent's container has from ConfigMaps: each path and its text. */
export function configurationIn(manifests: readonly Manifest[]): Record<string, string> {
  const { pod, agent } = deployedBy(daemonSetOf(manifests));
  const maps = manifests.filter(({ kind }) => kind === 'ConfigMap') as ConfigMap[];
  const files = (agent.volumeMounts ?? []).flatMap(({ name, mountPath, subPath }) => {
    const source = pod.volumes?.find((volume) => volume.name === name)?.configMap?.name;
    if (source === undefined) return [];
    const data = maps.find(({ metadata }) => metadata?.name === source)?.data;
    if (data === undefined) throw new Error(`no ConfigMap ${source}`);
    return Object.entries(data).flatMap(([key, text]) => {
      if (subPath === undefined) return [[`${mountPath}/${key}`, text]];
      return key === subPath && basename(mountPath) === key ? [[mountPath, text]] : [];
    });
  });
  return Object.fromEntries(files);
}

/** @returns the path of its hostnode.yaml, below the folder as it is in the container */
export async function writeConfiguration(folder: string, manifests: readonly Manifest[]): Promise<string> {
  await writeBelow(folder, configurationIn(manifests));
  return join(folder, 'etc/hostnode/hostnode.yaml');
}

/** Writes files below a folder, by their paths. */
export async function writeBelow(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
