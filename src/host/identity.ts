/** This host's name in the cloud, and whether another host may have the same one. */
import { omitUndefined } from '../base/omit-undefined.ts';
import {
  type HostMark,
  hostMarkName,
  isAnotherHost,
  markHost,
  readHostMark,
  readHostSigns,
  writeHostMark,
} from './host-mark.ts';
import { type NodeId, type NodeIdPlace, type Objection, readNodeId } from './node-id.ts';

export interface Identity extends NodeId {
  /** Set if the state directory is a copy from another host with the same name. */
  readonly copied?: Objection;
  /** Why the stored mark is unusable, and what happened to its file: one sentence. */
  readonly problem?: string;
}

/**
 * Reads the host's name, and marks the state directory with this host unless it is a copy.
 *
 * @param configured `nodeId` of the configuration
 * @throws {StateUnreadableError} when the name cannot be read now
 */
export async function readIdentity(
  configured: string | undefined,
  stateDir: string,
  place: NodeIdPlace,
): Promise<Identity> {
  const { root, mayKeep = true } = place;
  const [{ value: mark, problem, mustStay }, signs] = await Promise.all([
    readHostMark(stateDir, { mayRename: mayKeep }),
    readHostSigns(root),
  ]);
  const other = mark && isAnotherHost(mark, signs) ? mark.nodeId : undefined;
  const name = await readNodeId(configured, stateDir, { ...place, ...omitUndefined({ taken: other }) });
  if (name.nodeId === other)
    return { ...name, copied: copyOf(name, stateDir), ...omitUndefined({ problem }) };
  if (mayKeep && !mustStay && name.unfit === undefined && signs.length > 0)
    await keepMark(stateDir, name.nodeId, signs, mark);
  return { ...name, ...omitUndefined({ problem }) };
}

/** Updates the mark also after a card or disk was replaced: the next replacement may be another part. */
async function keepMark(stateDir: string, nodeId: string, signs: readonly string[], old?: HostMark) {
  const mark = markHost(nodeId, signs, old?.salt);
  if (JSON.stringify(mark) === JSON.stringify(old)) return;
  await writeHostMark(stateDir, mark).catch(() => {}); // without a mark we only fail to notice a copy
}

function copyOf({ nodeId, source }: NodeId, stateDir: string): Objection {
  const rename =
    source === 'configuration'
      ? 'set another nodeId and remove roster.json there'
      : 'remove node-id and roster.json there';
  return {
    seen: `${stateDir} comes from another host with the same name: two hosts may report as ${nodeId}`,
    remedy: `If this host is a copy, stop it, ${rename}; if it replaces the other host, remove ${hostMarkName} there`,
  };
}
