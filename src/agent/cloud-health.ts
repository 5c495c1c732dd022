/** Whether the cloud takes reports: said when that ends and when it is mended, and known to those who look on. */

import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { OutageLog } from '../base/outage-log.ts';
import { CloudError, CloudUnavailableError } from '../cloud/errors.ts';

/** How the reports go. */
export interface ReportHealth {
  /** Since the cloud last stored a report, ms. */
  storedAgoMs?: number;
  /** What the last attempt failed of; absent while the cloud takes reports. */
  failure?: string;
  /** For how long no attempt has succeeded, ms. */
  failingForMs?: number;
}

/** Why nothing is reported where nobody wants it to be. */
export const NO_CLOUD = 'no cloud configured';

/** What outlives a reload; that the cloud wants to be left alone does not: who reloads may know better. */
export interface CloudTimes {
  /** When the cloud has stored last, by the monotonic clock, ms. */
  storedAt?: number;
}

export interface CloudHealthOptions {
  /** Of an earlier agent that reported to the same cloud by the same name; kept up to date for the next one. */
  times?: CloudTimes;
  /** Why nothing is reported; absent where a cloud is configured. */
  notReporting?: string;
  /** How the link is has changed. */
  onChanged(): void;
  log: Logger;
}

/** Why the cloud did not take a report. */
export interface ReportFailure {
  failure: string;
}

export class CloudHealth {
  readonly #options: CloudHealthOptions;
  readonly #trouble = new OutageLog();
  /** Those who wait for a report. */
  readonly #waiting = new Set<(failure: ReportFailure) => void>();
  readonly #times: CloudTimes;
  /** By the monotonic clock, ms. */
  #failingSince: number | undefined;
  #lastFailure: string | undefined;
  /** The cloud has asked (`Retry-After`) to be left alone until then, by the monotonic clock, ms. */
  #quietUntil = 0;

  constructor(options: CloudHealthOptions) {
    this.#options = options;
    this.#times = options.times ?? {};
  }

  get notReporting(): string | undefined {
    return this.#options.notReporting;
  }

  get health(): ReportHealth | { notReporting: string } {
    const { notReporting } = this;
    if (notReporting !== undefined) return { notReporting };
    const now = performance.now();
    const ago = (at: number | undefined) => (at === undefined ? undefined : now - at);
    return omitUndefined({
      storedAgoMs: ago(this.#times.storedAt),
      failure: this.#lastFailure,
      failingForMs: ago(this.#failingSince),
    });
  }

  /** Why the cloud did not take the last report; absent where it did. */
  get lastFailure(): string | undefined {
    return this.#lastFailure;
  }

  /** For how long the cloud wants to be left alone, ms; not above 0 where it does not. */
  get quietMs(): number {
    return this.#quietUntil - performance.now();
  }

  /** The cloud has stored a report. */
  stored(): void {
    const isMended = this.#lastFailure !== undefined;
    this.#times.storedAt = performance.now();
    this.#lastFailure = undefined;
    this.#failingSince = undefined;
    if (this.#trouble.end()) this.#options.log.info('the cloud takes reports again');
    if (isMended) this.#options.onChanged();
  }

  /** An attempt has failed, and may be made again: said when it begins or becomes something else, not each time. */
  failed(error: unknown): void {
    if (error instanceof CloudUnavailableError && error.retryAfterMs !== undefined)
      this.#quietUntil = performance.now() + error.retryAfterMs;
    const failure = error instanceof CloudError ? error.message : 'internal error';
    const isNews = failure !== this.#lastFailure;
    this.#lastFailure = failure;
    this.#failingSince ??= performance.now();
    if (isNews) this.#options.onChanged();
    this.#tellWaiting(failure);
    if (this.#trouble.begin(kindOf(error)))
      this.#options.log.error({ err: error }, 'the cloud did not take the report');
  }

  /** A report waits until the cloud wants to hear again: who waits for it is not kept waiting. */
  waits(): void {
    this.#tellWaiting(this.#lastFailure ?? 'the cloud has asked for quiet (Retry-After)');
  }

  /** What comes first: the end of this work, or an attempt to report that fails. */
  async orFailure<T>(work: Promise<T>): Promise<T | ReportFailure> {
    const { promise: failure, resolve: tell } = Promise.withResolvers<ReportFailure>();
    this.#waiting.add(tell);
    try {
      return await Promise.race([work, failure]);
    } finally {
      this.#waiting.delete(tell);
    }
  }

  #tellWaiting(failure: string): void {
    for (const tell of this.#waiting) tell({ failure });
  }
}

/** What tells one trouble from another. An answer's status does, whatever words come with it; without one, the words do. */
function kindOf(error: unknown): string {
  if (!(error instanceof CloudError)) return String(error);
  return error.status === undefined ? error.message : `${error.code} ${error.status}`;
}
