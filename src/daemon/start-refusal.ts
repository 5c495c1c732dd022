/** Why a daemon cannot start, with the remedy, and the exit code for the supervisor. */
import type { HostKind } from '../base/environment.ts';
import { ConfigError, ConfigUnreadableError } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import {
  StateLinkError,
  StateLockedError,
  StateOwnerError,
  StateUnreadableError,
} from '../host/state-errors.ts';

export interface StartRefusal {
  readonly message: string;
  readonly exitCode: number;
}

/** @returns undefined for any other error: a bug */
export function startRefusalOf(error: unknown, hostKind: HostKind): StartRefusal | undefined {
  if (error instanceof ConfigError) {
    const mayPass = error instanceof ConfigUnreadableError;
    return { message: error.message, exitCode: mayPass ? exitCode.failed : exitCode.config };
  }
  if (error instanceof StateLockedError) {
    const message = `${error.message}; give this one another state.dir (HOSTNODE_STATE_DIR)`;
    return { message, exitCode: exitCode.failed };
  }
  if (error instanceof StateUnreadableError) {
    const remedy = 'check its disk, owner and mode, or set nodeId (HOSTNODE_NODE_ID) to this host’s name';
    return {
      message: `${error.message}; without it this host would report under another name: ${remedy}`,
      exitCode: exitCode.failed,
    };
  }
  if (error instanceof StateOwnerError) {
    const { message, dir, uid } = error;
    const remedy = `run it as that user (${asUser(uid, hostKind)}), give root the directory (chown -R root ${dir}), or set state.allowOtherOwner: true (HOSTNODE_STATE_ALLOW_OTHER_OWNER)`;
    return { message: `${message}; ${remedy}`, exitCode: exitCode.config };
  }
  if (error instanceof StateLinkError) {
    const message = `${error.message}; set state.dir (HOSTNODE_STATE_DIR) to the directory itself`;
    return { message, exitCode: exitCode.config };
  }
  return undefined;
}

/** How an agent runs as this user here. */
function asUser(uid: number, { units, inContainer }: HostKind): string {
  const byHand = `sudo -u '#${uid}' hostnode run`;
  if (units.includes('hostnode')) return `systemctl start hostnode, or ${byHand}`;
  return inContainer ? `start the container with --user ${uid}` : byHand;
}
