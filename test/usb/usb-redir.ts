/**
 * Packets of usbredir, by which QEMU's `usb-redir` has a USB device played by another process: a header of three
 * little-endian words (type, length, id), a header of the type, data.
 *
 * Source: usbredir, docs/usb-redirection-protocol.md.
 */
import type { Socket } from 'node:net';

export const packetType = {
  hello: 0,
  connect: 1,
  disconnect: 2,
  reset: 3,
  interfaces: 4,
  endpoints: 5,
  setConfiguration: 6,
  getConfiguration: 7,
  configuration: 8,
  setAlternate: 9,
  getAlternate: 10,
  alternate: 11,
  startInterrupts: 15,
  stopInterrupts: 16,
  interrupts: 17,
  cancel: 21,
  control: 100,
  bulk: 101,
  interrupt: 103,
} as const;

export const status = { success: 0, cancelled: 1, ioerror: 3, stall: 4 } as const;

/** xHCI needs all four: packet sizes are asked for, ids are addresses of the guest, transfers are long. */
const CAPABILITIES = (1 << 1) | (1 << 4) | (1 << 5) | (1 << 6);
const SHORT_HEADER = 12;
const LONG_HEADER = 16;

export interface RedirPacket {
  type: number;
  /** By which an answer is known. */
  id: bigint;
  body: Buffer;
}

/** The first packet of a side; its header alone is short. */
export function encodeHello(): Buffer {
  const packet = Buffer.alloc(SHORT_HEADER + 64 + 4);
  packet.writeUInt32LE(packetType.hello, 0);
  packet.writeUInt32LE(64 + 4, 4);
  packet.write('hostnode usb lab', SHORT_HEADER);
  packet.writeUInt32LE(CAPABILITIES, SHORT_HEADER + 64);
  return packet;
}

export function encodeRedir(type: number, id: bigint, ...parts: Buffer[]): Buffer {
  const header = Buffer.alloc(LONG_HEADER);
  header.writeUInt32LE(type, 0);
  header.writeUInt32LE(
    parts.reduce((sum, { length }) => sum + length, 0),
    4,
  );
  header.writeBigUInt64LE(id, 8);
  return Buffer.concat([header, ...parts]);
}

/** Cuts what QEMU sends into packets. */
export async function* readRedir(socket: Socket): AsyncGenerator<RedirPacket> {
  let buffered = Buffer.alloc(0);
  let header = SHORT_HEADER;
  for await (const chunk of socket) {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= header) {
      const end = header + buffered.readUInt32LE(4);
      if (buffered.length < end) break;
      const id = header === LONG_HEADER ? buffered.readBigUInt64LE(8) : 0n;
      yield { type: buffered.readUInt32LE(0), id, body: Buffer.from(buffered.subarray(header, end)) };
      buffered = buffered.subarray(end);
      header = LONG_HEADER;
    }
  }
}
