/** One line of adb's device list. */
export interface ListedDevice {
  /** adb's name for the phone, opaque; '' where adb prints `(no serial number)` or `????????????`. */
  serial: string;
  /** adb's word for the connection: device, unauthorized, offline, `no permissions`, … */
  state: string;
  /** What adb adds to `no permissions`, without parentheses. */
  reason?: string;
  /** USB port path, e.g. `1-4.2`, without `usb:`. */
  devpath?: string;
  product?: string;
  model?: string;
  device?: string;
  /** The number of this connection; fresh after each reconnect, never stored. */
  transportId?: number;
}

/** States of a phone while it or the adb server starts (AOSP adb/adb.h, ConnectionState). */
const PASSING = new Set(['connecting', 'authorizing', 'offline']);

/** May this state change by itself within seconds? */
export const isPassing = (state: string): boolean => PASSING.has(state);

/** What a service on a phone prints. */
export interface Output {
  /**
   * Passes each piece to `take` until `take` returns true, the output ends or breaks off, or the signal fires. Then it
   * closes the connection.
   *
   * @param take must copy bytes that it keeps: the next piece reuses the buffer. Where it returns a promise, the phone
   *   waits until that is resolved. Its errors are thrown
   */
  read(take: Take, signal: AbortSignal): Promise<void>;
}

/** True ends the reading; a promise pauses it. */
export type Take = (piece: Buffer) => boolean | Promise<void>;

/**
 * The adb server, as far as hostnode needs it. Each request has a time limit; `watchDevices` and `Output.read` run
 * until their signal fires. An abandoned connection is destroyed, never reused.
 */
export interface Adb {
  readonly host: string;
  readonly port: number;
  /**
   * The protocol number of the server, e.g. 41 for "1.0.41".
   *
   * @throws {AdbUnavailableError}
   */
  version(signal?: AbortSignal): Promise<number>;
  /**
   * Its list, in its order: the same object as last time while the server says the same.
   *
   * @throws {AdbUnavailableError}
   */
  listDevices(signal?: AbortSignal): Promise<readonly ListedDevice[]>;
  /** Lines of the last list that adb's short list does not confirm: a phone wrote them. Printable. */
  readonly doubts: readonly string[];
  /**
   * Calls `onChange` whenever the server reports a change, until the connection ends or `signal` fires. Never resolves;
   * it ends by throwing.
   *
   * @throws {AdbUnavailableError} when the server ends
   */
  watchDevices(onChange: () => void, signal: AbortSignal): Promise<never>;
  /**
   * Opens a service on a phone, e.g. `exec:…`. Only the signal limits how long the phone may take.
   *
   * @throws {ServiceRefusedError} when the phone does not open this service
   * @throws {AdbRefusedError} when the phone is unplugged or unauthorized
   * @throws {AdbUnavailableError}
   */
  open(device: ListedDevice, service: string, signal: AbortSignal): Promise<Output>;
}
