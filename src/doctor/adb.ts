/** The adb server: whether it answers, whose process it is, and the adb programs on this host. Starts, stops and runs none. */

import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Adb } from '../adb/adb.ts';
import { remedyFor } from '../adb/remedy.ts';
import { type Environment, type HostKind, isLoopback } from '../base/environment.ts';
import { AdbUnavailableError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { type Process, readListeningSockets, readOverflowUid, readProcesses } from '../host/tcp-listeners.ts';
import { type Accounts, userName } from './accounts.ts';
import { type CheckResult, failed, ok, skipped, warning } from './check.ts';

const SERVER = 'adb server';
/** adb 28.0.2 and later: it gives each phone a transport id, and reports a replaced server. */
const CURRENT_PROTOCOL = 41;

export async function lookAtServer(
  server: Pick<Adb, 'host' | 'port' | 'version'>,
  hostKind: HostKind,
  signal: AbortSignal,
  /** The program on its port, where that is known and no adb. */
  stranger?: string,
): Promise<CheckResult> {
  const { host, port } = server;
  try {
    const since = performance.now();
    const version = await server.version(signal);
    const tookMs = Math.round(performance.now() - since);
    const seen = `version 1.0.${version} answers at ${host}:${port} within ${tookMs} ms`;
    if (version >= CURRENT_PROTOCOL) return ok(SERVER, seen);
    return warning(SERVER, seen, 'This adb is old: install current platform-tools and restart the server');
  } catch (error) {
    if (!(error instanceof AdbUnavailableError)) throw error;
    const remedy =
      stranger === undefined
        ? remedyFor(error, { host, port, hostKind })
        : `Stop ${stranger}, which is no adb server, or set adb.port`;
    return failed(SERVER, error.message, remedy);
  }
}

export interface AdbProcess {
  /** Absent for a user outside this process's user namespace. */
  readonly uid?: number;
  readonly isOpen: boolean;
  /** Absent if we may not see other users' processes. */
  readonly process?: Process;
  /** It sees `/dev/bus/usb`: a service or container has a `/dev` of its own. Absent if we may not look. */
  readonly seesUsb?: boolean;
}

export interface Neighbourhood {
  readonly port: number;
  readonly server?: AdbProcess;
  readonly rivals: readonly { readonly port: number; readonly process: Process }[];
}

export async function readNeighbourhood(root: string, port: number): Promise<Neighbourhood> {
  const [listeners, overflowUid] = await Promise.all([readListeningSockets(root), readOverflowUid(root)]);
  const known = (uid: number | undefined) => (uid === overflowUid ? undefined : uid);
  const ours = listeners.find((listener) => listener.port === port);
  const processes = await readProcesses(root, new Set(ours && [ours.inode]));
  const holder = (inode: string) => processes.find(({ sockets }) => sockets.includes(inode));
  const rivals = listeners.flatMap((listener) => {
    const process = holder(listener.inode);
    if (listener.port === port || process?.name !== 'adb') return [];
    return [{ port: listener.port, process: omitUndefined({ ...process, uid: known(process.uid) }) }];
  });
  if (ours === undefined) return { port, rivals };
  const isOpen = /^0+$/.test(ours.address); // 0.0.0.0 and ::, in hex
  const process = holder(ours.inode);
  const seesUsb = process && (await seesUsbOf(root, process.pid));
  const server = omitUndefined({ uid: known(ours.uid), isOpen, process, seesUsb });
  return { port, server, rivals };
}

/** By the file system of that process, which root may see. */
const seesUsbOf = (root: string, pid: number): Promise<boolean | undefined> =>
  stat(join(root, `proc/${pid}/root/dev`)).then(
    () =>
      stat(join(root, `proc/${pid}/root/dev/bus/usb`)).then(
        () => true,
        () => false,
      ),
    () => undefined,
  );

/** Whether the server at this address is on this host and has a `/dev` without USB, as far as we may look. */
export async function lacksUsb(root: string, address: string): Promise<boolean> {
  const [, host = '', port] = /^(.+):(\d+)$/.exec(address) ?? [];
  if (!isLoopback(host)) return false;
  return (await readNeighbourhood(root, Number(port))).server?.seesUsb === false;
}

export function keyFolder({ uid, process }: AdbProcess, { users }: Accounts): string | undefined {
  const home = process?.home ?? users.find((user) => user.uid === uid)?.home;
  return home && join(home, '.android');
}

export function checkNeighbourhood(
  { port, server, rivals }: Neighbourhood,
  accounts: Accounts,
  /** True if the listener speaks adb's protocol. */
  isAdb: boolean,
): CheckResult[] {
  const name = 'server process';
  if (server === undefined) return [skipped(name, `nothing on this host listens on port ${port}`)];
  const folder = keyFolder(server, accounts);
  const key = isAdb && folder ? `; its key is ${join(folder, 'adbkey')}` : '';
  const seen = `${holderName(server, accounts)} listens on port ${port}${key}`;
  const isStranger = !isAdb && strangerOn(server, accounts) !== undefined;
  const listens = isStranger ? skipped(name, `${seen}: it is no adb server`) : ok(name, seen);
  const others = rivals.map(({ port, process }) =>
    warning(
      'other adb server',
      `${processName(process, accounts)} is another adb server, on port ${port}`,
      'Two servers on one host compete for the phones: stop the one that you do not need',
    ),
  );
  if (!server.isOpen) return [listens, ...others];
  const open = warning(
    'server address',
    `port ${port} is open to the network: anyone who reaches it controls the phones`,
    'Start the server without "adb -a", on loopback only: adb -L tcp:localhost:5037 server nodaemon',
  );
  return [listens, open, ...others];
}

const whoIs = (accounts: Accounts, uid: number | undefined): string =>
  uid === undefined ? 'a user outside this user namespace' : userName(accounts, uid);

const processName = ({ program, name, pid, uid }: Process, accounts: Accounts): string =>
  `${program ?? name} (process ${pid} of ${whoIs(accounts, uid)})`;

function holderName({ uid, process }: AdbProcess, accounts: Accounts): string {
  if (process !== undefined) return processName(omitUndefined({ ...process, uid }), accounts);
  return `a process of ${whoIs(accounts, uid)}${uid === undefined ? '' : ' (run as root to see its name)'}`;
}

/** The program on adb's port, unless its name is adb's or unknown. */
export const strangerOn = (server: AdbProcess | undefined, accounts: Accounts): string | undefined =>
  server?.process === undefined || server.process.name.startsWith('adb')
    ? undefined
    : holderName(server, accounts);

export interface AdbProgram {
  readonly path: string;
  /** Of the platform-tools, e.g. `34.0.5`, if its package says. */
  readonly version?: string;
}

const PROGRAMS = 'adb programs';

function foldersOf({ PATH = '', HOME, ANDROID_HOME, ANDROID_SDK_ROOT }: Environment): string[] {
  const sdks = [ANDROID_HOME, ANDROID_SDK_ROOT, HOME && join(HOME, 'Android/Sdk'), '/opt/android-sdk'];
  return [
    ...PATH.split(':').filter((folder) => folder.startsWith('/')),
    ...['/usr/bin', '/usr/local/bin', '/usr/lib/android-sdk/platform-tools'],
    ...sdks.flatMap((sdk) => (sdk ? [join(sdk, 'platform-tools')] : [])),
  ];
}

/** @param bin the program that the agent starts a server with (`adb.bin`); a bare name is looked up in PATH */
export async function readAdbPrograms(root: string, env: Environment, bin = 'adb'): Promise<AdbProgram[]> {
  const usual = [...new Set(foldersOf(env))].map((folder) => join(root, folder, 'adb'));
  const candidates = bin.startsWith('/') ? [...usual, join(root, bin)] : usual;
  const found = await Promise.all(candidates.map((path) => realpath(path).catch(() => undefined)));
  const paths = new Set(found.filter((path) => path !== undefined));
  return Promise.all(
    [...paths].map(async (path) => omitUndefined({ path, version: await versionOf(root, path) })),
  );
}

/** The SDK writes `source.properties` beside the program; dpkg knows the version of its own. */
async function versionOf(root: string, path: string): Promise<string | undefined> {
  const properties = await readFile(join(dirname(path), 'source.properties'), 'utf8').catch(() => '');
  const revision = /^Pkg\.Revision\s*=\s*(\S+)/m.exec(properties)?.[1];
  if (revision !== undefined) return revision;
  const files = await readFile(join(root, 'var/lib/dpkg/info/adb.list'), 'utf8').catch(() => '');
  const isPackaged = files.split('\n').some((file) => file !== '' && join(root, file) === path);
  if (!isPackaged) return undefined;
  const packages = await readFile(join(root, 'var/lib/dpkg/status'), 'utf8').catch(() => '');
  const stanza = packages.split('\n\n').find((text) => /^Package: adb$/m.test(text));
  return /^Version: (?:\d+:)?([\d.]+)/m.exec(stanza ?? '')?.[1];
}

/** @param isWanted a server should run on this host, and none does */
export function checkAdbPrograms(
  programs: readonly AdbProgram[],
  isWanted: boolean,
  { units }: HostKind,
): CheckResult {
  const named = programs.map(({ path, version = 'version unknown' }) => `${path} (${version})`).join(', ');
  if (programs.length === 0) {
    const seen = 'no adb program in the usual folders';
    if (!isWanted) return skipped(PROGRAMS, seen);
    const then = units.includes('hostnode-adb')
      ? 'hostnode-adb starts it by itself'
      : 'then run adb start-server';
    return failed(PROGRAMS, seen, `Install adb (Debian: apt-get install adb); ${then}`);
  }
  const versions = new Set(programs.map(({ version }) => version));
  if (programs.length === 1 || (versions.size === 1 && !versions.has(undefined))) return ok(PROGRAMS, named);
  return warning(
    PROGRAMS,
    `${programs.length} adb programs, of different or unknown versions: ${named}`,
    'A client of another version kills the running server: keep one program, or install the same version of all',
  );
}
