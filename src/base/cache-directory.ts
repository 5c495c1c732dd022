/** The directory of the compiled bundles. Their content is run, so no other user may write to it. */
import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { Environment } from './environment.ts';
import { attempt } from './errors.ts';

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/**
 * A directory that only this user and root can change, with links resolved; undefined if there is none, as below /tmp
 * or in another user's HOME (sudo -E).
 *
 * @param uid by default: of this process
 */
export function cacheDirectory(
  { CACHE_DIRECTORY, XDG_CACHE_HOME }: Environment,
  uid = process.geteuid?.() ?? 0,
): string | undefined {
  return attempt(() => {
    const [ofUnit] = CACHE_DIRECTORY?.split(':') ?? [];
    const directory = ofUnit || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hostnode');
    return isAbsolute(directory) ? ofUserAlone(directory, uid) : undefined;
  }); // a user may have no home
}

function ofUserAlone(directory: string, uid: number): string | undefined {
  const there = nearestThere(directory);
  const real = realpathSync(there);
  for (let path = real; ; path = dirname(path)) {
    const { uid: owner, mode } = statSync(path);
    // in a sticky directory others cannot replace what is there, but they can make what is not
    const isOpen = (mode & WRITABLE_BY_OTHERS) !== 0 && ((mode & STICKY) === 0 || path === real);
    if ((owner !== 0 && owner !== uid) || isOpen) return undefined;
    if (path === '/') return join(real, relative(there, directory));
  }
}

function nearestThere(path: string): string {
  const above = dirname(path);
  return above === path || statSync(path, { throwIfNoEntry: false }) ? path : nearestThere(above);
}
