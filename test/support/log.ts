/** The agent's logger for tests: one that says nothing, and one whose lines are kept. */
import { createLogger, type Logger } from '../../src/base/log.ts';

/** One line of the agent's log. */
export interface LogLine {
  level: string;
  msg: string;
  [field: string]: unknown;
}

export const silentLog: Logger = createLogger({
  level: 'silent',
  format: 'json',
  destination: () => {},
}).logger;

/**
 * @param onLine called after each line
 * @returns the logger, and its lines so far
 */
export function keptLog(
  level: 'debug' | 'info' | 'warn' = 'info',
  onLine: (line: LogLine) => void = () => {},
): { log: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const destination = (text: string) => {
    const line: LogLine = JSON.parse(text);
    lines.push(line);
    onLine(line);
  };
  return { log: createLogger({ level, format: 'json', destination }).logger, lines };
}
