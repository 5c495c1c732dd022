/** Whether the cloud stores reports: logs when that changes, and keeps it for the status. */
import { isDeepStrictEqual } from 'node:util';
import { uptimeMs } from '../base/clock.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { OutageLog } from '../base/outage-log.ts';
import { CloudError, type CloudTrouble, CloudUnavailableError } from '../cloud/errors.ts';
import type { AgentServices } from './options.ts';

export interface ReportSummary {
  storedAgoMs?: number;
  /** Why the last attempt failed; absent while the cloud stores reports. */
  trouble?: CloudTrouble;
  failingForMs?: number;
}

export const NO_CLOUD = 'no cloud configured';

type CloudHealthOptions = Pick<
  AgentServices,
  'delivery' | 'notReporting' | 'storedAt' | 'checkpoint' | 'observer' | 'log'
>;

export class CloudHealth {
  /** Why nothing is reported; undefined where a cloud is configured. */
  readonly notReporting: string | undefined;
  readonly #options: CloudHealthOptions;
  readonly #outage = new OutageLog();
  readonly #waiting = new Set<(trouble: CloudTrouble) => void>();
  /** When the cloud last stored a report, by `uptimeMs`. */
  #storedAt: number | undefined;
  /** By `uptimeMs`. */
  #failingSince: number | undefined;
  #trouble: CloudTrouble | undefined;
  /**
   * No request before this moment (`Retry-After`), by `uptimeMs`. It does not outlive a reload: the person
   * who reloads may know better.
   */
  #quietUntil = 0;
  #isLostRecorded: boolean;

  constructor(options: CloudHealthOptions) {
    this.#options = options;
    this.notReporting = options.delivery ? undefined : (options.notReporting ?? NO_CLOUD);
    this.#storedAt = options.storedAt;
    this.#isLostRecorded = options.checkpoint?.isCloudLost ?? false;
  }

  get storedAt(): number | undefined {
    return this.#storedAt;
  }

  /** The history has it that the cloud stores nothing, perhaps from an earlier run. */
  get isLostRecorded(): boolean {
    return this.#isLostRecorded;
  }

  get summary(): ReportSummary | { notReporting: string } {
    const { notReporting } = this;
    if (notReporting !== undefined) return { notReporting };
    const now = uptimeMs();
    const ago = (at: number | undefined) => (at === undefined ? undefined : now - at);
    return omitUndefined({
      storedAgoMs: ago(this.#storedAt),
      trouble: this.#trouble,
      failingForMs: ago(this.#failingSince),
    });
  }

  get trouble(): CloudTrouble | undefined {
    return this.#trouble;
  }

  /** How long to make no request yet (`Retry-After`), ms; not above 0 where a request may be made. */
  get quietMs(): number {
    return this.#quietUntil - uptimeMs();
  }

  stored(): void {
    const hasRecovered = this.#trouble !== undefined;
    this.#storedAt = uptimeMs();
    this.#trouble = undefined;
    this.#failingSince = undefined;
    if (this.#outage.end()) this.#options.log.info('the cloud stores reports again');
    if (this.#isLostRecorded) this.#options.observer.happened([{ kind: 'cloudBack', at: Date.now() }]);
    this.#isLostRecorded = false;
    if (hasRecovered) this.#options.observer.changed();
  }

  /** An attempt has failed. Logged once for each kind of failure, not each time. */
  failed(error: unknown): void {
    if (error instanceof CloudUnavailableError && error.retryAfterMs !== undefined)
      this.#quietUntil = uptimeMs() + error.retryAfterMs;
    const trouble = error instanceof CloudError ? error.trouble : internalError;
    const isNewTrouble = !isDeepStrictEqual(trouble, this.#trouble);
    this.#trouble = trouble;
    this.#failingSince ??= uptimeMs();
    if (isNewTrouble) this.#options.observer.changed();
    if (!this.#isLostRecorded) {
      const code = error instanceof CloudError ? error.code : 'INTERNAL';
      this.#options.observer.happened([{ kind: 'cloudLost', code, at: Date.now() }]);
    }
    this.#isLostRecorded = true;
    this.#failWaiting(trouble);
    if (this.#outage.begin(kindOf(error)))
      this.#options.log.error({ err: error }, 'the cloud did not store the report');
  }

  /** A report is delayed (`Retry-After`): those who wait for it get an answer now. */
  waits(): void {
    this.#failWaiting(this.#trouble ?? { failure: 'the cloud asked us to wait (Retry-After)' });
  }

  /** Whichever comes first: the end of this work, or a failed attempt to report. */
  async orFailure<T>(work: Promise<T>): Promise<T | CloudTrouble> {
    const { promise: failure, resolve: fail } = Promise.withResolvers<CloudTrouble>();
    this.#waiting.add(fail);
    try {
      return await Promise.race([work, failure]);
    } finally {
      this.#waiting.delete(fail);
    }
  }

  #failWaiting(trouble: CloudTrouble): void {
    for (const fail of this.#waiting) fail(trouble);
  }
}

const internalError: CloudTrouble = { failure: 'internal error', remedy: 'Read the log of hostnode' };

/** The kind of a failure: an answer's status, whatever its text; without a status, the text. */
function kindOf(error: unknown): string {
  if (!(error instanceof CloudError)) return String(error);
  return error.status === undefined ? error.message : `${error.code} ${error.status}`;
}

/** The cloud does not let us read: a person has to change that. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof CloudError && [403, 404].includes(error.status ?? 0);
