/**
 * One way to build a host: all that a configuration says, from adb to the status server. The daemon, the demo and the
 * tests call it. A reload stops the host, and builds the next one with what is carried over.
 */
import type { AdbAt } from '../adb/remedy.ts';
import { Agent } from '../agent/agent.ts';
import type { AgentCarried, AgentOptions, AgentTiming } from '../agent/options.ts';
import { ruleInputOf, settingOf } from '../agent/rule-input.ts';
import { DAY_MS } from '../base/calendar.ts';
import { type Environment, type HostKind, isLoopback } from '../base/environment.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { buildNumber } from '../base/version.ts';
import type { Config } from '../config/load.ts';
import type { Finding } from '../diagnosis/finding.ts';
import { Diagnosis, openHistory } from '../diagnosis/index.ts';
import { checkpointIn } from '../history/events/checkpoint.ts';
import type { HostEvent, PhoneEvent } from '../history/events/event.ts';
import type { HistoryClient } from '../history/store/client.ts';
import { type Identity, keepIdentity } from '../host/identity.ts';
import { readAtStart, type Unread } from '../host/json-file.ts';
import type { StateLock } from '../host/lock.ts';
import { readMachine } from '../host/machine.ts';
import { withDiskTimeout } from '../host/state-file.ts';
import { UsbBuses } from '../host/usb-devices.ts';
import { phonesOnUsb } from '../host/usb-sight.ts';
import { drainRemark, maintenanceRemark, type Remark } from '../report/remark.ts';
import type { RosterRecord } from '../roster/device.ts';
import { RosterWriter, readRoster, rosterPath } from '../roster/store.ts';
import { FindingsBoard } from '../status/findings-board.ts';
import type { Plan } from '../status/host-status.ts';
import { type PlanKind, type Plans, planKinds, readPlans } from '../status/phone-plan.ts';
import { newTimes } from '../status/status-model.ts';
import { createStatusService, type StatusCarried, type StatusService } from '../status/status-service.ts';
import { cloudFingerprint, createCloud, createPhones } from './host-parts.ts';
import { lockState } from './load-state.ts';

/** What a reload carries from the host that has stopped to the next one. The first host has the identity and the lock. */
export interface Carried extends Partial<AgentCarried> {
  /** The host's name: where it cannot be read again, the one in force stays. */
  readonly identity: Identity;
  /** Of the state directory: a disk that can only be read now could not lock it again. Absent: it cannot be used. */
  readonly lock?: StateLock | undefined;
  /** Where the rest comes from: in another state directory, it joins what lies there. */
  readonly stateDir?: string;
  /** The roster's file, while it cannot be read: it must not be overwritten before. */
  readonly unread?: Unread<RosterRecord> | undefined;
  /** Which adb server listed the phones. */
  readonly adbAt?: AdbAt;
  /** Which cloud has the reports: of another one nothing is known. */
  readonly cloud?: string | undefined;
  /** Phones in maintenance, and drained ones: the disk may not have stored that, and a reload begins and ends none. */
  readonly plans?: Plans;
  /** The history, open: what waits to be written stays in its queue. */
  readonly history?: HistoryClient | undefined;
  /** The findings now: a reload begins and ends none. */
  readonly findings?: FindingsBoard;
  /** What page and metrics show goes on: since when each thing is so, what was counted, and where it is served. */
  readonly status?: StatusCarried;
}

/** What differs between the daemon, the demo and a test. */
export interface HostDeps {
  log: Logger;
  /** Names the proxy, and the folder of the socket. */
  env: Environment;
  hostKind: HostKind;
  /** The machine's own name. */
  hostName: string;
  /** Where the history is: in the state directory, or in memory. `none`: the agent is alone, without a status service. */
  history: 'disk' | 'memory' | 'none';
  timing?: Partial<AgentTiming>;
  /** Are the phones on the USB of this machine? Default: where the adb server is on this machine. */
  hasUsb?: boolean;
  /** False: no findings; what a tour does is no fault of the phones. */
  hasFindings?: boolean;
  /** The past from before this time is made up, ms since the epoch. */
  simulatedUntil?: number;
}

interface HostParts {
  config: Config;
  deps: HostDeps;
  carried: Carried;
  adbAt: AdbAt;
  agent: Agent;
  plans: Plans;
  findings: FindingsBoard;
  unread: Unread<RosterRecord> | undefined;
  /** These are absent where the agent is alone. */
  diagnosis: Diagnosis | undefined;
  service: StatusService | undefined;
}

/**
 * Builds a host, from its phones to what looks at the agent from the side. It does not run yet.
 *
 * @throws {ConfigError} the address of the cloud's proxy is invalid
 */
export async function createHost(config: Config, before: Carried, deps: HostDeps): Promise<Host> {
  const { log } = deps;
  const plans = await readPlans(config.state.dir, log, before.plans);
  const findings = before.findings ?? new FindingsBoard(log);
  const history = deps.history === 'none' ? undefined : (before.history ?? openHistory({ log }));
  await history?.use(historySettings(config, deps, before.lock));
  const restored = history && !before.checkpoint ? await checkpointIn(history, log) : undefined;
  const carried = omitUndefined({ ...before, checkpoint: before.checkpoint ?? restored });
  const { agent, unread } = await createAgent(config, carried, deps, (udid) => ({
    ...findings.remarkOf(udid),
    ...maintenanceRemark(plans.maintenance.of(udid), config.maintenance.hidesFromCloud),
    ...drainRemark(plans.drain.of(udid)),
  }));
  const { host, port } = config.adb;
  const adbAt = { host, port, hostKind: deps.hostKind };
  const parts = { config, adbAt, agent, plans, findings };
  const status = carried.status ?? { times: newTimes(restored?.connections) };
  const diagnosis = history && createDiagnosis({ ...parts, deps }, history);
  const service =
    diagnosis &&
    (await createStatusService({
      ...{ ...deps, ...parts, diagnosis, carried: status },
      ...(hasUsbOf(deps, config) && { phonesOnUsb }),
    }));
  if (diagnosis) agent.observe(diagnosis);
  return new Host({ ...parts, deps, carried, unread, diagnosis, service });
}

/** It runs once. */
export class Host {
  readonly agent: Agent;
  readonly plans: Plans;
  readonly diagnosis: Diagnosis | undefined;
  readonly service: StatusService | undefined;
  /** Rejects when it cannot go on, with an error that `startRefusalOf` explains. */
  readonly failed: Promise<never>;
  readonly #parts: HostParts;
  readonly #fail: (error: unknown) => void;
  #lock: StateLock | undefined;
  #checking: Promise<void> | undefined;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.agent = parts.agent;
    this.plans = parts.plans;
    this.diagnosis = parts.diagnosis;
    this.service = parts.service;
    this.#lock = parts.carried.lock;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {}); // nobody may listen
    this.failed = promise;
    this.#fail = reject;
  }

  get adbAt(): AdbAt {
    return this.#parts.adbAt;
  }

  /** The worst first. */
  get findings(): readonly Finding[] {
    return this.#parts.findings.current ?? [];
  }

  /**
   * Starts all parts. Resolves when the status is served; adb may list its phones later.
   *
   * @throws {ConfigError} the address of the proxy to the metrics' endpoint, or to one of `notify`, is invalid
   */
  async run(): Promise<void> {
    const { agent, plans, service } = this;
    const { deps, findings } = this.#parts;
    agent.observe({
      renamed(from, to) {
        for (const kind of planKinds) plans[kind].renamed(from, to);
      },
    });
    if (deps.history === 'disk') agent.observe({ round: () => void this.#check() });
    findings.onChange = (udids) => {
      for (const udid of udids) agent.remarked(udid);
      service?.findingsChanged();
    };
    agent.start();
    for (const kind of planKinds) plans[kind].onChange((...change) => this.#planChanged(kind, ...change));
    await service?.start();
  }

  /** As the agent's `stop`, and all other parts. What it leaves stays open: see `closeCarried`. */
  async stop(isFinal = (): boolean => true): Promise<void> {
    const { agent, plans, diagnosis, service } = this;
    await Promise.all([service?.stopSending(), agent.stop(isFinal)]);
    await withDiskTimeout(Promise.all([this.#checking, ...Object.values(plans).map((plan) => plan.keep())]));
    await diagnosis?.stop();
    await service?.stop();
  }

  /** Records what happens now and no agent notices. */
  record(event: HostEvent | PhoneEvent): void {
    this.diagnosis?.happened([{ ...event, at: Date.now() }]);
  }

  /** Once it has stopped. */
  get carried(): Carried {
    const { agent, plans } = this;
    const { config, adbAt, carried, findings, unread } = this.#parts;
    return {
      adbAt,
      identity: carried.identity,
      lock: this.#lock,
      stateDir: config.state.dir,
      ...agent.carried,
      unread,
      cloud: cloudFingerprint(config, carried.identity.nodeId),
      plans,
      history: this.diagnosis?.history,
      findings,
      ...omitUndefined({ status: this.service?.carried }),
    };
  }

  /** Somebody may have removed the state directory or the socket, or fixed what blocked them. One check at a time. */
  async #check(): Promise<void> {
    this.#checking ??= this.#checkState()
      .catch(this.#fail)
      .finally(() => {
        this.#checking = undefined;
      });
  }

  /** @throws {StateLockedError} another agent has taken the state directory */
  async #checkState(): Promise<void> {
    const { config, deps, carried } = this.#parts;
    const { plans, diagnosis, service } = this;
    const lock = await lockState(config.state, deps.log, this.#lock, true);
    if (lock !== this.#lock) {
      this.#lock = lock;
      if (lock) await keepIdentity(carried.identity, config.state.dir, '/');
      for (const kind of planKinds) await plans[kind].keep();
      await diagnosis?.history.use(historySettings(config, deps, lock));
    }
    for (const kind of planKinds) await plans[kind].catchUp();
    await service?.reopenSocket();
  }

  #planChanged(kind: PlanKind, udid: string, entry: Plan | undefined, by?: string): void {
    const where = this.agent.whereOf(udid);
    if (entry && kind === 'maintenance')
      this.#parts.findings.maintained((each) => this.plans.maintenance.of(each) !== undefined);
    const change = entry ? { kind, ...entry } : omitUndefined({ kind: `${kind}Ended` as const, by });
    // of a phone that was forgotten nothing is to remain
    if (where !== undefined) this.record({ ...change, udid, where });
    this.agent.remarked(udid);
    this.service?.model.changed();
  }
}

/** Closes what a host left, where no other follows. Never throws, and waits a few seconds at most. */
export async function closeCarried({ history, lock }: Partial<Carried>): Promise<void> {
  void history?.record([{ kind: 'agentStopped', at: Date.now() }]);
  await history?.close();
  await lock?.release();
}

/** Without its directory the history is in memory, as a stopgap until there is one. */
function historySettings({ state, history }: Config, deps: HostDeps, lock: StateLock | undefined) {
  if (deps.history === 'memory') return history;
  return { ...history, ...(lock ? { stateDir: state.dir } : { isStopgap: true as const }) };
}

/** Loaded where it is wanted. */
const kernelFollower =
  ({ log, env }: HostDeps): NonNullable<AgentOptions['followKernel']> =>
  async (happened, signal) => {
    const { followKernelLog } = await import('../host/kernel-log.ts');
    const { kernelEvents } = await import('../history/events/kernel-events.ts');
    const faults = kernelEvents(new UsbBuses(), happened);
    await followKernelLog({ onLine: (line, at) => faults.add(line, at), log, env }, signal);
    faults.end();
  };

const hasUsbOf = ({ hasUsb }: HostDeps, { adb }: Config): boolean => hasUsb ?? isLoopback(adb.host);

async function createAgent(
  config: Config,
  carried: Carried,
  deps: HostDeps,
  remarkOf: (udid: string) => Remark,
) {
  const { log, env, timing } = deps;
  const { nodeId } = carried.identity;
  const { found, unread } = await foundRoster(config, carried, log);
  const record = carried.roster ?? found;
  const phones = createPhones({ config, nodeId, log, remarkOf, ...omitUndefined({ record }) });
  const { roster, clockStep } = phones;
  if (carried.roster && found) roster.join(found, Date.now());
  const cloud = await createCloud(config, env);
  const mayWrite = unread && (() => unread.tryAgain((late) => roster.join(late, Date.now())));
  const writer = new RosterWriter({
    stateDir: config.state.dir,
    roster,
    log,
    ...omitUndefined({ mayWrite }),
  });
  const startAdb = async (signal: AbortSignal) => {
    const { startServerIfNone } = await import('../adb/server-start.ts');
    return startServerIfNone({ ...config.adb, hostKind: deps.hostKind, env, signal });
  };
  const { adbAt, checkpoint, connections, reported, storedAt } = carried;
  const isSameAdb = adbAt?.host === config.adb.host && adbAt.port === config.adb.port;
  const isSameCloud = carried.cloud === cloudFingerprint(config, nodeId);
  const agent = new Agent({
    nodeId,
    ...phones,
    readMachine: () => readMachine(buildNumber),
    save: () => {
      clockStep.check(); // before writing: adjusts the times to the current clock
      return writer.save();
    },
    reportSchedule: config.report.schedule,
    refusedRetries: config.cloud?.refusedRetries ?? 0,
    forgetAfterMs: config.roster.forgetAfterDays * DAY_MS,
    unplugOnStop: config.report.onStop === 'unplugged',
    ...(config.adb.start === true && { startAdb }),
    ...(cloud && { delivery: cloud.delivery, close: () => cloud.client.close() }),
    ...(cloud && config.cloud?.readBack && { reader: cloud.client }),
    ...(cloud && { bookings: cloud.client }),
    isStateLost: record === undefined,
    hasUsb: hasUsbOf(deps, config),
    ...(config.history.kernelLog && hasUsbOf(deps, config) && { followKernel: kernelFollower(deps) }),
    ...omitUndefined({ notReporting: config.notReporting, timing, checkpoint }),
    ...(isSameAdb && omitUndefined({ connections })),
    ...(isSameCloud && omitUndefined({ reported, storedAt })),
    log,
  });
  return { agent, unread };
}

/** The phones of this directory that are not carried, while it is another one than before. */
async function foundRoster({ state, roster }: Config, { stateDir, unread }: Carried, log: Logger) {
  if (stateDir === state.dir) return { found: undefined, unread };
  const { value: found, unread: unreadable } = await readAtStart({
    path: rosterPath(state.dir),
    read: () => readRoster(state.dir, { maxPhones: roster.maxPhones }),
    log,
  });
  return { found, unread: unreadable };
}

type Diagnosed = Pick<HostParts, 'config' | 'deps' | 'agent' | 'plans' | 'findings'>;

function createDiagnosis(
  { config, deps, agent, plans, findings }: Diagnosed,
  history: HistoryClient,
): Diagnosis {
  const setting = settingOf(config);
  const isInMaintenance = (udid: string) => plans.maintenance.of(udid) !== undefined;
  return new Diagnosis({
    history,
    hasUsb: hasUsbOf(deps, config),
    input: () => ruleInputOf(agent.state, setting, isInMaintenance, Date.now()),
    board: deps.hasFindings === false ? { current: undefined, take() {} } : findings,
    log: deps.log,
  });
}
