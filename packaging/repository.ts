/**
 * Makes an apt repository: pool/ with the packages, dists/stable/ with the indices, signed by a key of gpg. Packages of
 * earlier versions that the folder already holds stay in it. Reproducible but for the signatures.
 *
 * Sources: Debian's wiki, DebianRepository/Format; apt-ftparchive(1); apt-secure(8).
 */
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const run = promisify(execFile);

/** Where the packages lie, as Debian's own archive has them. */
const POOL = 'pool/main/h/hostnode';
const SUITE = 'dists/stable';
/** The public key, which a host names in `signed-by`. */
export const KEYRING = 'hostnode-archive-keyring.gpg';

export interface RepositoryOptions {
  readonly folder: string;
  /** New packages; each is copied into the pool. */
  readonly packages: readonly string[];
  /** Debian's names. */
  readonly architectures: readonly string[];
  /** A key that gpg has the secret part of: fingerprint, id or address. Absent: apt trusts the repository only by force. */
  readonly key?: string;
  /** Of the sources. */
  readonly date: Date;
  /** GNUPGHOME in it names where gpg keeps its keys. */
  readonly env?: NodeJS.ProcessEnv;
}

/** @throws {Error} when a tool is missing, or the folder holds another package of the same version */
export async function buildRepository(options: RepositoryOptions): Promise<void> {
  const { folder, packages, key, env } = options;
  const pool = join(folder, POOL);
  await mkdir(pool, { recursive: true });
  for (const file of packages) await addPackage(file, join(pool, basename(file)));

  // made beside the old one, then put in its place: a host that reads meanwhile gets one of the two
  const [fresh, place] = [join(folder, `${SUITE}.new`), join(folder, SUITE)];
  await rm(fresh, { recursive: true, force: true });
  await writeIndices(options, fresh);
  if (key !== undefined) await sign(fresh, key, join(folder, KEYRING), env);
  await rm(place, { recursive: true, force: true });
  await rename(fresh, place);
}

/** A package never changes under its name: apt would take it for damaged. */
async function addPackage(file: string, target: string): Promise<void> {
  if ((await readdir(join(target, '..'))).includes(basename(target))) {
    const same = await run('cmp', ['--silent', file, target]).then(
      () => true,
      () => false,
    );
    if (same) return;
    throw new Error(
      `${target}: the repository has another package of this version; raise the version in package.json`,
    );
  }
  await copyFile(file, target);
  await chmod(target, 0o644);
}

async function writeIndices(
  { folder, architectures, date }: RepositoryOptions,
  suite: string,
): Promise<void> {
  for (const architecture of architectures) {
    const index = join(suite, 'main', `binary-${architecture}`);
    await mkdir(index, { recursive: true });
    const { stdout } = await tool('apt-ftparchive', ['--arch', architecture, 'packages', POOL], {
      cwd: folder,
    });
    await writeFile(join(index, 'Packages'), stdout);
    await writeFile(join(index, 'Packages.gz'), gzipSync(stdout, { level: 9 }));
  }
  const fields = {
    Origin: 'hostnode',
    Label: 'hostnode',
    Suite: 'stable',
    Codename: 'stable',
    Architectures: architectures.join(' '),
    Components: 'main',
    Date: date.toUTCString().replace('GMT', 'UTC'),
  };
  const named = Object.entries(fields).flatMap(([name, value]) => [
    '-o',
    `APT::FTPArchive::Release::${name}=${value}`,
  ]);
  const { stdout } = await tool('apt-ftparchive', [...named, 'release', suite], { cwd: folder });
  await writeFile(join(suite, 'Release'), stdout);
}

/** `InRelease` for today's apt, `Release.gpg` for tools that want it apart; and the public key beside them. */
async function sign(suite: string, key: string, keyring: string, env?: NodeJS.ProcessEnv): Promise<void> {
  const release = join(suite, 'Release');
  const gpg = (...args: string[]) => tool('gpg', ['--batch', '--yes', '--local-user', key, ...args], { env });
  await gpg('--clearsign', '--output', join(suite, 'InRelease'), release);
  await gpg('--armor', '--detach-sign', '--output', `${release}.gpg`, release);
  await tool('gpg', ['--batch', '--yes', '--output', keyring, '--export', key], { env });
  await chmod(keyring, 0o644);
}

/** @throws {Error} when gpg does not have the secret part of this key */
export async function demandKey(key: string): Promise<void> {
  await tool('gpg', ['--batch', '--list-secret-keys', key]).catch((error: Error) => {
    throw new Error(`--sign ${key}: gpg has no secret key of this name; gpg --list-secret-keys lists them`, {
      cause: error,
    });
  });
}

const PACKAGE_OF: Readonly<Record<string, string>> = { 'apt-ftparchive': 'apt-utils', gpg: 'gnupg' };

async function tool(
  name: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv | undefined } = {},
) {
  try {
    return await run(name, args, { ...options, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`${name} is missing: apt-get install ${PACKAGE_OF[name]}`, { cause: error });
  }
}
