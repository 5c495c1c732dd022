/** Whether the cloud stores reports: logs when that changes, and keeps it for the status. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { OutageLog } from '../base/outage-log.ts';
import { CloudError, CloudUnavailableError } from '../cloud/errors.ts';
import type { AgentContext, CloudTimes } from './context.ts';

export interface ReportView {
  /** Since the cloud last stored a report, ms. */
  storedAgoMs?: number;
  /** Why the last attempt failed; absent while the cloud stores reports. */
  failure?: string;
  /** For how long no attempt has succeeded, ms. */
  failingForMs?: number;
}

/** Why nothing is reported where no cloud is configured. */
export const NO_CLOUD = 'no cloud configured';

type CloudHealthContext = Pick<AgentContext, 'delivery' | 'notReporting' | 'cloudTimes' | 'observer' | 'log'>;

export interface ReportFailure {
  failure: string;
}

export class CloudHealth {
  readonly #context: CloudHealthContext;
  readonly #outage = new OutageLog();
  readonly #waiting = new Set<(failure: ReportFailure) => void>();
  readonly #times: CloudTimes;
  /** By the monotonic clock, ms. */
  #failingSince: number | undefined;
  #lastFailure: string | undefined;
  /** No request before this moment (`Retry-After`), by the monotonic clock, ms. */
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

  get view(): ReportView | { notReporting: string } {
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

  /** Why the cloud did not store the last report; absent where it did. */
  get lastFailure(): string | undefined {
    return this.#lastFailure;
  }

  /** How long to make no request yet (`Retry-After`), ms; not above 0 where a request may be made. */
  get quietMs(): number {
    return this.#quietUntil - performance.now();
  }

  stored(): void {
    const hasRecovered = this.#lastFailure !== undefined;
    this.#times.storedAt = performance.now();
    this.#lastFailure = undefined;
    this.#failingSince = undefined;
    if (this.#outage.end()) this.#context.log.info('the cloud stores reports again');
    if (hasRecovered) this.#context.observer.changed();
  }

  /** An attempt has failed. Logged once for each kind of failure, not each time. */
  failed(error: unknown): void {
    if (error instanceof CloudUnavailableError && error.retryAfterMs !== undefined)
      this.#quietUntil = performance.now() + error.retryAfterMs;
    const failure = error instanceof CloudError ? error.message : 'internal error';
    const isNewFailure = failure !== this.#lastFailure;
    this.#lastFailure = failure;
    this.#failingSince ??= performance.now();
    if (isNewFailure) this.#context.observer.changed();
    this.#failWaiting(failure);
    if (this.#outage.begin(kindOf(error)))
      this.#context.log.error({ err: error }, 'the cloud did not store the report');
  }

  /** A report is delayed (`Retry-After`): those who wait for it get an answer now. */
  waits(): void {
    this.#failWaiting(this.#lastFailure ?? 'the cloud asked us to wait (Retry-After)');
  }

  /** Whichever comes first: the end of this work, or a failed attempt to report. */
  async orFailure<T>(work: Promise<T>): Promise<T | ReportFailure> {
    const { promise: failure, resolve: fail } = Promise.withResolvers<ReportFailure>();
    this.#waiting.add(fail);
    try {
      return await Promise.race([work, failure]);
    } finally {
      this.#waiting.delete(fail);
    }
  }

  #failWaiting(failure: string): void {
    for (const fail of this.#waiting) fail({ failure });
  }
}

/** The kind of a failure: an answer's status, whatever its text; without a status, the text. */
function kindOf(error: unknown): string {
  if (!(error instanceof CloudError)) return String(error);
  return error.status === undefined ? error.message : `${error.code} ${error.status}`;
}
