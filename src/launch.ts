/**
 * The program's first lines: rejects an old Node, answers `--version` without loading the rest, and runs the command's
 * bundle.
 */
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { catchSignals } from './base/early-signals.ts';
import { oldNode } from './base/old-node.ts';
import { cacheDirectory, runBundle, SMALL } from './base/v8.ts';
import { ownBundles, version } from './base/version.ts';

declare const __dirname: string;

/** Signals that the daemon does not use, and that would kill it. */
const STRAY = ['SIGUSR2', 'SIGALRM', 'SIGIO'] as const;

// before anything else: a signal could otherwise kill the daemon
if (process.argv[2] === 'run') {
  catchSignals();
  for (const stray of STRAY) process.on(stray, () => {});
}

// of both, Node takes FORCE_COLOR, with a warning about the other
if (process.env.FORCE_COLOR !== undefined) delete process.env.NO_COLOR;

const problem = oldNode();
const command = process.argv[2];
const argument = process.argv.length === 3 ? command : undefined;

if (problem !== undefined) {
  process.stderr.write(
    `Install a newer Node, or in a checkout use npm run hostnode --, which brings its own: ${problem}\n`,
  );
  process.exitCode = 78; // a supervisor need not retry
} else if (argument === '--version' || argument === '-V') {
  process.stdout.on('error', () => {}); // the reader has closed the pipe
  process.stdout.write(`${version}\n`);
} else {
  // by default this signal opens Node's debugger on 127.0.0.1, for every user of this host
  process.on('SIGUSR1', () => {});
  // a crash report of Node must not show the environment: it may contain the API key
  if (process.report) process.report.excludeEnv = true;
  const bundle = bundleOf(command);
  if (command === 'run') for (const flag of SMALL) setFlagsFromString(flag);
  const cache = cacheDirectory(process.env);
  // each command calls other code, and its help too little to keep
  const kept =
    cache !== undefined && /^[a-z]{1,20}$/.test(command ?? '') && !process.argv.some(isHelp)
      ? join(cache, `${command}.code`)
      : undefined;
  runBundle(join(__dirname, `${bundle}.cjs`), kept);
}

function isHelp(argument: string): boolean {
  return /^(?:-h|--help|help)$/.test(argument);
}

/** Also that of `hostnode help cloud`, which main.cjs does not know. */
function bundleOf(name = ''): string {
  if (name === 'help' && process.argv[3] === 'cloud') return 'cloud';
  return ownBundles.includes(name) ? name : 'main';
}
