import type { ClientRequestArgs } from 'node:http';
import { Agent, type AgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

type Callback = (error: Error | null, stream: Duplex) => void;

/** As much as Node's parser takes of any other answer's headers by default, with room for the first piece behind them. */
const LONGEST_PROXY_ANSWER_BYTES = 64 * 1024;

/**
 * Node's agent with limits for a proxy's tunnel. Node waits forever for the proxy's answer and the TLS handshake
 * after it. Destroying the request does not help: it has no connection yet. Node also leaves the connection open to a
 * proxy that has refused, reads an answer of any length, and crashes if the answer comes in some dozens of pieces.
 */
export class TunnelAgent extends Agent {
  readonly #limitMs: number;

  constructor(options: AgentOptions, limitMs: number) {
    super(options);
    this.#limitMs = limitMs;
  }

  override createConnection(options: ClientRequestArgs, callback?: Callback): Duplex | null | undefined {
    const connection = super.createConnection(options, (error, stream) => {
      clearTimeout(timer);
      stopWatching?.();
      if (error) connection?.destroy();
      callback?.(error, stream);
    });
    const stopWatching = connection && watchProxyAnswer(connection);
    const timer = setTimeout(() => {
      if (!connection || this.#isHandedOver(connection)) return;
      connection.destroy();
      callback?.(Object.assign(new Error('no tunnel in time'), { code: 'ETIMEDOUT' }), connection);
    }, this.#limitMs).unref();
    return connection;
  }

  /** Without a proxy, the request has its connection from the start; Node calls back only for tunnels. */
  #isHandedOver(connection: Duplex): boolean {
    const pools: Duplex[] = [...Object.values(this.sockets), ...Object.values(this.freeSockets)].flatMap(
      (sockets) => sockets ?? [],
    );
    return pools.includes(connection);
  }
}

/**
 * Ends the connection to a proxy that answers with too much. Node adds its listener once more for each piece of the
 * answer, so their number doubles with each: all but one are removed again.
 *
 * @returns ends the watching
 */
function watchProxyAnswer(connection: Duplex): () => void {
  let read: (() => void) | undefined;
  const watch = () => {
    while (read && connection.listenerCount('readable', read) > 1)
      connection.removeListener('readable', read);
    if ((connection as Socket).bytesRead <= LONGEST_PROXY_ANSWER_BYTES) return;
    connection.destroy(Object.assign(new Error('the answer is too long'), { code: 'ERR_PROXY_TUNNEL' }));
  };
  // as soon as it is connected, Node reads the proxy's answer; without a proxy nothing reads so
  const start = () => {
    [read] = connection.listeners('readable') as (() => void)[];
    if (read) connection.on('readable', watch);
  };
  connection.once('connect', start).once('secureConnect', start);
  return () => connection.removeListener('readable', watch);
}
