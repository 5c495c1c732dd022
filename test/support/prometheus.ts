/** A real Prometheus and a real Alertmanager with the configuration that hostnode ships, in a hurry. */

import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { Child } from './child.ts';
import { freePorts } from './free-ports.ts';
import { ruleFiles, rulesFolder } from './metric-queries.ts';

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
  /** Between two scrapes of a host, and two evaluations of a rule, seconds. */
  intervalSeconds: number;
  /** How long a minute of the rules lasts, seconds: 60 leaves them as they are. */
  minuteSeconds: number;
}

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

export class Prometheus implements AsyncDisposable {
  readonly #url: string;
  readonly #alertmanagerUrl: string;
  readonly #targetFile: string;
  readonly #running: AsyncDisposableStack;

  private constructor(
    url: string,
    alertmanagerUrl: string,
    targetFile: string,
    running: AsyncDisposableStack,
  ) {
    this.#url = url;
    this.#alertmanagerUrl = alertmanagerUrl;
    this.#targetFile = targetFile;
    this.#running = running;
  }

  /** Starts both. Nothing is scraped before `scrape`. */
  static async start({ folder, intervalSeconds, minuteSeconds }: PrometheusOptions): Promise<Prometheus> {
    const [port = 0, alertmanagerPort = 0] = await freePorts(2);
    const [url, alertmanagerUrl] = [port, alertmanagerPort].map((each) => `http://127.0.0.1:${each}`);
    const targets = join(folder, 'targets');
    await mkdir(targets);
    for (const { name, groups } of ruleFiles) {
      const hurried = groups.map((group) => ({
        ...group,
        rules: group.rules.map((rule) => ({
          ...rule,
          expr: hurry(rule.expr, minuteSeconds),
          ...('for' in rule && rule.for && { for: hurry(rule.for, minuteSeconds) }),
        })),
      }));
      await writeFile(join(folder, `${name}.rules.yml`), stringify({ groups: hurried }));
    }
    const shipped = parse(readFileSync(`${rulesFolder}scrape.yml`, 'utf8'));
    const interval = `${intervalSeconds}s`;
    const config = {
      global: { scrape_interval: interval, evaluation_interval: interval },
      rule_files: ruleFiles.map(({ name }) => join(folder, `${name}.rules.yml`)),
      scrape_configs: shipped.scrape_configs.map((scrape: { job_name: string }) => ({
        job_name: scrape.job_name,
        scrape_interval: interval,
        scrape_timeout: interval,
        file_sd_configs: [{ files: [join(targets, '*.yml')] }],
      })),
      alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertmanagerPort}`] }] }] },
    };
    const configFile = join(folder, 'prometheus.yml');
    await writeFile(configFile, stringify(config));

    const running = new AsyncDisposableStack();
    const alertmanager = running.use(
      new Child('prometheus-alertmanager', [
        `--config.file=${rulesFolder}alertmanager.yml`,
        `--storage.path=${join(folder, 'alertmanager')}`,
        `--web.listen-address=127.0.0.1:${alertmanagerPort}`,
        '--cluster.listen-address=',
        '--log.level=warn',
      ]),
    );
    const prometheus = running.use(
      new Child('prometheus', [
        `--config.file=${configFile}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--web.enable-admin-api',
        '--enable-feature=extra-scrape-metrics',
        '--log.level=warn',
      ]),
    );
    const started = new Prometheus(url ?? '', alertmanagerUrl ?? '', join(targets, 'hosts.yml'), running);
    await Promise.all([
      alertmanager.answers(`${alertmanagerUrl}/-/ready`),
      prometheus.answers(`${url}/-/ready`),
    ]);
    return started;
  }

  /** Writes the file of the targets, as a configuration management does. */
  async scrape(targets: readonly Target[]): Promise<void> {
    await writeFile(
      this.#targetFile,
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

  /** The alerts that Alertmanager has and would send: those that no other one inhibits. */
  async sent(): Promise<Record<string, string>[]> {
    const response = await fetch(`${this.#alertmanagerUrl}/api/v2/alerts?active=true&inhibited=false`);
    const alerts = (await response.json()) as { labels: Record<string, string> }[];
    return alerts.map(({ labels }) => labels);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running.disposeAsync();
  }
}
