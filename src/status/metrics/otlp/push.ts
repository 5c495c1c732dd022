/**
 * Pushes the metrics by OTLP/HTTP. Each push has all metrics as they are then: one that fails is dropped, and the next
 * one makes up for it.
 */
import { offsetShare, placeAfter } from '../../../agent/schedule.ts';
import type { Environment } from '../../../base/environment.ts';
import type { Logger } from '../../../base/log.ts';
import { OutageLog } from '../../../base/outage-log.ts';
import { version } from '../../../base/version.ts';
import { EndpointError } from '../../../cloud/endpoint.ts';
import { shown } from '../../../cloud/redaction.ts';
import type { OtlpConfig } from '../../../config/metrics.ts';
import type { Metrics } from '../metrics.ts';
import { OtlpClient } from './client.ts';
import type { OtlpEncoder, Rejection, rejectionIn } from './encoder.ts';

/** How much of the endpoint's words the log shows, characters. */
const LONGEST_WORDS = 200;

export interface OtlpPushOptions {
  config: OtlpConfig;
  nodeId: string;
  hostName: string;
  metrics: Pick<Metrics, 'families' | 'countsSince'>;
  /** Names the proxy. */
  env: Environment;
  log: Logger;
}

export class OtlpPush {
  /** Each trouble is logged once. */
  readonly #outage = new OutageLog();
  readonly #rejections = new OutageLog();
  readonly #options: OtlpPushOptions;
  readonly #client: OtlpClient;
  readonly #encoder: OtlpEncoder;
  readonly #rejectionIn: typeof rejectionIn;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  private constructor(options: OtlpPushOptions, sdk: typeof import('./encoder.ts')) {
    const { config, nodeId, hostName, metrics, env } = options;
    this.#options = options;
    this.#client = new OtlpClient(config, env);
    this.#encoder = new sdk.OtlpEncoder(metrics, { nodeId, hostName, version });
    this.#rejectionIn = sdk.rejectionIn;
  }

  /**
   * Pushes from now on.
   *
   * @throws {ConfigError} the proxy's address is invalid
   */
  static async start(options: OtlpPushOptions): Promise<OtlpPush> {
    const push = new OtlpPush(options, await import('./encoder.ts'));
    push.#sleep();
    return push;
  }

  /** Pushes no more. One that is under way is given up. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#stopping.abort();
  }

  #sleep(): void {
    this.#timer = setTimeout(() => {
      this.#sleep();
      // one that is slower than the period is waited for
      this.#running ??= this.#push().finally(() => {
        this.#running = undefined;
      });
    }, this.#msToNext);
  }

  get #msToNext(): number {
    const { config, nodeId } = this.#options;
    return msToNextPush(nodeId, config.everySeconds * 1000, Date.now());
  }

  /** Never throws. */
  async #push(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    try {
      const { body, taken } = await this.#encoder.encode();
      const rejection = await this.#client.send(body, this.#rejectionIn, signal);
      taken();
      if (this.#outage.end()) log.info('the metrics are pushed again');
      this.#note(rejection);
    } catch (error) {
      if (signal.aborted) return;
      if (this.#outage.begin(kindOf(error))) log.warn({ err: error }, 'the metrics are not pushed');
    }
  }

  #note(rejection: Rejection | undefined): void {
    const { log } = this.#options;
    if (rejection === undefined) {
      if (this.#rejections.end()) log.info('the endpoint takes all metrics again');
      return;
    }
    const said = shown(rejection.message, this.#client.redact, LONGEST_WORDS);
    if (!this.#rejections.begin('rejected')) return;
    log.warn({ points: rejection.points, said }, 'the endpoint rejects some of the metrics');
  }
}

/**
 * How long until this host pushes next, ms. It has the same place in the period as its report has in its own, and half a
 * period later: then the round that collects the phones is done.
 */
export const msToNextPush = (nodeId: string, periodMs: number, now: number): number =>
  placeAfter(now, offsetShare(nodeId) + 0.5, periodMs) - now;

/** The kind of a failure: an answer's status, whatever its text; without a status, the text. */
const kindOf = (error: unknown): string =>
  error instanceof EndpointError && error.status !== undefined ? String(error.status) : String(error);
