/**
 * The shell protocol of adbd since Android 7.0: packets of 1 byte id, 4 bytes length (little endian), data.
 *
 * Source: AOSP adb/shell_protocol.h. Ids: 0 stdin, 1 stdout, 2 stderr, 3 exit code.
 */
const STDOUT = 1;
const EXIT = 3;
const HEADER = 5;
const MAX_PACKET = 16 * 1024 * 1024;

/** Extracts stdout from the packets. Bytes that are no packet end it: `ended` turns true. */
export class ShellV2Decoder {
  ended = false;
  /** The first bytes were no packet: the other side does not speak this protocol. */
  isForeign = false;
  #isFirst = true;
  #pending: Buffer = Buffer.alloc(0);
  /** Bytes of the packet in hand that are still to come, and whether they are stdout. */
  #left = 0;
  #wanted = false;

  /** @returns the pieces of stdout: parts of `chunk`, not copies */
  push(chunk: Buffer): Buffer[] {
    const pieces: Buffer[] = [];
    let rest = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    while (!this.ended) {
      if (this.#left > 0) {
        const piece = rest.subarray(0, this.#left);
        this.#left -= piece.length;
        rest = rest.subarray(piece.length);
        if (this.#wanted && piece.length > 0) pieces.push(piece);
        if (this.#left > 0) break;
      }
      if (rest.length < HEADER) break;
      const id = rest.readUInt8(0);
      this.#left = rest.readUInt32LE(1);
      this.#wanted = id === STDOUT;
      rest = rest.subarray(HEADER);
      const isPacket = id <= EXIT && this.#left <= MAX_PACKET;
      if (!isPacket || id === EXIT) this.ended = true;
      if (!isPacket && this.#isFirst) this.isForeign = true;
      this.#isFirst = false;
    }
    this.#pending = Buffer.from(rest); // less than a header, or nothing will follow
    return pieces;
  }
}
