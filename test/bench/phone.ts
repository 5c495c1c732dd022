/** A phone that also understands what others ask: plain commands, answered from the same recording. */
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { parseProbeScript } from '../../src/demo/probe-script.ts';
import { outputOf, type Recording } from '../../src/demo/recording.ts';
import { packet, parseShellService, shellPacket } from '../../src/demo/shell-service.ts';

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

  constructor(recording: Recording) {
    super(recording);
    this.#answers = recording.answers;
  }

  /** From now on it opens its shells and says nothing. */
  hang(): void {
    this.#isHung = true;
    this.disturb('*', { kind: 'stuck' });
  }

  override open(service: string, signal: AbortSignal): AsyncGenerator<Buffer> | undefined {
    const shell = parseShellService(service);
    if (shell === undefined || parseProbeScript(shell.command) !== undefined)
      return super.open(service, signal);
    const answer = sameAs.find(([command]) => shell.command.startsWith(command))?.[1];
    const recorded = answer === undefined ? undefined : this.#answers[answer];
    if (recorded === undefined) return super.open(service, signal);
    return this.#say(Buffer.from(outputOf(recorded).text), shell.kind === 'v2', signal);
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
