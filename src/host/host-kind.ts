/** Finds out on what kind of machine hostnode runs, by the marks that systemd and container engines leave. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment, HostKind } from '../base/environment.ts';

const UNITS = ['hostnode', 'hostnode-adb'];
/** Where systemd looks for the units of the system (systemd.unit(5)). */
const UNIT_FOLDERS = ['etc', 'run', 'usr/local/lib', 'usr/lib', 'lib'].map((folder) =>
  join(folder, 'systemd/system'),
);

/** @param root of the file system: `/`, or its replacement in a test */
export async function readHostKind(root: string, env: Environment): Promise<HostKind> {
  const isThere = thereIn(root);
  const isInstalled = async (unit: string) =>
    (await Promise.all(UNIT_FOLDERS.map((folder) => isThere(join(folder, `${unit}.service`))))).includes(
      true,
    );
  const [hasSystemd, kind, installed] = await Promise.all([
    isThere('run/systemd/system'), // as sd_booted(3) does
    containerKind(root, env),
    Promise.all(UNITS.map(isInstalled)),
  ]);
  return {
    hasSystemd,
    units: hasSystemd ? UNITS.filter((_, index) => installed[index]) : [],
    inContainer: kind !== 'none',
  };
}

/**
 * - `application`: recreated from an image each time (podman, docker, Kubernetes). Its machine-id belongs to the image or
 *   the engine, even if systemd runs in it.
 * - `system`: boots its own systemd and keeps its files (systemd-nspawn, LXC). We treat it as a host.
 */
export type ContainerKind = 'none' | 'system' | 'application';

/** @param root of the file system: `/`, or its replacement in a test */
export async function containerKind(root: string, env: Environment): Promise<ContainerKind> {
  const isThere = thereIn(root);
  if (env.KUBERNETES_SERVICE_HOST) return 'application';
  if ((await isThere('.dockerenv')) || (await isThere('run/.containerenv'))) return 'application';
  // written by the container's own systemd; a shell from outside also has the variable
  if (await isThere('run/systemd/container')) return 'system';
  return env.container ? 'application' : 'none';
}

const thereIn = (root: string) => (path: string) =>
  access(join(root, path)).then(
    () => true,
    () => false,
  );
