import type { ClientRequestArgs } from 'node:http';
import { Agent, type AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';

type Callback = (error: Error | null, stream: Duplex) => void;

/**
 * Node's agent with a time limit for a proxy's tunnel. Node waits forever for the proxy's answer and the TLS handshake
 * after it. Destroying the request does not help: it has no connection yet. Node also leaves the connection open to a
 * proxy that has refused.
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
      if (error) connection?.destroy();
      callback?.(error, stream);
    });
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
