/** Finds out on what kind of machine hostnode runs, by the marks that systemd and container engines leave. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment, HostKind } from '../base/environment.ts';

const UNITS = ['hostnode', 'hostnode-adb'];
/** Where systemd looks for the units of the system (systemd.unit(5)). */
const UNIT_FOLDERS = ['etc', 'run', 'usr/local/lib', 'usr/lib', 'lib'].map((folder) =>
  join(folder, 'systemd/system'),
);

/** The PATH of a unit (systemd.exec(5)). */
const PROGRAM_FOLDERS = ['usr/local/sbin', 'usr/local/bin', 'usr/sbin', 'usr/bin', 'sbin', 'bin'];

/**
 * @param root of the file system: `/`, or its replacement in a test
 * @returns whether adb is missing is looked up each time: somebody may install it
 */
export function readHostKind(root: string, env: Environment): HostKind {
  const isThere = (path: string) => existsSync(join(root, path));
  const isInstalled = (unit: string) =>
    UNIT_FOLDERS.some((folder) => isThere(join(folder, `${unit}.service`)));
  const hasSystemd = isThere('run/systemd/system'); // as sd_booted(3) does
  const units = hasSystemd ? UNITS.filter(isInstalled) : [];
  return {
    hasSystemd,
    units,
    inContainer: containerKind(root, env) !== 'none',
    get lacksAdb() {
      if (!units.includes('hostnode-adb')) return undefined;
      return !PROGRAM_FOLDERS.some((folder) => isThere(join(folder, 'adb')));
    },
  };
}

/**
 * - `application`: recreated from an image each time (podman, docker, Kubernetes). Its machine-id belongs to the image or
 *   the engine, even if systemd runs in it.
 * - `system`: boots its own systemd and keeps its files (systemd-nspawn, LXC). We treat it as a host.
 */
export type ContainerKind = 'none' | 'system' | 'application';

export function containerKind(root: string, env: Environment): ContainerKind {
  const isThere = (path: string) => existsSync(join(root, path));
  if (env.KUBERNETES_SERVICE_HOST) return 'application';
  if (isThere('.dockerenv') || isThere('run/.containerenv')) return 'application';
  // written by the container's own systemd; a shell from outside also has the variable
  if (isThere('run/systemd/container')) return 'system';
  return env.container ? 'application' : 'none';
}
