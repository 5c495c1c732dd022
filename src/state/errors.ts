import { HostNodeError } from '../errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a file stands in its place',
  EMFILE: 'too many open files',
};

/** Why the system did not do it, in words where there are any. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return reasons[code] ?? code;
}

/** The state directory cannot be written. The agent works on without it; trying again later may help. */
export class StateUnwritableError extends HostNodeError {
  readonly code = 'STATE_UNWRITABLE';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`cannot write ${path}: ${reasonOf(cause)}`, { cause });
    this.path = path;
  }
}

/** Another agent uses this state directory. Trying again helps only once it has ended. */
export class StateLockedError extends HostNodeError {
  readonly code = 'STATE_LOCKED';
  readonly dir: string;
  /** The other agent's process number, where it said so. */
  readonly pid?: number;

  constructor(dir: string, pid?: number) {
    super(`another agent${pid === undefined ? '' : ` (process ${pid})`} is using ${dir}`);
    this.dir = dir;
    if (pid !== undefined) this.pid = pid;
  }
}
