/**
 * A hub on a USB bus that says of its ports what it is told to say. QEMU lets nothing be plugged into it: to xHCI a device is
 * where QEMU has made a port. To UHCI it is whoever answers to an address, so that a phone in another port can be had behind it.
 *
 * Source: USB 2.0 specification, 11.23 (descriptor) and 11.24 (requests).
 */
import type { Socket } from 'node:net';
import { type Request, UsbDevice, words } from './usb-device.ts';
import { packetType, type RedirPacket, status } from './usb-redir.ts';

const hubClass = 9;
const changes = 0x81;
const ofHub = 0xa0;
const ofPort = 0xa3;
const toPort = 0x23;
const getStatus = 0;
const clearFeature = 1;
const setFeature = 3;
const getDescriptor = 6;
/** Each port is switched, and cut off, by itself: so it says. Told to switch one off, it does nothing. */
const CHARACTERISTICS = 0x0009;
const PORTS = 4;
/** QEMU's UHCI forgets an endpoint that is not asked within 32 ms. */
const POLL_MS = 16;
/** Bits of a port's status, and numbers of the features that set and clear them; those of a change are 16 higher. */
const bits = { connection: 0, enable: 1, overCurrent: 3, reset: 4, power: 8 } as const;

export class UsbHub extends UsbDevice {
  /** Of each port, from 1 on. */
  readonly #ports = Array.from({ length: 1 + PORTS }, () => ({ status: 0, change: 0 }));
  #isAsked = false;
  #last = 0n;

  /** @param qemu the device's chardev, just connected */
  constructor(qemu: Socket) {
    super(qemu, {
      vendor: 0x0bda, // Realtek, a chip of which some makers leave the switches out
      product: 0x5411,
      class: hubClass,
      isSelfPowered: true,
      kind: [hubClass, 0, 0],
      speed: 'full',
      endpoints: [{ address: changes, type: 'interrupt', packetBytes: 1, interval: POLL_MS }],
      strings: ['Realtek', 'Hub', 'LAB-HUB', 'Hub'],
    });
  }

  /** Something is plugged into a port. */
  connect(port: number): void {
    this.#set(port, ['connection', 'power'], 'connection');
  }

  /** The port drew too much: it has no power any more. */
  cutPower(port: number): void {
    this.#set(port, ['overCurrent'], 'overCurrent', 'connection');
  }

  /** Switches a port off though something is plugged in, as a hub does that was disturbed. */
  disable(port: number): void {
    this.#set(port, ['connection', 'power'], 'enable');
  }

  #set(number: number, now: readonly (keyof typeof bits)[], ...changed: (keyof typeof bits)[]): void {
    const port = this.#ports[number];
    if (port === undefined) throw new Error(`no port ${number}`);
    port.status = mask(now);
    port.change |= mask(changed);
    this.#tell();
  }

  protected override answer(request: Request): Buffer | number {
    const { requestType, request: code, value, index } = request;
    const port = this.#ports[index];
    if (requestType === ofHub && code === getStatus) return words(0, 0);
    if (requestType === ofHub && code === getDescriptor)
      return Buffer.of(9, 0x29, PORTS, ...words(CHARACTERISTICS), 50, 100, 0, 0xff);
    if (requestType === ofPort && port !== undefined) return words(port.status, port.change);
    if (requestType === toPort && port !== undefined) {
      if (code === clearFeature && value >= 16) port.change &= ~(1 << (value - 16));
      else if (code === clearFeature && value !== bits.power) port.status &= ~(1 << value);
      else if (code === setFeature && value === bits.power) port.status |= 1 << value;
      else if (code === setFeature && value === bits.reset) {
        if (port.status & mask(['connection'])) port.status |= mask(['enable']);
        port.change |= mask(['reset']);
      }
      this.#tell();
      return Buffer.alloc(0);
    }
    return super.answer(request);
  }

  protected transfer({ type, id, body }: RedirPacket): void {
    const isStart = type === packetType.startInterrupts;
    if (!isStart && type !== packetType.stopInterrupts) return;
    this.#isAsked = isStart;
    this.send(packetType.interrupts, id, Buffer.of(status.success, body[0] ?? 0));
    this.#tell();
  }

  protected hangUp(): void {
    this.#isAsked = false;
  }

  /** A bit for each port with a change that the host has not taken. */
  #tell(): void {
    const changed = this.#ports.reduce((all, { change }, port) => all | (change === 0 ? 0 : 1 << port), 0);
    if (!this.#isAsked || changed === 0) return;
    this.#last += 1n;
    const header = Buffer.of(changes, status.success, ...words(1));
    this.send(packetType.interrupt, this.#last, header, Buffer.of(changed));
  }
}

const mask = (of: readonly (keyof typeof bits)[]): number =>
  of.reduce((all, bit) => all | (1 << bits[bit]), 0);
