/** Something that listens where the adb server should, and says the same to everybody. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

export class StrangeServer {
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(answer: string, { isOver }: { isOver: boolean }) {
    this.#server = createServer((socket) => {
      this.#open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => this.#open.delete(socket));
      socket.once('data', () => {
        if (isOver) socket.end(answer);
        else socket.write(answer);
      });
    });
  }

  /** @param isOver it hangs up after its answer */
  static async start(port: number, answer: string, options: { isOver: boolean }): Promise<StrangeServer> {
    const strange = new StrangeServer(answer, options);
    strange.#server.listen(port, '127.0.0.1');
    await once(strange.#server, 'listening');
    return strange;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }
}
