/**
 * Packets of adb's transport protocol: a header of six little-endian words, then the payload.
 *
 * Source: AOSP packages/modules/adb, protocol.txt and adb.h.
 */
import type { Readable } from 'node:stream';

export type PacketCommand = 'CNXN' | 'AUTH' | 'OPEN' | 'OKAY' | 'WRTE' | 'CLSE';

export interface Packet {
  command: PacketCommand;
  arg0: number;
  arg1: number;
  payload: Buffer;
}

const headerBytes = 24;
const commands: readonly string[] = ['CNXN', 'AUTH', 'OPEN', 'OKAY', 'WRTE', 'CLSE'];

const isCommand = (word: string): word is PacketCommand => commands.includes(word);

/** The protocol's checksum: the sum of the payload's bytes. */
const checksum = (payload: Buffer): number => payload.reduce((sum, byte) => (sum + byte) >>> 0, 0);

export function encodePacket(command: PacketCommand, arg0: number, arg1: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write(command, 'latin1');
  header.writeUInt32LE(arg0, 4);
  header.writeUInt32LE(arg1, 8);
  header.writeUInt32LE(payload.length, 12);
  header.writeUInt32LE(checksum(payload), 16);
  header.writeUInt32LE(~header.readUInt32LE(0) >>> 0, 20);
  return Buffer.concat([header, payload]);
}

/**
 * Cuts a byte stream into packets.
 *
 * @throws {Error} at a header that breaks the protocol, or a checksum that is neither right nor left out (0)
 */
export async function* readPackets(source: Readable): AsyncGenerator<Packet> {
  let buffered = Buffer.alloc(0);
  for await (const chunk of source) {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= headerBytes) {
      const end = headerBytes + buffered.readUInt32LE(12);
      if (buffered.length < end) break;
      yield decodePacket(buffered.subarray(0, end));
      buffered = buffered.subarray(end);
    }
  }
}

function decodePacket(bytes: Buffer): Packet {
  const command = bytes.toString('latin1', 0, 4);
  const payload = Buffer.from(bytes.subarray(headerBytes));
  const sum = bytes.readUInt32LE(16);
  if (!isCommand(command)) throw new Error(`not an adb packet: ${JSON.stringify(command)}`);
  if (bytes.readUInt32LE(20) !== ~bytes.readUInt32LE(0) >>> 0) throw new Error(`${command}: wrong magic`);
  if (sum !== 0 && sum !== checksum(payload)) throw new Error(`${command}: wrong checksum`);
  return { command, arg0: bytes.readUInt32LE(4), arg1: bytes.readUInt32LE(8), payload };
}
