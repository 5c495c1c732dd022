/** Whether the cloud takes reports: said when that ends and when it is mended, and known to those who look on. */
import { CloudError, CloudUnavailableError } from '../cloud/errors.ts';
import type { Logger } from '../log.ts';
import { present } from '../present.ts';
import type { ReportHealth } from './health.ts';
import { Trouble } from './trouble.ts';

export interface CloudLinkOptions {
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

export class CloudLink {
  readonly #options: CloudLinkOptions;
  readonly #trouble = new Trouble();
  /** Those who wait for a report. */
  readonly #waiting = new Set<(failure: ReportFailure) => void>();
  /** This and all other times here by the monotonic clock, ms. */
  #lastStoredAt: number | undefined;
  #failingSince: number | undefined;
  #lastFailure: string | undefined;
  /** The cloud has asked (`Retry-After`) to be left alone until then. */
  #quietUntil = 0;

  constructor(options: CloudLinkOptions) {
    this.#options = options;
  }

  get notReporting(): string | undefined {
    return this.#options.notReporting;
  }

  get health(): ReportHealth | { notReporting: string } {
    const { notReporting } = this;
    if (notReporting !== undefined) return { notReporting };
    const now = performance.now();
    const ago = (at: number | undefined) => (at === undefined ? undefined : now - at);
    return present({
      storedAgoMs: ago(this.#lastStoredAt),
      failure: this.#lastFailure,
      failingForMs: ago(this.#failingSince),
    });
  }

  /** For how long the cloud wants to be left alone, ms; not above 0 where it does not. */
  get quietMs(): number {
    return this.#quietUntil - performance.now();
  }

  /** The cloud has stored a report. */
  stored(): void {
    const isMended = this.#lastFailure !== undefined;
    this.#lastStoredAt = performance.now();
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
    for (const tell of this.#waiting) tell({ failure });
    if (this.#trouble.begin(kindOf(error)))
      this.#options.log.error({ err: error }, 'the cloud did not take the report');
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
}

/** What tells one trouble from another. An answer's status does, whatever words come with it; without one, the words do. */
function kindOf(error: unknown): string {
  if (!(error instanceof CloudError)) return String(error);
  return error.status === undefined ? error.message : `${error.code} ${error.status}`;
}
