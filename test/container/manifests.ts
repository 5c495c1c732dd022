/** The manifests of config/kubernetes/, read as kubectl reads them. */
import { readdirSync, readFileSync } from 'node:fs';
import type { DaemonSet } from 'kubernetes-types/apps/v1.js';
import type { ConfigMap, Container, PodSpec } from 'kubernetes-types/core/v1.js';
import { parseAllDocuments } from 'yaml';

const folder = new URL('../../config/kubernetes/', import.meta.url);

export type Manifest = { kind: string; apiVersion: string; [field: string]: unknown };

export const manifestNames = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

/** YAML 1.1: a number that begins with 0 is an octal one. */
export const readManifests = (name: string): Manifest[] =>
  parseAllDocuments(readFileSync(new URL(name, folder), 'utf8'), { version: '1.1' }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });

export interface Deployed {
  pod: PodSpec;
  /** Those that begin before it, too. */
  containers: Container[];
  agent: Container;
  adb: Container | undefined;
  /** hostnode.yaml */
  configuration: string;
}

export function readDeployed(name: string): Deployed {
  const manifests = readManifests(name);
  const of = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
  const pod = (of('DaemonSet') as DaemonSet | undefined)?.spec?.template.spec;
  const configuration = (of('ConfigMap') as ConfigMap | undefined)?.data?.['hostnode.yaml'];
  const containers = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
  const agent = containers.find((container) => container.name === 'hostnode');
  if (!pod || !agent || configuration === undefined) throw new Error(`${name} has no agent`);
  return {
    pod,
    containers,
    agent,
    adb: containers.find((container) => container.name === 'adb'),
    configuration,
  };
}
