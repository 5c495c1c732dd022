/**
 * podman and buildah with a storage, locks and a view of the control groups of their own: nothing of them is left on
 * the machine, and nothing of the machine's own containers is seen.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** crun wants the unified hierarchy, which an older machine mounts elsewhere. */
const PREPARE = `umount -R -l /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup && echo ready && exec sleep infinity`;

const LIMIT_MS = 300_000;

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export class Engine {
  /** Removed with it. */
  readonly folder: string;
  readonly #mounts: ChildProcess;

  private constructor(folder: string, mounts: ChildProcess) {
    this.folder = folder;
    this.#mounts = mounts;
  }

  static async start(): Promise<Engine> {
    const folder = await mkdtemp(join(tmpdir(), 'hostnode-container-'));
    await writeFile(
      join(folder, 'storage.conf'),
      `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/storage"\nrunroot = "${folder}/run"\n`,
    );
    await writeFile(
      join(folder, 'containers.conf'),
      `[engine]\ntmp_dir = "${folder}/libpod"\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\nlock_type = "file"\nruntime = "crun"\n`,
    );
    const mounts = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-c', PREPARE], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await Promise.race([
      once(mounts.stdout, 'data'),
      once(mounts, 'exit').then(() => Promise.reject(new Error('no mount namespace'))),
    ]);
    return new Engine(folder, mounts);
  }

  /** Runs a command beside the containers. */
  async run(command: string, ...args: string[]): Promise<Ran> {
    const env = {
      ...process.env,
      CONTAINERS_STORAGE_CONF: join(this.folder, 'storage.conf'),
      CONTAINERS_CONF: join(this.folder, 'containers.conf'),
      TMPDIR: this.folder,
    };
    try {
      const inside = ['-t', String(this.#mounts.pid), '-m', command, ...args];
      const { stdout, stderr } = await run('nsenter', inside, { env, timeout: LIMIT_MS, maxBuffer: 2 ** 26 });
      return { code: 0, stdout, stderr };
    } catch (error) {
      const { code, stdout = '', stderr = String(error) } = error as Partial<Ran>;
      return { code: typeof code === 'number' ? code : -1, stdout, stderr };
    }
  }

  /** The same for a command that has to succeed; what it printed on stdout. */
  async do(command: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(command, ...args);
    if (code !== 0) throw new Error(`${code}: ${command} ${args.join(' ')}\n${stdout}${stderr}`);
    return stdout;
  }

  /** Starts a container as docs/install.md does, as far as this machine can: it counts no resources and has no networks. */
  async start(name: string, ...args: string[]): Promise<void> {
    await this.do('podman', 'run', '-d', `--name=${name}`, ...standing, ...args);
  }

  /** The same in the foreground. */
  foreground(...args: string[]): Promise<Ran> {
    return this.run('podman', 'run', '--rm', ...standing, ...args);
  }

  /** Runs a line of sh in a container. */
  inside(name: string, line: string): Promise<Ran> {
    return this.run('podman', 'exec', name, 'sh', '-c', line);
  }

  async end(): Promise<void> {
    const remove = ['rm', '--all', '--force', '--time=0'];
    await this.run('podman', ...remove); // but for those whose network others had
    await this.do('podman', ...remove);
    this.#mounts.kill('SIGKILL'); // and with it what is still mounted
    await once(this.#mounts, 'exit');
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

const standing = [
  ...['--cgroups=disabled', '--ulimit=nofile=8192:8192', '--ulimit=nproc=4096:4096'],
  ...['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges', '--tmpfs=/tmp'],
];
