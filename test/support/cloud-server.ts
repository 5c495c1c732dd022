import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DevicesBody, Machine } from '../../src/cloud/contract/report.ts';

/** A request that a server received, body included. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A real server on a free port; it remembers what it received. */
export class TestServer {
  readonly received: Received[] = [];
  readonly #server: Server;

  constructor(server: Server, answer: RequestListener) {
    this.#server = server;
    server.on('request', async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      this.received.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
      });
      answer(request, response);
    });
  }

  static async listen(answer: RequestListener, server: Server = createServer()): Promise<TestServer> {
    const started = new TestServer(server, answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

export const machine: Machine = {
  hostname: 'rack-2',
  arch: 'x64',
  freemem: 1_000_000_000,
  totalmem: 4_000_000_000,
  platform: 'linux',
  type: 'Linux',
  uptime: 86_400,
  version: '#1 SMP Debian',
  buildNumber: '2501.01',
};

export const body: DevicesBody = { nodeId: 'node-1', machine };
