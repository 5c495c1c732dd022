/** What the commands say to a person: results on stdout, the rest on stderr. */
import { hasCode } from '../errors.ts';
import { exitCode } from '../exit-code.ts';
import { escaped } from '../printable.ts';
import { reasonOf } from '../state/errors.ts';

/** Writes text; a reader that has seen enough and left (`| head -1`), or a terminal that was closed, is no error. */
export function write(out: NodeJS.WriteStream, text: string): void {
  if (!out.listeners('error').includes(notWritten)) out.on('error', notWritten);
  out.write(text);
}

/** A result that is lost, as on a full disk, ends the command; of what cannot be said on stderr nothing can be said. */
function notWritten(this: NodeJS.WriteStream, error: Error): void {
  if (hasCode(error, 'EPIPE') || hasCode(error, 'EIO') || this === process.stderr) return;
  sayError(`the output cannot be written: ${reasonOf(error)}`);
  process.exit(exitCode.failed);
}

export function say(...lines: string[]): void {
  write(process.stdout, escaped(lines.map((line) => `${line}\n`).join('')));
}

/** Columns of the terminal; undefined where there is none, or it does not say. */
export const terminalWidth = (out: NodeJS.WriteStream): number | undefined => out.columns || undefined;

export function sayError(first: string, ...lines: string[]): void {
  write(process.stderr, escaped([`hostnode: ${first}`, ...lines, ''].join('\n')));
}

/** One line that is written over again, on a terminal only. */
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
