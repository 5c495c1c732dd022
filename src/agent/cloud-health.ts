/** Whether the cloud takes reports: said when that ends and when it is mended, and known to those who look on. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { CloudError, CloudUnavailableError } from '../cloud/errors.ts';
import type { AgentContext, CloudTimes } from './context.ts';
import { OutageLog } from './outage-log.ts';

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

type CloudHealthContext = Pick<AgentContext, 'delivery' | 'notReporting' | 'cloudTimes' | 'observer' | 'log'>;

/** Why the cloud did not take a report. */
export interface ReportFailure {
  failure: string;
}

export class CloudHealth {
  readonly #context: CloudHealthContext;
  readonly #trouble = new OutageLog();
  /** Those who wait for a report. */
  readonly #waiting = new Set<(failure: ReportFailure) => void>();
  readonly #times: CloudTimes;
  /** By the monotonic clock, ms. */
  #failingSince: number | undefined;
  #lastFailure: string | undefined;
  /** The cloud has asked (`Retry-After`) to be left alone until then, by the monotonic clock, ms. */
  #quietUntil = 0;

  constructor(context: CloudHealthContext) {
    this.#context = context;
    this.#times = context.cloudTimes ?? {};
  }

  /** Why nothing is reported; absent where a cloud is configured. */
  get notReporting(): string | undefined {
    const { delivery, notReporting } = this.#context;
    return delivery ? undefined : (notReporting ?? NO_CLOUD);
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
    if (this.#trouble.end()) this.#context.log.info('the cloud stores reports again');
    if (isMended) this.#context.observer.changed();
  }

  /** An attempt has failed, and may be made again: said when it begins or becomes something else, not each time. */
  failed(error: unknown): void {
    if (error instanceof CloudUnavailableError && error.retryAfterMs !== undefined)
      this.#quietUntil = performance.now() + error.retryAfterMs;
    const failure = error instanceof CloudError ? error.message : 'internal error';
    const isNews = failure !== this.#lastFailure;
    this.#lastFailure = failure;
    this.#failingSince ??= performance.now();
    if (isNews) this.#context.observer.changed();
    this.#tellWaiting(failure);
    if (this.#trouble.begin(kindOf(error)))
      this.#context.log.error({ err: error }, 'the cloud did not store the report');
  }

  /** A report waits until the cloud wants to hear again: who waits for it is not kept waiting. */
  waits(): void {
    this.#tellWaiting(this.#lastFailure ?? 'the cloud asked us to wait (Retry-After)');
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
