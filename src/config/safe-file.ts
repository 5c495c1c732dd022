/** The files that the configuration consists of, or names: read within bounds, and who else may write them. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Environment } from '../base/environment.ts';
import { attempt, HostNodeError } from '../base/errors.ts';
import { type OpenPlace, openPlaces } from '../base/open-places.ts';
import { pathText, valueAt } from '../base/words.ts';
import { containerKind } from '../host/host-kind.ts';

/** Over 50,000 slots; a larger file is none of ours. */
const MOST_BYTES = 4 * 1024 * 1024;

/** What stands at the path is nothing to read: a pipe or device without end, or too much. Retrying does not help. */
class UnsafeFileError extends HostNodeError {
  readonly code = 'FILE_UNSAFE';
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** @throws {UnsafeFileError} with any other encoding its letters would be replaced without a word */
export function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new UnsafeFileError('not UTF-8: save it as UTF-8');
  }
}

/**
 * The text of a regular file of at most 4 MiB. Does not wait for the other end of a pipe.
 *
 * @throws the file system's error, or UnsafeFileError
 */
export function readRegularFile(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new UnsafeFileError('not a regular file');
    if (stats.size > MOST_BYTES) throw new UnsafeFileError(`${stats.size} bytes, at most ${MOST_BYTES}`);
    return utf8(readFileSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** What sends secrets elsewhere, or starts another program. */
const SENSITIVE = [
  ['cloud'],
  ['clouds'],
  ['metrics', 'otlp'],
  ['notify'],
  ['status', 'passwordFile'],
  ['adb', 'bin'],
];

/** Variables that do so in any program, or in Node's. */
const SENSITIVE_VARIABLE = /^(?:NODE|LD|SSL|OPENSSL)_|_proxy$/i;

export function exposuresOfValues(
  file: string,
  values: object,
  env: Environment,
  variables: readonly string[] = [],
): Exposure[] {
  const keys = SENSITIVE.filter((path) => valueAt(values, path) !== undefined).map(pathText);
  const sensitive = [...keys, ...variables.filter((name) => SENSITIVE_VARIABLE.test(name))];
  return exposuresOf(file, env, sensitive.length > 0 ? `sets ${sensitive.join(', ')}` : undefined);
}

/** A place that others can write, and so change a file of the configuration. */
export interface Exposure {
  readonly place: string;
  /** It gives others a way to the secrets: a problem, not a warning. */
  readonly isWay: boolean;
  readonly line: string;
}

/**
 * Who besides root and this user may write a file of the configuration. A group is never a problem: somebody gave it the
 * right; and one with the number of the owner is taken for the owner's own.
 *
 * @param way to the secrets, after "the file": `sets cloud`; absent where it is none
 */
export function exposuresOf(file: string, env: Environment, way?: string): Exposure[] {
  const isFixed = readOnlyMounts(env);
  const places = attempt(() => openPlaces(file, trustedUsers(env))) ?? [];
  return places.flatMap((place) => {
    const { path, uid, gid, to } = place;
    if (isFixed(path) || (to === 'group' && (gid === 0 || gid === uid))) return [];
    const isWay = way !== undefined && to !== 'group';
    const what = isWay ? `, and ${path === file ? 'it' : file} ${way}` : '';
    return { place: path, isWay, line: lineOf(place, what) };
  });
}

export function worstOf(exposures: readonly Exposure[]): { problems: string[]; warnings: string[] } {
  const byPlace = new Map<string, Exposure>();
  for (const each of exposures) if (!byPlace.get(each.place)?.isWay) byPlace.set(each.place, each);
  const lines = (isWay: boolean) =>
    [...byPlace.values()].flatMap((each) => (each.isWay === isWay ? each.line : []));
  return { problems: lines(true), warnings: lines(false) };
}

function lineOf({ to, uid, gid, mode, path }: OpenPlace, what: string): string {
  if (to === 'owner')
    return `${path}: belongs to user ${uid}, who may write it${what}; run: chown root ${path}`;
  const [who, remedy] = to === 'group' ? [`group ${gid}`, 'chmod g-w'] : ['anybody', 'chmod go-w'];
  const shown = mode.toString(8).padStart(4, '0');
  return `${path}: ${who} may write it (mode ${shown})${what}; run: ${remedy} ${path}`;
}

/** This user; for root also who called sudo, and the user of the service: what that may write, the agent takes. */
function trustedUsers({ SUDO_UID }: Environment): number[] {
  const uid = process.geteuid?.() ?? 0;
  if (uid !== 0) return [uid];
  const ofService = /^hostnode:[^:]*:(\d+):/m.exec(attempt(() => readRegularFile('/etc/passwd')) ?? '')?.[1];
  return [SUDO_UID, ofService].flatMap((each) => (each ? Number(each) : []));
}

/**
 * In a container nobody can write what its engine has mounted read-only, whatever the modes are. (In a service of systemd
 * others can: the mount is read-only for the service alone.)
 */
function readOnlyMounts(env: Environment): (path: string) => boolean {
  if (containerKind('/', env) !== 'application') return () => false;
  const lines = attempt(() => readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n')) ?? [];
  const mounts = lines.map((line) => line.split(' ')); // proc_pid_mountinfo(5): its point and options are the 5th and 6th
  return (path) => {
    const holding = mounts.filter(
      ([, , , , point = '']) => path === point || path.startsWith(point.replace(/\/?$/, '/')),
    );
    const nearest = holding
      .toSorted(([, , , , one = ''], [, , , , other = '']) => one.length - other.length)
      .at(-1);
    return nearest?.[5]?.split(',').includes('ro') ?? false;
  };
}
