/**
 * A device on a USB bus: its descriptors, and the requests that every device answers.
 *
 * Source: USB 2.0 specification, 9.4 (requests) and 9.6 (descriptors).
 */
import type { Socket } from 'node:net';
import { encodeHello, encodeRedir, packetType, type RedirPacket, readRedir, status } from './usb-redir.ts';

export interface Endpoint {
  /** With its highest bit for one to the host. */
  address: number;
  type: 'bulk' | 'interrupt';
  /** As the descriptor has it: of an interrupt endpoint with how many more packets a microframe has. */
  packetBytes: number;
  interval?: number;
}

/** What it says of itself. */
export interface Description {
  vendor: number;
  product: number;
  /** Of the device; 0 where only the interface has one. */
  class?: number;
  /** It has a power supply of its own. */
  isSelfPowered?: boolean;
  /** Class, subclass, protocol of its interface. */
  kind: readonly number[];
  /** Full speed is 12 Mbit/s, high 480. */
  speed: 'full' | 'high';
  endpoints: readonly Endpoint[];
  /** Of a second setting of the interface. */
  otherEndpoints?: readonly Endpoint[];
  /** Maker, product, serial and the interface. */
  strings: readonly string[];
}

/** A request to a device. Source: USB 2.0, 9.3. */
export interface Request {
  requestType: number;
  request: number;
  value: number;
  index: number;
}

export const toHost = 0x80;
const getStatus = 0;
const getDescriptor = 6;
const RELEASE = 0x0440;
const speeds = { full: 1, high: 2 };
const transfers = { bulk: 2, interrupt: 3 };

export const words = (...values: number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer);

export abstract class UsbDevice {
  readonly #qemu: Socket;
  readonly #is: Description;
  readonly #descriptors: ReadonlyMap<number, Buffer>;

  /** @param qemu the device's chardev, just connected */
  constructor(qemu: Socket, is: Description) {
    this.#qemu = qemu;
    this.#is = is;
    this.#descriptors = descriptorsOf(is);
    qemu.on('error', () => qemu.destroy());
    qemu.on('close', () => this.hangUp());
    qemu.write(encodeHello());
    void this.#serve().catch(() => qemu.destroy());
  }

  async #serve(): Promise<void> {
    for await (const packet of readRedir(this.#qemu)) this.#answer(packet);
  }

  #answer({ type, id, body }: RedirPacket): void {
    switch (type) {
      case packetType.hello:
        this.#attach();
        break;
      case packetType.setConfiguration:
        this.send(packetType.configuration, id, Buffer.of(this.configured(), body[0] ?? 0));
        break;
      case packetType.getConfiguration:
        this.send(packetType.configuration, id, Buffer.of(status.success, 1));
        break;
      case packetType.setAlternate:
        this.send(packetType.alternate, id, Buffer.of(status.success, body[0] ?? 0, body[1] ?? 0));
        break;
      case packetType.getAlternate:
        this.send(packetType.alternate, id, Buffer.of(status.success, body[0] ?? 0, 0));
        break;
      case packetType.reset:
        this.hangUp();
        break;
      case packetType.control:
        this.#control(id, body);
        break;
      default:
        this.transfer({ type, id, body });
    }
  }

  protected send(type: number, id: bigint, ...parts: Buffer[]): void {
    if (this.#qemu.writable) this.#qemu.write(encodeRedir(type, id, ...parts));
  }

  /** Says what it is, and is plugged in. Tables are by endpoint: 16 out, 16 in. */
  #attach(): void {
    const { vendor, product, kind, speed, endpoints, class: deviceClass = 0 } = this.#is;
    const interfaces = Buffer.alloc(4 + 4 * 32);
    interfaces.writeUInt32LE(1, 0);
    kind.forEach((code, index) => {
      interfaces[4 + 32 * (index + 1)] = code;
    });
    const [type, interval, size] = [0, 32, 96];
    const table = Buffer.alloc(5 * 32);
    table.fill(255, type, type + 32);
    const control = [0, toHost].map((address) => ({ address, code: 0, packetBytes: 64, each: 0 }));
    const others = endpoints.map((each) => ({
      ...each,
      code: transfers[each.type],
      each: each.interval ?? 0,
    }));
    for (const { address, code, packetBytes, each } of [...control, ...others]) {
      const index = (address & 15) + (address & toHost ? 16 : 0);
      table[type + index] = code;
      table[interval + index] = each;
      table.writeUInt16LE(packetBytes, size + 2 * index);
    }
    this.send(packetType.interfaces, 0n, interfaces);
    this.send(packetType.endpoints, 0n, table);
    const head = Buffer.of(speeds[speed], deviceClass, 0, 0);
    this.send(packetType.connect, 0n, head, words(vendor, product, RELEASE));
  }

  #control(id: bigint, body: Buffer): void {
    const [, request = 0, requestType = 0] = body;
    const [value, index, length] = [body.readUInt16LE(4), body.readUInt16LE(6), body.readUInt16LE(8)];
    const data = this.answer({ requestType, request, value, index });
    const answer = Buffer.from(body.subarray(0, 10));
    if (typeof data === 'number') {
      answer[3] = data;
      answer.writeUInt16LE(0, 8);
      this.send(packetType.control, id, answer);
      return;
    }
    const piece = data.subarray(0, length);
    answer[3] = status.success;
    if (requestType & toHost) answer.writeUInt16LE(piece.length, 8);
    this.send(packetType.control, id, answer, piece);
  }

  /** @returns what it sends, or why not: one of `status` */
  protected answer({ requestType, request, value }: Request): Buffer | number {
    if ((requestType & toHost) === 0) return Buffer.alloc(0);
    if (request === getStatus) return words(this.#is.isSelfPowered ? 1 : 0);
    return (request === getDescriptor && this.#descriptors.get(value)) || status.stall;
  }

  /** @returns one of `status` */
  protected configured(): number {
    return status.success;
  }

  /** Takes what is no request: transfers, and what is said of them. */
  protected abstract transfer(packet: RedirPacket): void;

  /** The host has reset it, or it is unplugged. */
  protected abstract hangUp(): void;
}

/** By the value of the request: type and index. */
function descriptorsOf(is: Description): ReadonlyMap<number, Buffer> {
  const setting = (endpoints: readonly Endpoint[], number: number) => [
    Buffer.of(9, 4, 0, number, endpoints.length, ...is.kind, 4),
    ...endpoints.map(({ address, type, packetBytes, interval = 0 }) =>
      Buffer.of(7, 5, address, transfers[type], ...words(packetBytes), interval),
    ),
  ];
  const settings = Buffer.concat([
    ...setting(is.endpoints, 0),
    ...(is.otherEndpoints ? setting(is.otherEndpoints, 1) : []),
  ]);
  const ids = words(is.vendor, is.product, RELEASE);
  const text = (value: string) => {
    const bytes = Buffer.from(value, 'utf16le');
    return Buffer.concat([Buffer.of(bytes.length + 2, 3), bytes]);
  };
  const head = Buffer.of(
    9,
    2,
    ...words(9 + settings.length),
    1,
    1,
    0,
    is.isSelfPowered ? 0xc0 : 0x80,
    500 / 2,
  );
  return new Map([
    [0x100, Buffer.of(18, 1, ...words(0x200), is.class ?? 0, 0, 0, 64, ...ids, 1, 2, 3, 1)],
    [0x200, Buffer.concat([head, settings])],
    [0x300, Buffer.of(4, 3, ...words(0x409))],
    ...is.strings.map((value, index) => [0x300 + index + 1, text(value)] as const),
  ]);
}
