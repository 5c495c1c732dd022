/**
 * Judges a lab's weeks as the agent does: 4 s after something happened, 13 s and 76 s after the last thing that happened
 * (`evaluation-schedule.ts`), 11 and 31 minutes after it, and every 12 hours. In between nothing but time changes.
 */
import { anyHost } from '../../../src/base/environment.ts';
import { failureOfConnection } from '../../../src/cloud/failure.ts';
import { evaluate, evaluatePresent } from '../../../src/diagnosis/evaluate.ts';
import type { Finding } from '../../../src/diagnosis/finding.ts';
import type { RuleContext } from '../../../src/diagnosis/rule.ts';
import { LOOK_BACK_MS } from '../../../src/diagnosis/rule.ts';
import type { HostInput, PhoneInput, RuleInput } from '../../../src/diagnosis/rule-input.ts';
import { historyRules, presentRules } from '../../../src/diagnosis/rules/index.ts';
import type { HistoryEvent, HistorySample } from '../../../src/history/events/event.ts';
import { buildMessage } from '../../../src/report/message.ts';
import {
  type Cause,
  causesOf,
  findingsByPhone,
  signOf,
  withFindings,
  withoutExplained,
} from '../../../src/status/causes.ts';
import type { PhoneStatus } from '../../../src/status/host-status.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND } from './lab.ts';
import { Samples } from './samples.ts';
import { usbOf } from './usb.ts';

export interface Judgement {
  at: number;
  context: RuleContext;
  findings: Finding[];
}

const SOON = 4 * SECOND;
const SETTLED = 13 * SECOND;
const LATE = 76 * SECOND;
const LATER = [11 * MINUTE, 31 * MINUTE];
const REGULAR = 12 * HOUR;

/**
 * When the agent judges, oldest first.
 *
 * @param most where it judges more often, some bursts of events are left out, evenly
 */
export function momentsOf(
  times: readonly number[],
  { start, end }: Pick<Lab, 'start' | 'end'>,
  most: number,
): number[] {
  const bursts: number[][] = [];
  let soon = Number.NEGATIVE_INFINITY;
  for (const [index, at] of times.entries()) {
    if (at < start) continue;
    const next = times[index + 1] ?? Number.POSITIVE_INFINITY;
    const isFirst = at - (times[index - 1] ?? Number.NEGATIVE_INFINITY) > LATE;
    if (isFirst) bursts.push([]);
    const burst = bursts.at(-1) ?? [];
    if (at > soon) {
      soon = at + SOON;
      burst.push(soon);
    }
    for (const delay of [SETTLED, LATE, ...LATER]) if (at + delay < next) burst.push(at + delay);
  }
  const count = bursts.reduce((sum, { length }) => sum + length, 0);
  const every = Math.max(1, Math.ceil(count / most));
  const found = bursts.filter((_, index) => index % every === 0).flat();
  for (let at = start + REGULAR; at < end; at += REGULAR) found.push(at);
  return found.filter((at) => at < end).sort((one, other) => one - other);
}

/** A phone as it is while the events are gone through. */
interface Track {
  phone: LabPhone;
  attached: boolean;
  state: string;
  stateSince: number;
  maintenanceUntil: number;
  facts: Partial<PhoneInput>;
  onUsb: { shown: object | null } | undefined;
  connectedAt: number;
  base?: PhoneInput | undefined;
}

/** One lab, judged at moments that only go forward. */
export class Sweep {
  readonly #lab: Lab;
  readonly #recorded: { at: number; event: HistoryEvent }[];
  readonly #tracks: Map<string, Track>;
  readonly #samples: Samples;
  readonly #events: HistoryEvent[] = [];
  readonly #setting: Partial<RuleInput> = {};
  readonly #connectionOf: ReturnType<typeof connectionsIn>;
  /** When no agent ran. */
  readonly #off: { from: number; to: number }[];
  #first = 0;
  #event = 0;
  #change = 0;
  #isAgentRunning = true;
  /** How adb fails, and since when. */
  #adbAway: Required<Pick<HostInput['adb'], 'failureKind' | 'since'>> | undefined;
  /** Since when the cloud stores no reports. */
  #cloudAwaySince: number | undefined;
  #last: Finding[] = [];

  constructor(lab: Lab) {
    this.#lab = lab;
    this.#recorded = lab.recorded();
    lab.changes.sort((one, other) => one.at - other.at);
    this.#samples = new Samples(lab);
    this.#connectionOf = connectionsIn(lab);
    this.#off = this.#recorded.flatMap(({ at, event }) =>
      event.kind === 'agentStarted' ? [{ from: event.lastAliveAt ?? at, to: at }] : [],
    );
    this.#tracks = new Map(
      lab.phones.map((phone) => [
        phone.udid,
        {
          phone,
          attached: phone.isThereAtFirst,
          state: phone.isThereAtFirst ? 'device' : 'disconnected',
          stateSince: lab.start - DAY,
          maintenanceUntil: 0,
          facts: {},
          onUsb: undefined,
          connectedAt: lab.start - 3 * DAY,
        },
      ]),
    );
  }

  get times(): number[] {
    return this.#recorded.map(({ at }) => at);
  }

  /** What was recorded up to the last moment, oldest first. */
  get events(): readonly HistoryEvent[] {
    return this.#events;
  }

  /** Readings of a phone, as they are kept at that moment. */
  samplesOf(udid: string, now: number, since: number, until: number): HistorySample[] {
    return this.#samples.of(udid, now, since, { until });
  }

  /** What is judged at a moment; undefined while adb's list is not known. Moments must not go back. */
  contextAt(at: number): RuleContext | undefined {
    this.#advance(at);
    return this.#isAgentOff(at) || this.#adbAway ? undefined : this.#contextAt(at);
  }

  #isAgentOff(at: number): boolean {
    return !this.#isAgentRunning || this.#off.some(({ from, to }) => at > from && at < to);
  }

  #contextAt(at: number): RuleContext {
    const lab = this.#lab;
    const now = lab.shown(at);
    while ((this.#events[this.#first]?.at ?? now) < now - LOOK_BACK_MS) this.#first += 1;
    const tracks = [...this.#tracks.values()].filter(
      ({ phone, attached, stateSince }) => attached || phone.isThereAtFirst || stateSince > lab.start,
    );
    const phones = tracks.map((track) => this.#phoneOf(track, at));
    const ports = tracks.flatMap(({ phone, attached }) =>
      attached && phone.connection === 'usb' ? (lab.where(phone, at).devpath ?? []) : [],
    );
    const input: RuleInput = {
      at: now,
      isAdbListed: this.#adbAway === undefined,
      host: this.#host,
      phones,
      adbPorts: ports,
      ...(lab.hasUsb && { usb: usbOf(lab, [...this.#tracks.values()], at) }),
      setting: { expected: [], slots: [] },
      ...this.#setting,
    };
    return {
      now: input,
      events: this.#events.slice(this.#first),
      samplesOf: (udid, ...which) => this.#samples.of(udid, at, ...which),
    };
  }

  get #host(): HostInput {
    const since = this.#lab.start;
    return {
      adb: {
        address: '127.0.0.1:5037',
        ...(this.#adbAway ? { state: 'failed', ...this.#adbAway } : { state: 'listed', since }),
      },
      adbAt: { host: '127.0.0.1', port: 5037, hostKind: anyHost },
      reports:
        this.#cloudAwaySince === undefined ? {} : { ...OFF_THE_NETWORK, failingSince: this.#cloudAwaySince },
    };
  }

  /** All findings of the history's rules at a moment. */
  judge(at: number): Judgement | undefined {
    const context = this.contextAt(at);
    if (context === undefined) return undefined;
    this.#last = evaluate(historyRules, context);
    return { at, context, findings: this.#last };
  }

  /** What somebody is told who asks then: while adb cannot be reached the findings stay as they are. */
  ask(at: number): Judgement | undefined {
    const judged = this.judge(at);
    if (judged || !this.#adbAway || this.#isAgentOff(at)) return judged;
    return { at, context: this.#contextAt(at), findings: this.#last };
  }

  #advance(until: number): void {
    const { changes } = this.#lab;
    for (; (this.#recorded[this.#event]?.at ?? Number.POSITIVE_INFINITY) <= until; this.#event += 1)
      this.#apply(this.#recorded[this.#event] as { at: number; event: HistoryEvent });
    for (; (changes[this.#change]?.at ?? Number.POSITIVE_INFINITY) <= until; this.#change += 1) {
      const { phone, facts, setting, ...rest } = changes[this.#change] ?? { at: 0 };
      Object.assign(this.#setting, setting);
      const track = this.#tracks.get(phone?.udid ?? '');
      if (track === undefined) continue;
      if ('usb' in rest) track.onUsb = rest.usb === undefined ? undefined : { shown: rest.usb };
      track.facts = { ...track.facts, ...facts };
      track.base = undefined;
    }
  }

  #apply({ at, event }: { at: number; event: HistoryEvent }): void {
    this.#events.push(event);
    if (event.kind === 'adbLost')
      this.#adbAway ??= { failureKind: event.failureKind ?? 'silent', since: event.at };
    if (event.kind === 'adbBack') this.#adbAway = undefined;
    if (event.kind === 'cloudLost') this.#cloudAwaySince ??= event.at;
    if (event.kind === 'cloudBack') this.#cloudAwaySince = undefined;
    if (event.kind === 'agentStopped') this.#isAgentRunning = false;
    if (event.kind === 'agentStarted') this.#isAgentRunning = true;
    const track = this.#tracks.get(event.udid ?? '');
    if (track === undefined) return;
    track.base = undefined;
    if (event.kind === 'attached' || event.kind === 'state') {
      if (event.kind === 'attached') track.connectedAt = at;
      track.attached = true;
      track.state = event.state;
      track.stateSince = at;
    } else if (event.kind === 'detached') {
      track.attached = false;
      track.state = 'disconnected';
      track.stateSince = at;
    } else if (event.kind === 'maintenance') track.maintenanceUntil = event.until;
    else if (event.kind === 'maintenanceEnded') track.maintenanceUntil = 0;
  }

  #phoneOf(track: Track, at: number): PhoneInput {
    const { phone, attached, state, facts, maintenanceUntil } = track;
    // facts belong to a connection that works
    const isOnline = attached && state === 'device';
    const isInMaintenance = maintenanceUntil > at;
    if (track.base?.isInMaintenance !== isInMaintenance)
      track.base = {
        udid: phone.udid,
        serial: serialOf(phone),
        name: phone.name,
        connection: this.#connectionOf(phone),
        where: this.#lab.where(phone, at),
        attached,
        state,
        isInMaintenance,
        ...(isOnline ? facts : nameOf(facts)),
      };
    const reading = isOnline ? this.#samples.last(phone.udid, at) : undefined;
    if (reading === undefined) return track.base;
    const { levelPercent, temperatureDecicelsius, isFull } = reading;
    const status = isFull ? ('FULL' as const) : undefined;
    const battery = { isPresent: true, levelPercent, temperatureDecicelsius, status, ...facts.battery };
    return { ...track.base, battery: defined(battery) };
  }

  /** What page and terminal show at a moment that was judged: the findings, and what the present alone shows. */
  shownAt({ at, context, findings }: Judgement): Shown {
    const phones = context.now.phones.map((phone) => {
      const { state, connection, bootCompleted, isDataLocked: dataLocked, isSilent } = phone;
      const device = { state, connection } as Parameters<typeof buildMessage>[0];
      const facts = { boot: defined({ bootCompleted, dataLocked }) };
      const stateSince = this.#lab.shown(this.#tracks.get(phone.udid)?.stateSince ?? at);
      return { ...phone, stateSince, remedy: buildMessage(device, facts, isSilent) };
    });
    const problems = evaluatePresent(
      presentRules,
      { ...context.now, phones: phones.filter((phone) => !phone.isInMaintenance) },
      context.now.at,
    );
    const ownProblems = Map.groupBy(problems, ({ udids: [udid = ''] }) => udid);
    const statuses = phones.map(({ where, isInMaintenance, stateSince, remedy, ...phone }) => {
      const [worst] = withoutExplained(ownProblems.get(phone.udid) ?? []);
      const condition = isInMaintenance ? 'maintenance' : worst ? 'needsAttention' : 'fine';
      return {
        ...phone,
        ...(where.devpath && { devpath: where.devpath }),
        ...(where.slot && { slot: where.slot }),
        condition,
        sign: worst ? signOf(worst) : '',
        since: worst?.since ?? stateSince,
        message: worst?.remedy ?? remedy,
      } as PhoneStatus;
    });
    const { causes, notices, remedies } = causesOf([...findings, ...problems], statuses);
    const ofPhone = findingsByPhone(findings);
    return {
      causes,
      notices,
      phones: statuses.map((phone) =>
        withFindings(phone, ofPhone.get(phone.udid) ?? [], remedies.get(phone.udid)),
      ),
    };
  }
}

/** As page and terminal have it. */
export interface Shown {
  causes: Cause[];
  notices: Cause[];
  phones: PhoneStatus[];
}

export type { Track };

/** What a host says that has lost its network: the name of the cloud cannot be looked up. */
const OFF_THE_NETWORK = failureOfConnection({ request: 'PUT https://cloud.example' }, 'EAI_AGAIN').trouble;

/** Virtual devices over the network say what they run on; no lab has them beside phones on Wi-Fi. */
export function connectionsIn({ phones }: Lab): (phone: LabPhone) => LabPhone['connection'] {
  const areVirtual = phones.some(({ name, connection }) => connection === 'tcp' && VIRTUAL.test(name));
  return ({ connection }) => (areVirtual && connection === 'tcp' ? 'emulator' : connection);
}

const VIRTUAL = /\b(?:cuttlefish|emulator|genymotion|redroid|waydroid)\b/i;

const serialOf = ({ udid, connection }: LabPhone): string => {
  const number = Number(udid.slice(1));
  if (connection === 'tcp') return `10.0.0.${number}:5555`;
  return connection === 'emulator' ? `emulator-${5552 + 2 * number}` : udid;
};

/** Who a phone is, the roster knows while it is away too. */
const nameOf = ({ name, serial, serialNumber }: Partial<PhoneInput>): Partial<PhoneInput> =>
  defined({ name, serial, serialNumber });

/** Without what is undefined. */
const defined = <T extends object>(from: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

export type { HistorySample };
