/** This host's name in the cloud, and whether another host may have the same one. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { hasCode } from '../base/errors.ts';
import { readIdentity } from '../host/identity.ts';
import type { NodeIdPlace } from '../host/node-id.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

const NAME = 'node id';

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
): Promise<Finding> {
  const isClosed = await access(stateDir, constants.R_OK | constants.X_OK).then(
    () => false,
    (error: unknown) => !hasCode(error, 'ENOENT'),
  );
  if (isClosed) return skipped(NAME, `${stateDir}: this user has no access`, 'Run as root');
  const { nodeId, source, unfit, copied } = await readIdentity(configured, stateDir, {
    ...place,
    mayKeep: false,
  });
  const objection = unfit ?? copied;
  if (objection !== undefined) return failed(NAME, objection.seen, objection.remedy);
  return ok(NAME, `${nodeId}, ${sources[source]}`);
}
