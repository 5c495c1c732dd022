/** Failures between this host and the cloud: one class for each reaction to them. */
import { HostNodeError } from '../base/errors.ts';

/** The failed request and, if there was an answer, its HTTP status. */
export interface CloudRequest {
  /** Method, origin and path: no credentials, no query. */
  readonly request: string;
  readonly status?: number;
}

/** Base of the cloud's errors. Messages contain no credentials and no control characters. */
export abstract class CloudError extends HostNodeError {
  readonly request: string;
  readonly status: number | undefined;

  constructor(message: string, { request, status }: CloudRequest) {
    super(`${request}: ${message}`);
    this.request = request;
    this.status = status;
  }
}

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
