/** What can go wrong between this host and the cloud, one class for each thing that follows from it. */
import { HostNodeError } from '../base/errors.ts';

/** Which request failed and, when there was an answer, its HTTP status. */
export interface CloudRequest {
  /** Method, origin and path: no credentials, no query. */
  readonly request: string;
  readonly status?: number;
}

/** The base of the cloud's errors. Messages hold no credentials and no control characters. */
export abstract class CloudError extends HostNodeError {
  readonly request: string;
  readonly status: number | undefined;

  constructor(message: string, { request, status }: CloudRequest) {
    super(`${request}: ${message}`);
    this.request = request;
    this.status = status;
  }
}

/** No connection, no answer in time, 408, 429 or 5xx. Trying again later may help. */
export class CloudUnavailableError extends CloudError {
  readonly code = 'CLOUD_UNAVAILABLE';
  /** The least time to wait, as the cloud's `Retry-After` asks for, ms. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, about: CloudRequest & { retryAfterMs?: number }) {
    super(message, about);
    this.retryAfterMs = about.retryAfterMs;
  }
}

/** 401, 403 or a proxy's 407: a person has to mend the credentials. Trying again at once will not help. */
export class CloudUnauthorizedError extends CloudError {
  readonly code = 'CLOUD_UNAUTHORIZED';
}

/** Another 4xx: the cloud does not take this request. Trying again will not help. */
export class CloudRefusedError extends CloudError {
  readonly code = 'CLOUD_REFUSED';
}

/** 413: the body is too large. The same in smaller parts may be taken. */
export class CloudTooLargeError extends CloudError {
  readonly code = 'CLOUD_TOO_LARGE';
}

/** A redirect that was not followed. Trying again will not help; another base URL may. */
export class CloudRedirectError extends CloudError {
  readonly code = 'CLOUD_REDIRECTED';
}

/** An answer that is not one of this API: there is something else at this address. Trying again will not help. */
export class CloudAnswerError extends CloudError {
  readonly code = 'CLOUD_ANSWER_INVALID';
}
