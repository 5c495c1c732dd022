/**
 * Finds who listens on TCP ports of this host, from /proc alone: starts no process and connects to none.
 *
 * Source: Linux Documentation/networking/proc_net_tcp.rst (address and port in hex, 0A: listening, uid, inode) and
 * proc(5): `fd/N` of a process links to `socket:[inode]`. The links of other users' processes need root.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { omitUndefined } from '../base/omit-undefined.ts';

export interface ListeningSocket {
  /** Hex, as the kernel prints it. */
  readonly address: string;
  readonly port: number;
  /** Of the socket's owner. */
  readonly uid: number;
  readonly inode: string;
}

/** A visible process; fields that we may not read are absent. */
export interface Process {
  readonly pid: number;
  readonly name: string;
  readonly program?: string;
  /** `HOME` of its environment. */
  readonly home?: string;
  readonly uid?: number;
  /** Its group and its supplementary groups. */
  readonly gids: readonly number[];
  /** Inodes of its sockets. */
  readonly sockets: readonly string[];
}

const LISTENING = '0A';

/** The listening sockets in the text of `/proc/net/tcp` or `tcp6`. */
function parseListeningSockets(text: string): ListeningSocket[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , uid, , inode] = line.trim().split(/\s+/);
    const [address = '', digits = ''] = local.split(':');
    const port = Number.parseInt(digits, 16);
    if (state !== LISTENING || Number.isNaN(port) || inode === undefined) return [];
    return [{ address, port, uid: Number(uid), inode }];
  });
}

export async function readListeningSockets(root: string): Promise<ListeningSocket[]> {
  const tables = ['tcp', 'tcp6'].map((name) => join(root, 'proc/net', name));
  const texts = await Promise.all(tables.map((table) => readFile(table, 'utf8').catch(() => '')));
  return texts.flatMap(parseListeningSockets);
}

/** The kernel's default. */
const OVERFLOW_UID = 65534;

/**
 * The uid that the kernel shows for users outside our user namespace (a service with PrivateUsers=yes, a rootless
 * container). Source: proc_sys_kernel(5).
 */
export async function readOverflowUid(root: string): Promise<number> {
  const text = await readFile(join(root, 'proc/sys/kernel/overflowuid'), 'utf8').catch(() => '');
  return /^\d+$/.test(text.trim()) ? Number(text) : OVERFLOW_UID;
}

/** The processes named `adb`, and those that hold one of these sockets, as far as we can see. */
export async function readProcesses(root: string, inodes: ReadonlySet<string>): Promise<Process[]> {
  const names = await readdir(join(root, 'proc')).catch(() => []);
  const found: Process[] = [];
  for (const pid of names.filter((name) => /^\d+$/.test(name)).map(Number)) {
    const process = await readProcess(root, pid);
    if (process === undefined) continue;
    if (process.name === 'adb' || process.sockets.some((inode) => inodes.has(inode))) found.push(process);
  }
  return found;
}

async function readProcess(root: string, pid: number): Promise<Process | undefined> {
  const path = (name: string) => join(root, 'proc', String(pid), name);
  const status = await readFile(path('status'), 'utf8').catch(() => undefined);
  if (status === undefined) return undefined; // it has ended
  const lines = status.split('\n');
  const line = (key: string) =>
    lines
      .find((text) => text.startsWith(`${key}:`))
      ?.slice(key.length + 1)
      .trim();
  const numbers = (key: string) => (line(key)?.match(/\d+/g) ?? []).map(Number);
  return omitUndefined({
    pid,
    name: line('Name') ?? '',
    program: await readlink(path('exe')).catch(() => undefined),
    home: await homeOf(path('environ')),
    uid: numbers('Uid')[1], // the effective one
    gids: [...numbers('Gid').slice(1, 2), ...numbers('Groups')],
    sockets: await socketsOf(path('fd')),
  });
}

async function homeOf(environ: string): Promise<string | undefined> {
  const text = await readFile(environ, 'utf8').catch(() => '');
  return /(?:^|\0)HOME=([^\0]+)/.exec(text)?.[1];
}

async function socketsOf(folder: string): Promise<string[]> {
  const descriptors = await readdir(folder).catch(() => []);
  const links = await Promise.all(
    descriptors.map((descriptor) => readlink(join(folder, descriptor)).catch(() => '')),
  );
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

/** e.g. `node (process 812)`, `a process of uid 1000`, `a process of another user`; undefined if unknown. */
export async function holderOf(port: number): Promise<string | undefined> {
  const listeners = (await readListeningSockets('/')).filter((listener) => listener.port === port);
  const inodes = new Set(listeners.map(({ inode }) => inode));
  const holder = (await readProcesses('/', inodes)).find(({ sockets }) =>
    sockets.some((inode) => inodes.has(inode)),
  );
  if (holder !== undefined) {
    const { name, program, pid } = holder;
    // Node 24 calls itself by its thread
    const shown = name === 'MainThread' && program !== undefined ? basename(program) : name;
    return `${shown} (process ${pid})`;
  }
  const [listener] = listeners;
  if (listener === undefined) return undefined;
  return listener.uid === (await readOverflowUid('/'))
    ? 'a process of another user'
    : `a process of uid ${listener.uid}`;
}
