import { type ClientRequestArgs, request as httpRequest } from 'node:http';
import { Agent, type AgentOptions, request as httpsRequest } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Environment } from '../base/environment.ts';
import { proxyFor } from './proxy.ts';

type TlsOptions = ClientRequestArgs & { socket: Duplex };
type Callback = (error: Error | null, stream: Duplex) => void;

/**
 * An agent with a tunnel of its own through the proxy that the environment names. Node's (`proxyEnv`) waits forever for the
 * proxy's answer, reads one of any length, and crashes if it comes in some dozens of pieces.
 */
export class TunnelAgent extends Agent {
  readonly #env: Environment;
  readonly #limitMs: number;

  /** @param limitMs for the proxy's whole answer */
  constructor(options: AgentOptions, env: Environment, limitMs: number) {
    super(options);
    this.#env = env;
    this.#limitMs = limitMs;
  }

  override createConnection(options: ClientRequestArgs, callback?: Callback): Duplex | null | undefined {
    const { host, port } = options;
    const target = `${isIPv6(host ?? '') ? `[${host}]` : host}:${port}`;
    const proxy = proxyFor(new URL(`https://${target}`), this.#env)?.address;
    if (proxy === undefined) return super.createConnection(options, callback);
    const done = callback as (error: Error | null, stream?: Duplex | null) => void;
    const login = decodeURIComponent(`${proxy.username}:${proxy.password}`);
    const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
    const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)(proxy.origin, {
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(login !== ':' && { 'proxy-authorization': authorization }) },
      agent: false,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
    });
    const fails = (code: string, statusCode?: number) =>
      Object.assign(new Error('no tunnel'), { code, statusCode });
    request
      .once('connect', ({ statusCode }, socket: Socket) => {
        clearTimeout(timer);
        const tunnel: TlsOptions = { ...options, socket };
        if (statusCode === 200) return done(null, super.createConnection(tunnel));
        socket.destroy();
        done(fails('ERR_PROXY_TUNNEL', statusCode));
      })
      .once('error', done)
      .once('close', () => clearTimeout(timer));
    const timer = setTimeout(() => request.destroy(fails('ETIMEDOUT')), this.#limitMs);
    request.end();
    return undefined;
  }
}
