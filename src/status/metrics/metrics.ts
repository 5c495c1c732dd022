/**
 * The host's status and the agent's work as Prometheus reads them. Gauges are read from the status at each scrape,
 * counters follow the agent's events.
 *
 * It brings prom-client along: import it only where somebody listens for `/metrics`.
 */
import { Counter, Histogram, Registry } from 'prom-client';
import type { AgentEvents, AgentObserver, RoundSummary } from '../../agent/observer.ts';
import type { StatusModel } from '../status-model.ts';
import { addGauges } from './gauges.ts';

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

/** A metric with all its series. */
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

  /** @param counts what was counted before */
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
