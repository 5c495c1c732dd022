/** A phone that sends without end instead of an answer. */
import {
  endMark,
  packet,
  parseProbeScript,
  parseShellService,
  SimulatedPhone,
  startMark,
} from '../../src/demo/phone.ts';
import type { Recording } from '../../src/demo/recording.ts';

/** What it sends again and again. */
export const floods = [
  ['packets of one byte', () => packet(1, Buffer.from('y'))],
  ['empty packets', () => packet(1, Buffer.alloc(0))],
  [
    'marks that are valid',
    (command: string) => {
      const { mark = '', commands: [{ name = '' } = {}] = [] } = parseProbeScript(command) ?? {};
      return packet(1, Buffer.from(startMark(mark, name) + endMark(mark, name, 0)));
    },
  ],
] as const;

export class FloodingPhone extends SimulatedPhone {
  sentBytes = 0;
  readonly #kind: number;

  /** @param kind in `floods`, which begin again at their end */
  constructor(recording: Recording, kind: number) {
    super(recording);
    this.#kind = kind % floods.length;
  }

  override open(service: string, signal: AbortSignal): AsyncGenerator<Buffer> | undefined {
    const shell = parseShellService(service);
    if (shell?.kind !== 'v2') return undefined;
    return this.#pour(Buffer.concat(Array(10_000).fill(floods[this.#kind]?.[1](shell.command))), signal);
  }

  async *#pour(piece: Buffer, signal: AbortSignal): AsyncGenerator<Buffer> {
    for (; !signal.aborted; this.sentBytes += piece.length) {
      yield piece;
      await new Promise(setImmediate); // this process has other work too
    }
  }
}
