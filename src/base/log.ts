/** The log: pino, as JSON lines or, on a terminal, as text. */
import { isatty } from 'node:tty';
import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { HostNodeError } from './errors.ts';
import { type LogDestination, openDestination } from './log-destination.ts';
import { escaped, pictured } from './printable.ts';

export type { Logger } from 'pino';

export interface LogOptions {
  level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** auto: pretty on a terminal, json elsewhere. */
  format: 'auto' | 'json' | 'pretty';
  /** Where the lines go; a function takes each, as JSON. */
  destination: 'stdout' | 'stderr' | ((line: string) => void);
}

export interface Log {
  readonly logger: Logger;
  /** Lines lost behind a reader that had stopped. */
  dropped(): number;
  /** Waits until what was logged is written, for the end of the process; not longer than `timeoutMs`. */
  flush(timeoutMs?: number): Promise<void>;
}

// a second net: the code that holds these does not log them
const secretKeys = ['apiKey', 'authorization', 'Authorization', 'imei', 'meid', 'iccid'];
const depths = ['', '*.', '*.*.', '*.*.*.', '*.*.*.*.'];
const secretPaths = depths.flatMap((depth) => secretKeys.map((key) => depth + key));

const MAX_CAUSES = 3;

/**
 * An error as the log shows it: type, code, message and causes. Not its other properties: an HTTP client's errors
 * carry the request with its headers. Our own errors need no stack, they say what happened.
 */
export function describeError(error: unknown, causes = MAX_CAUSES): unknown {
  if (!(error instanceof Error)) return error;
  return {
    type: error.name,
    ...('code' in error && { code: error.code }),
    message: error.message,
    ...(!(error instanceof HostNodeError) && { stack: error.stack }),
    ...(error.cause !== undefined && causes > 0 && { cause: describeError(error.cause, causes - 1) }),
  };
}

/** Text with visible controls: a phone's cannot move the cursor or feign a line. Only a stack has lines of its own. */
function shown(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const lines = key === 'stack' ? value.split('\n') : [value];
  return lines.map((line) => escaped(pictured(line))).join('\n');
}

/** Lines as text for people, one call a line. */
function prettyLines(colorize: boolean): (line: string) => string {
  const pretty = prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss', singleLine: true });
  return (line) => pretty(JSON.parse(line, shown)) ?? '';
}

/** Opens the log. The logger never blocks and never throws, whatever its reader does. */
export function createLogger({ level, format, destination }: LogOptions): Log {
  if (typeof destination === 'function') {
    return { logger: loggerTo(level, destination), dropped: () => 0, flush: async () => {} };
  }
  const fd = destination === 'stdout' ? 1 : 2;
  const terminal = isatty(fd);
  const out: LogDestination = openDestination(fd, (droppedLines) => {
    logger.warn({ droppedLines }, 'log lines dropped: nobody took them');
  });
  const shape = format === 'pretty' || (format === 'auto' && terminal) ? prettyLines(terminal) : undefined;
  const logger: Logger = loggerTo(level, (line) => out.write(shape?.(line) ?? escaped(line)));
  return { logger, dropped: out.dropped, flush: (timeoutMs = 1000) => out.flush(timeoutMs) };
}

const loggerTo = (level: LogOptions['level'], write: (line: string) => void): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error) => describeError(error), error: (error) => describeError(error) },
      redact: { paths: secretPaths, censor: '***' },
    },
    { write },
  );
