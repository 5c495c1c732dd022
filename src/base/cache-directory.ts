/** The directory of the compiled bundles. Their content is run, so no other user may write to it. */
import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { Environment } from './environment.ts';
import { attempt } from './errors.ts';
import { openPlaces } from './open-places.ts';

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
  if (openPlaces(there, [uid]).length > 0) return undefined;
  return join(realpathSync(there), relative(there, directory));
}

function nearestThere(path: string): string {
  const above = dirname(path);
  return above === path || statSync(path, { throwIfNoEntry: false }) ? path : nearestThere(above);
}
