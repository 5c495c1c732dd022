import { HostNodeError } from '../base/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a file stands in its place',
  EMFILE: 'too many open files',
  EIO: 'the disk cannot be read or written',
  ELOOP: 'a symbolic link stands in its place',
};

/** Why the system did not do it, in words where there are any. */
export function systemReason(cause: unknown): string {
  if (cause instanceof HostNodeError) return cause.message;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return reasons[code] ?? code;
}

/** The state directory cannot be written. The agent works on without it; trying again later may help. */
export class StateUnwritableError extends HostNodeError {
  readonly code = 'STATE_UNWRITABLE';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`cannot write ${path}: ${systemReason(cause)}`, { cause });
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

/** A file without which the agent must not start cannot be read now. Trying again later may help. */
export class StateUnreadableError extends HostNodeError {
  readonly code = 'STATE_UNREADABLE';
  readonly path: string;

  /** @param why in words */
  constructor(path: string, why: string) {
    super(`cannot read ${path}: ${why}`);
    this.path = path;
  }
}

/** Root was about to work in another user's directory. Trying again does not help. */
export class StateOwnerError extends HostNodeError {
  readonly code = 'STATE_OWNER';
  readonly dir: string;
  readonly uid: number;

  constructor(dir: string, uid: number) {
    super(`${dir} belongs to user ${uid}, and this agent runs as root`);
    this.dir = dir;
    this.uid = uid;
  }
}

/** Root was about to follow a link that another user may have made. Trying again does not help. */
export class StateLinkError extends HostNodeError {
  readonly code = 'STATE_LINK';

  /** @param name of the link, a part of `path` or of what that leads to */
  constructor(path: string, name: string) {
    super(
      `root does not follow the link ${JSON.stringify(name)} on the way to ${path}: another user may change it`,
    );
  }
}
