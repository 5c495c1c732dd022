/** What the agent's process stands in: mounts, clock, limits. All of it from outside, while it runs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readHostSigns } from '../../src/host/identity.ts';
import { missingTools } from '../rig/android-root.ts';
import type { World } from './world.ts';

/** A line of bash that puts its state directory on a disk of its own. */
export const onOwnDisk = (options: string): string =>
  `exec unshare -m --propagation private bash -c 'mount -t tmpfs -o ${options} tmpfs "$STATE" && exec "$@"' bash "$@"`;

/** Puts its state directory on a small disk of its own that outlives the agent. */
export async function withDisk(world: World): Promise<void> {
  await makeStateDir(world);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', world.stateDir]);
  world.onClose(async () => void execFileSync('umount', ['--lazy', world.stateDir]));
}

/** A line of bash that gives it other names: `$HOSTS` in place of /etc/hosts, and no name server. */
export const withOwnNames =
  'exec unshare -m --propagation private bash -c \'mount --bind "$HOSTS" /etc/hosts && ' +
  'mount --bind "$RESOLV" /etc/resolv.conf && exec "$@"\' bash "$@"';

/** A line of bash that takes root's right to open any file. */
export const withoutOverride = 'exec setpriv --bounding-set=-dac_override,-dac_read_search "$@"';

export const makeStateDir = (world: World): Promise<unknown> => mkdir(world.stateDir, { mode: 0o700 });

/** Its state directory as it sees it. */
export const stateOf = ({ agent, stateDir }: World): string => `/proc/${agent.pid}/root${stateDir}`;

/**
 * Makes its state directory read-only (`ro`), or lifts that (`rw`), as it sees it: with a mount above it, because the
 * kernel refuses to change one in which a file is open for writing. Such files can be written still.
 */
export function remount({ agent, stateDir }: World, options: 'ro' | 'rw'): void {
  mountAbove(stateDir, options, ['nsenter', '-t', String(agent.pid), '-m']);
}

/** The same for a disk that is not the agent's alone. */
export const remountHere = (dir: string, options: 'ro' | 'rw'): void => mountAbove(dir, options, ['env']);

function mountAbove(dir: string, options: 'ro' | 'rw', [enter = '', ...how]: string[]): void {
  const run = (...command: string[]) => execFileSync(enter, [...how, ...command], { stdio: 'ignore' });
  if (options === 'rw') return void run('umount', '--lazy', dir);
  run('mount', '--bind', dir, dir);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return void run('mount', '-o', 'remount,bind,ro', dir);
    } catch (error) {
      if (attempt === 100) throw error; // the agent writes something just now
      run('sleep', '0.02');
    }
  }
}

/** Writes until the disk takes no more. */
export async function fillDisk(world: World): Promise<void> {
  const error = await writeFile(join(stateOf(world), 'filler'), Buffer.alloc(8 * 1024 * 1024)).catch(
    (cause: NodeJS.ErrnoException) => cause.code,
  );
  if (error !== 'ENOSPC') throw new Error(`the disk took it all (${error})`);
}

/** Makes files until there are no inodes left. */
export function useUpInodes(world: World): void {
  for (let count = 0; count < 1000; count += 1) {
    try {
      writeFileSync(join(stateOf(world), `filler-${count}`), '');
    } catch {
      return;
    }
  }
  throw new Error('there is no end of inodes');
}

export async function freeDisk(world: World): Promise<void> {
  for (const name of readdirSync(stateOf(world))) {
    if (name.startsWith('filler')) await rm(join(stateOf(world), name));
  }
}

const fakeClock = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((file) => existsSync(file));

/** Sets its clock, e.g. `-365d`; the monotonic clock goes on as it is. */
export const setClock = (world: World, offset: string): Promise<void> =>
  writeFile(join(world.folder, 'clock'), `${offset}\n`);

export const withSetClock = (world: World) => ({
  LD_PRELOAD: fakeClock ?? '',
  FAKETIME_TIMESTAMP_FILE: join(world.folder, 'clock'),
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

/** How many descriptors it may open; those that are open stay open. */
export function limitDescriptors({ agent }: World, most: number): void {
  execFileSync('prlimit', ['--pid', String(agent.pid), `--nofile=${most}:`]);
}

/** What a fault needs of this machine. */
export type Need = 'mounts' | 'clock' | 'openssl' | 'limits' | 'rig' | 'signs';

const hostSigns = await readHostSigns('/');

const runs = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

const checks: Record<Need, () => boolean> = {
  mounts: () =>
    runs('unshare', '-m', 'bash', '-c', 'mount -t tmpfs tmpfs /mnt && command -v nsenter setpriv'),
  clock: () => fakeClock !== undefined,
  // what a killed faketime of the same process id has left in shared memory stops the first
  openssl: () => [1, 2].some(() => runs('faketime', '-f', '+1d', 'openssl', 'version')),
  limits: () => runs('prlimit', '--version'),
  rig: () => missingTools().length === 0,
  // what tells this machine from others: a container may show nothing of the kind
  signs: () => hostSigns.length > 0,
};

export const isHere = (need: Need): boolean => checks[need]();
