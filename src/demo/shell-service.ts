/**
 * The services in which adbd runs a command, and the format of the output of each.
 *
 * Source: AOSP adb, daemon/services.cpp, daemon/shell_service.cpp, shell_protocol.h.
 */

/** `shell` merges and, up to Android 6, goes through a terminal; `exec` merges; `v2` has packets and an exit code. */
export interface ShellRequest {
  readonly kind: 'shell' | 'exec' | 'v2';
  readonly command: string;
}

/** A service string such as `exec:getprop` or `shell,v2,raw:getprop`; undefined for any other service. */
export function parseShellService(service: string): ShellRequest | undefined {
  const match = /^(shell|exec)((?:,[^:,]*)*):(.*)$/s.exec(service);
  if (match === null) return undefined;
  const [, name, options = '', command = ''] = match;
  if (name === 'exec') return { kind: 'exec', command };
  return { kind: options.split(',').includes('v2') ? 'v2' : 'shell', command };
}

/** The packets of `shell,v2` that a phone sends. */
export const shellPacket = { stdout: 1, stderr: 2, exit: 3 } as const;

/** One packet: its id, the length in four bytes (little endian), the data. */
export function packet(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(id);
  head.writeUInt32LE(data.length, 1);
  return Buffer.concat([head, data]);
}

/** A terminal turns each LF into CR LF. */
export const throughTerminal = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
