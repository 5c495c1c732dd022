/** The state directory: looked at, never written to. */
import type { Stats } from 'node:fs';
import { access, constants, lstat, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../errors.ts';
import { present } from '../present.ts';
import { lockHolder } from '../state/lock.ts';
import { type Accounts, userName } from './accounts.ts';
import { type Finding, failed, ok, reasonOf, skipped, warning } from './finding.ts';

const NAME = 'state directory';
const SPACE = 'free space';
const MIB = 1024 ** 2;
const LITTLE_BYTES = 100 * MIB;
const TOO_LITTLE_BYTES = 10 * MIB;
const TOO_FEW_INODES = 100;

export interface Directory {
  readonly dir: string;
  /** A link stands in its place. */
  readonly isLink?: boolean;
  readonly uid: number;
  /** Permission bits. */
  readonly mode: number;
  /** Why nothing can be written there whatever the permission bits say, e.g. `EROFS`. */
  readonly obstacle?: 'EROFS' | 'EPERM';
  /** A few of its files that belong to another user than the directory. */
  readonly foreign: readonly string[];
  /** Absent where the file system does not count them. */
  readonly freeInodes?: number;
  readonly freeBytes: number;
  readonly holder?: number | 'silent';
}

/** Who looks at it, and who ought to own it. */
export interface Onlooker {
  readonly accounts: Accounts;
  readonly uid: number;
  /** The user of the service, where this is the service's directory. */
  readonly serviceUser?: string;
}

async function readDirectory(dir: string): Promise<Directory> {
  const { uid, mode } = await directoryAt(dir);
  const names = await readdir(dir);
  const files = await Promise.all(
    names.map(async (name) => ({ name, stats: await lstat(join(dir, name)).catch(() => undefined) })),
  );
  const { bavail, bsize, files: inodes, ffree } = await statfs(dir);
  return present({
    dir,
    isLink: (await lstat(dir)).isSymbolicLink(),
    uid,
    mode: mode & 0o777,
    obstacle: await diskObstacle(dir),
    foreign: files.flatMap(({ name, stats }) => (stats && stats.uid !== uid ? [name] : [])).slice(0, 3),
    freeBytes: bavail * bsize,
    freeInodes: inodes > 0 ? ffree : undefined,
    holder: await lockHolder(dir),
  });
}

/** Of the file system, or of the folder's attributes; what the permission bits say is judged by themselves. */
async function diskObstacle(dir: string): Promise<Directory['obstacle']> {
  try {
    await access(dir, constants.W_OK | constants.X_OK);
  } catch (error) {
    return (['EROFS', 'EPERM'] as const).find((code) => hasCode(error, code));
  }
  return undefined;
}

/** Of what the agent uses: where a link stands in its place, of what it leads to. */
async function directoryAt(dir: string): Promise<Stats> {
  const stats = await stat(dir);
  if (stats.isDirectory()) return stats;
  throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
}

export async function lookAtState(dir: string, onlooker: Onlooker): Promise<Finding[]> {
  try {
    return judgeDirectory(await readDirectory(dir), onlooker);
  } catch (error) {
    if (await isAbsent(dir)) return [await judgeAbsent(dir, onlooker)];
    if (hasCode(error, 'ENOENT')) {
      const mend = 'Make the directory that it leads to, or take the link away';
      return [failed(NAME, `${dir} is a link that leads nowhere`, mend)];
    }
    if (hasCode(error, 'ENOTDIR')) {
      return [failed(NAME, `${dir} is not a directory`, 'Move what stands in its place, or set state.dir')];
    }
    if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) {
      const mend = 'Run this as root, or as the user of the agent';
      return [skipped(NAME, `${dir} is closed to ${userName(onlooker.accounts, onlooker.uid)}`, mend)];
    }
    return [failed(NAME, `${dir} cannot be read (${reasonOf(error)})`, 'Check the disk that holds it')];
  }
}

const isAbsent = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    (error: unknown) => hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR'),
  );

/** The agent makes it at its start, where it may; the service's is made by systemd. */
async function judgeAbsent(dir: string, { accounts, uid, serviceUser }: Onlooker): Promise<Finding> {
  const user = userName(accounts, uid);
  const above = await nearestAbove(dir);
  const obstacle = serviceUser === undefined ? await obstacleAt(above, user) : undefined;
  if (obstacle === undefined) return ok(NAME, `${dir} is not there yet: the agent makes it at its start`);
  return failed(
    NAME,
    `${dir} is not there, and cannot be made: ${above} ${obstacle}`,
    `Make it as root and give it to the user of the agent (chown ${user} ${dir}), or set state.dir`,
  );
}

/** The nearest thing above a path that is there. */
async function nearestAbove(path: string): Promise<string> {
  const above = dirname(path);
  return above !== path && (await isAbsent(above)) ? nearestAbove(above) : above;
}

/** Why nothing can be made in this folder. */
async function obstacleAt(folder: string, user: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return 'is not a directory';
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return hasCode(error, 'EACCES') ? `is closed to ${user}` : `cannot be written to (${reasonOf(error)})`;
  }
}

/** Pure: what follows from how the directory is. */
export function judgeDirectory(directory: Directory, { accounts, uid, serviceUser }: Onlooker): Finding[] {
  const { dir, foreign } = directory;
  const owner = userName(accounts, directory.uid);
  const mode = directory.mode.toString(8).padStart(4, '0');
  const seen = `${dir}, owner ${owner}, mode ${mode}`;
  const should = serviceUser ?? (uid === 0 ? owner : userName(accounts, uid));
  const whole = directory.isLink ? `${dir}/` : dir; // chown -R goes through no link, but for the slash
  const judged = () => {
    if (directory.obstacle === 'EROFS') {
      const mend = 'dmesg says why, where it became so by itself; mount it for writing, or set state.dir';
      return failed(NAME, `${seen}: the file system is read-only`, mend);
    }
    if (directory.obstacle === 'EPERM') {
      return failed(NAME, `${seen}: may not be written to by anybody`, `lsattr -d ${dir}; chattr -i ${dir}`);
    }
    if (owner !== should) return failed(NAME, `${seen}: not ${should}’s`, `chown -R ${should} ${whole}`);
    if ((directory.mode & 0o300) !== 0o300) return failed(NAME, `${seen}: not writable`, `chmod 700 ${dir}`);
    if (foreign.length > 0) {
      return failed(NAME, `${seen}; of another owner: ${foreign.join(', ')}`, `chown -R ${owner} ${whole}`);
    }
    if ((directory.mode & 0o077) !== 0) return warning(NAME, `${seen}: open to others`, `chmod 700 ${dir}`);
    return ok(NAME, seen);
  };
  return [judged(), judgeSpace(directory), judgeHolder(directory)];
}

function judgeSpace({ freeBytes, freeInodes, dir }: Directory): Finding {
  const inodes = freeInodes === undefined ? '' : `, ${freeInodes} inodes`;
  const seen = `${Math.floor(freeBytes / MIB)} MiB${inodes} free at ${dir}`;
  const mend = 'Free some: without space a restart forgets the unplugged phones';
  if (freeBytes < TOO_LITTLE_BYTES || (freeInodes ?? TOO_FEW_INODES) < TOO_FEW_INODES) {
    return failed(SPACE, seen, mend);
  }
  return freeBytes < LITTLE_BYTES ? warning(SPACE, seen, mend) : ok(SPACE, seen);
}

function judgeHolder({ holder }: Directory): Finding {
  if (holder === undefined) return skipped('running agent', 'no agent uses this directory now');
  const who = holder === 'silent' ? 'an agent' : `an agent, process ${holder},`;
  return ok('running agent', `${who} uses this directory`);
}
