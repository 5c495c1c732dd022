/** Failures between this host and the cloud: one class for each reaction to them. Match `code` or the class. */
import type { IncomingHttpHeaders } from 'node:http';
import { HostNodeError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { sentence } from '../base/words.ts';

/** The failed request, and what is known about the failure. */
export interface CloudRequest {
  /** Method, origin and path: no credentials, no query. */
  readonly request: string;
  /** The operation's id in the contract, e.g. `apps.list`. */
  readonly operation?: string;
  /** HTTP status, if there was an answer. */
  readonly status?: number;
  /** The cloud's own words: one printable line without secrets. */
  readonly said?: string;
  /** What to do, as the end of a sentence: `check the base URL`. */
  readonly remedy?: string;
  /** The shortest delay that the cloud's `Retry-After` asks for, ms. */
  readonly retryAfterMs?: number;
  readonly answer?: CloudAnswer;
}

/** What came with a status that is an error. */
export interface CloudAnswer {
  readonly headers: IncomingHttpHeaders;
  /** The value of its JSON, else its text; without our secrets, and cut after 64 KiB. */
  readonly body: unknown;
}

export type CloudErrorCode =
  | 'CLOUD_ARGUMENT_INVALID'
  | 'CLOUD_UNAVAILABLE'
  | 'CLOUD_UNAUTHORIZED'
  | 'CLOUD_FORBIDDEN'
  | 'CLOUD_REFUSED'
  | 'CLOUD_NOT_FOUND'
  | 'CLOUD_CONFLICT'
  | 'CLOUD_TOO_LARGE'
  | 'CLOUD_REDIRECTED'
  | 'CLOUD_ANSWER_INVALID'
  | 'CLOUD_UPLOAD_FAILED'
  | 'METRICS_NOT_PUSHED' // what the agent sends to other endpoints goes the same way
  | 'NOT_NOTIFIED';

/** A failure for people, in three parts that are shown apart. */
export interface CloudTrouble {
  /** What happened: `PUT https://cloud.example/v1/devices: 401 Unauthorized`. */
  readonly failure: string;
  /** The cloud's own words. */
  readonly said?: string;
  /** What to do, one sentence. */
  readonly remedy?: string;
  /** The cloud itself said no to the request. Absent: it was not reached, or could not answer. */
  readonly isRejected?: true;
}

/** Statuses from 400 to 499 that are no answer of the cloud to the request: a proxy's, and two that pass. */
const NOT_REJECTED = [407, 408, 429];

const isRejection = (status = 0): boolean => status >= 400 && status < 500 && !NOT_REJECTED.includes(status);

/** Base of the cloud's errors. Messages contain no credentials and no control characters, and all that is known. */
export abstract class CloudError extends HostNodeError {
  abstract override readonly code: CloudErrorCode;
  readonly request: string;
  readonly operation: string | undefined;
  readonly status: number | undefined;
  /** The cloud's own words. */
  readonly excerpt: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly trouble: CloudTrouble;
  /** Private, so that no log shows it by accident. */
  readonly #answer: CloudAnswer | undefined;

  /** @param seen what happened, without the cloud's words and the remedy */
  constructor(seen: string, about: CloudRequest, options?: ErrorOptions) {
    const { request, said, remedy } = about;
    const failure = `${request}: ${seen}`;
    const words = [failure, said && ` ("${said}")`, remedy && `; ${remedy}`];
    super(words.join(''), options);
    this.request = request;
    this.operation = about.operation;
    this.status = about.status;
    this.excerpt = said;
    this.retryAfterMs = about.retryAfterMs;
    this.#answer = about.answer;
    this.trouble = omitUndefined({
      failure,
      said,
      remedy: remedy && sentence(remedy),
      isRejected: isRejection(about.status) || undefined,
    });
  }

  /** Of the answer, if its status is an error. */
  get headers(): IncomingHttpHeaders | undefined {
    return this.#answer?.headers;
  }

  /** Of the answer, if its status is an error: the value of its JSON, else its text. */
  get body(): unknown {
    return this.#answer?.body;
  }
}

/** An input is wrong: nothing was sent. `problems` lists all that is wrong, each with what is allowed. */
export class CloudArgumentError extends CloudError {
  readonly code = 'CLOUD_ARGUMENT_INVALID';
  readonly problems: readonly string[];

  constructor(operation: string, problems: readonly string[]) {
    super(problems.join('; '), { request: operation, operation });
    this.problems = problems;
  }
}

/** No connection, no answer in time, 408, 429 or 5xx. Retrying later may help. */
export class CloudUnavailableError extends CloudError {
  readonly code = 'CLOUD_UNAVAILABLE';
}

/** 429: too many requests. */
export class CloudRateLimitedError extends CloudUnavailableError {}

/** 5xx: the cloud has a fault. */
export class CloudServerError extends CloudUnavailableError {}

/** 401, or a proxy's 407: a person has to fix the credentials. Retrying at once will not help. */
export class CloudUnauthorizedError extends CloudError {
  readonly code = 'CLOUD_UNAUTHORIZED';
}

/** 403: this account may not do it. */
export class CloudForbiddenError extends CloudError {
  readonly code = 'CLOUD_FORBIDDEN';
}

/** Another 4xx: the cloud rejects this request. Retrying will not help. */
export class CloudRefusedError extends CloudError {
  readonly code: CloudErrorCode = 'CLOUD_REFUSED';
}

/** 404: the cloud has no such thing, or not at this address. */
export class CloudNotFoundError extends CloudRefusedError {
  override readonly code = 'CLOUD_NOT_FOUND';
}

/** 409: it conflicts with what the cloud has. */
export class CloudConflictError extends CloudRefusedError {
  override readonly code = 'CLOUD_CONFLICT';
}

/** The cloud could not parse a version, or has not in the time that was given. */
export class CloudVersionError extends CloudRefusedError {
  readonly versionId: number;
  /** Its last state. */
  readonly state: string;

  constructor(versionId: number, state: string) {
    const operation = 'versions.get';
    super(`the cloud has it in the state ${state}`, { request: `version ${versionId}`, operation });
    this.versionId = versionId;
    this.state = state;
  }
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

/** The answer was cut off: it is longer than hostnode reads. */
export class CloudAnswerTooLongError extends CloudAnswerError {}

/** The three steps of an upload: get the address, send the file there, register the file. */
export type UploadStep = 'target' | 'transfer' | 'register';

/** An upload failed, or was ended by its signal. `cause` is the step's own error, or the signal's reason. */
export class CloudUploadError extends CloudError {
  readonly code = 'CLOUD_UPLOAD_FAILED';
  /** The step that failed. */
  readonly step: UploadStep;
  /** One sentence: what the cloud has now. */
  readonly leftBehind: string;
  /** The file's key in the object storage, once it is known; `apps.create` registers it. */
  readonly appPath: string | undefined;

  constructor(
    message: string,
    about: CloudRequest & Pick<CloudUploadError, 'step' | 'leftBehind' | 'appPath'>,
    options: ErrorOptions,
  ) {
    super(`${message}. ${about.leftBehind}`, about, options);
    this.step = about.step;
    this.leftBehind = about.leftBehind;
    this.appPath = about.appPath;
  }
}
