import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '../../src/agent/agent.ts';
import type { AgentObserver } from '../../src/agent/observer.ts';
import type { AgentTiming } from '../../src/agent/options.ts';
import { anyHost } from '../../src/base/environment.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { DeviceInfo, DevicesBody } from '../../src/cloud/contract/report.ts';
import { loadConfig } from '../../src/config/load.ts';
import { type Carried, createHost, type Host } from '../../src/daemon/host.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { Recording } from '../../src/demo/recording.ts';
import type { Checkpoint } from '../../src/history/events/checkpoint.ts';
import type { SandboxRequest } from '../../src/sandbox/log.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { seedOfOneUser } from '../../src/sandbox/seed.ts';
import { keptLog, type LogLine } from './log.ts';

const credentials = { username: 'lab', apiKey: 'lab-key' };
/**
 * No wait of a test for the agent is long, and none for phones or a server depends on how fast the machine is: a report
 * waits for what its phones say.
 */
const quickTiming: Partial<AgentTiming> = {
  quietMs: 40,
  quietOfflineMs: 60,
  factsWaitMs: 60_000,
  recoveryMs: 300,
  stopCollectingMs: 200,
  firstReportMs: 0,
  firstReadBackMs: 0,
};
/** A report goes without the facts of phones that do not answer. */
export const withoutFacts: Partial<AgentTiming> = { factsWaitMs: 100 };
/** Phones are reported by rounds only. */
export const byRounds: Partial<AgentTiming> = {
  quietMs: 60_000,
  quietOfflineMs: 60_000,
  longestDebounceMs: 60_000,
};
/** No full report comes due while a test runs. */
export const never = '0 0 1 1 *';

export interface LabOptions {
  /** Of full reports; default: none. */
  schedule?: string;
  timing?: Partial<AgentTiming>;
  env?: Record<string, string>;
  withoutCloud?: boolean;
  /** Or made of the agent, before that starts. */
  observer?: AgentObserver | ((agent: Agent) => AgentObserver);
  checkpoint?: Checkpoint;
  /** From the host before a reload. */
  carried?: Partial<Carried>;
}

/** A PUT as the cloud got it: the devices as the contract's schema reads them. */
export interface Put {
  /** Absent from a report of the host alone. */
  devices?: DeviceInfo[];
  status?: number;
}

/** Simulated phones, a sandbox cloud, and agents between them that keep their state in one directory. */
export class Lab implements AsyncDisposable {
  adb: SimulatedAdbServer;
  readonly cloud: Sandbox;
  readonly stateDir: string;
  readonly log: LogLine[] = [];
  readonly puts: Put[] = [];
  readonly #events = new EventEmitter().setMaxListeners(100);
  readonly #hosts: Host[] = [];
  readonly #adbPort: number;

  private constructor(adb: SimulatedAdbServer, cloud: Sandbox, stateDir: string) {
    this.adb = adb;
    this.#adbPort = adb.port;
    this.cloud = cloud;
    this.stateDir = stateDir;
    const puts = new Map<SandboxRequest, Put>();
    cloud.on('received', (request) => {
      if (request.method !== 'PUT') return this.#events.emit('change'); // it reads back
      const { devices } = DevicesBody.safeParse(request.body).data ?? {};
      const put: Put = { ...(devices && { devices }) };
      puts.set(request, put);
      this.puts.push(put);
      this.#events.emit('change');
    });
    cloud.on('answered', (request) => {
      const put = puts.get(request);
      if (put && request.status !== undefined) put.status = request.status;
      this.#events.emit('change');
    });
  }

  static async open({ nameHosts = false } = {}): Promise<Lab> {
    return new Lab(
      await SimulatedAdbServer.start(),
      await Sandbox.start({ seed: seedOfOneUser(credentials), nameHosts }),
      await mkdtemp(join(tmpdir(), 'hostnode-lab-')),
    );
  }

  /** A new host without history and status service, with what earlier ones left in the state directory. */
  async host(options: LabOptions = {}): Promise<Host> {
    const { schedule = never, timing, env, withoutCloud, observer, checkpoint, carried } = options;
    const { config } = await loadConfig({
      env: {
        HOSTNODE_ADB_PORT: String(this.#adbPort),
        ...(!withoutCloud && {
          HOSTNODE_CLOUD_BASE_URL: this.cloud.baseUrl,
          HOSTNODE_CLOUD_USERNAME: credentials.username,
          HOSTNODE_CLOUD_API_KEY: credentials.apiKey,
          HOSTNODE_CLOUD_READ_BACK: 'false', // each request is one that a test expects
        }),
        HOSTNODE_STATE_DIR: this.stateDir,
        HOSTNODE_REPORT_SCHEDULE: schedule,
        ...env,
      },
      defaultFile: '',
    });
    const { log } = keptLog('debug', (line) => {
      this.log.push(line);
      this.#events.emit('change');
    });
    const host = await createHost(
      config,
      {
        identity: { nodeId: 'lab-host', source: 'configuration' },
        ...omitUndefined({ checkpoint }),
        ...carried,
      },
      {
        log,
        env: {},
        hostKind: anyHost,
        hostName: 'lab-host',
        history: 'none',
        timing: { ...quickTiming, ...timing },
      },
    );
    if (observer) host.agent.observe(typeof observer === 'function' ? observer(host.agent) : observer);
    this.#hosts.push(host);
    return host;
  }

  /** The agent of a new host; nothing runs. */
  async agent(options: LabOptions = {}): Promise<Agent> {
    return (await this.host(options)).agent;
  }

  /** A host whose agent has done its first round. */
  async runningHost(options: LabOptions = {}): Promise<Host> {
    const rounds = this.said('round').length;
    const host = await this.host(options);
    await host.run();
    await this.until(() => this.said('round').length > rounds);
    return host;
  }

  /** The agent of such a host. */
  async running(options: LabOptions = {}): Promise<Agent> {
    return (await this.runningHost(options)).agent;
  }

  /** Waits until this holds; looked at whenever the cloud or the log gets something. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await once(this.#events, 'change');
  }

  /** The lines of the log with this message, debug lines too. */
  said(msg: string): LogLine[] {
    return this.log.filter((line) => line.msg === msg);
  }

  /** A device as the cloud holds it. */
  stored(udid: string): DeviceInfo | undefined {
    const found = this.cloud.devices().find(({ info }) => info.udid === udid);
    return found && DeviceInfo.parse(found.info); // as strict as the agent sends it
  }

  /** Waits until a device is in this state in the cloud. */
  async untilState(udid: string, state: string): Promise<void> {
    await this.until(() => this.stored(udid)?.state === state);
  }

  /** adb's server dies. */
  async stopAdb(): Promise<void> {
    await this.adb.stop();
  }

  /** Another one listens on the port of the one that died, with these phones. */
  async startAdb(phones: readonly SimulatedPhone[]): Promise<void> {
    this.adb = await SimulatedAdbServer.start({ port: this.#adbPort });
    for (const phone of phones) this.adb.plug(phone);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.stop()));
    await Promise.all([this.adb.stop(), this.cloud.stop()]);
    await rm(this.stateDir, { recursive: true, force: true, maxRetries: 5 }); // the disk may be written a moment longer
  }
}

const recorded = (title: string): Recording => {
  const found = recordings.find((recording) => recording.title.includes(title));
  if (found === undefined) throw new Error(`no recording of ${title}`);
  return found;
};

/** A phone on USB that answers as a POCO F6 does. */
export const poco = (serial = 'POCO', devpath = '1-1'): SimulatedPhone =>
  new SimulatedPhone({ ...recorded('POCO'), serial, devpath });

/** A phone on the network: adb's name is its address, `ro.serialno` the recorded serial. */
function onNetwork(title: string, address: string): { phone: SimulatedPhone; serialNumber: string } {
  const { devpath: _, ...recording } = recorded(title);
  return {
    phone: new SimulatedPhone({ ...recording, serial: address }),
    serialNumber: recording.serial,
  };
}

export const networkPoco = (address = '192.168.1.7:5555') => onNetwork('POCO', address);
export const networkXiaomi = (address: string) => onNetwork('Xiaomi 12X', address);

/** Has a phone withhold this answer. @returns lets it answer */
export function hold(phone: SimulatedPhone | undefined, name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  phone?.disturb(name, { kind: 'held', until: promise });
  return resolve;
}

/** So many phones, each on a USB port of its own. */
export const pocos = (count: number): SimulatedPhone[] =>
  Array.from({ length: count }, (_, index) => poco(`POCO-${index + 1}`, `2-${index + 1}`));
