/** What a daemon opens before its agent starts; what is amiss with it is said, and most of it is no reason not to start. */
import { hostname } from 'node:os';
import type { Config } from '../config/load.ts';
import { ConfigError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type Identity, readIdentity } from '../machine/identity.ts';
import { present } from '../present.ts';
import type { RosterRecord } from '../roster/roster.ts';
import { readSpareRoster } from '../roster/spare.ts';
import { readRoster } from '../roster/store.ts';
import { StateLockedError } from '../state/errors.ts';
import { lockStateDirectory, type StateLock } from '../state/lock.ts';
import { openStateDirectory } from '../state/state-dir.ts';
import { Board } from '../status/board.ts';
import { readHistory } from '../status/history-store.ts';
import { version } from '../version.ts';

/**
 * The state directory, held for this agent alone.
 *
 * @returns undefined where it cannot be used: the agent works without it
 * @throws {StateLockedError}
 */
export async function openState(dir: string, log: Logger): Promise<StateLock | undefined> {
  try {
    return await holdState(dir, log);
  } catch (error) {
    if (error instanceof StateLockedError) throw error;
    log.error(
      { err: error },
      'the state directory cannot be used: a restart will forget the unplugged phones',
    );
    return undefined;
  }
}

/**
 * The same while the agent runs: whether the directory can be used again. That it cannot was said.
 *
 * @throws {StateLockedError}
 */
export async function reopenState(dir: string, log: Logger): Promise<StateLock | undefined> {
  try {
    const lock = await holdState(dir, log);
    log.info({ stateDir: dir }, 'the state directory is held again');
    return lock;
  } catch (error) {
    if (error instanceof StateLockedError) throw error;
    return undefined;
  }
}

async function holdState(dir: string, log: Logger): Promise<StateLock> {
  const mode = await openStateDirectory(dir);
  const lock = await lockStateDirectory(dir);
  if ((mode & 0o077) !== 0) {
    log.warn({ mode: mode.toString(8), todo: `chmod 700 ${dir}` }, 'the state directory is open to others');
  }
  return lock;
}

/**
 * The name by which this host reports.
 *
 * @throws {ConfigError} when it has none
 */
export async function openIdentity(config: Config, log: Logger): Promise<Identity> {
  const stateDir = config.state.dir;
  const identity = await readIdentity(config.nodeId, stateDir, { root: '/', env: process.env });
  const { nodeId, source, notKept, unfit, copied, trouble } = identity;
  if (unfit !== undefined) throw new ConfigError([`${unfit.seen}. ${unfit.mend}`]);
  if (copied !== undefined) {
    log.error(
      { nodeId, stateDir, todo: copied.mend },
      'the state directory was written on another host by the same name: two hosts may report as one',
    );
  }
  if (trouble !== undefined) log.error(trouble);
  if (notKept !== undefined && source === 'random') {
    log.error(
      { err: notKept, nodeId },
      'the node id cannot be kept: the next start will have another one; set nodeId',
    );
  }
  return identity;
}

/**
 * The phones that an earlier run knew.
 *
 * @param before of the agent before a reload, which had another directory: it knows better
 */
export async function openRoster(
  stateDir: string,
  log: Logger,
  before?: RosterRecord,
): Promise<RosterRecord | undefined> {
  const spare = await readSpareRoster(stateDir, process.env);
  const { value: found, trouble } = await readRoster(stateDir);
  if (trouble !== undefined) log.error(trouble);
  const isSpareUsed = spare?.isNewest || trouble !== undefined;
  const value = isSpareUsed ? (spare?.roster ?? found) : found;
  if (spare && isSpareUsed)
    log.warn({ phones: spare.roster.devices.length }, 'the roster is taken from its spare file');
  return before && value ? joined(before, value) : (before ?? value);
}

function joined(known: RosterRecord, found: RosterRecord): RosterRecord {
  const udids = new Set(known.devices.map(({ udid }) => udid));
  return {
    devices: [...known.devices, ...found.devices.filter(({ udid }) => !udids.has(udid))],
    sharedSerials: [...new Set([...known.sharedSerials, ...found.sharedSerials])],
    partedPlaces: [...new Set([...known.partedPlaces, ...found.partedPlaces])],
  };
}

/** The board, with the history that an earlier run has kept. */
export async function openBoard(stateDir: string, log: Logger): Promise<Board> {
  const { value: record, trouble } = await readHistory(stateDir);
  if (trouble !== undefined) log.error(trouble);
  return new Board(present({ hostName: hostname(), version, record }));
}
