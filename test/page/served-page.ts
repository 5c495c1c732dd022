/** The built page behind a real server, whose data a test controls. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildPage } from '../../src/build-page.ts';
import type { HostStatus } from '../../src/status/host-status.ts';
import type { PageFile } from '../../src/status/page-files.ts';
import { samplePhone } from './sample-host.ts';

export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export class ServedPage {
  readonly #server: Server;
  readonly #files: readonly PageFile[];
  readonly #streams = new Set<ServerResponse>();
  #status: HostStatus | undefined;
  /** While false all data is refused, as while the agent starts. */
  answers = true;
  /** How often the events were asked for. */
  connections = 0;

  static async start(status?: HostStatus): Promise<ServedPage> {
    const { files } = await buildPage(process.cwd());
    const served = new ServedPage(files, status);
    await new Promise<void>((resolve) => served.#server.listen(0, '127.0.0.1', resolve));
    return served;
  }

  private constructor(files: readonly PageFile[], status: HostStatus | undefined) {
    this.#files = files;
    this.#status = status;
    this.#server = createServer(({ url = '' }, response) => this.#answer(url, response));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What the host is like from now on; told to all who listen. */
  push(status: HostStatus): void {
    this.#status = status;
    for (const stream of this.#streams) stream.write(eventOf(status));
  }

  /** Cuts all who listen off. */
  drop(): void {
    for (const stream of this.#streams) stream.destroy();
    this.#streams.clear();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(url: string, response: ServerResponse): void {
    response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
    response.setHeader('x-content-type-options', 'nosniff');
    const file = this.#files.find(({ path }) => path === url);
    if (file) response.setHeader('content-type', file.type).end(file.body);
    else if (url === '/api/events') this.#listen(response);
    else if (url === '/api/status') this.#sendJson(response, this.#status);
    else if (url.startsWith('/api/phones/'))
      this.#sendJson(
        response,
        this.#status && samplePhone(this.#status, decodeURIComponent(url.slice('/api/phones/'.length))),
      );
    else response.writeHead(404).end();
  }

  #listen(response: ServerResponse): void {
    this.connections += 1;
    if (!this.answers) {
      response.writeHead(503).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    this.#streams.add(response);
    response.once('close', () => this.#streams.delete(response));
    if (this.#status) response.write(eventOf(this.#status));
  }

  #sendJson(response: ServerResponse, body: object | undefined): void {
    response.setHeader('content-type', 'application/json');
    response
      .writeHead(!this.answers ? 503 : body ? 200 : 404)
      .end(JSON.stringify(body ?? { error: 'not there' }));
  }
}

const eventOf = (status: HostStatus) => `event: status\ndata: ${JSON.stringify(status)}\n\n`;
