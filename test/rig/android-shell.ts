import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type AndroidRelease, androidRelease } from './android-release.ts';
import { buildRoot, programs, shellUid } from './android-root.ts';
import type { PhoneRecording } from './phone-recording.ts';
import { propertyTool } from './properties.ts';
import { type Recording, recordedTool, toolOf } from './recording.ts';

/** A command that runs on the phone. */
export interface ShellProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Empty where stderr goes into stdout. */
  readonly stderr: Readable;
  /** The exit code, or 128 + the signal that killed it, once it has ended and nobody holds its outputs. */
  readonly ended: Promise<number>;
  /** Signals the shell at the top alone. */
  signalShell(signal: NodeJS.Signals): void;
  /** Signals the shell and the children that share its process group. */
  signalGroup(signal: NodeJS.Signals): void;
}

const environment = {
  PATH: '/sbin:/vendor/bin:/system/sbin:/system/bin:/system/xbin',
  ANDROID_DATA: '/data',
  ANDROID_ROOT: '/system',
  HOME: '/',
};

/**
 * The shell of one phone: mksh and toybox in a chroot of their own, as the user `shell`, with recorded answers
 * for what only a phone can say. All changes hold from the next command on.
 */
export class AndroidShell implements AsyncDisposable {
  readonly release: AndroidRelease;
  readonly #root: string;
  readonly #properties: Map<string, string>;
  #recordings: Recording[];
  readonly #processes = new Set<ChildProcess>();

  private constructor(root: string, phone: PhoneRecording) {
    this.#root = root;
    this.#properties = new Map(phone.properties);
    this.#recordings = phone.commands;
    this.release = androidRelease(Number(phone.properties.get('ro.build.version.sdk')));
  }

  static async build(phone: PhoneRecording): Promise<AndroidShell> {
    const shell = new AndroidShell(await mkdtemp(join(tmpdir(), 'hostnode-phone-')), phone);
    await buildRoot(shell.#root, shell.release);
    await shell.#writeProperties();
    await shell.putFile('/proc/sys/kernel/random/boot_id', `${randomUUID()}\n`);
    for (const [path, content] of phone.files) await shell.putFile(path, content);
    for (const tool of new Set(['toybox', ...shell.#recordings.map(toolOf)])) {
      await shell.#writeTool(tool);
    }
    return shell;
  }

  /** Answers a command line from now on, before all recordings that match it too. */
  async record(recording: Recording): Promise<void> {
    this.#recordings = [recording, ...this.#recordings];
    await this.#writeTool(toolOf(recording));
  }

  /** Takes a tool away, as on a phone that never had it. */
  async remove(tool: string): Promise<void> {
    await rm(join(this.#root, 'system/bin', tool), { force: true });
    await rm(join(this.#root, '.rig/tools', tool), { force: true });
  }

  async setProperty(key: string, value: string): Promise<void> {
    this.#properties.set(key, value);
    await this.#writeProperties();
  }

  /** Writes a file of the phone, such as `/proc/uptime`. */
  async putFile(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
    const target = join(this.#root, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(`${target}.new`, content, { mode });
    await rename(`${target}.new`, target);
  }

  /** Runs a command as adbd does: in a session of its own. */
  run(command: string, options: { separateStderr?: boolean } = {}): ShellProcess {
    const start = [
      this.release.ignoresSigpipe ? "trap '' PIPE;" : '',
      `exec ${programs.chroot} --userspec=${shellUid}:${shellUid} "$1" /system/bin/sh -c "$2"`,
      options.separateStderr ? '' : '2>&1',
    ].join(' ');
    const child = spawn('/bin/sh', ['-c', start, 'sh', this.#root, command], {
      detached: true,
      env: environment,
    });
    this.#processes.add(child);
    child.once('close', () => this.#processes.delete(child));
    return {
      stdin: child.stdin,
      stdout: child.stdout,
      stderr: child.stderr,
      ended: new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code, signal) =>
          resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)),
        );
      }),
      signalShell: (signal) => void child.kill(signal),
      signalGroup: (signal) => signalGroup(child, signal),
    };
  }

  /** The processes that run on this phone now, orphans included: all whose root folder is the phone's. */
  pids(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => rootOf(name) === this.#root)
      .map(Number);
  }

  /** Kills whatever still runs on the phone, and removes its folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#processes) child.kill('SIGKILL');
    for (let left = this.pids(); left.length > 0; left = this.pids()) {
      for (const pid of left) kill(pid, 'SIGKILL');
      await pause(2);
    }
    await rm(this.#root, { recursive: true, force: true });
  }

  async #writeProperties(): Promise<void> {
    await this.putFile('/.rig/tools/getprop', propertyTool(this.#properties), 0o755);
    await this.#list('getprop');
  }

  async #writeTool(tool: string): Promise<void> {
    const recordings = this.#recordings.filter((recording) => toolOf(recording) === tool);
    const files = recordedTool(tool, recordings, this.release);
    for (const [path, content] of Object.entries(files)) {
      await this.putFile(path, content, path.startsWith('/.rig/tools/') ? 0o755 : 0o644);
    }
    const isHidden = (tool === 'nc' && !this.release.hasNc) || (tool === 'toybox' && !this.release.hasToybox);
    if (!isHidden) await this.#list(tool);
  }

  /** Puts a recorded tool among the commands of the phone, in place of the real one. */
  async #list(tool: string): Promise<void> {
    const place = join(this.#root, 'system/bin', tool);
    await symlink(`/.rig/tools/${tool}`, `${place}.new`);
    await rename(`${place}.new`, place);
  }
}

function rootOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/root`);
  } catch {
    return undefined; // gone, or a zombie
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) kill(-child.pid, signal);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it ended before
  }
}
