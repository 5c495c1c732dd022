/** The directory of the compiled bundles. Their content is run, so no other user may write to it. */
import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Environment } from './environment.ts';
import { attempt } from './errors.ts';

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/**
 * A directory of this user; undefined if there is none. Never in /tmp, where others can write. Root may have another
 * user's HOME (sudo -E).
 *
 * @param isRoot by default: of this process
 */
export function cacheDirectory(
  { CACHE_DIRECTORY, XDG_CACHE_HOME }: Environment,
  isRoot = process.geteuid?.() === 0,
): string | undefined {
  return attempt(() => {
    const directory = CACHE_DIRECTORY || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hostnode');
    return isRoot ? ofRootAlone(directory) : directory;
  }); // a user may have no home
}

/** The same directory with links resolved; undefined if others than root can change a part of the path. */
function ofRootAlone(directory: string): string | undefined {
  const there = nearestThere(directory);
  const real = realpathSync(there);
  for (let path = real; ; path = dirname(path)) {
    const { uid, mode } = statSync(path);
    const isOpen = (mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0;
    if (uid !== 0 || isOpen) return undefined;
    if (path === '/') return join(real, relative(there, directory));
  }
}

function nearestThere(path: string): string {
  const above = dirname(path);
  return above === path || statSync(path, { throwIfNoEntry: false }) ? path : nearestThere(above);
}
