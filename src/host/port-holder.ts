/** Finds the process that holds a port of this host, as far as we can see it. */
import { basename } from 'node:path';
import { readListeningSockets, readOverflowUid, readProcesses } from './tcp-listeners.ts';

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
