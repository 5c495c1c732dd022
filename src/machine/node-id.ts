/**
 * The host's name in the cloud. It must not change with restarts, reboots and upgrades, and must not give the
 * machine-id away, which is a secret of the host (machine-id(5)).
 */
import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../environment.ts';
import { writeFileWhole } from '../state/json-file.ts';
import { containerKind } from './container.ts';

/** hostnode's own application id; another one would rename every host. */
const applicationId = '3f0c2a5e-7d61-4b7c-9c0e-5b8d1f64a927';

/** Below the root of the file system. */
const ownMachineIds = ['etc/machine-id', 'var/lib/dbus/machine-id'];

/**
 * Where the host's machine-id is mounted in a container. Not over the container's own: engines put one of theirs
 * there, and nothing tells them apart.
 */
const hostMachineId = 'etc/hostnode/host-machine-id';

const keptName = 'node-id';

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');

/**
 * An id for one application from a machine-id, as systemd's sd_id128_get_machine_app_specific(3) makes it: the first
 * 16 bytes of HMAC-SHA256, keyed with the machine-id, over the application's id, marked as a version 4 UUID.
 *
 * @param machineId 32 hexadecimal digits
 */
export function deriveNodeId(machineId: string, application: string = applicationId): string {
  const bytes = createHmac('sha256', bytesOf(machineId))
    .update(bytesOf(application))
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The machine-id in a file's text; undefined for what images hold before their first boot. */
export function parseMachineId(text: string): string | undefined {
  const id = text.trim();
  return /^[0-9a-f]{32}$/.test(id) && !/^0+$/.test(id) ? id : undefined;
}

/** What is wrong with a name, and what a person can do about it: a sentence each, without its full stop. */
export interface Objection {
  readonly seen: string;
  readonly mend: string;
}

export interface NodeId {
  readonly nodeId: string;
  readonly source: 'configuration' | 'state' | 'machine-id' | 'random';
  /** Why it could not be kept for the next start: a random id will be another one then. */
  readonly notKept?: unknown;
  /** Why the cloud must not be told of it: each new container would be a new host. */
  readonly unfit?: Objection;
}

export interface NodeIdPlace {
  /** Of the file system: `/`, or what stands for it. */
  readonly root: string;
  readonly env: Environment;
  /** A name that another host has: none is derived that is the same. */
  readonly taken?: string;
  /** False for who only looks: nothing is written. */
  readonly mayKeep?: boolean;
}

const read = (file: string) => readFile(file, 'utf8').catch(() => '');

/**
 * The configured name, else the one that an earlier start kept in the state directory, else one derived from the
 * machine-id (in a container: the host's, where it is mounted), else a random one; the last two are kept.
 */
export async function readNodeId(
  configured: string | undefined,
  stateDir: string,
  { root, env, taken, mayKeep = true }: NodeIdPlace,
): Promise<NodeId> {
  if (configured !== undefined) return { nodeId: configured, source: 'configuration' };
  const file = join(stateDir, keptName);
  const kept = (await read(file)).trim();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(kept)) return { nodeId: kept, source: 'state' };

  const isContainer = (await containerKind(root, env)) === 'application';
  const files = (isContainer ? [hostMachineId] : ownMachineIds).map((name) => join(root, name));
  const [machineId] = (await Promise.all(files.map(read))).flatMap((text) => parseMachineId(text) ?? []);
  const derived = machineId === undefined ? undefined : deriveNodeId(machineId);
  const made: NodeId =
    derived === undefined || derived === taken
      ? { nodeId: randomUUID(), source: 'random' }
      : { nodeId: derived, source: 'machine-id' };
  if (isContainer && machineId === undefined) return { ...made, unfit: namelessContainer };
  if (!mayKeep) return made;
  try {
    await writeFileWhole(file, `${made.nodeId}\n`);
    return made;
  } catch (notKept) {
    return { ...made, notKept };
  }
}

/** Why a run that keeps nothing must not report by this name: a random one would be a new host each time. */
export const unfitForOnce = ({ source, unfit }: NodeId): Objection | undefined =>
  unfit ?? (source === 'random' ? namelessHost : undefined);

const namelessHost: Objection = {
  seen: 'nodeId is not set, and this host has no machine-id',
  mend: 'Set HOSTNODE_NODE_ID to the host’s name: a name made up for this report would not be that of the next one',
};

const namelessContainer: Objection = {
  seen: 'nodeId is not set, and a container has no machine-id of its own',
  mend: `Set HOSTNODE_NODE_ID to the host’s name, or mount the host’s /etc/machine-id at /${hostMachineId}`,
};
