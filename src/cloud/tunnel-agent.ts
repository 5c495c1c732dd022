import type { ClientRequestArgs } from 'node:http';
import { Agent, type AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';

type Callback = (error: Error | null, stream: Duplex) => void;

/**
 * Node's agent, with an end for a proxy's tunnel that does not come to be. Node waits without end for the proxy's answer
 * and for the TLS handshake behind it, and destroying the request does not end that: it has no connection yet. Nor does
 * Node close the connection to a proxy that has refused.
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

  /** A connection without a proxy is a request's from its start on; Node calls back for tunnels only. */
  #isHandedOver(connection: Duplex): boolean {
    const pools: Duplex[] = [...Object.values(this.sockets), ...Object.values(this.freeSockets)].flatMap(
      (sockets) => sockets ?? [],
    );
    return pools.includes(connection);
  }
}
