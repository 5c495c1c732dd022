/**
 * Loaded into the agent before its program: while there is a pipe at `$STUCK`, whatever it does in the state directory
 * waits, each time in a thread of Node's pool, as the kernel lets it wait for a disk that does not answer. It goes on
 * when somebody opens the pipe to write.
 */
import { existsSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { STATE = '', STUCK = '' } = process.env;
const { open } = promises;

/** Until the pipe is opened to write, or is there no more. */
async function wait(): Promise<void> {
  if (!existsSync(STUCK)) return;
  await open(STUCK, 'r').then(
    (pipe) => pipe.close(),
    () => {},
  );
}

type Work = (path: unknown, ...others: unknown[]) => Promise<unknown>;
const works = promises as unknown as Record<string, Work>;

for (const name of [
  'open',
  'readFile',
  'rename',
  'stat',
  'lstat',
  'unlink',
  'readdir',
  'mkdir',
  'chown',
  'access',
]) {
  const work = works[name] as Work;
  works[name] = async (path, ...others) => {
    if (String(path).startsWith(STATE)) await wait();
    return work(path, ...others);
  };
}
syncBuiltinESMExports();
