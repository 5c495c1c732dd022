/** A cgroup for each guest: in a common one, guests would stop each other's services, whose names are the same. */
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the cgroup of this process is in the file system. Source: cgroups(7). */
function ownFolder(): string {
  const mount = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(readFileSync('/proc/self/mountinfo', 'utf8'));
  const path = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'));
  if (!mount?.[1] || !path?.[1]) throw new Error('this machine has no cgroup2 mounted');
  return join(mount[1], path[1]);
}

export class Cgroup {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(name: string): Promise<Cgroup> {
    const folder = join(ownFolder(), name);
    await mkdir(folder);
    return new Cgroup(folder);
  }

  /** What runs a command in it, as the same process. */
  get within(): string[] {
    return ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', this.#folder];
  }

  /** Ends what still runs in it (on Linux 5.14 or newer), and removes it. */
  async end(): Promise<void> {
    await writeFile(join(this.#folder, 'cgroup.kill'), '1').catch(() => {});
    await removeTree(this.#folder);
  }
}

async function removeTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  await rmdir(folder).catch(() => {}); // one that is busy for a moment costs nothing
}
