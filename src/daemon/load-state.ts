/**
 * Loads what earlier runs left in the state directory, and locks it. Logs what is wrong; a host starts without most of it.
 * And why it does not start, with the remedy.
 */
import type { HostKind } from '../base/environment.ts';
import { ConfigError, ConfigUnreadableError } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/load.ts';
import { type Identity, readIdentity } from '../host/identity.ts';
import { lockStateDirectory, type StateLock } from '../host/lock.ts';
import { openStateDirectory } from '../host/state-dir.ts';
import {
  StateLinkError,
  StateLockedError,
  StateOwnerError,
  StateUnreadableError,
} from '../host/state-errors.ts';

type StateConfig = Config['state'];

/** These end the agent: another directory, or another user, is the remedy. */
const REFUSALS = [StateLockedError, StateOwnerError, StateLinkError];

/**
 * Locks the directory that is at this path now: somebody may have removed the locked one.
 *
 * @param held the lock before: it stays where it is in place; else it is released first
 * @param isRunning the host runs: then only another agent ends it, and what the start has logged is not logged again
 * @returns undefined if the directory cannot be used: a host works without it
 * @throws {StateLockedError}
 * @throws {StateOwnerError} at the start
 * @throws {StateLinkError} at the start
 */
export async function lockState(
  state: StateConfig,
  log: Logger,
  held?: StateLock,
  isRunning = false,
): Promise<StateLock | undefined> {
  try {
    const lock = await lockedNow(state, log, held);
    if (isRunning && lock !== held) log.info({ stateDir: state.dir }, 'the state directory is held again');
    return lock;
  } catch (err) {
    if ((isRunning ? [StateLockedError] : REFUSALS).some((kind) => err instanceof kind)) throw err;
    if (!isRunning)
      log.error({ err }, 'the state directory cannot be used: a restart will forget the unplugged phones');
    return undefined;
  }
}

async function lockedNow(
  { dir, ...options }: StateConfig,
  log: Logger,
  held?: StateLock,
): Promise<StateLock> {
  if (held?.dir === dir && (await held.isInPlace())) return held;
  await held?.release();
  const mode = await openStateDirectory(dir, options);
  const lock = await lockStateDirectory(dir);
  if ((mode & 0o077) !== 0) {
    log.warn({ mode: mode.toString(8), remedy: `chmod 700 ${dir}` }, 'the state directory is open to others');
  }
  return lock;
}

/**
 * @param former the identity before a reload, and of which directory
 * @throws {ConfigError} when the host has no usable name
 * @throws {StateUnreadableError} when the name cannot be read now
 */
export async function loadIdentity(
  config: Config,
  log: Logger,
  former: { stateDir?: string; identity?: Identity },
): Promise<Identity> {
  const stateDir = config.state.dir;
  const identity = await readIdentity(config.nodeId, stateDir, { root: '/', env: process.env }).catch(
    (error: unknown) => {
      const inForce = former.stateDir === stateDir ? former.identity : undefined;
      if (!(error instanceof StateUnreadableError) || inForce === undefined) throw error;
      log.warn({ err: error }, 'the node id cannot be read: the one in force stays');
      return inForce;
    },
  );
  const { nodeId, source, notKept, unfit, copied, problem, keptProblem } = identity;
  if (unfit !== undefined) throw new ConfigError([`${unfit.seen}. ${unfit.remedy}`]);
  if (copied !== undefined) {
    log.error(
      { nodeId, stateDir, remedy: copied.remedy },
      'the state directory comes from another host with the same name: two hosts may report as one',
    );
  }
  for (const each of [problem, keptProblem]) if (each !== undefined) log.error(each);
  if (notKept !== undefined && source === 'random') {
    log.error(
      { err: notKept, nodeId },
      'cannot save the node id: the next start will use another one; set nodeId',
    );
  }
  return identity;
}

/** Why a daemon cannot start, with the remedy, and the exit code for the supervisor. */
export interface StartRefusal {
  readonly message: string;
  readonly exitCode: number;
}

/** @returns undefined for any other error: a bug */
export function startRefusalOf(error: unknown, hostKind: HostKind): StartRefusal | undefined {
  const { failed, config } = exitCode;
  if (error instanceof ConfigError)
    return { message: error.message, exitCode: error instanceof ConfigUnreadableError ? failed : config };
  if (!(error instanceof Error)) return undefined;
  const refusal = (code: number, remedy: string) => ({
    message: `${error.message}; ${remedy}`,
    exitCode: code,
  });
  if (error instanceof StateLockedError)
    return refusal(failed, 'give this one another state.dir (HOSTNODE_STATE_DIR)');
  if (error instanceof StateUnreadableError)
    return refusal(
      failed,
      'without it this host would report under another name: check its disk, owner and mode, or set nodeId (HOSTNODE_NODE_ID) to this host’s name',
    );
  if (error instanceof StateOwnerError)
    return refusal(
      config,
      `run it as that user (${asUser(error.uid, hostKind)}), give root the directory (chown -R root ${error.dir}), or set state.allowOtherOwner: true (HOSTNODE_STATE_ALLOW_OTHER_OWNER)`,
    );
  if (error instanceof StateLinkError)
    return refusal(config, 'set state.dir (HOSTNODE_STATE_DIR) to the directory itself');
  return undefined;
}

/** How an agent runs as this user here. */
function asUser(uid: number, { units, inContainer }: HostKind): string {
  const byHand = `sudo -u '#${uid}' hostnode run`;
  if (units.includes('hostnode')) return `systemctl start hostnode, or ${byHand}`;
  return inContainer ? `start the container with --user ${uid}` : byHand;
}
