/**
 * The host's status and the agent's work as metrics: the host, its findings, each phone, and each shelf, since to make the
 * latter of the phones costs Prometheus seconds. And what the process costs, under the names that Prometheus' own clients
 * use. They are read when somebody asks; only `Counts` remembers.
 */
import { readdirSync } from 'node:fs';
import type { AgentEvents, AgentObserver, RoundSummary } from '../../agent/observer.ts';
import { attempt } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { version } from '../../base/version.ts';
import { findingCodes } from '../../diagnosis/rules/index.ts';
import { placeInRoom } from '../../roster/slot-name.ts';
import type { Condition, FindingStatus, HostStatus, PhoneStatus } from '../host-status.ts';
import type { StatusModel } from '../status-model.ts';

/** A metric with all its series. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly kind: Kind;
  /** When a counter or a histogram was 0, ms since the epoch. */
  readonly since: number;
  readonly series: readonly Series[];
}
type Kind = 'gauge' | 'counter' | 'histogram';
export type Labels = Readonly<Record<string, string>>;
export type Series = readonly [labels: Labels, value: number | Durations];

const kindOf = (name: string): Kind =>
  name.endsWith('_total') ? 'counter' : name.endsWith('_duration_seconds') ? 'histogram' : 'gauge';

/** From an answer over the cable, which takes milliseconds, to a round that waits for a lost cloud; seconds. */
const BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, Number.POSITIVE_INFINITY];

/** How long something took, each time. */
export class Durations {
  /** How many took no longer than each bound, and longer than the one before; seconds. */
  readonly counts = new Map(BOUNDS.map((bound) => [bound, 0]));
  sumSeconds = 0;

  get count(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  add(ms: number): void {
    const bound = BOUNDS.find((each) => ms / 1000 <= each) ?? Number.POSITIVE_INFINITY;
    this.counts.set(bound, (this.counts.get(bound) ?? 0) + 1);
    this.sumSeconds += ms / 1000;
  }
}

/** By outcome. */
type Outcomes = Map<string, number>;

/** A rate needs a first value. */
const noneOf = (...outcomes: string[]): Outcomes => new Map(outcomes.map((outcome) => [outcome, 0]));
const byOutcome = (outcomes: Outcomes) =>
  [...outcomes].map(([outcome, value]): Reading => [{ outcome }, value]);
const count = (outcomes: Outcomes, outcome: string) =>
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

/** Our errors' codes, and those of Node. */
const ERROR_CODE = /^[A-Z][A-Z0-9_]{0,49}$/;

/** What is counted since somebody wanted metrics: a reload carries it to the next host. */
export class Counts implements AgentObserver {
  readonly since = Date.now();
  readonly rounds = new Durations();
  readonly probes = noneOf('answered', 'broken', 'failed');
  readonly probeDurations = new Durations();
  readonly reports = noneOf('stored', 'cloud_unavailable');
  readonly reportDurations = new Durations();

  collected(_udid: string, { outcome, durationMs }: Parameters<AgentEvents['collected']>[1]): void {
    count(this.probes, outcome);
    this.probeDurations.add(durationMs);
  }

  round({ durationMs }: RoundSummary): void {
    this.rounds.add(durationMs);
  }

  sent({ outcome, durationMs }: Parameters<AgentEvents['sent']>[0]): void {
    const isKnown = outcome === 'stored' || ERROR_CODE.test(outcome);
    count(this.reports, isKnown ? outcome.toLowerCase() : 'other');
    this.reportDurations.add(durationMs);
  }
}

/** A series whose value may not be known now; then it is left out. */
type Reading = readonly [labels: Labels, value: Value];
type Value = Series[1] | boolean | undefined;
/** A value alone has no labels. */
type Readings = Value | readonly Reading[];
/** By the name of a metric: what it is, and how it is read, in base units. */
type Table<Of, Read> = Readonly<Record<string, readonly [help: string, read: (of: Of) => Read]>>;

/** Phones beyond this number have no series of their own, and count for no shelf, so that no scrape grows without bound. */
export const MOST_PHONES = 500;

const LONGEST_LABEL = 128;
/** Text of a phone or a person as a label, bounded. To Prometheus an empty label is none. */
const label = (text = ''): string => printable(text, LONGEST_LABEL);

const inSeconds = (ms?: number) => (ms === undefined ? undefined : ms / 1000);

const conditions: readonly Condition[] = ['fine', 'needsAttention', 'maintenance', 'unknown'];
const wordFor = (condition: Condition): string =>
  condition === 'needsAttention' ? 'needs_attention' : condition;

/** For each code: an alert needs the 0 too. There are none before the first evaluation. */
const countsOf = (findings: readonly FindingStatus[] | undefined): Reading[] =>
  findings === undefined
    ? []
    : findingCodes.map((code) => [{ code }, findings.filter((finding) => finding.code === code).length]);

const byShelf = (phones: readonly PhoneStatus[]) =>
  [...Map.groupBy(phones, ({ slot = '' }) => label(placeInRoom(slot).band))] as const;

const temperatures = (phones: readonly PhoneStatus[], over: (celsius: readonly number[]) => number) =>
  byShelf(phones).map(([shelf, there]): Reading => {
    const attached = there.filter((phone) => phone.attached);
    const known = attached.flatMap(({ battery }) => battery?.temperatureCelsius ?? []);
    return [{ shelf }, known.length === 0 ? undefined : over(known)];
  });

const ofHost: Table<HostStatus, Readings> = {
  hostnode_adb_up: [
    '1 while the list of the adb server can be read, 0 while it cannot.',
    ({ adb }) => (adb.state === 'unknown' ? undefined : adb.state === 'listed'),
  ],
  hostnode_reporting: [
    '1 where phones are reported to a cloud, 0 where none is configured or its key is missing.',
    ({ reports }) => reports.notReporting === undefined,
  ],
  hostnode_report_failing: [
    '1 while the cloud does not take the reports.',
    ({ reports: { notReporting, failure } }) => (notReporting ? undefined : failure !== undefined),
  ],
  hostnode_last_report_timestamp_seconds: [
    'When the cloud last stored a report, seconds since 1970.',
    ({ reports: { storedAt } }) => inSeconds(storedAt),
  ],
  hostnode_devices: [
    'Phones of the roster, each in one condition: fine, needs_attention, maintenance, or unknown while adb cannot be reached.',
    ({ counts }) => conditions.map((each) => [{ condition: wordFor(each) }, counts[each]]),
  ],
  hostnode_finding: [
    'Findings now, by code; 0 where there is none of that code.',
    ({ findings }) => countsOf(findings),
  ],
  hostnode_finding_urgent: [
    'Those of them that are critical or major: somebody cannot use phones, or soon cannot.',
    ({ findings }) => countsOf(findings?.filter(({ severity }) => severity !== 'minor')),
  ],
  hostnode_shelf_devices: [
    'Phones of each shelf by condition, as hostnode_devices has them. Phones without a shelf share one without a name.',
    ({ phones }) =>
      byShelf(phones).flatMap(([shelf, there]) =>
        [...Map.groupBy(there, ({ condition }) => condition)].map(
          ([condition, { length }]): Reading => [{ shelf, condition: wordFor(condition) }, length],
        ),
      ),
  ],
  hostnode_shelf_temperature_average_celsius: [
    'Average temperature of the batteries of a shelf.',
    ({ phones }) => temperatures(phones, (all) => all.reduce((sum, each) => sum + each, 0) / all.length),
  ],
  hostnode_shelf_temperature_highest_celsius: [
    'Highest temperature of the batteries of a shelf.',
    ({ phones }) => temperatures(phones, (all) => Math.max(...all)),
  ],
  hostnode_device_info: [
    `Always 1: which phone it is, and its slot. At most ${MOST_PHONES} phones have series.`,
    ({ phones }) =>
      phones.map(({ udid, slot, model, brand, android }) => {
        const of = Object.entries({ udid, slot, model, brand, android });
        return [Object.fromEntries(of.map(([name, text]) => [name, label(text)])), 1];
      }),
  ],
  hostnode_device_state: [
    "Always 1: adb's word for the phone, disconnected while adb does not list it.",
    ({ phones }) => phones.map(({ udid, state }) => [{ udid: label(udid), state: label(state) }, 1]),
  ],
};

/** What the host knows of every phone in the roster, attached or not. */
const standings: Table<PhoneStatus, Value> = {
  hostnode_device_needs_attention: [
    '1 while the phone needs attention from a person.',
    ({ condition }) => condition === 'needsAttention',
  ],
  hostnode_device_maintenance: [
    '1 while the phone is in maintenance, which keeps its alerts silent.',
    ({ condition }) => condition === 'maintenance',
  ],
  hostnode_device_drained: [
    '1 while the phone is drained: the cloud is told to hide it, and its alerts go on. No series otherwise.',
    ({ drain }) => drain && true,
  ],
  hostnode_device_refused: ['1 while the cloud refuses the phone.', ({ refused }) => refused !== undefined],
};

/** Facts of the attached phones, as far as they are known. */
const facts: Table<PhoneStatus, Value> = {
  hostnode_device_last_answer_timestamp_seconds: [
    'When the phone last answered, seconds since 1970.',
    ({ answeredAt }) => inSeconds(answeredAt),
  ],
  hostnode_device_battery_level_ratio: [
    'Charge of the battery, 0 to 1.',
    ({ battery }) => battery?.levelRatio,
  ],
  hostnode_device_battery_charging: [
    '1 while the battery is charged or kept full, 0 while it is not.',
    ({ battery }) => battery?.isCharging,
  ],
  hostnode_device_battery_voltage_volts: ['Voltage of the battery.', ({ battery }) => battery?.voltageVolts],
  hostnode_device_temperature_celsius: [
    'Temperature of the battery.',
    ({ battery }) => battery?.temperatureCelsius,
  ],
  hostnode_device_storage_total_bytes: ['Size of the data partition.', ({ storage }) => storage?.totalBytes],
  hostnode_device_storage_used_bytes: ['Used of the data partition.', ({ storage }) => storage?.usedBytes],
  hostnode_device_memory_total_bytes: ['Working memory of the phone.', ({ memory }) => memory?.totalBytes],
  hostnode_device_memory_used_bytes: [
    'Working memory of the phone that is not available.',
    ({ memory }) => memory?.usedBytes,
  ],
};

const ofProcess: Table<Metrics, Readings> = {
  hostnode_build_info: [
    'Always 1: the versions of hostnode and of the Node that it runs on.',
    () => [[{ version, node: process.versions.node }, 1]],
  ],
  hostnode_progressing: [
    '1 while the agent makes progress, 0 when it hangs.',
    ({ isProgressing }) => isProgressing,
  ],
  hostnode_round_duration_seconds: [
    'Rounds, from the start of collecting to the end of the report.',
    ({ counts }) => counts.rounds,
  ],
  hostnode_probes_total: [
    'Conversations with phones, by what came of them.',
    ({ counts }) => byOutcome(counts.probes),
  ],
  hostnode_probe_duration_seconds: ['Conversations with phones.', ({ counts }) => counts.probeDurations],
  hostnode_reports_total: [
    'Reports to the cloud: stored, or the kind of error.',
    ({ counts }) => byOutcome(counts.reports),
  ],
  hostnode_report_duration_seconds: [
    'Reports to the cloud, in however many requests.',
    ({ counts }) => counts.reportDurations,
  ],
  process_cpu_seconds_total: [
    'User and system CPU time spent.',
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  ],
  process_resident_memory_bytes: ['Resident memory.', () => process.memoryUsage.rss()],
  // one is the reading itself; none is left to count with where all are open
  process_open_fds: ['Open file descriptors.', () => attempt(() => readdirSync('/proc/self/fd').length - 1)],
  process_start_time_seconds: [
    'When the process started, seconds since 1970.',
    ({ startedAt }) => startedAt / 1000,
  ],
};

export class Metrics {
  /** To be notified of what happens in the agent. */
  readonly counts: Counts;
  /** The process, ms since the epoch, by the clock as it is now. */
  readonly startedAt = Date.now() - process.uptime() * 1000;
  readonly #source: Pick<StatusModel, 'status' | 'isProgressing'>;

  /** @param counts what was counted before */
  constructor(source: Pick<StatusModel, 'status' | 'isProgressing'>, counts = new Counts()) {
    this.#source = source;
    this.counts = counts;
  }

  get isProgressing(): boolean {
    return this.#source.isProgressing;
  }

  families(): Family[] {
    const status = this.#source.status();
    const phones = status?.phones.slice(0, MOST_PHONES) ?? [];
    const attached = phones.filter((phone) => phone.attached);
    const ofAll = (these: readonly PhoneStatus[], read: (phone: PhoneStatus) => Value) =>
      these.map((phone): Reading => [{ udid: label(phone.udid) }, read(phone)]);
    return [
      ...this.#familiesOf(ofHost, (read) => (status ? read({ ...status, phones }) : undefined)),
      ...this.#familiesOf(standings, (read) => ofAll(phones, read)),
      ...this.#familiesOf(facts, (read) => ofAll(attached, read)),
      ...this.#familiesOf(ofProcess, (read) => read(this)),
    ];
  }

  #familiesOf<Of, Read>(table: Table<Of, Read>, read: (from: (of: Of) => Read) => Readings): Family[] {
    return Object.entries(table).map(([name, [help, from]]) => {
      const since = name.startsWith('process_') ? this.startedAt : this.counts.since;
      const found = read(from);
      const readings: readonly Reading[] = Array.isArray(found) ? found : [[{}, found]];
      const series = readings.flatMap(([labels, value]): Series[] =>
        value === undefined ? [] : [[labels, typeof value === 'boolean' ? Number(value) : value]],
      );
      return { name, help, kind: kindOf(name), since, series };
    });
  }

  /** As Prometheus scrapes them: prometheus.io/docs/instrumenting/exposition_formats. */
  text(): string {
    return this.families().map(textOf).join('\n');
  }
}

function textOf({ name, help, kind, series }: Family): string {
  const lines = series.flatMap(([labels, value]) => {
    if (typeof value === 'number') return lineOf(name, labels, value);
    let upTo = 0;
    const buckets = [...value.counts].map(([bound, count]) => {
      upTo += count;
      const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound);
      return lineOf(`${name}_bucket`, { ...labels, le }, upTo);
    });
    return [
      ...buckets,
      lineOf(`${name}_sum`, labels, value.sumSeconds),
      lineOf(`${name}_count`, labels, upTo),
    ];
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines, ''].join('\n');
}

function lineOf(name: string, labels: Labels, value: number): string {
  const escaped = (text: string) => text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
  const named = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${named.length === 0 ? '' : `{${named.join(',')}}`} ${value}`;
}
