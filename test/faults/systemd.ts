/** In the place of systemd: a socket at which the agent says how it goes. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';

export class Systemd {
  /** `WATCHDOG=1`, `STATUS=…`, in order. */
  readonly told: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((socket) => {
      socket.on('error', () => {}); // the agent has ended
      createInterface({ input: socket }).on('line', (line) => this.told.push(line));
    });
  }

  static async start(): Promise<Systemd> {
    const systemd = new Systemd();
    systemd.#server.listen(0, '127.0.0.1');
    await once(systemd.#server, 'listening');
    return systemd;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.close();
  }
}
