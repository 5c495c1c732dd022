/**
 * A machine of its own with a real systemd: systemd-nspawn on an overlay of the root, which is gone when it ends. Its
 * network is its own loopback, so its ports meet nobody else's.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Cgroup } from './cgroup.ts';
import { guestRoot } from './guest-root.ts';

const run = promisify(execFile);

const LOOK_EVERY_MS = 100;
const WHY = 'systemctl --failed --plain; journalctl -q -b --no-pager -n 40 -o short-monotonic';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface Ran {
  code: number;
  /** stdout and stderr, in their order. */
  output: string;
}

/** How a guest reaches others. */
export interface Network {
  /** What runs a command where the bridge is. */
  within: readonly string[];
  bridge: string;
  /** Of the guest, with its prefix. */
  address: string;
}

export class Guest {
  readonly #nspawn: ChildProcess;
  readonly #leader: number;
  readonly #cgroup: Cgroup;

  private constructor(nspawn: ChildProcess, leader: number, cgroup: Cgroup) {
    this.#nspawn = nspawn;
    this.#leader = leader;
    this.#cgroup = cgroup;
  }

  /**
   * @param sources a folder that the guest sees as /src, read-only
   * @param release of Debian; without it, that of this machine
   * @param network with other guests; without it, the guest has its loopback only
   */
  static async boot(sources: string, release?: string, network?: Network): Promise<Guest> {
    const name = `hostnode-test-${randomUUID()}`;
    const cgroup = await Cgroup.make(name);
    const [program = '', ...within] = [...(network?.within ?? []), ...cgroup.within, 'systemd-nspawn'];
    const nspawn = spawn(
      program,
      [
        ...within,
        ...['--boot', `--directory=${guestRoot(release)}`, '--volatile=overlay', `--bind-ro=${sources}:/src`],
        ...[`--machine=${name}`, '--register=no', '--keep-unit'],
        network === undefined ? '--private-network' : `--network-bridge=${network.bridge}`,
        ...['--console=pipe', '--link-journal=no', '--resolv-conf=off', '--timezone=off'],
        // without these the guest cannot enforce DevicePolicy=
        ...['--capability=CAP_BPF,CAP_PERFMON', '--system-call-filter=bpf'],
      ],
      { env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let said = '';
    for (const stream of [nspawn.stdout, nspawn.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    const signal = AbortSignal.timeout(60_000);
    let state = 'no process';
    try {
      for (;;) {
        if (nspawn.exitCode !== null || signal.aborted || state.startsWith('degraded'))
          throw new Error(`no guest came up: ${state}\n${said}`);
        const [leader] = await childrenOf(nspawn.pid);
        const guest = leader === undefined ? undefined : new Guest(nspawn, leader, cgroup);
        if (guest) state = (await guest.run(`systemctl is-system-running || { ${WHY}; }`)).output;
        if (guest && state.startsWith('running'))
          return network === undefined ? guest : await guest.#join(network);
        await pause(LOOK_EVERY_MS);
      }
    } catch (error) {
      nspawn.kill('SIGKILL');
      await cgroup.end();
      throw error;
    }
  }

  /** By this machine's `ip`: the guest has none. */
  async #join({ address }: Network): Promise<Guest> {
    const ip = (...args: string[]) => run('nsenter', ['-t', String(this.#leader), '-n', 'ip', ...args]);
    await ip('address', 'add', address, 'dev', 'host0');
    await ip('link', 'set', 'host0', 'up');
    return this;
  }

  /** Runs a line of sh in it, as root. */
  async run(line: string, folder = '/'): Promise<Ran> {
    const args = ['-t', String(this.#leader), '-m', '-u', '-i', '-n', '-p', '-r', '-w'];
    const script = `exec 2>&1; cd ${folder} && { ${line}\n}`;
    const inside = ['env', '-i', `PATH=${PATH}`, 'LC_ALL=C', 'SYSTEMD_PAGER=', 'sh', '-c', script];
    try {
      const { stdout } = await run('nsenter', [...args, ...inside], { timeout: 60_000 });
      return { code: 0, output: stdout };
    } catch (error) {
      const { code, stdout } = error as { code?: unknown; stdout?: string };
      return { code: typeof code === 'number' ? code : -1, output: stdout ?? '' };
    }
  }

  /** The same for a line that has to succeed. */
  async do(line: string, folder?: string): Promise<string> {
    const { code, output } = await this.run(line, folder);
    if (code !== 0) throw new Error(`in the guest, ${code}: ${line}\n${output}`);
    return output;
  }

  /** What systemd says of a unit. */
  async show(unit: string): Promise<Record<string, string>> {
    const output = await this.do(`systemctl show ${unit}`);
    return Object.fromEntries(output.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  }

  /** Waits until this holds of a unit, and returns it. */
  async until(
    unit: string,
    holds: (shown: Record<string, string>) => boolean,
    limitMs = 60_000,
  ): Promise<Record<string, string>> {
    const signal = AbortSignal.timeout(limitMs);
    for (;;) {
      const shown = await this.show(unit);
      if (holds(shown)) return shown;
      if (signal.aborted) throw new Error(await this.do(`systemctl status ${unit} || true`));
      await pause(LOOK_EVERY_MS);
    }
  }

  /** The lines of a unit in the journal. */
  async journal(unit: string): Promise<string> {
    return this.do(`journalctl --no-pager -q -o cat -u ${unit}`);
  }

  async end(): Promise<void> {
    if (this.#nspawn.exitCode !== null) return;
    const ended = once(this.#nspawn, 'close');
    this.#nspawn.kill('SIGTERM');
    const kill = setTimeout(() => this.#nspawn.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(kill);
    await this.#cgroup.end();
  }
}

async function childrenOf(pid: number | undefined): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.trim() === '' ? [] : text.trim().split(' ').map(Number);
}
