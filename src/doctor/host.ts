/** This host: its name in the cloud, and hostnode's units. */

import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { parseEnv, promisify } from 'node:util';
import { childEnvironment, type HostKind } from '../base/environment.ts';
import { hasCode } from '../base/errors.ts';
import { quantity } from '../base/words.ts';
import { type NodeIdPlace, nodeIdSources, readIdentity } from '../host/identity.ts';
import { type CheckResult, errorText, failed, ok, skipped, warning } from './check.ts';

const NODE_ID = 'node id';

export async function lookAtIdentity(
  configured: string | undefined,
  stateDir: string,
  place: Pick<NodeIdPlace, 'root' | 'env'>,
): Promise<CheckResult> {
  const isClosed = await access(stateDir, constants.R_OK | constants.X_OK).then(
    () => false,
    (error: unknown) => !hasCode(error, 'ENOENT'),
  );
  if (isClosed) return skipped(NODE_ID, `${stateDir}: this user has no access`, 'Run as root');
  const { nodeId, source, unfit, copied } = await readIdentity(configured, stateDir, {
    ...place,
    mayKeep: false,
  });
  const objection = unfit ?? copied;
  if (objection !== undefined) return failed(NODE_ID, objection.seen, objection.remedy);
  return ok(NODE_ID, `${nodeId}, ${nodeIdSources[source]}`);
}

const UNITS = ['hostnode.service', 'hostnode-adb.service'] as const;
const PROPERTIES = 'Id,LoadState,UnitFileState,ActiveState,SubState,Result,NRestarts,MainPID';
const LIMIT_MS = 4_000;

/** A unit by the names that systemd gives its properties: `LoadState`, `ActiveState`, … */
export type Unit = Readonly<Record<string, string | undefined>>;

/** Reads what `systemctl show` prints: `Key=value` lines, an empty line between units. */
export const parseUnits = (text: string): Unit[] =>
  text
    .split(/\n\n+/)
    .map((block) => parseEnv(block))
    .filter(({ Id }) => Id !== undefined);

/** @param serverPid the process that listens on the adb server's port, if we can see it */
export function checkUnit(unit: Unit, serverPid: number | undefined): CheckResult {
  const { Id = '', LoadState: load, ActiveState = '', SubState, Result: result = '', NRestarts = 0 } = unit;
  const name = Id.replace(/\.service$/, '');
  if (load === 'not-found') return skipped(name, 'not installed as a service');
  if (load === 'masked') return skipped(name, 'masked', `systemctl unmask ${name}`);
  if (load !== 'loaded') {
    return failed(name, `not loaded by systemd: ${load}`, `Run systemctl status ${name}: it names the line`);
  }
  const state = `${ActiveState} (${SubState})`;
  const again = Number(NRestarts) > 0 ? `, restarted ${quantity(Number(NRestarts), 'time')}` : '';
  if (!['active', 'reloading'].includes(ActiveState)) {
    const isDisabled = unit.UnitFileState === 'disabled'; // else it starts at boot, or something starts it
    if (isDisabled && result === 'success') return skipped(name, `${state}, and disabled`);
    const why = result === 'success' || result === '' ? '' : `, ended by ${result}`;
    const remedy = `Run journalctl -u ${name} -n 50 for the reason, then systemctl restart ${name}`;
    return failed(name, `${state}${why}${again}`, remedy);
  }
  if (name === 'hostnode-adb' && serverPid !== undefined && serverPid !== Number(unit.MainPID)) {
    const remedy = 'Stop the other adb server; this one takes over within a second';
    return warning(name, `waiting: process ${serverPid} holds the port`, remedy);
  }
  return ok(name, `${state}${again}`);
}

export async function lookAtUnits(
  { hasSystemd }: Pick<HostKind, 'hasSystemd'>,
  serverPid: number | undefined,
): Promise<CheckResult[]> {
  if (!hasSystemd) return [skipped('units', 'systemd does not run here')];
  try {
    const { stdout } = await promisify(execFile)(
      'systemctl',
      ['show', ...UNITS, `--property=${PROPERTIES}`],
      { timeout: LIMIT_MS, env: childEnvironment(process.env) },
    );
    return parseUnits(stdout).map((unit) => checkUnit(unit, serverPid));
  } catch (error) {
    // a container may see the host's /run
    if (hasCode(error, 'ENOENT')) return [skipped('units', 'systemctl is not installed here')];
    return [
      warning('units', `systemctl did not answer (${errorText(error)})`, 'Run: systemctl status hostnode'),
    ];
  }
}
