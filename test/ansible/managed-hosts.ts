/** Three booted hosts that a machine with Ansible reaches by ssh, and beside them a cloud and a signed apt repository. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { architectures } from '../../packaging/architecture.ts';
import { buildRepository, KEYRING } from '../../packaging/repository.ts';
import { builtPackage } from '../support/built-package.ts';
import { Guest, type Ran } from '../systemd/guest.ts';
import { keys } from '../systemd/keys.ts';
import { Lan } from './lan.ts';

const run = promisify(execFile);

const DEPLOY = fileURLToPath(new URL('../../deploy/ansible/', import.meta.url));
const SERVER = fileURLToPath(new URL('lab-server.ts', import.meta.url));
export const HOSTS = ['lab-1', 'lab-2', 'lab-3'];
const ARCHITECTURE = architectures[process.arch]?.name ?? '';
const packageIn = (folder: string, version: string) =>
  join(folder, `hostnode_${version}_${ARCHITECTURE}.deb`);
/** A loaded machine is slow. */
const LIMIT_MS = 10 * 60_000;

/** Variables of a run, over those of the inventory. */
export type Vars = Readonly<Record<string, unknown>>;

export class ManagedHosts {
  readonly folder: string;
  readonly guests: ReadonlyMap<string, Guest>;
  readonly lan: Lan;
  readonly #server: ChildProcess;
  /** All that Ansible has printed. */
  said = '';
  /** What the cloud answered: `PUT 200 lab-1`. */
  readonly answered: string[] = [];

  private constructor(folder: string, lan: Lan, server: ChildProcess, guests: ReadonlyMap<string, Guest>) {
    this.folder = folder;
    this.lan = lan;
    this.guests = guests;
    this.#server = server;
    createInterface({ input: server.stdout as NodeJS.ReadableStream }).on('line', (line) =>
      this.answered.push(line),
    );
  }

  /** @param version of the package that is in the repository */
  static async boot(version: string): Promise<ManagedHosts> {
    const folder = await mkdtemp(join(tmpdir(), 'hostnode-ansible-'));
    await Promise.all(['apt', 'gpg'].map((name) => mkdir(join(folder, name), { mode: 0o700 })));
    const lan = await Lan.start();
    const [program = '', ...within] = lan.within;
    const server = spawn(program, [...within, process.execPath, SERVER, lan.address, join(folder, 'apt')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const guests = new Map<string, Guest>();
    const managed = new ManagedHosts(folder, lan, server, guests);
    try {
      const boots = HOSTS.map(async (name, index) => {
        guests.set(name, await Guest.boot(folder, undefined, lan.place(index + 2)));
      });
      const made = await Promise.allSettled([
        builtPackage(folder, version),
        run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'ssh-key')]),
        managed.#makeSigningKey(),
        ...boots,
      ]);
      for (const each of made) if (each.status === 'rejected') throw each.reason;
      await Promise.all([managed.#openGuests(), managed.#writeInventory()]);
      await managed.publish(packageIn(folder, version));
      return managed;
    } catch (error) {
      await managed.end();
      throw error;
    }
  }

  guest(name: string): Guest {
    const guest = this.guests.get(name);
    if (guest === undefined) throw new RangeError(`no host ${name}`);
    return guest;
  }

  /** The same line of sh on each host; what it prints, by host. */
  async each(line: string): Promise<Record<string, string>> {
    const printed = await Promise.all(HOSTS.map((name) => this.guest(name).do(line)));
    return Object.fromEntries(HOSTS.map((name, index) => [name, printed[index] ?? '']));
  }

  async publish(file: string): Promise<void> {
    await buildRepository({
      folder: join(this.folder, 'apt'),
      packages: [file],
      architectures: [ARCHITECTURE],
      key: 'lab@example.com',
      date: new Date(1_700_000_000_000),
      env: this.#gpg,
    });
  }

  /** Publishes the package of `version` once more, as `next`. */
  async publishNext(version: string): Promise<void> {
    await this.publish(await builtPackage(this.folder, version));
  }

  /** Runs a playbook of deploy/ansible as loudly as a person would who looks for a mistake. */
  async play(playbook: string, vars: Vars = {}, ...args: string[]): Promise<Ran & { changed: number[] }> {
    const own = ['-vvv', '-i', join(this.folder, 'inventory'), '-e', JSON.stringify(vars)];
    const [program = '', ...within] = [...this.lan.within, 'ansible-playbook', playbook, ...own, ...args];
    const env = {
      ...process.env,
      ANSIBLE_FORKS: '3',
      ANSIBLE_TIMEOUT: '60',
      ANSIBLE_HOST_KEY_CHECKING: 'false',
      ANSIBLE_NOCOLOR: 'true',
      ANSIBLE_SSH_CONTROL_PATH_DIR: join(this.folder, 'cp'),
      ANSIBLE_VAULT_PASSWORD_FILE: join(this.folder, 'vault-password'),
      HOME: this.folder,
    };
    const done = await run(program, within, {
      cwd: DEPLOY,
      env,
      timeout: LIMIT_MS,
      maxBuffer: 64 * 1024 * 1024,
    }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      ({ code, stdout, stderr }) => ({ code: Number(code), output: `${stdout}${stderr}` }),
    );
    this.said += done.output;
    const changed = [...done.output.matchAll(/^lab-\d +: ok=\d+ +changed=(\d+)/gm)].map(([, count]) =>
      Number(count),
    );
    return { ...done, changed };
  }

  async end(): Promise<void> {
    await Promise.all([...this.guests.values()].map((guest) => guest.end()));
    this.#server.kill();
    await run('gpgconf', ['--homedir', join(this.folder, 'gpg'), '--kill', 'all']).catch(() => {});
    await this.lan.end();
    await rm(this.folder, { recursive: true, force: true });
  }

  get #gpg(): NodeJS.ProcessEnv {
    return { ...process.env, GNUPGHOME: join(this.folder, 'gpg') };
  }

  async #makeSigningKey(): Promise<void> {
    const args = ['--batch', '--passphrase', '', '--quick-gen-key', 'lab@example.com'];
    await run('gpg', [...args, 'ed25519', 'sign', 'never'], { env: this.#gpg });
  }

  async #openGuests(): Promise<void> {
    await this.each(`set -e
      install -d -m 700 /root/.ssh
      install -m 600 /src/ssh-key.pub /root/.ssh/authorized_keys
      rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/*
      echo 'APT::Keep-Downloaded-Packages "false";' > /etc/apt/apt.conf.d/99small
      useradd anna
      systemctl start ssh`);
  }

  /** As in deploy/ansible: for all hosts, for a group, for one host; the key in a vault. */
  async #writeInventory(): Promise<void> {
    const { folder, lan } = this;
    const place = (index: number) => lan.place(index + 2).address.replace(/\/.*/, '');
    const hosts = Object.fromEntries(
      HOSTS.map((name, index) => [
        name,
        { ansible_host: place(index), hostnode_conf_30_host: { nodeId: name } },
      ]),
    );
    const metrics = {
      ansible_connection: 'local',
      hostnode_prometheus_file: join(folder, 'targets/hostnode.json'),
    };
    const inventory = {
      all: {
        vars: {
          ansible_user: 'root',
          ansible_ssh_private_key_file: join(folder, 'ssh-key'),
          ansible_python_interpreter: '/usr/bin/python3',
        },
        children: {
          hostnode: { children: { rack_2: { hosts } } },
          prometheus: { hosts: { localhost: metrics } },
        },
      },
    };
    const all = {
      hostnode_repository_url: `http://${lan.address}:8099`,
      hostnode_repository_keyring: join(folder, 'apt', KEYRING),
      hostnode_group_members: ['anna'],
      hostnode_verify_retries: 30,
      hostnode_verify_delay: 1,
      hostnode_conf_10_cloud: {
        cloud: { baseUrl: `http://${lan.address}:8080/v1`, username: 'lab', allowInsecure: true },
        status: { passwordFile: '/etc/hostnode/page-password' },
      },
    };
    const rack = {
      hostnode_conf_20_policy: { devices: [{ match: { serial: '12e3' }, deviceName: 'Prüfling' }] },
      hostnode_prometheus_labels: { rack: '2' },
    };
    const write = (name: string, content: unknown) =>
      writeFile(join(folder, 'inventory', name), JSON.stringify(content));
    await mkdir(join(folder, 'inventory/group_vars/hostnode'), { recursive: true });
    await writeFile(join(folder, 'vault-password'), 'of the vault\n');
    await Promise.all([
      write('hosts.json', inventory),
      write('group_vars/hostnode/main.yml', all),
      write('group_vars/rack_2.yml', rack),
      write('group_vars/hostnode/vault.yml', {
        hostnode_cloud_api_key: keys.first,
        hostnode_page_password: 'of the page',
      }),
    ]);
    const vault = join(folder, 'inventory/group_vars/hostnode/vault.yml');
    await run('ansible-vault', ['encrypt', '--vault-password-file', join(folder, 'vault-password'), vault]);
  }
}
