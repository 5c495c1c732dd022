/**
 * The host's name in the cloud. It must not change with restarts, reboots and upgrades, and must not give the
 * machine-id away, which is a secret of the host (machine-id(5)).
 */
import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { containerKind } from './container.ts';
import { writeFileWhole } from './json-file.ts';
import { readStateText, readSystemText, setAside } from './reading.ts';
import { StateUnreadableError } from './state-errors.ts';

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
  readonly remedy: string;
  /** It may be otherwise at the next try. */
  readonly mayPass?: true;
}

export interface NodeId {
  readonly nodeId: string;
  readonly source: 'configuration' | 'state' | 'machine-id' | 'random';
  /** Why it could not be kept for the next start: a random id will be another one then. */
  readonly notKept?: unknown;
  /** Why the host must not be reported by it: it would be a new host to the cloud. */
  readonly unfit?: Objection;
  /** Why the kept name could not be used, and what became of its file: one sentence. */
  readonly keptProblem?: string;
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

/** What a file with a name or a machine-id holds. */
interface Kept {
  readonly id?: string;
  readonly problem?: string;
  /** Why it is not known whether it holds any. */
  readonly unread?: StateUnreadableError;
}

const unreadable = (file: string, why: string): Kept => ({ unread: new StateUnreadableError(file, why) });

/** The name that an earlier start kept. What else the file holds is set aside: it may be a name that somebody misses. */
async function readKept(file: string, mayRename: boolean): Promise<Kept> {
  const found = await readStateText(file);
  if (found.kind === 'none') return {};
  if (found.kind === 'unreadable') return unreadable(file, found.why);
  const id = found.kind === 'text' ? found.text.trim() : '';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return { id };
  const [word, what] =
    found.kind === 'unfit' ? [found.word, found.what] : ['damaged', 'is damaged (it holds no name)'];
  if (!mayRename) return { problem: `${file} ${what}; it is ignored` };
  const { problem, mustStay } = await setAside(file, word, what);
  return mustStay ? unreadable(file, problem) : { problem };
}

/** The first machine-id that one of these files holds; one that cannot be read is not passed over for the next. */
async function readMachineId(files: readonly string[]): Promise<Kept> {
  for (const file of files) {
    const found = await readSystemText(file);
    if (found.kind === 'unreadable') return unreadable(file, found.why);
    const id = found.kind === 'text' ? parseMachineId(found.text) : undefined;
    if (id !== undefined) return { id };
  }
  return {};
}

/**
 * The configured name, else the one that an earlier start kept in the state directory, else one derived from the
 * machine-id (in a container: the host's, where it is mounted), else a random one; the last two are kept.
 *
 * @throws {StateUnreadableError} when it cannot be known whether one was kept, or what the machine-id is: another name
 *   would be another host. For who only looks the name is `unfit` then.
 */
export async function readNodeId(
  configured: string | undefined,
  stateDir: string,
  { root, env, taken, mayKeep = true }: NodeIdPlace,
): Promise<NodeId> {
  if (configured !== undefined) return { nodeId: configured, source: 'configuration' };
  const file = join(stateDir, keptName);
  const kept = await readKept(file, mayKeep);
  if (kept.id !== undefined) return { nodeId: kept.id, source: 'state' };
  if (kept.unread && mayKeep) throw kept.unread;

  const isContainer = (await containerKind(root, env)) === 'application';
  const files = (isContainer ? [hostMachineId] : ownMachineIds).map((name) => join(root, name));
  const machineId = await readMachineId(files);
  if (machineId.unread && mayKeep) throw machineId.unread;
  const derived = machineId.id === undefined ? undefined : deriveNodeId(machineId.id);
  const made: NodeId = {
    ...(derived === undefined || derived === taken
      ? { nodeId: randomUUID(), source: 'random' }
      : { nodeId: derived, source: 'machine-id' }),
    ...omitUndefined({ keptProblem: kept.problem }),
  };
  const unread = kept.unread ?? machineId.unread;
  if (unread !== undefined) return { ...made, unfit: unknownName(unread) };
  if (isContainer && machineId.id === undefined) return { ...made, unfit: namelessContainer };
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

const unknownName = ({ message }: StateUnreadableError): Objection => ({
  seen: `this host’s name is not known: ${message}`,
  remedy:
    'Run this as root or as the user of the agent, check the disk, or set HOSTNODE_NODE_ID to the host’s name',
  mayPass: true,
});

const namelessHost: Objection = {
  seen: 'nodeId is not set, and this host has no machine-id',
  remedy: 'Set HOSTNODE_NODE_ID to the host’s name: a random name would change with each report',
};

const namelessContainer: Objection = {
  seen: 'nodeId is not set, and a container has no machine-id of its own',
  remedy: `Set HOSTNODE_NODE_ID to the host’s name, or mount the host’s /etc/machine-id at /${hostMachineId}`,
};
