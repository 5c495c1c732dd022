/**
 * A phone on a USB bus: descriptors, control requests, and the two bulk endpoints of adb, which lead to a simulated adbd.
 *
 * Source: USB 2.0 specification, 9.4 (requests) and 9.6 (descriptors); AOSP packages/modules/adb, adb.h (the interface).
 */
import { connect, type Socket } from 'node:net';
import { encodePacket, readPackets } from '../rig/packet.ts';
import { encodeHello, encodeRedir, packetType, type RedirPacket, readRedir, status } from './usb-redir.ts';

export interface UsbPhoneOptions {
  serial: string;
  /** Where its adbd listens. */
  adbdPort: number;
  product?: string;
  /** Full speed is 12 Mbit/s, high 480. */
  speed?: 'full' | 'high';
  /** USB debugging is on: else it offers its pictures only. */
  hasDebugging?: boolean;
  /** Each control request, so that the kernel cannot read its descriptor, or only to be configured. */
  refuses?: 'all' | 'configuration';
}

const speeds = { full: { code: 1, packetBytes: 64 }, high: { code: 2, packetBytes: 512 } };
const VENDOR = 0x18d1; // Google
const PRODUCT = 0x4ee7;
const RELEASE = 0x0440;
const adbKind = [0xff, 0x42, 0x01];
const pictureKind = [0x06, 0x01, 0x01];
const bulkIn = 0x81;
const bulkOut = 0x01;
const toHost = 0x80;
const getStatus = 0;
const getDescriptor = 6;

const words = (...values: number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer);

export class UsbPhone {
  readonly #qemu: Socket;
  readonly #options: UsbPhoneOptions;
  readonly #packetBytes: number;
  readonly #descriptors: Map<number, Buffer>;
  #adbd: Socket | undefined;
  /** What adbd has said and the guest has not fetched yet: transfers. */
  #said: Buffer[] = [];
  /** Transfers that the guest waits for. */
  #wanted: { id: bigint; length: number }[] = [];

  /** @param qemu the device's chardev, just connected */
  constructor(qemu: Socket, options: UsbPhoneOptions) {
    this.#qemu = qemu;
    this.#options = options;
    this.#packetBytes = speeds[options.speed ?? 'full'].packetBytes;
    this.#descriptors = this.#describe();
    qemu.on('error', () => qemu.destroy());
    qemu.on('close', () => this.#adbd?.destroy());
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
        this.#send(packetType.configuration, id, Buffer.of(this.#readiness, body[0] ?? 0));
        break;
      case packetType.getConfiguration:
        this.#send(packetType.configuration, id, Buffer.of(status.success, 1));
        break;
      case packetType.setAlternate:
        this.#send(packetType.alternate, id, Buffer.of(status.success, body[0] ?? 0, body[1] ?? 0));
        break;
      case packetType.getAlternate:
        this.#send(packetType.alternate, id, Buffer.of(status.success, body[0] ?? 0, 0));
        break;
      case packetType.reset:
        this.#hangUp();
        break;
      case packetType.cancel:
        this.#cancel(id);
        break;
      case packetType.control:
        this.#control(id, body);
        break;
      case packetType.bulk:
        this.#bulk(id, body);
    }
  }

  #send(type: number, id: bigint, ...parts: Buffer[]): void {
    if (this.#qemu.writable) this.#qemu.write(encodeRedir(type, id, ...parts));
  }

  /** Says what it is, and is plugged in. Tables are by endpoint: 16 out, 16 in. */
  #attach(): void {
    const interfaces = Buffer.alloc(4 + 4 * 32);
    interfaces.writeUInt32LE(1, 0);
    this.#kind.forEach((code, index) => {
      interfaces[4 + 32 * (index + 1)] = code;
    });
    const [type, interval, size] = [0, 32, 96];
    const endpoints = Buffer.alloc(5 * 32);
    endpoints.fill(255, type, type + 32);
    for (const [index, code, bytes] of [
      [0, 0, 64],
      [16, 0, 64],
      [1, 2, this.#packetBytes],
      [17, 2, this.#packetBytes],
    ] as const) {
      endpoints[type + index] = code;
      endpoints[interval + index] = 0;
      endpoints.writeUInt16LE(bytes, size + 2 * index);
    }
    this.#send(packetType.interfaces, 0n, interfaces);
    this.#send(packetType.endpoints, 0n, endpoints);
    const { code } = speeds[this.#options.speed ?? 'full'];
    this.#send(packetType.connect, 0n, Buffer.of(code, 0, 0, 0), words(VENDOR, PRODUCT, RELEASE));
  }

  get #readiness(): number {
    return this.#options.refuses === 'configuration' ? status.stall : status.success;
  }

  get #kind(): readonly number[] {
    return (this.#options.hasDebugging ?? true) ? adbKind : pictureKind;
  }

  /** By the value of the request: type and index. */
  #describe(): Map<number, Buffer> {
    const { product = 'Pixel', serial } = this.#options;
    const endpoint = (address: number) => Buffer.of(7, 5, address, 2, ...words(this.#packetBytes), 0);
    const text = (value: string) => {
      const bytes = Buffer.from(value, 'utf16le');
      return Buffer.concat([Buffer.of(bytes.length + 2, 3), bytes]);
    };
    const strings = ['Google', product, serial, 'ADB Interface'].map(
      (value, index) => [0x300 + index + 1, text(value)] as const,
    );
    return new Map([
      [0x100, Buffer.of(18, 1, ...words(0x200), 0, 0, 0, 64, ...words(VENDOR, PRODUCT, RELEASE), 1, 2, 3, 1)],
      [
        0x200,
        Buffer.concat([
          Buffer.of(9, 2, 9 + 9 + 2 * 7, 0, 1, 1, 0, 0x80, 500 / 2),
          Buffer.of(9, 4, 0, 0, 2, ...this.#kind, 4),
          endpoint(bulkIn),
          endpoint(bulkOut),
        ]),
      ],
      [0x300, Buffer.of(4, 3, ...words(0x409))],
      ...strings,
    ]);
  }

  #control(id: bigint, body: Buffer): void {
    const [, request, requestType = 0] = body;
    const [value, length] = [body.readUInt16LE(4), body.readUInt16LE(8)];
    const answer = Buffer.from(body.subarray(0, 10));
    let data: Buffer | undefined = Buffer.alloc(0);
    if (this.#options.refuses === 'all') {
      data = undefined;
      answer.writeUInt16LE(0, 8);
    } else if (requestType & toHost) {
      data = { [getDescriptor]: this.#descriptors.get(value), [getStatus]: words(0) }[request ?? -1];
      answer.writeUInt16LE(Math.min(data?.length ?? 0, length), 8);
    }
    answer[3] = data === undefined ? status.stall : status.success;
    this.#send(packetType.control, id, answer, (data ?? Buffer.alloc(0)).subarray(0, length));
  }

  #bulk(id: bigint, body: Buffer): void {
    const length = body.readUInt16LE(2) + 65_536 * body.readUInt16LE(8);
    if ((body[0] ?? 0) & toHost) {
      this.#wanted.push({ id, length });
      this.#deliver();
      return;
    }
    const data = body.subarray(10);
    // with a new connection adbd forgets the one before
    if (data.toString('latin1', 0, 4) === 'CNXN') this.#hangUp();
    this.#call().write(data);
    this.#send(packetType.bulk, id, bulkHeader(bulkOut, status.success, data.length));
  }

  #call(): Socket {
    if (this.#adbd !== undefined) return this.#adbd;
    const adbd = connect({ port: this.#options.adbdPort, host: '127.0.0.1', noDelay: true });
    this.#adbd = adbd;
    adbd.on('error', () => adbd.destroy());
    void (async () => {
      for await (const { command, arg0, arg1, payload } of readPackets(adbd)) {
        const packet = encodePacket(command, arg0, arg1, payload);
        const header = packet.subarray(0, packet.length - payload.length);
        if (adbd !== this.#adbd) return;
        // each is a transfer of its own
        this.#said.push(header, ...(payload.length > 0 ? [payload] : []));
        this.#deliver();
      }
    })().catch(() => adbd.destroy());
    return adbd;
  }

  #hangUp(): void {
    this.#adbd?.destroy();
    this.#adbd = undefined;
    this.#said = [];
  }

  #deliver(): void {
    for (;;) {
      const [wanted, said] = [this.#wanted[0], this.#said[0]];
      if (wanted === undefined || said === undefined) return;
      const piece = said.subarray(0, wanted.length);
      this.#wanted.shift();
      if (piece.length === said.length) this.#said.shift();
      else this.#said[0] = said.subarray(piece.length);
      this.#send(packetType.bulk, wanted.id, bulkHeader(bulkIn, status.success, piece.length), piece);
    }
  }

  #cancel(id: bigint): void {
    const length = this.#wanted.length;
    this.#wanted = this.#wanted.filter((wanted) => wanted.id !== id);
    if (this.#wanted.length < length)
      this.#send(packetType.bulk, id, bulkHeader(bulkIn, status.cancelled, 0));
  }
}

const bulkHeader = (endpoint: number, state: number, length: number): Buffer =>
  Buffer.of(endpoint, state, ...words(length & 0xffff).subarray(0, 2), 0, 0, 0, 0, ...words(length >>> 16));
