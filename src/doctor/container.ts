/** Is this a container? By what the engines leave in it (podman, docker, systemd-nspawn, Kubernetes). */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../config/environment.ts';

export async function isContainer(root: string, env: Environment): Promise<boolean> {
  if (env.container || env.KUBERNETES_SERVICE_HOST) return true;
  const marks = ['.dockerenv', 'run/.containerenv', 'run/systemd/container'];
  const found = await Promise.all(
    marks.map((mark) =>
      access(join(root, mark)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
