/** A real Prometheus and a real Alertmanager with the configuration that hostnode ships, in a hurry. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { Child } from './child.ts';
import { freePorts } from './free-ports.ts';
import { ruleFiles, rulesFolder, shippedScrape } from './metric-queries.ts';

export interface Target {
  address: string;
  /** `site` and `rack`, as far as they are known. */
  labels: Record<string, string>;
}

/** One series of an answer. */
export interface Series {
  labels: Record<string, string>;
  value: number;
}

export interface PrometheusOptions {
  /** For configuration and data; it exists. */
  folder: string;
  /** Between two scrapes of a host, seconds. */
  intervalSeconds: number;
  /** Between two evaluations of a rule, seconds; default: the same. */
  evaluationSeconds?: number;
  /** How long a minute of the rules lasts, seconds: 60 leaves them as they are. */
  minuteSeconds: number;
}

const [CONFIGURATION, TARGETS, DATA] = ['prometheus.yml', 'targets.yml', 'data'] as const;
const POLL_MS = 500;
const WAIT_LIMIT_MS = 150_000;
const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Spans of a query, `[15m]` and `offset 1d`, or of `for:`, with another length of a minute. */
const hurry = (text: string, minuteSeconds: number): string =>
  text.replace(
    /(?<=\[|offset |^)(\d+)([smhd])(?=\]|\b)/g,
    (_, count: string, unit: string) =>
      `${Math.round(Number(count) * (secondsOf[unit] ?? 0) * 1000 * (minuteSeconds / 60))}ms`,
  );

/** What it leaves as it is shipped: the rules but for their spans, the job's name, the inhibitions. */
async function writeConfiguration(
  { folder, intervalSeconds, evaluationSeconds = intervalSeconds, minuteSeconds }: PrometheusOptions,
  alertmanagerPort: number,
): Promise<void> {
  const rulesIn = (name: string) => join(folder, `${name}.rules.yml`);
  for (const { name, groups } of ruleFiles) {
    const hurried = groups.map((group) => ({
      ...group,
      ...(group.interval && { interval: hurry(group.interval, minuteSeconds) }),
      rules: group.rules.map((rule) => ({
        ...rule,
        expr: hurry(rule.expr, minuteSeconds),
        ...('for' in rule && rule.for && { for: hurry(rule.for, minuteSeconds) }),
      })),
    }));
    await writeFile(rulesIn(name), stringify({ groups: hurried }));
  }
  const interval = `${intervalSeconds}s`;
  const config = {
    global: { scrape_interval: interval, evaluation_interval: `${evaluationSeconds}s` },
    rule_files: ruleFiles.map(({ name }) => rulesIn(name)),
    scrape_configs: shippedScrape.scrape_configs.map(({ static_configs: _, ...scrape }) => ({
      ...scrape,
      scrape_interval: interval,
      scrape_timeout: interval,
      file_sd_configs: [{ files: [join(folder, TARGETS)] }],
    })),
    alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertmanagerPort}`] }] }] },
  };
  await writeFile(join(folder, CONFIGURATION), stringify(config));
}

export class Prometheus implements AsyncDisposable {
  readonly #folder: string;
  readonly #url: string;
  readonly #alertmanagerUrl: string;
  readonly #prometheus: Child;
  readonly #alertmanager: Child;

  private constructor(folder: string, port: number, alertmanagerPort: number) {
    this.#folder = folder;
    this.#url = `http://127.0.0.1:${port}`;
    this.#alertmanagerUrl = `http://127.0.0.1:${alertmanagerPort}`;
    this.#alertmanager = new Child('prometheus-alertmanager', [
      `--config.file=${rulesFolder}alertmanager.yml`,
      `--storage.path=${join(folder, 'alertmanager')}`,
      `--web.listen-address=127.0.0.1:${alertmanagerPort}`,
      '--cluster.listen-address=',
      '--log.level=warn',
    ]);
    this.#prometheus = new Child('prometheus', [
      `--config.file=${join(folder, CONFIGURATION)}`,
      `--storage.tsdb.path=${join(folder, DATA)}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-admin-api',
      '--log.level=warn',
    ]);
  }

  /** Starts both. Nothing is scraped before `scrape`. */
  static async start(options: PrometheusOptions): Promise<Prometheus> {
    const [port = 0, alertmanagerPort = 0] = await freePorts(2);
    await writeConfiguration(options, alertmanagerPort);
    const started = new Prometheus(options.folder, port, alertmanagerPort);
    try {
      await started.#alertmanager.answers(`${started.#alertmanagerUrl}/-/ready`);
      await started.#prometheus.answers(`${started.#url}/-/ready`);
      return started;
    } catch (error) {
      await started[Symbol.asyncDispose]();
      throw error;
    }
  }

  get pid(): number {
    return this.#prometheus.pid;
  }

  /** Writes the file of the targets, as a configuration management does. */
  async scrape(targets: readonly Target[]): Promise<void> {
    await writeFile(
      join(this.#folder, TARGETS),
      stringify(targets.map(({ address, labels }) => ({ targets: [address], labels }))),
    );
  }

  /** What a query has as its answer now. */
  async query(expr: string): Promise<Series[]> {
    const { result } = (await this.get(`/api/v1/query?query=${encodeURIComponent(expr)}`)) as {
      result: { metric: Record<string, string>; value: [number, string] }[];
    };
    return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  /** @returns `data` of an answer of Prometheus' API */
  async get(path: string, method = 'GET'): Promise<unknown> {
    const response = await fetch(this.#url + path, { method });
    const { data, error } = (await response.json()) as { data?: unknown; error?: string };
    if (!response.ok) throw new Error(`${path}: ${error}`);
    return data;
  }

  /** Waits until a query has an answer of which this holds; by default any. */
  async until(expr: string, holds = (series: readonly Series[]) => series.length > 0): Promise<Series[]> {
    const deadline = AbortSignal.timeout(WAIT_LIMIT_MS);
    for (;;) {
      const series = await this.query(expr);
      if (holds(series)) return series;
      if (deadline.aborted) throw new Error(`waited in vain for ${expr}: ${JSON.stringify(series)}`);
      await pause(POLL_MS);
    }
  }

  /** What the one alert of this name that fires says. */
  async annotations(name: string): Promise<Record<string, string> | undefined> {
    const { alerts } = (await this.get('/api/v1/alerts')) as {
      alerts: { labels: { alertname: string }; annotations: Record<string, string> }[];
    };
    return alerts.find(({ labels }) => labels.alertname === name)?.annotations;
  }

  /** Writes all that is in memory to the disk, as a block of its own, and weighs it. */
  async snapshot(): Promise<{ samples: number; series: number; chunkBytes: number; indexBytes: number }> {
    const { name } = (await this.get('/api/v1/admin/tsdb/snapshot', 'POST')) as { name: string };
    const folder = join(this.#folder, DATA, 'snapshots', name);
    const [block = ''] = readdirSync(folder);
    const { stats } = JSON.parse(readFileSync(join(folder, block, 'meta.json'), 'utf8'));
    const chunks = join(folder, block, 'chunks');
    return {
      samples: stats.numSamples,
      series: stats.numSeries,
      chunkBytes: readdirSync(chunks).reduce((sum, file) => sum + statSync(join(chunks, file)).size, 0),
      indexBytes: statSync(join(folder, block, 'index')).size,
    };
  }

  /** The alerts that Alertmanager has and would send: those that no other one inhibits. */
  async sent(): Promise<Record<string, string>[]> {
    const response = await fetch(`${this.#alertmanagerUrl}/api/v2/alerts?active=true&inhibited=false`);
    const alerts = (await response.json()) as { labels: Record<string, string> }[];
    return alerts.map(({ labels }) => labels);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#prometheus[Symbol.asyncDispose]();
    await this.#alertmanager[Symbol.asyncDispose]();
  }
}
