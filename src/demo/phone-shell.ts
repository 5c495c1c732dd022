/**
 * How a simulated phone runs commands: the services in which adbd runs a command, the format of the output of each, and the
 * probe's script:
 *
 *     set -m;A=<hex>;B=<hex>
 *     q(){ … }
 *     q <section>.<command> <limitSeconds> '<command text>'
 *     …
 *     echo;echo "$A$B."
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

export interface ScriptCommand {
  /** `section.command`. */
  name: string;
  /** Time limit after which the phone kills the command. */
  limitSeconds: number;
  text: string;
}

export interface ProbeScript {
  /** The prefix of every mark of this conversation. */
  mark: string;
  commands: ScriptCommand[];
}

/** The script's commands; undefined when the text is not a probe's script. */
export function parseProbeScript(script: string): ProbeScript | undefined {
  const halves = /^set -m;A=([0-9a-f]+);B=([0-9a-f]+)/.exec(script);
  if (halves === null) return undefined;
  const commands = [...script.matchAll(/^q (\S+) (\d+) '([^']*)'$/gm)].map(
    ([, name = '', limit = '', text = '']) => ({ name, limitSeconds: Number(limit), text }),
  );
  return { mark: `${halves[1]}${halves[2]}`, commands };
}

export const startMark = (mark: string, name: string): string => `\n${mark}<${name}\n`;
export const endMark = (mark: string, name: string, exitCode: number): string =>
  `\n${mark}>${name} ${exitCode}\n`;
export const finalMark = (mark: string): string => `\n${mark}.\n`;

/** How a shell answers a command that it cannot find. */
export function notFound(command: string): { text: string; exitCode: number } {
  const [word = ''] = command.trim().split(/\s+/);
  return { text: `sh: ${word}: not found\n`, exitCode: 127 };
}
