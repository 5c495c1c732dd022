/**
 * The program's first lines: refuses a Node that is too old, answers `--version` without loading the rest, and has
 * Node keep what it compiles.
 */
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { version } from './version.ts';

declare const require: (path: string) => unknown;

const OLDEST = [22, 12] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const argument = process.argv.length === 3 ? process.argv[2] : undefined;

if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `hostnode needs Node ${OLDEST.join('.')} or newer; this is ${process.version} (${process.execPath})\n`,
  );
  process.exitCode = 78; // a supervisor need not try again
} else if (argument === '--version' || argument === '-V') {
  process.stdout.on('error', () => {}); // a reader that has left
  process.stdout.write(`${version}\n`);
} else {
  const cache = cacheDirectory();
  if (cache !== undefined) nodeModule.enableCompileCache(cache);
  require('./main.cjs');
}

/** A directory of this user alone: what lies in /tmp, others could have put there. */
function cacheDirectory(): string | undefined {
  const { CACHE_DIRECTORY, XDG_CACHE_HOME } = process.env;
  try {
    return CACHE_DIRECTORY || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'hostnode');
  } catch {
    return undefined; // a user without a home
  }
}
