/** The Unix socket of a running agent: who may open it may read all and command. */
import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { hasCode } from '../errors.ts';
import type { Logger } from '../log.ts';

/** `sun_path` has 108 bytes, the last of them 0: unix(7). */
const LONGEST_PATH_BYTES = 107;
/** Its owner and its group. */
const MODE = 0o660;

/** Listens; what is in the way is said, and the agent goes on without. */
export async function listenOnSocket(app: FastifyInstance, path: string, log: Logger): Promise<void> {
  try {
    if (Buffer.byteLength(path) > LONGEST_PATH_BYTES)
      throw new Error(`a socket’s path has at most ${LONGEST_PATH_BYTES} bytes`);
    await removeDead(path);
    await app.listen({ path });
    await chmod(path, MODE);
  } catch (error) {
    log.error({ err: error, path }, 'no commands can be taken: the Unix socket cannot be opened');
  }
}

/** Removes the socket of an agent that was killed; what else is there is left alone, and then in the way. */
async function removeDead(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isSocket()) return;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const caller = connect(path, () => resolve(false));
  caller.on('error', (error) => resolve(hasCode(error, 'ECONNREFUSED')));
  const isDead = await promise;
  caller.destroy();
  if (isDead) await unlink(path);
}
