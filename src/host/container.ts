/** Detects containers by the marks that engines and systemd leave in them. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';

/**
 * - `application`: recreated from an image each time (podman, docker, Kubernetes). Its machine-id belongs to the image or
 *   the engine, even if systemd runs in it.
 * - `system`: boots its own systemd and keeps its files (systemd-nspawn, LXC). We treat it as a host.
 */
export type ContainerKind = 'none' | 'system' | 'application';

/** @param root of the file system: `/`, or its replacement in a test */
export async function containerKind(root: string, env: Environment): Promise<ContainerKind> {
  const isThere = (mark: string) =>
    access(join(root, mark)).then(
      () => true,
      () => false,
    );
  if (env.KUBERNETES_SERVICE_HOST) return 'application';
  if ((await isThere('.dockerenv')) || (await isThere('run/.containerenv'))) return 'application';
  // written by the container's own systemd; a shell from outside also has the variable
  if (await isThere('run/systemd/container')) return 'system';
  return env.container ? 'application' : 'none';
}
