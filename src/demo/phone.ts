/**
 * A simulated phone, and how it runs commands: the services in which adbd runs one, the format of the output of each, and
 * the probe's script:
 *
 *     set -m;A=<hex>;B=<hex>
 *     q(){ … }
 *     q <section>.<command> <limitSeconds> '<command text>'
 *     …
 *     echo;echo "$A$B."
 *
 * Source: AOSP adb, daemon/services.cpp, daemon/shell_service.cpp, shell_protocol.h.
 */
import { type AnswerFault, play } from './answer-fault.ts';
import { outputOf, type RecordedOutput, type Recording } from './recording.ts';

/** API levels at which adbd changed. */
const lollipop = 21;
const nougat = 24;
const pie = 28;

/** Changes an answer on its way out, e.g. so that a battery runs down. */
export type Alteration = (recorded: string) => string;

/**
 * A phone that answers from a recording. It has the shell services of its Android: `exec:` since 5.0,
 * `shell,v2` since 7.0, and before 7.0 a `shell:` that goes through a terminal and a packet limit of 4096 bytes.
 */
export class SimulatedPhone {
  readonly title: string;
  readonly serial: string;
  readonly sdk: number;
  readonly devpath: string | undefined;
  readonly product: string | undefined;
  readonly model: string | undefined;
  readonly device: string | undefined;
  /** adb's state of the phone, with adb's addition if there is one: `no permissions (…)`. */
  state: string;
  hasShellV2: boolean;
  /** The longest packet that adbd accepts, bytes. */
  maxDataBytes: number;
  /** Kinds of service that adbd closes at once, although its Android should have them. */
  readonly refused = new Set<ShellRequest['kind']>();
  readonly #answers: Recording['answers'];
  readonly #faults = new Map<string, AnswerFault>();
  readonly #alterations = new Map<string, Alteration>();
  /** Values of Android's settings by `global adb_enabled`, where the phone keeps them; then the shell sets them. */
  settings: Map<string, string> | undefined;

  constructor(recording: Recording) {
    const { title, serial, sdk, devpath, product, model, device, state, answers } = recording;
    this.title = title;
    this.serial = serial;
    this.sdk = sdk;
    this.devpath = devpath;
    this.product = product;
    this.model = model;
    this.device = device;
    this.state = state;
    this.hasShellV2 = sdk >= nougat;
    this.maxDataBytes = sdk < nougat ? 4096 : sdk < pie ? 256 * 1024 : 1024 * 1024;
    this.#answers = answers;
  }

  /** Adds a fault to an answer (`battery.dump`), a section's answers (`battery`) or all of them (`*`). */
  disturb(name: string, fault: AnswerFault): void {
    this.#faults.set(name, fault);
  }

  /** Removes a fault; without a name, all of them. */
  heal(name?: string): void {
    if (name === undefined) this.#faults.clear();
    else this.#faults.delete(name);
  }

  /** Passes the recorded answer to `section.command` through `alteration`. */
  alter(name: string, alteration: Alteration): void {
    this.#alterations.set(name, alteration);
  }

  /**
   * Opens a service: the bytes that come back through the socket, until the service ends.
   * Undefined when adbd closes it at once.
   */
  open(service: string, signal: AbortSignal): AsyncGenerator<Buffer> | undefined {
    const shell = parseShellService(service);
    if (shell === undefined || this.refused.has(shell.kind)) return undefined;
    if (shell.kind === 'exec' && this.sdk < lollipop) return undefined;
    if (shell.kind === 'v2') {
      return this.hasShellV2 ? this.#inPackets(shell.command, signal) : undefined;
    }
    const isTerminal = shell.kind === 'shell' && this.sdk < nougat;
    return this.#merged(shell.command, isTerminal, signal);
  }

  async *#inPackets(command: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const output = this.#run(command, signal);
    for (;;) {
      const { done, value } = await output.next();
      if (done) {
        yield packet(shellPacket.exit, Buffer.from([value]));
        return;
      }
      yield packet(shellPacket.stdout, value);
    }
  }

  async *#merged(command: string, isTerminal: boolean, signal: AbortSignal): AsyncGenerator<Buffer> {
    for await (const bytes of this.#run(command, signal)) yield isTerminal ? throughTerminal(bytes) : bytes;
  }

  /** The phone's output for a command, and its exit code. */
  async *#run(command: string, signal: AbortSignal): AsyncGenerator<Buffer, number> {
    const script = parseProbeScript(command);
    if (script === undefined) {
      const { text, exitCode } = notFound(command);
      yield Buffer.from(text);
      return exitCode;
    }
    for (const { name, limitSeconds, text } of script.commands) {
      yield Buffer.from(startMark(script.mark, name));
      const exitCode = yield* play(this.#answer(name, text), this.#faultOf(name), limitSeconds, signal);
      yield Buffer.from(endMark(script.mark, name, exitCode));
    }
    yield Buffer.from(finalMark(script.mark));
    return 0;
  }

  #answer(name: string, command: string): RecordedOutput {
    const kept = this.settings && keptAnswer(this.settings, name, command);
    if (kept !== undefined) return { text: this.#alterations.get(name)?.(kept) ?? kept, exitCode: 0 };
    const recorded = this.#answers[name];
    if (recorded === undefined) return notFound(command);
    const { text, exitCode } = outputOf(recorded);
    return { text: this.#alterations.get(name)?.(text) ?? text, exitCode };
  }

  #faultOf(name: string): AnswerFault | undefined {
    const [section = ''] = name.split('.');
    return this.#faults.get(name) ?? this.#faults.get(section) ?? this.#faults.get('*');
  }
}

/** What `settings` prints for one command of the probe, and does; undefined for another command. */
function keptAnswer(settings: Map<string, string>, name: string, command: string): string | undefined {
  const [, verb, place = '', value = ''] = /^settings (put|delete) (\w+ \w+)(?: (\S+))?$/.exec(command) ?? [];
  if (verb === 'put') settings.set(place, value);
  if (verb === 'delete') return `Deleted ${settings.delete(place) ? 1 : 0} rows\n`;
  if (name !== 'readiness.settings') return verb && '';
  const inTable = (table: string) =>
    [...settings].flatMap(([each, is]) =>
      each.startsWith(`${table} `) ? [`${each.slice(table.length + 1)}=${is}`] : [],
    );
  return ['global', 'secure', 'system'].flatMap((table) => [`[${table}]`, ...inTable(table), '']).join('\n');
}

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
