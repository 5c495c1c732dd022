/** Where the agent keeps what must outlive it. */
import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../environment.ts';
import { StateUnwritableError } from './errors.ts';

/**
 * The state directory where none is configured: systemd's, else root's, else the user's own (XDG base directories).
 *
 * @param uid of this process
 */
export function defaultStateDirectory(
  env: Environment,
  uid: number | undefined = process.getuid?.(),
): string {
  // systemd lists several directories with colons between them
  const [fromSystemd] = (env.STATE_DIRECTORY ?? '').split(':');
  if (fromSystemd) return fromSystemd;
  if (uid === 0) return SYSTEM_STATE_DIRECTORY;
  try {
    return join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state'), 'hostnode');
  } catch {
    return SYSTEM_STATE_DIRECTORY; // a user without a home, as in a container
  }
}

const SYSTEM_STATE_DIRECTORY = '/var/lib/hostnode';

const STALE_AFTER_MS = 60_000;

/** As `writeFileWhole` and the lock name what they write first. */
const draft = /^\..+\.[0-9a-f]{12}\.tmp$/;

/** Removes what a write left behind that was killed halfway. */
async function sweep(dir: string, now: number): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!draft.test(name)) continue;
    const path = join(dir, name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs > STALE_AFTER_MS) await unlink(path);
  }
}

/**
 * Creates the directory, for its owner alone, where it is not there yet.
 *
 * @returns its permission bits; one that was there is left as it is
 * @throws {StateUnwritableError}
 */
export async function openStateDirectory(dir: string): Promise<number> {
  let mode: number;
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    ({ mode } = await stat(dir));
  } catch (cause) {
    throw new StateUnwritableError(dir, cause);
  }
  // another process may sweep at the same time, or the disk be read-only: neither matters here
  await sweep(dir, Date.now()).catch(() => {});
  return mode & 0o777;
}
