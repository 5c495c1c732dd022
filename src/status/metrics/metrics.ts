/**
 * The host's status and the agent's work as Prometheus reads them. Gauges are read from the status at each scrape: the host, its
 * findings, each phone, and each shelf, since to make the latter of the phones costs Prometheus seconds. Counters follow
 * the agent's events. And what the process costs, under the names that Prometheus' own clients use.
 *
 * It brings prom-client along: import it only where somebody listens for `/metrics`.
 */
import { readdirSync } from 'node:fs';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AgentEvents, AgentObserver, RoundSummary } from '../../agent/observer.ts';
import { attempt } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { version } from '../../base/version.ts';
import { findingCodes } from '../../diagnosis/rules/index.ts';
import { placeInRoom } from '../../roster/slot-name.ts';
import {
  type Condition,
  type FindingStatus,
  type HostStatus,
  type PhoneStatus,
  withReadingsOfNow,
} from '../host-status.ts';
import type { StatusModel } from '../status-model.ts';

/** From an answer over the cable, which takes milliseconds, to a round that waits for a lost cloud; seconds. */
const DURATION_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];

/** Our errors' codes, and those of Node. */
const ERROR_CODE = /^[A-Z][A-Z0-9_]{0,49}$/;

/** One value of a metric; of a histogram, `metricName` says which of its series it is. */
export interface FamilyValue {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly FamilyValue[];
}

const durationOf = (name: string, help: string): Histogram =>
  new Histogram({ name, help, buckets: DURATION_BUCKETS, registers: [] });

function countOf(name: string, help: string, known: readonly string[]): Counter<'outcome'> {
  const counter = new Counter({ name, help, labelNames: ['outcome'], registers: [] });
  for (const outcome of known) counter.inc({ outcome }, 0); // a rate needs a first value
  return counter;
}

/** What is counted since somebody wanted metrics: a reload carries it to the next host. */
export class Counts implements AgentObserver {
  readonly since = Date.now();
  readonly #rounds = durationOf(
    'hostnode_round_duration_seconds',
    'Rounds, from the start of collecting to the end of the report.',
  );
  readonly #probes = countOf('hostnode_probes_total', 'Conversations with phones, by what came of them.', [
    'answered',
    'broken',
    'failed',
  ]);
  readonly #probeDuration = durationOf('hostnode_probe_duration_seconds', 'Conversations with phones.');
  readonly #reports = countOf(
    'hostnode_reports_total',
    'Reports to the cloud: stored, or the kind of error.',
    ['stored', 'cloud_unavailable'],
  );
  readonly #reportDuration = durationOf(
    'hostnode_report_duration_seconds',
    'Reports to the cloud, in however many requests.',
  );

  get all(): (Histogram | Counter<'outcome'>)[] {
    return [this.#rounds, this.#probes, this.#probeDuration, this.#reports, this.#reportDuration];
  }

  collected(_udid: string, { outcome, durationMs }: Parameters<AgentEvents['collected']>[1]): void {
    this.#probes.inc({ outcome });
    this.#probeDuration.observe(durationMs / 1000);
  }

  round({ durationMs }: RoundSummary): void {
    this.#rounds.observe(durationMs / 1000);
  }

  sent({ outcome, durationMs }: Parameters<AgentEvents['sent']>[0]): void {
    const isKnown = outcome === 'stored' || ERROR_CODE.test(outcome);
    this.#reports.inc({ outcome: isKnown ? outcome.toLowerCase() : 'other' });
    this.#reportDuration.observe(durationMs / 1000);
  }
}

export class Metrics {
  /** To be notified of what happens in the agent. */
  readonly counts: Counts;
  readonly #registry = new Registry();
  /** Ms since the epoch, by the clock as it is now. */
  readonly #processStartedAt = Date.now() - process.uptime() * 1000;

  constructor(source: Pick<StatusModel, 'status' | 'isProgressing'>, counts = new Counts()) {
    this.counts = counts;
    addGauges([this.#registry], source, this.#processStartedAt);
    for (const metric of counts.all) this.#registry.registerMetric(metric);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** For another way than the scrape. */
  async families(): Promise<readonly Family[]> {
    const families = await this.#registry.getMetricsAsJSON();
    // prom-client's types have a number here
    return families.map((family) => ({ ...family, type: String(family.type) })) as Family[];
  }

  /** When this counter or histogram was 0, ms since the epoch. */
  countsSince(name: string): number {
    return name.startsWith('process_') ? this.#processStartedAt : this.counts.since;
  }
}

/** Phones beyond this number have no series of their own, and count for no shelf, so that no scrape grows without bound. */
export const MOST_PHONES = 500;

const LONGEST_LABEL = 128;

/** By the name of a gauge: what it is, and its value in base units; undefined while that is not known. */
type Readings<Of> = Readonly<Record<string, readonly [help: string, read: (of: Of) => number | undefined]>>;

const ofHost: Readings<HostStatus> = {
  hostnode_adb_up: [
    '1 while the list of the adb server can be read, 0 while it cannot.',
    ({ adb }) => (adb.state === 'unknown' ? undefined : Number(adb.state === 'listed')),
  ],
  hostnode_reporting: [
    '1 where phones are reported to a cloud, 0 where none is configured or its key is missing.',
    ({ reports }) => Number(reports.notReporting === undefined),
  ],
  hostnode_report_failing: [
    '1 while the cloud does not take the reports.',
    ({ reports: { notReporting, failure } }) =>
      notReporting === undefined ? Number(failure !== undefined) : undefined,
  ],
  hostnode_last_report_timestamp_seconds: [
    'When the cloud last stored a report, seconds since 1970.',
    ({ reports: { storedAt } }) => inSeconds(storedAt),
  ],
};

/** What the host knows of every phone in the roster, attached or not. */
const standings: Readings<PhoneStatus> = {
  hostnode_device_needs_attention: [
    '1 while the phone needs attention from a person.',
    ({ condition }) => Number(condition === 'needsAttention'),
  ],
  hostnode_device_maintenance: [
    '1 while the phone is in maintenance, which keeps its alerts silent.',
    ({ condition }) => Number(condition === 'maintenance'),
  ],
  hostnode_device_drained: [
    '1 while the phone is drained: the cloud is told to hide it, and its alerts go on. No series otherwise.',
    ({ drain }) => (drain ? 1 : undefined),
  ],
  hostnode_device_refused: [
    '1 while the cloud refuses the phone.',
    ({ refused }) => Number(refused !== undefined),
  ],
};

/** Facts of the attached phones, as far as they are known. */
const facts: Readings<PhoneStatus> = {
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
    ({ battery }) => (battery?.isCharging === undefined ? undefined : Number(battery.isCharging)),
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

const conditions: readonly Condition[] = ['fine', 'needsAttention', 'maintenance', 'unknown'];
const wordFor = (condition: Condition): string =>
  condition === 'needsAttention' ? 'needs_attention' : condition;

/** A series of a gauge: its labels, and its value; undefined while that is not known. */
type Series = readonly [labels: Readonly<Record<string, string>>, value: number | undefined];

/** For each code: an alert needs the 0 too. There are none before the first evaluation. */
const countsOf = (findings: readonly FindingStatus[] | undefined): Series[] =>
  findings === undefined
    ? []
    : findingCodes.map((code) => [{ code }, findings.filter((finding) => finding.code === code).length]);

function temperatures(
  phones: readonly PhoneStatus[],
  over: (celsius: readonly number[]) => number,
): Series[] {
  return [...Map.groupBy(phones, shelfOf)].map(([shelf, there]) => {
    const attached = there.filter((phone) => phone.attached);
    const known = attached.flatMap(({ battery }) => battery?.temperatureCelsius ?? []);
    return [{ shelf }, known.length === 0 ? undefined : over(known)];
  });
}

/** @param startedAt the process, ms since the epoch */
function addGauges(
  registers: Registry[],
  source: Pick<StatusModel, 'status' | 'isProgressing'>,
  startedAt: number,
): void {
  const gauge = (name: string, help: string, labelNames: string[], read: () => Series[]) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        if (labelNames.length === 0) this.remove(); // it would be 0, and may not be known
        for (const [labels, value] of read()) if (value !== undefined) this.set(labels, value);
      },
    });
  const add = (name: string, help: string, labelNames: string[], read: (of: HostStatus) => Series[]) =>
    gauge(name, help, labelNames, () => {
      const status = source.status();
      if (status === undefined) return [];
      return read(withReadingsOfNow({ ...status, phones: status.phones.slice(0, MOST_PHONES) }));
    });
  const addValue = (name: string, help: string, read: () => number | undefined) =>
    gauge(name, help, [], () => [[{}, read()]]);

  new Gauge({
    name: 'hostnode_build_info',
    help: 'Always 1: the versions of hostnode and of the Node that it runs on.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1);
  addValue('hostnode_progressing', '1 while the agent makes progress, 0 when it hangs.', () =>
    Number(source.isProgressing),
  );
  add(
    'hostnode_devices',
    'Phones of the roster, each in one condition: fine, needs_attention, maintenance, or unknown while adb cannot be reached.',
    ['condition'],
    ({ counts }) => conditions.map((each) => [{ condition: wordFor(each) }, counts[each]]),
  );
  for (const [name, [help, read]] of Object.entries(ofHost))
    add(name, help, [], (status) => [[{}, read(status)]]);
  add(
    'hostnode_finding',
    'Findings now, by code; 0 where there is none of that code.',
    ['code'],
    ({ findings }) => countsOf(findings),
  );
  add(
    'hostnode_finding_urgent',
    'Those of them that are critical or major: somebody cannot use phones, or soon cannot.',
    ['code'],
    ({ findings }) => countsOf(findings?.filter(({ severity }) => severity !== 'minor')),
  );
  add(
    'hostnode_shelf_devices',
    'Phones of each shelf by condition, as hostnode_devices has them. Phones without a shelf share one without a name.',
    ['shelf', 'condition'],
    ({ phones }) =>
      [...Map.groupBy(phones, shelfOf)].flatMap(([shelf, there]) =>
        [...Map.groupBy(there, ({ condition }) => condition)].map(
          ([condition, { length }]): Series => [{ shelf, condition: wordFor(condition) }, length],
        ),
      ),
  );
  add(
    'hostnode_shelf_temperature_average_celsius',
    'Average temperature of the batteries of a shelf.',
    ['shelf'],
    ({ phones }) => temperatures(phones, (all) => all.reduce((sum, each) => sum + each, 0) / all.length),
  );
  add(
    'hostnode_shelf_temperature_highest_celsius',
    'Highest temperature of the batteries of a shelf.',
    ['shelf'],
    ({ phones }) => temperatures(phones, (all) => Math.max(...all)),
  );
  add(
    'hostnode_device_info',
    `Always 1: which phone it is, and its slot. At most ${MOST_PHONES} phones have series.`,
    ['udid', 'slot', 'model', 'brand', 'android'],
    ({ phones }) =>
      phones.map(({ udid, slot, model, brand, android }) => {
        const of = Object.entries({ udid, slot, model, brand, android });
        return [Object.fromEntries(of.map(([name, text]) => [name, label(text)])), 1];
      }),
  );
  add(
    'hostnode_device_state',
    "Always 1: adb's word for the phone, disconnected while adb does not list it.",
    ['udid', 'state'],
    ({ phones }) => phones.map(({ udid, state }) => [{ udid: label(udid), state: label(state) }, 1]),
  );
  const addReadings = (readings: Readings<PhoneStatus>, isShown: (phone: PhoneStatus) => boolean) => {
    for (const [name, [help, read]] of Object.entries(readings))
      add(name, help, ['udid'], ({ phones }) =>
        phones.filter(isShown).map((phone) => [{ udid: label(phone.udid) }, read(phone)]),
      );
  };
  addReadings(standings, () => true);
  addReadings(facts, ({ attached }) => attached);

  // prom-client's set of these would keep a timer running for the lag of the event loop: 8 ms of work a second
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time spent.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  addValue('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  // one is the reading itself; none is left to count with where all are open
  const openFiles = () => attempt(() => readdirSync('/proc/self/fd').length - 1);
  addValue('process_open_fds', 'Open file descriptors.', openFiles);
  addValue('process_start_time_seconds', 'When the process started, seconds since 1970.', () =>
    inSeconds(startedAt),
  );
}

const inSeconds = (ms?: number) => (ms === undefined ? undefined : ms / 1000);

/** Text of a phone or a person as a label, bounded. To Prometheus an empty label is none. */
const label = (text = ''): string => printable(text, LONGEST_LABEL);

const shelfOf = ({ slot = '' }: PhoneStatus): string => label(placeInRoom(slot).band);
