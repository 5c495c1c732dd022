/** The base of every error that hostnode throws on purpose. Match `code`, never the message. */
export abstract class HostNodeError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A phone answered, but not in a shape we can read. Asking again at once will not help. */
export class ParseError extends HostNodeError {
  readonly code = 'PARSE_FAILED';
  /** What was being read, e.g. `dumpsys battery`. */
  readonly source: string;
  /** The start of the text that would not parse, at most 80 characters. */
  readonly sample: string;

  constructor(source: string, text: string) {
    const sample = text.slice(0, 4096).trim().slice(0, 80);
    super(`cannot read ${source}: ${JSON.stringify(sample)}`);
    this.source = source;
    this.sample = sample;
  }
}

/**
 * Why the adb server cannot be asked: nothing listens, there is no way to it, it accepts and does not answer, it hangs
 * up, or it is something else.
 */
export type AdbFailureKind = 'absent' | 'unreachable' | 'silent' | 'closed' | 'foreign';

/** The adb server cannot be reached or does not answer. It may come back: ask again later. */
export class AdbUnavailableError extends HostNodeError {
  readonly code = 'ADB_UNAVAILABLE';
  readonly kind: AdbFailureKind;

  constructor(kind: AdbFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The adb server answered FAIL: the phone is gone, lets nobody in, or refuses the service asked for. */
export class AdbRefusedError extends HostNodeError {
  readonly code = 'ADB_REFUSED';
}

/** The phone is there and does not open this service, or does not speak it: another may do. */
export class ServiceRefusedError extends AdbRefusedError {}

/** The configuration is wrong. `problems` lists every one, each with key, value and what is allowed. */
export class ConfigError extends HostNodeError {
  readonly code = 'CONFIG_INVALID';
  readonly problems: readonly string[];
  /** What would have been no reason to stop, and may be the cause: a misspelt variable is the one that is missing. */
  readonly warnings: readonly string[];

  constructor(problems: readonly string[], warnings: readonly string[] = []) {
    super(problems.join('\n'));
    this.problems = problems;
    this.warnings = warnings;
  }
}

/** The disk or the system does not give a file of the configuration out now. Trying again later may help. */
export class ConfigUnreadableError extends ConfigError {
  /** @param cause of the system */
  constructor(file: string, cause: Error) {
    super([`${file}: cannot be read (${cause.message})`]);
  }
}

const PASSING = ['EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ESTALE', 'EAGAIN', 'ETIMEDOUT'];

/**
 * For who has caught an error of reading a file of the configuration.
 *
 * @throws {ConfigUnreadableError} where it says nothing of the file
 */
export function throwIfPassing(file: string, error: unknown): void {
  if (error instanceof Error && PASSING.some((code) => hasCode(error, code))) {
    throw new ConfigUnreadableError(file, error);
  }
}

/** Has this error, or what was thrown instead of one, the given `code`? */
export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;
