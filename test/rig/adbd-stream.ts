import { Duplex } from 'node:stream';

/** Sends one packet of a stream to the adb server. */
export type SendStreamPacket = (command: 'OKAY' | 'WRTE' | 'CLSE', payload?: Buffer) => void;

/**
 * One open stream at the phone's end: what is written here reaches the adb server in WRTE packets, each of
 * which waits for the server's OKAY; ending it sends CLSE.
 */
export class AdbdStream extends Duplex {
  readonly #send: SendStreamPacket;
  readonly #maxdata: number;
  #unsent: Buffer = Buffer.alloc(0);
  /** Tells the writer that its chunk has gone out. */
  #sent: (() => void) | undefined;

  constructor(send: SendStreamPacket, maxdata: number) {
    super();
    this.#send = send;
    this.#maxdata = maxdata;
    this.once('finish', () => this.destroy());
  }

  /** A WRTE packet came. */
  receive(payload: Buffer): void {
    this.push(payload);
    this.#send('OKAY');
  }

  /** An OKAY packet came: the server took the last WRTE. */
  acknowledge(): void {
    if (this.#unsent.length > 0) {
      this.#sendNext();
    } else {
      const sent = this.#sent;
      this.#sent = undefined;
      sent?.();
    }
  }

  #sendNext(): void {
    this.#send('WRTE', this.#unsent.subarray(0, this.#maxdata));
    this.#unsent = this.#unsent.subarray(this.#maxdata);
  }

  override _write(chunk: Buffer, _encoding: string, sent: () => void): void {
    this.#unsent = chunk;
    this.#sent = sent;
    this.#sendNext();
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#send('CLSE');
    done(error);
  }
}
