/**
 * How V8 runs a bundle: with the code that it made of it in an earlier run, and an agent's with options that save memory.
 * Node's own compile cache is made before the bundle has run: it lacks every function that is compiled when it is first
 * called, a third of what a short command takes.
 */
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import type { Environment } from './environment.ts';
import { attempt } from './errors.ts';
import { exitCode } from './exit-code.ts';
import { openPlaces } from './open-places.ts';

/**
 * Options of V8 that save memory, for a process that runs for months and is mostly idle: the young generation stays small,
 * the heap grows in small steps, what we know of a phone, key by key, becomes no hash table, and no optimizing compiler
 * runs. A thread may collect its garbage itself. One so small is collected by us alone: on a busy host we would wait longer
 * for threads that help, up to 100 ms, than they save. Node documents none of them: a test fails when it rejects one.
 */
export const SMALL = [
  '--semi-space-growth-factor=1',
  '--no-parallel-scavenge',
  '--heap-growing-percent=40',
  '--fast-properties-soft-limit=40',
  '--no-opt',
  '--no-maglev',
];

/** What a module of Node's is called with. */
const OPEN = '(function (exports, require, module, __filename, __dirname) {';
/** The first bytes: a checksum of source and code, for V8 reads a damaged code as it is, and crashes; the run's exit code. */
const HEAD_BYTES = 8; // the code stays aligned
/** A program that runs for months may be killed before its end. */
const SAVE_AFTER_MS = 60_000;

/**
 * Runs a bundle as a CommonJS module. Its code is kept for the next run when it ends, or has run for a minute: that of the
 * first run, and of the first one that ends well, which has called more.
 *
 * @param file where the code is kept; absent: none is
 */
export function runBundle(bundle: string, file: string | undefined): void {
  const { text, sum } = readSource(bundle);
  const kept = file === undefined ? undefined : readCode(file, sum);
  const script = new Script(`${OPEN}${text}\n})`, {
    filename: bundle,
    columnOffset: -OPEN.length,
    ...(kept && { cachedData: kept.code }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(bundle), module, bundle, dirname(bundle));
  const isUsed = kept !== undefined && !script.cachedDataRejected;
  if (file === undefined || (isUsed && kept.exit === 0)) return;
  const save = (exit: number) => {
    clearTimeout(timer);
    process.off('exit', save);
    if (exit !== exitCode.usage && (!isUsed || exit === 0))
      writeCode(file, sum, script.createCachedData(), exit);
  };
  const timer = setTimeout(save, SAVE_AFTER_MS, 0).unref();
  process.on('exit', save);
}

/** The bytes themselves, 2 MB, are not held until the code is kept. */
function readSource(bundle: string): { text: string; sum: number } {
  const source = readFileSync(bundle);
  return { text: source.toString('latin1'), sum: crc32(source) };
}

/** @param sum that of the source */
const checksum = (sum: number, kept: Buffer): number => crc32(kept.subarray(4), sum);

/** Absent if there is none yet, or it is cut off. */
const readCode = (file: string, sum: number): { code: Buffer; exit: number } | undefined =>
  attempt(() => {
    const kept = readFileSync(file);
    if (kept.readUInt32LE() !== checksum(sum, kept)) return undefined;
    return { code: kept.subarray(HEAD_BYTES), exit: kept.readUInt32LE(4) };
  });

/** Where it cannot be written (a full disk, a home that is not there), the next run compiles again. */
function writeCode(file: string, sum: number, code: Buffer, exit: number): void {
  const draft = `${file}.${process.pid}`;
  const kept = Buffer.concat([Buffer.alloc(HEAD_BYTES), code]);
  kept.writeUInt32LE(exit, 4);
  kept.writeUInt32LE(checksum(sum, kept));
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, kept, { flag: 'wx', mode: 0o600 });
    renameSync(draft, file);
  } catch {
    attempt(() => rmSync(draft, { force: true })); // it may never have been made
  }
}

/**
 * The directory of the compiled bundles. Their content is run, so only this user and root can change it; with links
 * resolved. Undefined if there is none, as below /tmp or in another user's HOME (sudo -E).
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
