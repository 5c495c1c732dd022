/**
 * A phone that also understands what others ask: plain commands, answered from the same recording. Whoever asks gets
 * the answer in one piece: what a phone's shell has to do for it is not this host's work.
 */
import {
  endMark,
  finalMark,
  notFound,
  type ProbeScript,
  packet,
  parseProbeScript,
  parseShellService,
  SimulatedPhone,
  shellPacket,
  startMark,
  throughTerminal,
} from '../../src/demo/phone.ts';
import { outputOf, type Recording } from '../../src/demo/recording.ts';

/** A plain command by how it begins, and the answer of ours that holds the same text. */
const sameAs: [command: string, answer: string][] = [
  ['getprop', 'identity.properties'],
  ['dumpsys battery', 'battery.dump'],
  ['df', 'storage.size'],
  ['wm size', 'screen.size'],
  ['cat /proc/meminfo', 'memory.meminfo'],
  ['settings get', 'name.settings'],
  ['ip addr', 'network.connectivity'],
  ['dumpsys bluetooth_manager', 'name.settings'],
  ['dumpsys package', 'browsers.apps'],
];

export class BenchPhone extends SimulatedPhone {
  readonly #answers: Recording['answers'];
  #isHung = false;
  #isDisturbed = false;

  constructor(recording: Recording) {
    super(recording);
    this.#answers = recording.answers;
  }

  /** From now on it opens its shells and says nothing. */
  hang(): void {
    this.#isHung = true;
    this.disturb('*', { kind: 'stuck' });
  }

  override disturb(...how: Parameters<SimulatedPhone['disturb']>): void {
    this.#isDisturbed = true;
    super.disturb(...how);
  }

  override open(service: string, signal: AbortSignal): AsyncGenerator<Buffer> | undefined {
    const shell = parseShellService(service);
    if (shell === undefined) return super.open(service, signal);
    const script = parseProbeScript(shell.command);
    if (script !== undefined) {
      const output = super.open(service, signal);
      if (output === undefined || this.#isDisturbed) return output;
      const text = Buffer.from(this.#answersTo(script));
      return this.#say(shell.kind === 'shell' ? throughTerminal(text) : text, shell.kind === 'v2', signal);
    }
    const answer = sameAs.find(([command]) => shell.command.startsWith(command))?.[1];
    const recorded = answer === undefined ? undefined : this.#answers[answer];
    if (recorded === undefined) return super.open(service, signal);
    return this.#say(Buffer.from(outputOf(recorded).text), shell.kind === 'v2', signal);
  }

  #answersTo({ mark, commands }: ProbeScript): string {
    const answers = commands.map(({ name, text }) => {
      const recorded = this.#answers[name];
      const output = recorded === undefined ? notFound(text) : outputOf(recorded);
      return startMark(mark, name) + output.text + endMark(mark, name, output.exitCode);
    });
    return answers.join('') + finalMark(mark);
  }

  async *#say(text: Buffer, inPackets: boolean, signal: AbortSignal): AsyncGenerator<Buffer> {
    if (this.#isHung) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return;
    }
    yield inPackets ? packet(shellPacket.stdout, text) : text;
    if (inPackets) yield packet(shellPacket.exit, Buffer.from([0]));
  }
}
