/** Is this a container, and of which kind? By what the engines and systemd leave in it. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';

/**
 * - `application`: made anew from an image again and again (podman, docker, Kubernetes). What it takes for its
 *   machine-id is the image's or the engine's, also where a systemd runs in it.
 * - `system`: boots a systemd of its own and keeps its files (systemd-nspawn, LXC): as good as a host.
 */
export type ContainerKind = 'none' | 'system' | 'application';

/** @param root of the file system: `/`, or what stands for it */
export async function containerKind(root: string, env: Environment): Promise<ContainerKind> {
  const isThere = (mark: string) =>
    access(join(root, mark)).then(
      () => true,
      () => false,
    );
  if (env.KUBERNETES_SERVICE_HOST) return 'application';
  if ((await isThere('.dockerenv')) || (await isThere('run/.containerenv'))) return 'application';
  // written by the systemd that booted in it; a shell entered from outside has the variable, too
  if (await isThere('run/systemd/container')) return 'system';
  return env.container ? 'application' : 'none';
}
