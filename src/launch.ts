/**
 * The program's first lines: refuses a Node that is too old, answers `--version` without loading the rest, and has
 * Node keep what it compiles.
 */
import './base/first-line.ts';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { cacheDirectory } from './base/cache-directory.ts';
import { SMALL } from './base/v8-flags.ts';
import { version } from './base/version.ts';

declare const require: (path: string) => unknown;

/** By major version, the first minor one whose HTTPS goes through a proxy by our means (`proxyEnv`). */
const OLDEST: Record<number, number> = { 22: 21, 24: 5 };
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const command = process.argv[2];
const argument = process.argv.length === 3 ? command : undefined;

if (major < 25 && minor < (OLDEST[major] ?? Number.POSITIVE_INFINITY)) {
  process.stderr.write(
    `hostnode needs Node 22.21, 24.5 or newer; this is ${process.version} (${process.execPath})\n`,
  );
  process.exitCode = 78; // a supervisor need not try again
} else if (argument === '--version' || argument === '-V') {
  process.stdout.on('error', () => {}); // a reader that has left
  process.stdout.write(`${version}\n`);
} else {
  // would open Node's debugger on a port of 127.0.0.1, for every user of this host
  process.on('SIGUSR1', () => {});
  // Node's report of a crash, where somebody has asked for one: the environment may hold the API key
  if (process.report) process.report.excludeEnv = true;
  const cache = cacheDirectory(process.env);
  if (cache !== undefined) nodeModule.enableCompileCache(join(cache, cacheName(command)));
  if (command === 'run') for (const flag of SMALL) setFlagsFromString(flag);
  require('./main.cjs');
}

/** The commands that matter keep one each: what the run that fills it does not call is not in it, and never comes. */
function cacheName(command = ''): string {
  return ['run', 'inventory'].includes(command) ? command : 'others';
}
