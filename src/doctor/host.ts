/** This host: its name in the cloud, and hostnode's units. */

import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { childEnvironment, type HostKind } from '../base/environment.ts';
import { hasCode } from '../base/errors.ts';
import { quantity } from '../base/words.ts';
import { readIdentity } from '../host/identity.ts';
import type { NodeIdPlace } from '../host/node-id.ts';
import { type CheckResult, errorText, failed, ok, skipped, warning } from './check.ts';

const NODE_ID = 'node id';

const sources = {
  configuration: 'from the configuration',
  state: 'from the state directory',
  'machine-id': 'derived from the machine-id',
  random: 'random: this host has no machine-id',
};

/** @param stateDir of the agent */
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
  return ok(NODE_ID, `${nodeId}, ${sources[source]}`);
}

const UNITS = ['hostnode.service', 'hostnode-adb.service'] as const;
const PROPERTIES = 'Id,LoadState,UnitFileState,ActiveState,SubState,Result,NRestarts,MainPID';
const LIMIT_MS = 4_000;

export interface Unit {
  readonly name: string;
  /** systemd's load state: `loaded`, `not-found`, `masked`, or an error such as `bad-setting`. */
  readonly load: string;
  /** It starts at boot, or something starts it earlier. */
  readonly isEnabled: boolean;
  /** systemd's words, e.g. `active (running)`. */
  readonly state: string;
  readonly isActive: boolean;
  /** `success`, or why it ended. */
  readonly result: string;
  readonly restarts: number;
  /** 0 if none runs. */
  readonly mainPid: number;
}

/** Reads what `systemctl show` prints: `Key=value` lines, an empty line between units. */
export function parseUnits(text: string): Unit[] {
  return text
    .trim()
    .split(/\n\n+/)
    .map((block) => {
      const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(block)?.[1] ?? '';
      return {
        name: value('Id').replace(/\.service$/, ''),
        load: value('LoadState'),
        isEnabled: value('UnitFileState') !== 'disabled',
        state: `${value('ActiveState')} (${value('SubState')})`,
        isActive: ['active', 'reloading'].includes(value('ActiveState')),
        result: value('Result'),
        restarts: Number(value('NRestarts')),
        mainPid: Number(value('MainPID')),
      };
    })
    .filter(({ name }) => name !== '');
}

/** @param serverPid the process that listens on the adb server's port, if we can see it */
export function checkUnit(unit: Unit, serverPid: number | undefined): CheckResult {
  const { name, load, isEnabled, isActive, state, result, restarts, mainPid } = unit;
  if (load === 'not-found') return skipped(name, 'not installed as a service');
  if (load === 'masked') return skipped(name, 'masked', `systemctl unmask ${name}`);
  if (load !== 'loaded') {
    return failed(name, `not loaded by systemd: ${load}`, `Run systemctl status ${name}: it names the line`);
  }
  const again = restarts > 0 ? `, restarted ${quantity(restarts, 'time')}` : '';
  if (!isActive && !isEnabled && result === 'success') return skipped(name, `${state}, and disabled`);
  if (!isActive) {
    const why = result === 'success' || result === '' ? '' : `, ended by ${result}`;
    const remedy = `Run journalctl -u ${name} -n 50 for the reason, then systemctl restart ${name}`;
    return failed(name, `${state}${why}${again}`, remedy);
  }
  if (name === 'hostnode-adb' && serverPid !== undefined && serverPid !== mainPid) {
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
