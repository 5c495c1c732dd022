/** The state directory. Reads it, never writes to it. */
import { access, constants, lstat, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { lockHolder } from '../host/lock.ts';
import { type Accounts, userName } from './accounts.ts';
import { type CheckResult, errorText, failed, ok, skipped, warning } from './check.ts';

const NAME = 'state directory';
const SPACE = 'free space';
const MIB = 1024 ** 2;
const LITTLE_BYTES = 100 * MIB;
const TOO_LITTLE_BYTES = 10 * MIB;
const TOO_FEW_INODES = 100;

export interface Directory {
  readonly dir: string;
  readonly uid: number;
  readonly mode: number;
  /** Why nothing can be created in it, by the system's code. */
  readonly obstacle?: string;
  /** A few files in it whose owner is not the directory's. */
  readonly foreign: readonly string[];
  /** Absent if the file system does not count them. */
  readonly freeInodes?: number;
  readonly freeBytes: number;
  readonly holder?: number | 'silent';
}

/** Who runs the check, and who should own the directory. */
export interface Onlooker {
  readonly accounts: Accounts;
  readonly uid: number;
  /** The user of the service, if this is the service's directory. */
  readonly serviceUser?: string;
}

async function readDirectory(dir: string): Promise<Directory> {
  const { uid, mode } = await stat(dir);
  const files = await Promise.all(
    (await readdir(dir)).map(async (name) => {
      const stats = await lstat(join(dir, name)).catch(() => undefined);
      return { name, isForeign: stats !== undefined && stats.uid !== uid };
    }),
  );
  const { bavail, bsize, files: inodes, ffree } = await statfs(dir);
  return omitUndefined({
    dir,
    uid,
    mode: mode & 0o777,
    obstacle: await whyClosed(dir),
    foreign: files.flatMap(({ name, isForeign }) => (isForeign ? [name] : [])).slice(0, 3),
    freeBytes: bavail * bsize,
    freeInodes: inodes > 0 ? ffree : undefined,
    holder: await lockHolder(dir),
  });
}

const whyClosed = (folder: string): Promise<string | undefined> =>
  // with the slash a file is none
  access(`${folder}/`, constants.W_OK | constants.X_OK).then(() => undefined, errorText);

export async function lookAtState(dir: string, onlooker: Onlooker): Promise<CheckResult[]> {
  try {
    return checkDirectory(await readDirectory(dir), onlooker);
  } catch (error) {
    if (await isAbsent(dir)) return [await checkAbsent(dir, onlooker)];
    if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) {
      const user = userName(onlooker.accounts, onlooker.uid);
      return [skipped(NAME, `${dir}: ${user} has no access`, 'Run as root, or as the agent’s user')];
    }
    const remedy = 'Check what is there, and its disk, or set state.dir';
    return [failed(NAME, `${dir} cannot be read (${errorText(error)})`, remedy)];
  }
}

const isAbsent = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    (error: unknown) => hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR'),
  );

/** The agent creates it at its start, if it may; systemd creates the service's. */
async function checkAbsent(dir: string, { accounts, uid, serviceUser }: Onlooker): Promise<CheckResult> {
  const user = userName(accounts, uid);
  const above = await nearestAbove(dir);
  const code = serviceUser === undefined ? await whyClosed(above) : undefined;
  if (code === undefined) return ok(NAME, `${dir} does not exist yet: the agent creates it at its start`);
  return failed(
    NAME,
    `${dir} does not exist, and ${user} cannot create it in ${above} (${code})`,
    `Create it as root and give it to the agent’s user (chown ${user} ${dir}), or set state.dir`,
  );
}

async function nearestAbove(path: string): Promise<string> {
  const above = dirname(path);
  return above !== path && (await isAbsent(above)) ? nearestAbove(above) : above;
}

export function checkDirectory(
  directory: Directory,
  { accounts, uid, serviceUser }: Onlooker,
): CheckResult[] {
  const { dir, foreign, obstacle, mode } = directory;
  const owner = userName(accounts, directory.uid);
  const seen = `${dir}, owner ${owner}, mode ${mode.toString(8).padStart(4, '0')}`;
  const should = serviceUser ?? (uid === 0 ? owner : userName(accounts, uid));
  const whole = `${dir}/`; // chown -R follows a link only with the slash
  const readOnly = 'See dmesg for the reason; mount it read-write, or set state.dir';
  const faults: readonly (readonly [isThere: boolean, what: string, remedy: string])[] = [
    [obstacle === 'EROFS', ': the file system is read-only', readOnly],
    [obstacle === 'EPERM', ': nobody may write to it', `lsattr -d ${dir}; chattr -i ${dir}`],
    [owner !== should, `: the owner should be ${should}`, `chown -R ${should} ${whole}`],
    [(mode & 0o300) !== 0o300, ': not writable', `chmod 700 ${dir}`],
    [foreign.length > 0, `; files with another owner: ${foreign.join(', ')}`, `chown -R ${owner} ${whole}`],
  ];
  const [, what, remedy] = faults.find(([isThere]) => isThere) ?? [];
  const isOpen = (mode & 0o077) !== 0;
  const access = isOpen ? warning(NAME, `${seen}: open to others`, `chmod 700 ${dir}`) : ok(NAME, seen);
  const result = what === undefined ? access : failed(NAME, seen + what, remedy);
  return [result, checkSpace(directory), checkHolder(directory)];
}

function checkSpace({ freeBytes, freeInodes, dir }: Directory): CheckResult {
  const inodes = freeInodes === undefined ? '' : `, ${freeInodes} inodes`;
  const seen = `${Math.floor(freeBytes / MIB)} MiB${inodes} free at ${dir}`;
  const remedy = 'Free some space: without it a restart forgets the unplugged phones';
  if (freeBytes < TOO_LITTLE_BYTES || (freeInodes ?? TOO_FEW_INODES) < TOO_FEW_INODES) {
    return failed(SPACE, seen, remedy);
  }
  return freeBytes < LITTLE_BYTES ? warning(SPACE, seen, remedy) : ok(SPACE, seen);
}

function checkHolder({ holder }: Directory): CheckResult {
  if (holder === undefined) return skipped('running agent', 'no agent uses this directory now');
  const who = holder === 'silent' ? 'an agent' : `an agent, process ${holder},`;
  return ok('running agent', `${who} uses this directory`);
}
