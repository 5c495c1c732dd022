/** The process behind the adb server's port: its user, its key, and other servers on this host. */
import { join } from 'node:path';
import { omitUndefined } from '../base/omit-undefined.ts';
import { type Process, readListeningSockets, readOverflowUid, readProcesses } from '../host/tcp-listeners.ts';
import { type Accounts, userName } from './accounts.ts';
import { type Finding, ok, skipped, warning } from './finding.ts';

export interface AdbProcess {
  /** Absent for a user outside this process's user namespace. */
  readonly uid?: number;
  /** It listens on all addresses, not on loopback alone. */
  readonly isOpen: boolean;
  /** Absent if we may not see other users' processes. */
  readonly process?: Process;
}

/** What listens around the adb server's port. */
export interface Neighbourhood {
  readonly port: number;
  readonly server?: AdbProcess;
  /** Other adb servers, on other ports. */
  readonly rivals: readonly { readonly port: number; readonly process: Process }[];
}

/** @param root of the file system, `/` */
export async function readNeighbourhood(root: string, port: number): Promise<Neighbourhood> {
  const [listeners, overflowUid] = await Promise.all([readListeningSockets(root), readOverflowUid(root)]);
  const known = (uid: number | undefined) => (uid === overflowUid ? undefined : uid);
  const ours = listeners.find((listener) => listener.port === port);
  const processes = await readProcesses(root, new Set(ours && [ours.inode]));
  const holder = (inode: string) => processes.find(({ sockets }) => sockets.includes(inode));
  const rivals = listeners.flatMap((listener) => {
    const process = holder(listener.inode);
    return listener.port === port || process?.name !== 'adb'
      ? []
      : [{ port: listener.port, process: omitUndefined({ ...process, uid: known(process.uid) }) }];
  });
  return omitUndefined({
    port,
    server:
      ours &&
      omitUndefined({
        uid: known(ours.uid),
        isOpen: isAnyAddress(ours.address),
        process: holder(ours.inode),
      }),
    rivals,
  });
}

/** 0.0.0.0 and ::, in hex. */
const isAnyAddress = (address: string): boolean => /^0+$/.test(address);

const whoIs = (accounts: Accounts, uid: number | undefined): string =>
  uid === undefined ? 'a user outside this user namespace' : userName(accounts, uid);

/** The folder of the key by which the phones know the server, `$HOME/.android`. */
export function keyFolder({ uid, process }: AdbProcess, { users }: Accounts): string | undefined {
  const home = process?.home ?? users.find((user) => user.uid === uid)?.home;
  return home && join(home, '.android');
}

export function judgeNeighbourhood(
  { port, server, rivals }: Neighbourhood,
  accounts: Accounts,
  /** True if the listener speaks adb's protocol. */
  isAdb: boolean,
): Finding[] {
  const name = 'server process';
  if (server === undefined) return [skipped(name, `nothing on this host listens on port ${port}`)];
  const { uid, process } = server;
  const who = whoIs(accounts, uid);
  const what =
    process === undefined
      ? `a process of ${who}${uid === undefined ? '' : ' (run as root to see its name)'}`
      : `${process.program ?? process.name} (process ${process.pid} of ${who})`;
  const folder = keyFolder(server, accounts);
  const key = isAdb && folder ? `; its key is ${join(folder, 'adbkey')}` : '';
  const listens = ok(name, `${what} listens on port ${port}${key}`);
  const others = rivals.map((rival) =>
    warning(
      'other adb server',
      `${rivalName(rival.process, accounts)} is another adb server, on port ${rival.port}`,
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

const rivalName = ({ pid, program = 'adb', uid }: Process, accounts: Accounts): string =>
  `${program} (process ${pid}${uid === undefined ? '' : ` of ${userName(accounts, uid)}`})`;
