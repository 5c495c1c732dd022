/** Many hosts on one machine: a real agent for each, its own simulated phones, and one sandbox cloud for all. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { recordingsOf } from '../../src/demo/scenes.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { seedOfOneUser } from '../../src/sandbox/seed.ts';
import { Child } from './child.ts';
import { freePorts } from './free-ports.ts';

export interface FleetHost {
  name: string;
  /** Where its metrics are. */
  address: string;
  labels: Record<string, string>;
  adb: SimulatedAdbServer;
  /** Of its phones' batteries; each reading differs a little. */
  celsius: number;
  agent?: Child;
}

export interface FleetOptions {
  /** For the agents' state; it exists. */
  folder: string;
  /** The labels of each host, one entry for each. */
  places: readonly Record<string, string>[];
  phonesEach: number;
  /** Of full reports, cron fields. */
  schedule: string;
}

export interface Program {
  /** hostnode.cjs. */
  file: string;
  env?: Record<string, string>;
}

const credentials = { username: 'fleet', apiKey: 'fleet-key' };
/** So many agents start at a time. */
const STARTING = 3;
const usual = recordings.filter(({ state, devpath }) => state === 'device' && devpath);

/** Phones in slots, two to a shelf, each host with other models than the one before it. */
const phonesOf = (host: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    serial: `H${host}P${index}`,
    port: `1-${Math.floor(index / 4) + 1}.${(index % 4) + 1}`,
    slot: `shelf ${Math.floor(index / 2) + 1}, bay ${(index % 2) + 1}`,
    like: usual[(host + index) % usual.length]?.title ?? '',
    celsius: 30,
    percent: 80,
  }));

/** Up to half a degree above, as a sensor reads it. */
const warmed = (text: string, celsius: number): string =>
  text.replace(
    /^( *temperature: )-?\d+$/m,
    (_, key: string) => `${key}${Math.round(celsius * 10 + Math.random() * 5)}`,
  );

export class Fleet implements AsyncDisposable {
  readonly hosts: readonly FleetHost[];
  readonly #cloud: Sandbox;
  readonly #options: FleetOptions;

  private constructor(options: FleetOptions, cloud: Sandbox, hosts: readonly FleetHost[]) {
    this.#options = options;
    this.#cloud = cloud;
    this.hosts = hosts;
  }

  /** The hosts with their phones; no agent runs yet. */
  static async open(options: FleetOptions): Promise<Fleet> {
    const { folder, places, phonesEach } = options;
    const ports = await freePorts(places.length);
    const hosts: FleetHost[] = [];
    for (const [index, labels] of places.entries()) {
      const name = `host-${index + 1}`;
      const adb = await SimulatedAdbServer.start();
      const host: FleetHost = { name, address: `127.0.0.1:${ports[index]}`, labels, adb, celsius: 30 };
      const phones = phonesOf(index + 1, phonesEach);
      for (const recording of recordingsOf({ title: name, phones, past: [], happenings: [] })) {
        const phone = new SimulatedPhone(recording);
        phone.alter('battery.dump', (text) => warmed(text, host.celsius));
        adb.plug(phone);
      }
      await mkdir(join(folder, name), { mode: 0o700 });
      hosts.push(host);
    }
    return new Fleet(options, await Sandbox.start({ seed: seedOfOneUser(credentials) }), hosts);
  }

  /** Starts the agents of these hosts, a few at a time, and waits until each of them serves its metrics. */
  async start(hosts: readonly FleetHost[], program: Program): Promise<void> {
    await pLimit(STARTING).map(hosts, (host) => this.#start(host, program));
  }

  async #start(host: FleetHost, { file, env }: Program): Promise<void> {
    const [, port = ''] = host.address.split(':');
    const state = join(this.#options.folder, host.name);
    const slots = phonesOf(this.hosts.indexOf(host) + 1, this.#options.phonesEach);
    host.agent = new Child(process.execPath, [file, 'run'], {
      PATH: process.env.PATH,
      HOME: this.#options.folder, // what Node compiled is kept for the next one
      XDG_RUNTIME_DIR: state,
      HOSTNODE_NODE_ID: host.name,
      HOSTNODE_ADB_PORT: String(host.adb.port),
      HOSTNODE_CLOUD_BASE_URL: this.#cloud.baseUrl,
      HOSTNODE_CLOUD_USERNAME: credentials.username,
      HOSTNODE_CLOUD_API_KEY: credentials.apiKey,
      HOSTNODE_STATE_DIR: state,
      HOSTNODE_STATUS_PORT: port,
      HOSTNODE_REPORT_SCHEDULE: this.#options.schedule,
      HOSTNODE_SLOTS: JSON.stringify(slots.map(({ slot, port: path }) => ({ name: slot, paths: [path] }))),
      ...env,
    });
    await host.agent.answers(`http://${host.address}/metrics`);
  }

  /** Ends the agents of these hosts; their phones stay. */
  async stop(hosts: readonly FleetHost[]): Promise<void> {
    await Promise.all(
      hosts.map(async (host) => {
        await host.agent?.[Symbol.asyncDispose]();
        delete host.agent;
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop(this.hosts);
    await Promise.all([this.#cloud.stop(), ...this.hosts.map(({ adb }) => adb.stop())]);
  }
}
