/** A secret from a file of its own: the API key, the page's password. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { hasCode, throwIfPassing } from '../errors.ts';

const MAX_BYTES = 65_536;

/** What the file holds, or what is wrong with it. Both absent: there is no such file. */
export interface KeyFile {
  readonly key?: string;
  readonly problem?: string;
}

export const isMissing = ({ key, problem }: KeyFile): boolean => key === undefined && problem === undefined;

/** Surely a path, and not the key itself in its place. */
export const isPath = (file: string): boolean => /^\.{0,2}\//.test(file);

/** What is said of a file that is not there. */
export const noSuchFile = (file: string): string =>
  isPath(file) ? `${file}: there is no such file` : 'there is no such file; it must be a path';

/**
 * Reads a file of one line, whose end is dropped. One that others than its owner may read is refused, except
 * in the credentials directory, which systemd guards.
 *
 * @throws {ConfigUnreadableError}
 */
export function readKeyFile(file: string, credentialsDirectory?: string): KeyFile {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { mode, size } = fstatSync(descriptor);
    const guarded =
      credentialsDirectory !== undefined && dirname(resolve(file)) === resolve(credentialsDirectory);
    if (!guarded && (mode & 0o077) !== 0) {
      const shown = (mode & 0o777).toString(8).padStart(4, '0');
      return {
        problem: `${file}: others may read it (mode ${shown}); run: chmod 600 ${file} (it must belong to who runs the agent)`,
      };
    }
    if (size > MAX_BYTES) return { problem: `${file}: too large (${size} bytes)` };
    const key = readFileSync(descriptor, 'utf8').replace(/\r?\n$/, '');
    return /^\P{Cc}+$/u.test(key) ? { key } : { problem: `${file}: must hold one line of text` };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return {};
    throwIfPassing(file, error);
    if (hasCode(error, 'ENAMETOOLONG')) return { problem: 'too long for a path' };
    const mend = hasCode(error, 'EACCES') ? `; it must belong to ${userName()}, who runs this` : '';
    return { problem: `${file}: cannot be read (${error instanceof Error ? error.message : error})${mend}` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`; // a container's user has no name
  }
}
