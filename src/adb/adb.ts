/** One line of adb's device list. */
export interface ListedDevice {
  /** adb's name for the phone, opaque; '' where adb prints `(no serial number)` or `????????????`. */
  serial: string;
  /** adb's word for the connection: device, unauthorized, offline, `no permissions`, … */
  state: string;
  /** What adb adds to `no permissions`, without the parentheses. */
  reason?: string;
  /** USB port path, e.g. `1-4.2`, without `usb:`. */
  devpath?: string;
  product?: string;
  model?: string;
  device?: string;
  /** The number of this connection; fresh after each reconnect, never stored. */
  transportId?: number;
}

/** What a service on a phone prints. */
export interface Output {
  /**
   * Hands over each piece as it arrives, until `take` says that it has all, the output ends or breaks off, or the
   * signal fires; then hangs up.
   *
   * @param take who wants to keep the bytes copies them: the next ones come to the same place. What it throws is thrown
   */
  read(take: (piece: Buffer) => boolean, signal: AbortSignal): Promise<void>;
}

/**
 * The adb server, as far as hostnode needs it. Every question is bounded in time; what goes on (`watchDevices`,
 * `Output.read`) ends by its signal. A conversation that was given up is destroyed, never reused.
 */
export interface Adb {
  readonly host: string;
  readonly port: number;
  /**
   * The number of the server's protocol, e.g. 41 for "1.0.41".
   *
   * @throws {AdbUnavailableError}
   */
  version(signal?: AbortSignal): Promise<number>;
  /** @throws {AdbUnavailableError} */
  listDevices(signal?: AbortSignal): Promise<ListedDevice[]>;
  /** Lines of the last list that adb's other list does not confirm, printable: a phone has written them. */
  readonly doubts?: readonly string[];
  /**
   * Calls `onChange` each time the server says that something about its phones changed, until the connection
   * ends or `signal` fires. Resolves only by throwing.
   *
   * @throws {AdbUnavailableError} when the server goes away
   */
  watchDevices(onChange: () => void, signal: AbortSignal): Promise<never>;
  /**
   * Opens a service on a phone, e.g. `exec:…`. The phone may take as long over it as the signal lets it.
   *
   * @throws {ServiceRefusedError} when the phone does not open this service
   * @throws {AdbRefusedError} when the phone is gone or lets nobody in
   * @throws {AdbUnavailableError}
   */
  open(device: ListedDevice, service: string, signal: AbortSignal): Promise<Output>;
}
