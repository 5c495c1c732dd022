/**
 * The shell protocol of adbd since Android 7.0: packets of 1 byte id, 4 bytes length (little endian), data.
 *
 * Source: AOSP adb/shell_protocol.h. Ids: 0 stdin, 1 stdout, 2 stderr, 3 exit code.
 */
const STDOUT = 1;
const EXIT = 3;
const HEADER_BYTES = 5;
const MAX_PACKET_BYTES = 16 * 1024 * 1024;

/** The stdout of one piece, without allocation: also a flood of tiny packets is one copy each. */
const workspace = Buffer.allocUnsafeSlow(64 * 1024);

/** Extracts stdout from the packets. Bytes that are no packet end it: `ended` turns true. */
export class ShellV2Decoder {
  ended = false;
  /** The first bytes were no packet: the other side does not speak this protocol. */
  isForeign = false;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  /** Bytes of the packet in hand that are still to come, and whether they are stdout. */
  #left = 0;
  #isStdout = false;
  #isBegun = false;

  /** @returns the stdout in this piece, in a buffer that is valid until the next call */
  push(piece: Buffer): Buffer {
    const stdout = piece.length > workspace.length ? Buffer.allocUnsafe(piece.length) : workspace;
    let length = 0;
    let at = 0;
    while (at < piece.length && !this.ended) {
      if (this.#left === 0) {
        this.#takeOfHeader(piece.readUInt8(at));
        at += 1;
        continue;
      }
      const end = Math.min(at + this.#left, piece.length);
      if (this.#isStdout) length += piece.copy(stdout, length, at, end);
      this.#left -= end - at;
      at = end;
    }
    return stdout.subarray(0, length);
  }

  #takeOfHeader(byte: number): void {
    this.#header[this.#headerBytes] = byte;
    this.#headerBytes += 1;
    if (this.#headerBytes < HEADER_BYTES) return;
    this.#headerBytes = 0;
    const id = this.#header.readUInt8(0);
    this.#left = this.#header.readUInt32LE(1);
    this.#isStdout = id === STDOUT;
    const isPacket = id <= EXIT && this.#left <= MAX_PACKET_BYTES;
    if (!isPacket || id === EXIT) this.ended = true;
    if (!isPacket && !this.#isBegun) this.isForeign = true;
    this.#isBegun = true;
  }
}
