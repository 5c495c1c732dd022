/** What a daemon opens before its agent starts; what is amiss with it is said, and most of it is no reason not to start. */

import { hostname } from 'node:os';
import type { ActiveAgent } from '../agent/active-agent.ts';
import type { Agent } from '../agent/agent.ts';
import { ConfigError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { version } from '../base/version.ts';
import type { Config } from '../config/load.ts';
import { type Identity, readIdentity } from '../host/identity.ts';
import type { ReadOptions } from '../host/json-file.ts';
import { lockStateDirectory, type StateLock } from '../host/lock.ts';
import { openStateDirectory } from '../host/state-dir.ts';
import {
  StateLinkError,
  StateLockedError,
  StateOwnerError,
  StateUnreadableError,
} from '../host/state-errors.ts';
import { Unread } from '../host/unread.ts';
import type { RosterRecord } from '../roster/device.ts';
import { readSpareRoster } from '../roster/spare.ts';
import { readRoster, rosterPath } from '../roster/store.ts';
import type { HistoryRecord } from '../status/history.ts';
import { historyPath, readHistory } from '../status/history-store.ts';
import { StatusModel } from '../status/status-model.ts';

type StateConfig = Config['state'];

/**
 * The state directory, held for this agent alone.
 *
 * @returns undefined where it cannot be used: the agent works without it
 * @throws {StateLockedError}
 * @throws {StateOwnerError}
 * @throws {StateLinkError}
 */
export async function openState(state: StateConfig, log: Logger): Promise<StateLock | undefined> {
  try {
    return await holdState(state, log);
  } catch (error) {
    if (isRefusal(error)) throw error;
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
export async function reopenState(state: StateConfig, log: Logger): Promise<StateLock | undefined> {
  try {
    const lock = await holdState(state, log);
    log.info({ stateDir: state.dir }, 'the state directory is held again');
    return lock;
  } catch (error) {
    if (error instanceof StateLockedError) throw error;
    return undefined;
  }
}

/** Nothing that the agent could work on without. */
const isRefusal = (error: unknown): boolean =>
  [StateLockedError, StateOwnerError, StateLinkError].some((kind) => error instanceof kind);

async function holdState({ dir, ...options }: StateConfig, log: Logger): Promise<StateLock> {
  const mode = await openStateDirectory(dir, options);
  const lock = await lockStateDirectory(dir);
  if ((mode & 0o077) !== 0) {
    log.warn({ mode: mode.toString(8), todo: `chmod 700 ${dir}` }, 'the state directory is open to others');
  }
  return lock;
}

/**
 * The name by which this host reports.
 *
 * @param former what it was before a reload
 * @throws {ConfigError} when it has none
 * @throws {StateUnreadableError} when it cannot be known now
 */
export async function openIdentity(
  config: Config,
  log: Logger,
  former?: { stateDir: string; identity: Identity },
): Promise<Identity> {
  const stateDir = config.state.dir;
  const identity = await readIdentity(config.nodeId, stateDir, { root: '/', env: process.env }).catch(
    (error: unknown) => {
      if (!(error instanceof StateUnreadableError) || former?.stateDir !== stateDir) throw error;
      log.warn({ err: error }, 'the node id cannot be read: the one in force stays');
      return former.identity;
    },
  );
  const { nodeId, source, notKept, unfit, copied, trouble, keptTrouble } = identity;
  if (unfit !== undefined) throw new ConfigError([`${unfit.seen}. ${unfit.mend}`]);
  if (copied !== undefined) {
    log.error(
      { nodeId, stateDir, todo: copied.mend },
      'the state directory was written on another host by the same name: two hosts may report as one',
    );
  }
  for (const said of [trouble, keptTrouble]) if (said !== undefined) log.error(said);
  if (notKept !== undefined && source === 'random') {
    log.error(
      { err: notKept, nodeId },
      'the node id cannot be kept: the next start will have another one; set nodeId',
    );
  }
  return identity;
}

export interface OpenRoster {
  /** The phones that an earlier run knew. */
  readonly record?: RosterRecord;
  /** Its file, where that cannot be read. */
  readonly unread?: Unread<RosterRecord>;
}

/** @param before of the agent before a reload, which had another directory: it knows better */
export async function openRoster(stateDir: string, log: Logger, before?: RosterRecord): Promise<OpenRoster> {
  const read = (options?: ReadOptions) => readRoster(stateDir, options);
  const spare = await readSpareRoster(stateDir, process.env); // first: the other read may set roster.json aside
  const { value: found, trouble, mustStay } = await read();
  if (trouble !== undefined) log.error(trouble);
  const isSpareUsed = spare?.isNewest || trouble !== undefined;
  const value = isSpareUsed ? (spare?.roster ?? found) : found;
  if (spare && isSpareUsed)
    log.warn({ phones: spare.roster.devices.length }, 'the roster is taken from its spare file');
  const record = before && value ? joined(before, value) : (before ?? value);
  const unread = mustStay && new Unread({ path: rosterPath(stateDir), read, log });
  return omitUndefined({ record, unread });
}

function joined(known: RosterRecord, found: RosterRecord): RosterRecord {
  const udids = new Set(known.devices.map(({ udid }) => udid));
  return {
    devices: [...known.devices, ...found.devices.filter(({ udid }) => !udids.has(udid))],
    sharedSerials: [...new Set([...known.sharedSerials, ...found.sharedSerials])],
    partedPlaces: [...new Set([...known.partedPlaces, ...found.partedPlaces])],
  };
}

export interface OpenBoard {
  /** With the history that an earlier run has kept. */
  readonly statusModel: StatusModel;
  /** The history's file, where that cannot be read. */
  readonly unread?: Unread<HistoryRecord>;
}

export async function openStatusModel(
  stateDir: string,
  log: Logger,
  active: ActiveAgent<Agent>,
  isRosterWhole: () => boolean,
): Promise<OpenBoard> {
  const read = (options?: ReadOptions) => readHistory(stateDir, options);
  const { value: record, trouble, mustStay } = await read();
  if (trouble !== undefined) log.error(trouble);
  const statusModel = new StatusModel(
    omitUndefined({ hostName: hostname(), version, record, isRosterWhole }),
    active,
  );
  return omitUndefined({
    statusModel,
    unread: mustStay && new Unread({ path: historyPath(stateDir), read, log }),
  });
}
