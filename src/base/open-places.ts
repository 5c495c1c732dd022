/** Who besides root and this user can change a file, or put another one in its place. */
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const STICKY = 0o1000;

/** A file, or a directory above it, that others can write. */
export interface OpenPlace {
  readonly path: string;
  readonly uid: number;
  readonly gid: number;
  /** Permission bits. */
  readonly mode: number;
  /** `owner`: it belongs to another user. */
  readonly to: 'owner' | 'everyone' | 'group';
}

/**
 * The path itself first, with links resolved, then what is above it and above the link. Others cannot replace what lies in
 * a sticky directory.
 *
 * @param trusted users, beside root
 * @throws the file system's error
 */
export function openPlaces(path: string, trusted: readonly number[]): OpenPlace[] {
  const real = realpathSync(path);
  const chain = [...new Set([real, ...above(real), ...above(`${realpathSync(dirname(path))}/link`)])];
  return chain.flatMap((place) => {
    const { uid, gid, mode } = statSync(place);
    const isKept = place !== real && (mode & STICKY) !== 0;
    const found = { path: place, uid, gid, mode: mode & 0o7777 };
    if (uid !== 0 && !trusted.includes(uid)) return { ...found, to: 'owner' };
    if (!isKept && (mode & 0o002) !== 0) return { ...found, to: 'everyone' };
    return !isKept && (mode & 0o020) !== 0 ? { ...found, to: 'group' } : [];
  });
}

function above(path: string): string[] {
  const next = dirname(path);
  return next === path ? [] : [next, ...above(next)];
}
