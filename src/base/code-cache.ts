/**
 * Runs a bundle with the code that V8 made of it in an earlier run. Node's own compile cache is made before the bundle has
 * run: it lacks every function that is compiled when it is first called, a third of what a short command takes.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** What a module of Node's is called with. */
const OPEN = '(function (exports, require, module, __filename, __dirname) {';
/** The first bytes: a checksum of the build and the code. V8 reads a damaged code as it is, and crashes. */
const HEAD_BYTES = 8; // the code stays aligned
/** A program that runs for months may be killed before its end. */
const SAVE_AFTER_MS = 60_000;

/**
 * Runs a bundle as a CommonJS module; its code is kept for the next run when it has run for a minute, or ends.
 *
 * @param kept the file with the code; absent: none is kept
 * @param build names the bundle's content: the code of another build is not used
 */
export function runBundle(bundle: string, kept: string | undefined, build: string): void {
  const cachedData = kept && readCode(kept, build);
  const script = new Script(`${OPEN}${readFileSync(bundle, 'latin1')}\n})`, {
    filename: bundle,
    columnOffset: -OPEN.length,
    ...(cachedData && { cachedData }),
  });
  const exports = {};
  script.runInThisContext()(exports, createRequire(bundle), { exports }, bundle, dirname(bundle));
  if (!kept || (cachedData && !script.cachedDataRejected)) return;
  const save = () => {
    clearTimeout(timer);
    process.off('exit', save);
    writeCode(kept, build, script.createCachedData());
  };
  const timer = setTimeout(save, SAVE_AFTER_MS).unref();
  process.on('exit', save);
}

const checksum = (build: string, code: Uint8Array): number => crc32(code, crc32(build));

function readCode(file: string, build: string): Buffer | undefined {
  try {
    const kept = readFileSync(file);
    const code = kept.subarray(HEAD_BYTES);
    return kept.readUInt32LE() === checksum(build, code) ? code : undefined;
  } catch {
    return undefined; // none yet, or cut off
  }
}

/** Where it cannot be written (a full disk, a home that is not there), the next run compiles again. */
function writeCode(file: string, build: string, code: Buffer): void {
  const draft = `${file}.${process.pid}`;
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(checksum(build, code));
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, Buffer.concat([head, code]), { flag: 'wx', mode: 0o600, flush: true });
    renameSync(draft, file);
  } catch {
    try {
      rmSync(draft, { force: true });
    } catch {} // it was never made
  }
}
