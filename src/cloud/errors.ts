/** Failures between this host and the cloud: one class for each reaction to them. */
import { HostNodeError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';

/** The failed request, and what is known about the failure. */
export interface CloudRequest {
  /** Method, origin and path: no credentials, no query. */
  readonly request: string;
  /** HTTP status, if there was an answer. */
  readonly status?: number;
  /** The cloud's own words: one printable line without secrets. */
  readonly said?: string;
  /** What to do, as the end of a sentence: `check the base URL`. */
  readonly remedy?: string;
}

/** A failure for people, in three parts that are shown apart. */
export interface CloudTrouble {
  /** What happened: `PUT https://cloud.example/v1/devices: 401 Unauthorized`. */
  readonly failure: string;
  /** The cloud's own words. */
  readonly said?: string;
  /** What to do, one sentence. */
  readonly remedy?: string;
}

/** Base of the cloud's errors. Messages contain no credentials and no control characters, and all that is known. */
export abstract class CloudError extends HostNodeError {
  readonly request: string;
  readonly status: number | undefined;
  readonly trouble: CloudTrouble;

  /** @param seen what happened, without the cloud's words and the remedy */
  constructor(seen: string, { request, status, said, remedy }: CloudRequest) {
    const failure = `${request}: ${seen}`;
    super(
      `${failure}${said === undefined ? '' : ` ("${said}")`}${remedy === undefined ? '' : `; ${remedy}`}`,
    );
    this.request = request;
    this.status = status;
    this.trouble = omitUndefined({ failure, said, remedy: remedy && sentence(remedy) });
  }
}

/** With a capital at its start. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** No connection, no answer in time, 408, 429 or 5xx. Retrying later may help. */
export class CloudUnavailableError extends CloudError {
  readonly code = 'CLOUD_UNAVAILABLE';
  /** The shortest delay that the cloud's `Retry-After` asks for, ms. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, about: CloudRequest & { retryAfterMs?: number }) {
    super(message, about);
    this.retryAfterMs = about.retryAfterMs;
  }
}

/** 401, 403 or a proxy's 407: a person has to fix the credentials. Retrying at once will not help. */
export class CloudUnauthorizedError extends CloudError {
  readonly code = 'CLOUD_UNAUTHORIZED';
}

/** Another 4xx: the cloud rejects this request. Retrying will not help. */
export class CloudRefusedError extends CloudError {
  readonly code = 'CLOUD_REFUSED';
}

/** 413: the body is too large. The cloud may accept it in smaller parts. */
export class CloudTooLargeError extends CloudError {
  readonly code = 'CLOUD_TOO_LARGE';
}

/** A redirect that we did not follow. Retrying will not help; another base URL may. */
export class CloudRedirectError extends CloudError {
  readonly code = 'CLOUD_REDIRECTED';
}

/** The answer is not one of this API: another service has this address. Retrying will not help. */
export class CloudAnswerError extends CloudError {
  readonly code = 'CLOUD_ANSWER_INVALID';
}
