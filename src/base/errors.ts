/** Base of all errors that hostnode throws on purpose. Match `code`, never the message. */
export abstract class HostNodeError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A phone answered, but we cannot parse it. Retrying at once will not help. */
export class ParseError extends HostNodeError {
  readonly code = 'PARSE_FAILED';

  /** @param source what we were parsing, e.g. `dumpsys battery`; the message has the start of its text */
  constructor(source: string, text: string) {
    super(`cannot read ${source}: ${JSON.stringify(text.slice(0, 4096).trim().slice(0, 80))}`);
  }
}

/**
 * Why adb fails: nothing listens, the network has no route, the server accepts connections but does not answer, it
 * closes the connection, or another program has the port.
 */
export type AdbFailureKind = 'absent' | 'unreachable' | 'silent' | 'closed' | 'foreign';

/** The adb server cannot be reached or does not answer. Retrying later may help. */
export class AdbUnavailableError extends HostNodeError {
  readonly code = 'ADB_UNAVAILABLE';
  readonly kind: AdbFailureKind;
  /** What to do, one sentence, if the kind alone does not say it. */
  readonly remedy: string | undefined;

  constructor(kind: AdbFailureKind, message: string, options?: ErrorOptions & { remedy?: string }) {
    super(message, options);
    this.kind = kind;
    this.remedy = options?.remedy;
  }
}

/** The adb server answered FAIL: the phone is unplugged or unauthorized, or refuses the service. */
export class AdbRefusedError extends HostNodeError {
  readonly code = 'ADB_REFUSED';
}

/** The phone is attached but does not open this service. Another service may work. */
export class ServiceRefusedError extends AdbRefusedError {}

/** The configuration is wrong. `problems` lists all of them, each with key, value and what is allowed. */
export class ConfigError extends HostNodeError {
  readonly code = 'CONFIG_INVALID';
  readonly problems: readonly string[];
  /** Not reasons to stop, but perhaps the cause: a misspelt variable may be the missing one. */
  readonly warnings: readonly string[];

  constructor(problems: readonly string[], warnings: readonly string[] = []) {
    super(problems.join('\n'));
    this.problems = problems;
    this.warnings = warnings;
  }
}

/** A file of the configuration cannot be read now: whatever reads one throws this. Retrying later may help. */
export class ConfigUnreadableError extends ConfigError {
  constructor(file: string, cause: Error) {
    super([`${file}: cannot be read (${cause.message})`]);
  }
}

const PASSING = ['EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ESTALE', 'EAGAIN', 'ETIMEDOUT'];

/**
 * Call it with an error of reading a file of the configuration.
 *
 * @throws {ConfigUnreadableError} if the error does not concern the file itself
 */
export function throwIfPassing(file: string, error: unknown): void {
  if (error instanceof Error && PASSING.some((code) => hasCode(error, code))) {
    throw new ConfigUnreadableError(file, error);
  }
}

export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

/** Treats what cannot be read or made as absent. */
export function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; undefined if it is none. */
export const parseJson = (text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown =>
  attempt(() => JSON.parse(text, reviver));
