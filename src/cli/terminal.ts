/** Output of the commands: results on stdout, the rest on stderr. */
import { HostNodeError, hasCode } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import { escaped } from '../base/printable.ts';
import { inLines, type Line, painted, textOf } from '../base/styled-text.ts';
import { systemReason } from '../host/state-errors.ts';

/** Writes text. A reader that closes early (`| head -1`) or a closed terminal is not an error. */
export function write(out: NodeJS.WriteStream, text: string): void {
  if (!out.listeners('error').includes(notWritten)) out.on('error', notWritten);
  out.write(text);
}

/** A lost result, e.g. on a full disk, ends the command. Ignores errors of stderr: there is no place to report them. */
function notWritten(this: NodeJS.WriteStream, error: Error): void {
  if (hasCode(error, 'EPIPE') || hasCode(error, 'EIO') || this === process.stderr) return;
  sayError(`cannot write the output: ${systemReason(error)}`);
  process.exit(exitCode.failed);
}

export function say(...lines: Line[]): void {
  write(process.stdout, lines.map((line) => `${painted(line, process.stdout)}\n`).join(''));
}

export const terminalWidth = (out: NodeJS.WriteStream): number | undefined => out.columns || undefined;

export function sayError(first: string, ...lines: string[]): void {
  const width = process.stderr.isTTY ? terminalWidth(process.stderr) : undefined;
  const all = [`hostnode: ${first}`, ...lines].flatMap((line) =>
    width === undefined ? [line] : fitted(line, width),
  );
  write(process.stderr, escaped([...all, ''].join('\n')));
}

/** Ends the command, with these lines on stderr and this exit code. */
export class CommandError extends HostNodeError {
  readonly code = 'COMMAND_FAILED';
  readonly exitCode: number;
  readonly more: readonly string[];

  constructor(code: number, first: string, ...more: string[]) {
    super(first);
    this.exitCode = code;
    this.more = more;
  }
}

/** The command line is wrong: nothing was done. */
export class UsageError extends CommandError {
  constructor(first: string, ...more: string[]) {
    super(exitCode.usage, first, ...more);
  }
}

/** What was asked for is not done. */
export class FailedError extends CommandError {
  constructor(first: string, ...more: string[]) {
    super(exitCode.failed, first, ...more);
  }
}

/** Prints why the command fails, and sets the exit code; the command goes on. */
export function fail(code: number, first: string, ...lines: string[]): void {
  sayError(first, ...lines);
  process.exitCode = code;
}

export const sayJson = (value: unknown): void => say(JSON.stringify(value, null, 2));

/** The first line keeps its indent and its arrow; the others stand below its text. */
function fitted(line: string, width: number): string[] {
  const [indent = ''] = /^ {0,8}(?:\u2192 )?/.exec(line) ?? [];
  return inLines([{ text: line.slice(indent.length) }], width - indent.length).map(
    (part, index) => `${index === 0 ? indent : ' '.repeat(indent.length)}${textOf(part)}`,
  );
}

export class ProgressLine {
  readonly #isShown = process.stderr.isTTY === true;

  #isThere = false;

  show(text: string): void {
    if (!this.#isShown) return;
    this.#isThere = true;
    process.stderr.write(`\r\x1b[K${text}`);
  }

  clear(): void {
    if (this.#isThere) process.stderr.write('\r\x1b[K');
    this.#isThere = false;
  }
}
