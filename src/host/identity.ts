/**
 * This host's name in the cloud, and whether another host may have the same one. The name survives restarts, reboots and
 * upgrades, and does not reveal the machine-id, which is a secret of the host (machine-id(5)).
 *
 * `host-mark.json` marks a state directory with its host, so that we recognize a copy on another host: it holds a few
 * salted bits of each sign of the host, too few to reveal the sign.
 */

import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Environment } from '../base/environment.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { containerKind } from './host-kind.ts';
import { type JsonFile, type ReadOptions, readJsonFile, writeFileWhole, writeJsonFile } from './json-file.ts';
import { StateUnreadableError } from './state-errors.ts';
import { readStateText, readSystemText, setAside } from './state-file.ts';

const MARK = 'host-mark.json';
const VERSION = 1;
/** 20 bits: of the 2^24 network cards with one maker's prefix, 16 share the same bits. */
const HEX_DIGITS = 5;

const hostMark = z.object({
  version: z.literal(VERSION),
  /** The host's name in the cloud when this was written. */
  nodeId: z.string(),
  salt: z.string(),
  signs: z.array(z.string()).min(1),
});

export type HostMark = z.infer<typeof hostMark>;

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

/** Puts the name in force, and the mark, into a state directory that was made anew meanwhile. What lies there stays. Never throws. */
export async function keepIdentity(
  { nodeId, source }: NodeId,
  stateDir: string,
  root: string,
): Promise<void> {
  const file = join(stateDir, keptName);
  if (source !== 'configuration' && (await readStateText(file)).kind === 'none')
    await writeFileWhole(file, `${nodeId}\n`).catch(() => {}); // as at a start, a host works without it
  const { value, problem } = await readHostMark(stateDir, { mayRename: false });
  const signs = await readHostSigns(root);
  if (value === undefined && problem === undefined && signs.length > 0)
    await keepMark(stateDir, nodeId, signs);
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
    remedy: `If this host is a copy, stop it, ${rename}; if it replaces the other host, remove ${MARK} there`,
  };
}

const saltedBits = (sign: string, salt: string) =>
  createHash('sha256').update(`${salt}:${sign}`).digest('hex').slice(0, HEX_DIGITS);

/** @param signs of this host, at least one */
export function markHost(
  nodeId: string,
  signs: readonly string[],
  salt: string = randomBytes(8).toString('hex'),
): HostMark {
  return { version: VERSION, nodeId, salt, signs: signs.map((sign) => saltedBits(sign, salt)).toSorted() };
}

/**
 * True if no sign matches. A new network card or disk alone is the same host, and so is a disk that moved to another
 * machine. Without any sign we cannot know.
 */
export function isAnotherHost({ salt, signs: kept }: HostMark, signs: readonly string[]): boolean {
  return signs.length > 0 && !signs.some((sign) => kept.includes(saltedBits(sign, salt)));
}

/** Never throws: sets an unusable file aside, leaves an unreadable one, and returns `problem`. */
export const readHostMark = (stateDir: string, options?: ReadOptions): Promise<JsonFile<HostMark>> =>
  readJsonFile(join(stateDir, MARK), hostMark, VERSION, options);

/** @throws {StateUnwritableError} the old file is unchanged */
export const writeHostMark = (stateDir: string, mark: HostMark): Promise<void> =>
  writeJsonFile(join(stateDir, MARK), mark);

const read = (path: string) =>
  readFile(path, 'latin1').then(
    (text) => text.replaceAll('\0', '').trim(),
    () => '',
  );

/** USB hardware, such as a tethering phone or a stick, may be on another host tomorrow. */
const isPlugged = (path: string) => /\/usb\d/.test(path);

/** The entries of a class in /sys that are built-in hardware. */
async function hardware(root: string, folder: string, device: string): Promise<string[]> {
  const names = await readdir(join(root, folder)).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const entry = join(root, folder, name);
      const place = await realpath(join(entry, device)).catch(() => undefined);
      return place === undefined || isPlugged(place) ? [] : [entry];
    }),
  );
  return found.flat();
}

/** The permanent address of a network card (NET_ADDR_PERM); an address set by software may change with each start. */
async function cardSign(card: string): Promise<string> {
  return (await read(join(card, 'addr_assign_type'))) === '0' ? read(join(card, 'address')) : '';
}

/**
 * The serial number of a disk: NVMe, SCSI, SATA, eMMC or SD. A virtio "serial number" is only a label, and all QEMU
 * machines have the same one for their own disks.
 */
async function diskSign(disk: string): Promise<string> {
  const files = ['wwid', 'device/wwid', 'device/cid'];
  const [number = ''] = (await Promise.all(files.map((file) => read(join(disk, file))))).filter(Boolean);
  return number.includes('QEMU') ? '' : number;
}

/** Each sign once; empty if the machine shows none. */
export async function readHostSigns(root = '/'): Promise<string[]> {
  const [cards, disks] = await Promise.all([
    hardware(root, 'sys/class/net', 'device'),
    hardware(root, 'sys/block', 'device'),
  ]);
  const signs = await Promise.all([
    read(join(root, 'sys/firmware/devicetree/base/serial-number')),
    ...cards.map(cardSign),
    ...disks.map(diskSign),
  ]);
  return [...new Set(signs.filter((sign) => /[1-9a-f]/i.test(sign)))];
}

/** hostnode's application id; a change would rename every host. */
const applicationId = '3f0c2a5e-7d61-4b7c-9c0e-5b8d1f64a927';

/** Relative to the root of the file system. */
const ownMachineIds = ['etc/machine-id', 'var/lib/dbus/machine-id'];

/**
 * Where a container mounts the host's machine-id. Not over the container's own file: engines write their own id there,
 * and we could not distinguish the two.
 */
const hostMachineId = 'etc/hostnode/host-machine-id';

const keptName = 'node-id';

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');

/**
 * Derives an application's id from a machine-id, like systemd's sd_id128_get_machine_app_specific(3): the first 16
 * bytes of HMAC-SHA256 over the application's id, keyed with the machine-id, marked as a version 4 UUID.
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

/** The machine-id in a file's text; undefined for the placeholders of images before their first boot. */
export function parseMachineId(text: string): string | undefined {
  const id = text.trim();
  return /^[0-9a-f]{32}$/.test(id) && !/^0+$/.test(id) ? id : undefined;
}

/** What is wrong with a name, and the remedy: one sentence each, without a full stop. */
export interface Objection {
  readonly seen: string;
  readonly remedy: string;
  /** The next try may succeed. */
  readonly mayPass?: true;
}

export interface NodeId {
  readonly nodeId: string;
  readonly source: 'configuration' | 'state' | 'machine-id' | 'random';
  /** Why it could not be saved: the next start makes another random id. */
  readonly notKept?: unknown;
  /** Why we must not report under it: it would be a new host in the cloud. */
  readonly unfit?: Objection;
  /** Why the saved name is unusable, and what happened to its file: one sentence. */
  readonly keptProblem?: string;
}

/** Where a name comes from, for people. */
export const nodeIdSources: Readonly<Record<NodeId['source'], string>> = {
  configuration: 'from the configuration',
  state: 'from the state directory',
  'machine-id': 'derived from the machine-id',
  random: 'random: this host has no machine-id',
};

export interface NodeIdPlace {
  /** Root of the file system: `/`, or its replacement in a test. */
  readonly root: string;
  readonly env: Environment;
  /** Another host's name, which we must not derive. */
  readonly taken?: string;
  /** False writes nothing, for commands that only read. */
  readonly mayKeep?: boolean;
}

/** The content of a file with a name or a machine-id. */
interface Kept {
  readonly id?: string;
  readonly problem?: string;
  readonly unread?: StateUnreadableError;
}

const unreadable = (file: string, why: string): Kept => ({ unread: new StateUnreadableError(file, why) });

/** The name that an earlier start saved. Sets any other content aside: somebody may still need it. */
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

/** The first machine-id in these files. Stops at an unreadable file: the next one may hold another id. */
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
 * The configured name; else the one that an earlier start saved in the state directory; else one derived from the
 * machine-id (in a container: the host's, if mounted); else a random one. Saves the last two.
 *
 * @throws {StateUnreadableError} when the saved name or the machine-id cannot be read: another name would be another
 *   host. With `mayKeep: false` the name is `unfit` instead.
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

  const isContainer = containerKind(root, env) === 'application';
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

/** Why a run that saves nothing must not report under this name: a random one would be a new host each time. */
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
