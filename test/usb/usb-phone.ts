/**
 * A phone on a USB bus: the two bulk endpoints of adb, which lead to a simulated adbd.
 *
 * Source: AOSP packages/modules/adb, adb.h (the interface).
 */
import { connect, type Socket } from 'node:net';
import { encodePacket, readPackets } from '../rig/packet.ts';
import { type Request, toHost, UsbDevice, words } from './usb-device.ts';
import { packetType, type RedirPacket, status } from './usb-redir.ts';

export interface UsbPhoneOptions {
  serial: string;
  /** Where its adbd listens. */
  adbdPort: number;
  product?: string;
  /** Full speed is 12 Mbit/s, high 480. */
  speed?: 'full' | 'high';
  /** USB debugging is on: else it offers its pictures only. */
  hasDebugging?: boolean;
  /** How it fails each request, so that the kernel cannot read its descriptor, or only to be configured. */
  fails?: 'stall' | 'ioerror' | 'configuration';
  /** A second setting of its interface wants more of the bus than there is, as cameras do. */
  isGreedy?: boolean;
}

const adbKind = [0xff, 0x42, 0x01];
const pictureKind = [0x06, 0x01, 0x01];
const bulkIn = 0x81;
const bulkOut = 0x01;
/** Three packets of 1 KiB in each of 8,000 microframes a second: two such endpoints are more than a bus has. */
const GREEDY = { type: 'interrupt', packetBytes: 1024 | (2 << 11), interval: 1 } as const;

export class UsbPhone extends UsbDevice {
  readonly #options: UsbPhoneOptions;
  #adbd: Socket | undefined;
  /** What adbd has said and the guest has not fetched yet: transfers. */
  #said: Buffer[] = [];
  /** Transfers that the guest waits for. */
  #wanted: { id: bigint; length: number }[] = [];

  /** @param qemu the device's chardev, just connected */
  constructor(qemu: Socket, options: UsbPhoneOptions) {
    const { speed = 'full', hasDebugging = true, isGreedy, product = 'Pixel', serial } = options;
    const packetBytes = speed === 'full' ? 64 : 512;
    super(qemu, {
      vendor: 0x18d1, // Google
      product: 0x4ee7,
      kind: hasDebugging ? adbKind : pictureKind,
      speed,
      endpoints: [bulkIn, bulkOut].map((address) => ({ address, type: 'bulk', packetBytes })),
      ...(isGreedy && { otherEndpoints: [0x82, 0x83, 0x84].map((address) => ({ address, ...GREEDY })) }),
      strings: ['Google', product, serial, 'ADB Interface'],
    });
    this.#options = options;
  }

  protected override answer(request: Request): Buffer | number {
    const { fails } = this.#options;
    return fails === undefined || fails === 'configuration' ? super.answer(request) : status[fails];
  }

  protected override configured(): number {
    return this.#options.fails === 'configuration' ? status.stall : status.success;
  }

  protected transfer({ type, id, body }: RedirPacket): void {
    if (type === packetType.cancel) this.#cancel(id);
    if (type === packetType.bulk) this.#bulk(id, body);
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
    if (data.toString('latin1', 0, 4) === 'CNXN') this.hangUp();
    this.#call().write(data);
    this.send(packetType.bulk, id, bulkHeader(bulkOut, status.success, data.length));
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

  protected hangUp(): void {
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
      this.send(packetType.bulk, wanted.id, bulkHeader(bulkIn, status.success, piece.length), piece);
    }
  }

  #cancel(id: bigint): void {
    const length = this.#wanted.length;
    this.#wanted = this.#wanted.filter((wanted) => wanted.id !== id);
    if (this.#wanted.length < length) this.send(packetType.bulk, id, bulkHeader(bulkIn, status.cancelled, 0));
  }
}

const bulkHeader = (endpoint: number, state: number, length: number): Buffer =>
  Buffer.of(endpoint, state, ...words(length & 0xffff).subarray(0, 2), 0, 0, 0, 0, ...words(length >>> 16));
