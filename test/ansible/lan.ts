/** A network that only its members see: a network namespace with a bridge, where guests and commands are. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlink } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Network } from '../systemd/guest.ts';

const run = promisify(execFile);

const BRIDGE = 'lab0';

export class Lan {
  /** Of the machine that the commands run on. */
  readonly address = '10.99.0.1';
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
  }

  static async start(): Promise<Lan> {
    const holder = spawn('unshare', ['--net', 'cat'], { stdio: ['pipe', 'ignore', 'ignore'] }); // ends with us
    const ours = await readlink('/proc/self/ns/net');
    while ((await readlink(`/proc/${holder.pid}/ns/net`)) === ours) await pause(10);
    const lan = new Lan(holder);
    for (const args of [
      ['link', 'set', 'lo', 'up'],
      ['link', 'add', BRIDGE, 'type', 'bridge'],
      ['address', 'add', `${lan.address}/24`, 'dev', BRIDGE],
      ['link', 'set', BRIDGE, 'up'],
    ])
      await lan.run('ip', ...args);
    return lan;
  }

  /** What runs a command in this network. */
  get within(): string[] {
    return ['nsenter', '--target', String(this.#holder.pid), '--net'];
  }

  /** @returns stdout */
  async run(...command: string[]): Promise<string> {
    const [program = '', ...args] = [...this.within, ...command];
    return (await run(program, args)).stdout;
  }

  /** For a guest: the `number`th, from 2 on. */
  place(number: number): Network {
    return { within: this.within, bridge: BRIDGE, address: `10.99.0.${number}/24` };
  }

  async end(): Promise<void> {
    const ended = once(this.#holder, 'close');
    this.#holder.kill('SIGKILL');
    await ended;
  }
}
