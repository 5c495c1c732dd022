import { HostNodeError } from '../base/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a file is in its place',
  EMFILE: 'too many open files',
  EIO: 'the disk cannot be read or written',
  ELOOP: 'a symbolic link is in its place',
};

/** The system's reason, in words if we have them. */
export function systemReason(cause: unknown): string {
  if (cause instanceof HostNodeError) return cause.message;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return reasons[code] ?? code;
}

/** The state directory cannot be written. The agent continues without it; retrying later may help. */
export class StateUnwritableError extends HostNodeError {
  readonly code = 'STATE_UNWRITABLE';

  constructor(path: string, cause: unknown) {
    super(`cannot write ${path}: ${systemReason(cause)}`, { cause });
  }
}

/** Another agent uses this state directory. Retrying helps only after it has ended. */
export class StateLockedError extends HostNodeError {
  readonly code = 'STATE_LOCKED';

  constructor(dir: string, pid?: number) {
    super(`another agent${pid === undefined ? '' : ` (process ${pid})`} is using ${dir}`);
  }
}

/** A file that the agent needs to start cannot be read now. Retrying later may help. */
export class StateUnreadableError extends HostNodeError {
  readonly code = 'STATE_UNREADABLE';

  constructor(path: string, why: string) {
    super(`cannot read ${path}: ${why}`);
  }
}

/** Root must not work in another user's directory. Retrying does not help. */
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

/** Root must not follow a link that another user may have made. Retrying does not help. */
export class StateLinkError extends HostNodeError {
  readonly code = 'STATE_LINK';

  /** @param name of the link, a part of `path` or of its target */
  constructor(path: string, name: string) {
    super(
      `root does not follow the link ${JSON.stringify(name)} in the path ${path}: another user may change it`,
    );
  }
}
