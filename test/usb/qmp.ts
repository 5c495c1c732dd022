/** QEMU's own socket. Source: QEMU, docs/interop/qmp-spec.txt. */
import { EventEmitter, on } from 'node:events';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

interface Message {
  id?: number;
  return?: unknown;
  error?: { desc: string };
  event?: string;
  data?: Record<string, unknown>;
}

export class Qmp {
  readonly #socket: Socket;
  readonly #events = new EventEmitter<{ event: [name: string, device: unknown] }>();
  readonly #answers = new Map<number, (message: Message) => void>();
  #last = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const lines = createInterface(socket).on('line', (line) => this.#take(JSON.parse(line)));
    lines.on('error', () => socket.destroy()); // of the socket
    socket.on('close', () => {
      for (const id of this.#answers.keys()) this.#take({ id, error: { desc: 'QEMU has ended' } });
    });
  }

  static async over(socket: Socket): Promise<Qmp> {
    const qmp = new Qmp(socket);
    await qmp.do('qmp_capabilities');
    return qmp;
  }

  /** @throws {Error} what QEMU says against it */
  async do(execute: string, arguments_: Record<string, unknown> = {}): Promise<unknown> {
    const id = ++this.#last;
    const answer = new Promise<Message>((resolve) => this.#answers.set(id, resolve));
    this.#socket.write(`${JSON.stringify({ execute, arguments: arguments_, id })}\n`);
    const { error, return: result } = await answer;
    if (error) throw new Error(`${execute} ${JSON.stringify(arguments_)}: ${error.desc}`);
    return result;
  }

  /** Takes a device away; resolves when the guest has let it go. */
  async remove(id: string): Promise<void> {
    await Promise.all([this.until('DEVICE_DELETED', id), this.do('device_del', { id })]);
  }

  /** @param device of which the event is */
  async until(event: string, device?: string): Promise<void> {
    for await (const [name, which] of on(this.#events, 'event'))
      if (name === event && which === device) return;
  }

  #take({ id, event, ...message }: Message): void {
    if (event !== undefined) this.#events.emit('event', event, message.data?.device);
    if (id === undefined) return;
    this.#answers.get(id)?.(message);
    this.#answers.delete(id);
  }
}
