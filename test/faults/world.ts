/**
 * One host for one fault: an adb server with phones, the built daemon as a process, and a cloud behind a door. It
 * watches all the while that the cloud is never told what is not so.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { DeviceInfo, type DevicesBody } from '../../src/cloud/contract/report.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { Recording } from '../../src/demo/recording.ts';
import type { SandboxRequest } from '../../src/sandbox/log.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { seedOfOneUser } from '../../src/sandbox/seed.ts';
import { requestAgent } from '../../src/status/http/client.ts';
import { readPhone } from '../rig/phone-recording.ts';
import { Rig } from '../rig/rig.ts';
import { AgentProcess, type LogLine } from './agent-process.ts';
import { type Certificate, Front } from './front.ts';
import { type LabPhone, RigLabPhone, SimulatedLabPhone } from './lab-phone.ts';
import { stateOf } from './surroundings.ts';
import { Witness } from './witness.ts';

export type Environment = Record<string, string | undefined>;

/** How a world differs from the usual one. */
export interface Given {
  /** A real adb server, with these phones of test/rig/phones. */
  rig?: readonly string[];
  env?: Environment | ((world: World) => Environment);
  /** The cloud speaks TLS with this certificate. */
  certificate?: () => Certificate;
  /** The host name in the cloud's address. */
  cloudHost?: string;
  /** Lines of bash that make the agent's surroundings, each around the next; "$@" is what stands in them. */
  shells?: readonly string[];
  /** Options of Node. */
  node?: readonly string[];
  /** Nobody hears what the agent says. */
  isMute?: boolean;
  /** Before the agent is started for the first time. */
  before?(world: World): Promise<unknown> | unknown;
}

export const nodeId = 'rack-2';
export const username = 'lab@example.com';
/** A phone in state `device`, another one, one in a hurry (Android 11), one that waits for its prompt. */
const usual = ['f12a8ec9', 'RE47644423', '44424FDD7335M7', '9c2ad7e1'];
/** After a fault the first report may have been begun before, and the second have joined a conversation. */
const REPORTS_TO_TRUTH = 3;
const TRUTH_LIMIT_MS = 60_000;
/** All that an adb server is ever asked: nothing that changes it, or a phone's connection. */
const HARMLESS =
  /^(host:(version|devices|devices-l|track-devices|transport-id:\d+|transport:.+)|(exec|shell|shell,v2,raw):.+)$/s;
const LOOK_EVERY_MS = 50;

export const recordingOf = (serial: string): Recording => {
  const recording = recordings.find((phone) => phone.serial === serial);
  if (recording === undefined) throw new Error(`no recorded phone ${serial}`);
  return recording;
};

interface Parts {
  given: Given;
  folder: string;
  programFolder: string;
  cloud: Sandbox;
  apiKey: string;
}

export class World implements AsyncDisposable {
  readonly folder: string;
  readonly given: Given;
  readonly cloud: Sandbox;
  readonly phones: LabPhone[] = [];
  readonly witness: Witness;
  /** The keys that the account has had, the one in force last. */
  readonly apiKeys: string[];
  #front: Front | undefined;
  #adb: SimulatedAdbServer | undefined;
  #rig: Rig | undefined;
  #agent: AgentProcess | undefined;
  #adbPort = 0;
  readonly #programFolder: string;
  #mark = 0;
  #residentKb = 0;
  /** How often adb's list was begun to be followed. */
  #follows = 0;
  #begun = { at: 0, reports: 0, connections: 0 };
  #remembered: number | undefined;
  readonly #closes: (() => Promise<void>)[] = [];

  private constructor({ given, folder, programFolder, cloud, apiKey }: Parts) {
    this.given = given;
    this.folder = folder;
    this.#programFolder = programFolder;
    this.cloud = cloud;
    this.apiKeys = [apiKey];
    cloud.setMaxListeners(0);
    this.witness = new Witness(cloud, this.phones);
  }

  /** Builds the world and waits until its agent has reported. */
  static async open(given: Given, programFolder: string): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'hostnode-faults-'));
    const apiKey = randomUUID();
    const cloud = await Sandbox.start({ seed: seedOfOneUser({ username, apiKey }) });
    const world = new World({ given, folder, programFolder, cloud, apiKey });
    try {
      await world.#furnish();
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
    return world;
  }

  async #furnish(): Promise<void> {
    const { rig, certificate, before } = this.given;
    this.#front = await Front.start({
      to: Number(new URL(this.cloud.baseUrl).port),
      ...(certificate && { certificate: certificate() }),
    });
    if (rig === undefined) {
      await this.#listen();
      for (const serial of usual) this.add(recordingOf(serial)).plug();
    } else {
      this.#rig = await Rig.start();
      this.#adbPort = this.#rig.adb.port;
      for (const name of rig) await this.#attach(this.#rig, name);
    }
    await this.writeKey();
    // a conversation with a shell of many processes takes a slow machine more than a second
    await this.configure(`report: { schedule: "${rig === undefined ? '*' : '*/5'} * * * * *" }`);
    await before?.(this);
    await this.startAgent();
  }

  get stateDir(): string {
    return join(this.folder, 'state');
  }

  get keyFile(): string {
    return join(this.folder, 'key');
  }

  get configFile(): string {
    return join(this.folder, 'hostnode.yaml');
  }

  get front(): Front {
    return need(this.#front, 'a door to the cloud');
  }

  get adb(): SimulatedAdbServer {
    return need(this.#adb, 'a simulated adb server');
  }

  get rig(): Rig {
    return need(this.#rig, 'a real adb server');
  }

  get agent(): AgentProcess {
    return need(this.#agent, 'an agent');
  }

  get adbPort(): number {
    return this.#adbPort;
  }

  /** A simulated phone of the lab by its serial or udid. */
  phone(name: string): SimulatedLabPhone {
    const found = this.phones.find((phone) => phone.udid === name);
    if (found instanceof SimulatedLabPhone) return found;
    throw new Error(`no simulated phone ${name}`);
  }

  rigPhone(index = 0): RigLabPhone {
    const found = this.phones[index];
    if (found instanceof RigLabPhone) return found;
    throw new Error('no phone on the rig');
  }

  /** A further phone of the lab, not plugged in yet; or the one that was added under this name before. */
  add(recording: Recording, udid = udidOf(recording)): SimulatedLabPhone {
    if (this.phones.some((phone) => phone.udid === udid)) return this.phone(udid);
    const phone = new SimulatedLabPhone(recording, udid, () => this.adb);
    this.phones.push(phone);
    return phone;
  }

  /** The account gets another key: the former one is worth nothing. */
  rotateKey(): void {
    const apiKey = randomUUID();
    this.apiKeys.push(apiKey);
    this.cloud.change(({ users }) =>
      users
        .all()
        .slice(0, 1)
        .map((user) => users.put({ ...user, username, apiKey })),
    );
  }

  /** Puts the key in force where the agent looks for it. */
  async writeKey(file = this.keyFile): Promise<void> {
    await writeFile(file, this.apiKeys.at(-1) ?? '', { mode: 0o600 });
  }

  async configure(text: string): Promise<void> {
    await writeFile(this.configFile, `${text}\n`);
  }

  /** Has it report by another schedule, and waits until it does. */
  async reschedule(expression: string): Promise<void> {
    await this.configure(`report: { schedule: "${expression}" }`);
    const { mark } = this.agent;
    this.agent.signal('SIGHUP');
    await this.agent.says('round', mark, (round) => {
      const lines = this.agent.linesSince(mark);
      const startsAt = lines.findIndex(({ msg }) => msg === 'hostnode starts');
      return startsAt >= 0 && lines.indexOf(round) > startsAt;
    });
  }

  env(): Record<string, string> {
    const { env = {}, cloudHost = '127.0.0.1', certificate } = this.given;
    const scheme = certificate === undefined ? 'http' : 'https';
    return omitUndefined({
      PATH: process.env.PATH ?? '',
      HOME: this.#programFolder, // what Node compiled is kept for the next start
      XDG_RUNTIME_DIR: this.folder,
      STATE: this.stateDir,
      HOSTNODE_NODE_ID: nodeId,
      HOSTNODE_ADB_PORT: String(this.#adbPort),
      HOSTNODE_ADB_REQUEST_TIMEOUT_SECONDS: '2',
      HOSTNODE_STATE_DIR: this.stateDir,
      HOSTNODE_PROBE_DEADLINE_SECONDS: '5',
      HOSTNODE_CLOUD_BASE_URL: `${scheme}://${cloudHost}:${this.front.port}/v1`,
      HOSTNODE_CLOUD_USERNAME: username,
      HOSTNODE_CLOUD_API_KEY_FILE: this.keyFile,
      HOSTNODE_CLOUD_CONNECT_TIMEOUT_SECONDS: '3',
      HOSTNODE_CLOUD_REQUEST_TIMEOUT_SECONDS: '3',
      HOSTNODE_CLOUD_REFUSED_RETRIES: '1',
      HOSTNODE_CLOUD_READ_BACK: 'false',
      HOSTNODE_STATUS_PORT: '0',
      ...(typeof env === 'function' ? env(this) : env),
    }) as Record<string, string>;
  }

  /** Its program, in its surroundings. */
  command(...args: string[]): string[] {
    const { shells = [] } = this.given;
    return [...shells.flatMap((shell) => ['bash', '-c', shell, 'bash']), ...this.#program(args)];
  }

  /** Starts the agent, anew where one ran before, and waits until it is at work. */
  async startAgent(): Promise<void> {
    const agent = this.start();
    await (this.given.isMute ? this.stored(1) : agent.says('round'));
  }

  start(): AgentProcess {
    this.#agent = this.#launch(this.command('run', '--config', this.configFile));
    this.#mark = 0;
    return this.#agent;
  }

  /** An agent beside the one of this world, which sees the same files. */
  launchBeside(env: Record<string, string> = {}): AgentProcess {
    const enter = this.given.shells === undefined ? [] : ['nsenter', '-t', String(this.agent.pid), '-m'];
    return this.#launch([...enter, ...this.#program(['run', '--config', this.configFile])], env);
  }

  #launch(command: string[], env: Record<string, string> = {}): AgentProcess {
    return new AgentProcess(command, { ...this.env(), ...env });
  }

  #program(args: string[]): string[] {
    const { node = [] } = this.given;
    return [process.execPath, ...node, join(this.#programFolder, 'hostnode.cjs'), ...args];
  }

  /** A fault begins: from here on `says` looks for lines, and who is attached has to stay so. */
  begin(): void {
    this.#mark = this.agent.mark;
    for (const phone of this.phones) if (phone.isAttached) phone.wasPulled = false;
    this.witness.told = [];
    this.#begun = {
      at: performance.now(),
      reports: this.witness.reports,
      connections: this.front.connections,
    };
    this.agent.forgetPeak();
    this.#residentKb = this.agent.weight.residentKb;
  }

  /** How often the cloud was asked since the fault began, also where nobody answered. */
  get knocks(): number {
    const { reports, connections } = this.#begun;
    return Math.max(this.witness.reports - reports, this.front.connections - connections);
  }

  /** Since the fault began, seconds. */
  get elapsedSeconds(): number {
    return (performance.now() - this.#begun.at) / 1000;
  }

  /** How much more memory the agent has needed at most since the fault began, MB. */
  get swelling(): number {
    return (this.agent.weight.peakKb - this.#residentKb) / 1000;
  }

  /** The fault was there when the agent started: `says` looks at all its lines. */
  fromTheStart(): void {
    this.#mark = 0;
  }

  /** Keeps a number from one step of a fault to the next. */
  remember(value: number): void {
    this.#remembered = value;
  }

  get remembered(): number {
    return need(this.#remembered, 'number to remember');
  }

  /** Is called when this world ends. */
  onClose(close: () => Promise<void>): void {
    this.#closes.push(close);
  }

  says(msg: string, isMeant?: (line: LogLine) => boolean): Promise<LogLine> {
    return this.agent.says(msg, this.#mark, isMeant);
  }

  /** The lines with this message since the fault began. */
  said(msg: string): LogLine[] {
    return this.agent.said(msg, this.#mark);
  }

  /** The lines since the fault began. */
  get lines(): readonly LogLine[] {
    return this.agent.linesSince(this.#mark);
  }

  /** Waits until so many more reports have reached the cloud. */
  async received(times: number, isMeant: (body: DevicesBody) => boolean = () => true): Promise<void> {
    await this.#cloudEvents('received', times, isMeant);
  }

  /** Waits until the cloud has stored so many more reports. */
  async stored(times: number, isMeant: (body: DevicesBody) => boolean = () => true): Promise<void> {
    await this.#cloudEvents('answered', times, isMeant);
  }

  async #cloudEvents(name: 'received' | 'answered', times: number, isMeant: (body: DevicesBody) => boolean) {
    const signal = AbortSignal.timeout(TRUTH_LIMIT_MS);
    for (let left = times; left > 0; ) {
      const [request]: SandboxRequest[] = await once(this.cloud, name, { signal }).catch((cause) => {
        throw new Error(`${times} reports were not ${name}, ${left} were missing\n${this.agent.tail}`, {
          cause,
        });
      });
      const counts = name === 'received' || request?.answer !== undefined;
      if (counts && isMeant(request?.body as DevicesBody)) left -= 1;
    }
  }

  /** The page's data, as whoever looks at the agent gets it. */
  async page(): Promise<{ adb: { state: string; version?: number } }> {
    const answer = await requestAgent(join(stateOf(this), 'hostnode.sock'), {
      path: '/api/status',
      timeoutMs: 5_000,
    });
    return JSON.parse(answer.text);
  }

  /** Waits until the agent follows adb's list anew. */
  async followed(): Promise<void> {
    const before = this.#follows;
    await this.until(() => this.#follows > before, 'it does not follow the list');
  }

  /** Waits until the phone is asked anew. */
  async asked(serial: string): Promise<void> {
    const signal = AbortSignal.timeout(TRUTH_LIMIT_MS);
    for (;;) {
      const [served] = await once(this.adb, 'request', { signal });
      if (served.serial === serial) return;
    }
  }

  /** Waits until the cloud holds a device of which this is true. */
  async holds(isMeant: (info: DeviceInfo) => boolean): Promise<void> {
    await this.until(
      () => this.cloud.devices().some(({ info }) => isMeant(DeviceInfo.parse(info))),
      'the cloud does not hold it',
    );
  }

  async until(isSo: () => boolean | Promise<boolean>, complaint: string | (() => string)): Promise<void> {
    const limit = performance.now() + TRUTH_LIMIT_MS;
    while (!(await isSo())) {
      if (performance.now() > limit)
        throw new Error(`${typeof complaint === 'string' ? complaint : complaint()}\n${this.agent.tail}`);
      await pause(LOOK_EVERY_MS);
    }
  }

  /** The adb server goes, with all its connections. */
  async stopAdb(): Promise<void> {
    await this.adb.stop();
  }

  /** A new server on the same port, to which the phones come back one after the other. */
  async startAdb({
    betweenPhonesMs = 0,
    isReversed = false,
    version,
  }: {
    betweenPhonesMs?: number;
    isReversed?: boolean;
    version?: number;
  } = {}): Promise<void> {
    await this.#listen(version);
    for (const phone of isReversed ? this.phones.toReversed() : this.phones) {
      if (!(phone instanceof SimulatedLabPhone) || !phone.isAttached) continue;
      this.adb.plug(phone.phone);
      if (betweenPhonesMs > 0) await pause(betweenPhonesMs);
    }
  }

  /**
   * Nothing was lost: within one round the cloud holds what is true of this host now.
   *
   * @throws what differs
   */
  async nothingLost(): Promise<void> {
    for (const phone of this.phones) if (phone.isAttached) await phone.charge();
    const before = this.witness.fullReports;
    const limit = performance.now() + TRUTH_LIMIT_MS;
    for (;;) {
      const reports = this.witness.fullReports - before; // first: what is compared is newer
      const lost = this.witness.differences();
      if (lost.length === 0) return;
      if (reports >= REPORTS_TO_TRUTH || performance.now() > limit) {
        throw new Error(
          `after ${reports} full reports the cloud differs:\n${lost.join('\n')}\n${this.agent.tail}`,
        );
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent?.[Symbol.asyncDispose]();
    for (const close of this.#closes) await close();
    await this.#front?.shut();
    await this.#adb?.stop().catch(() => {}); // one that has aborted is gone
    await this.#rig?.[Symbol.asyncDispose]();
    await this.cloud.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #listen(version?: number): Promise<void> {
    this.#adb = await SimulatedAdbServer.start(omitUndefined({ port: this.#adbPort, version }));
    this.#adbPort = this.#adb.port;
    this.#adb.on('request', ({ request }) => {
      if (request === 'host:track-devices') this.#follows += 1;
      if (!HARMLESS.test(request)) this.witness.violations.push(`it asked the adb server for ${request}`);
    });
  }

  async #attach(rig: Rig, name: string): Promise<void> {
    const phone = await rig.attach(name);
    const { properties, commands } = readPhone(name);
    const dump = commands.find(({ command }) => command === 'dumpsys battery')?.stdout;
    this.phones.push(new RigLabPhone(rig, phone, properties, String(dump ?? '')));
  }
}

const udidOf = ({ serial }: Recording): string =>
  serial.startsWith('emulator-') ? `${serial}@${nodeId}` : serial;

function need<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`this world has no ${what}`);
  return value;
}
