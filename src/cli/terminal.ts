/** What the commands say to a person: results on stdout, the rest on stderr. */

export function say(...lines: string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

export function sayError(first: string, ...lines: string[]): void {
  process.stderr.write([`hostnode: ${first}`, ...lines, ''].join('\n'));
}

/** One line that is written over again, on a terminal only. */
export class ProgressLine {
  readonly #isShown = process.stderr.isTTY === true;

  show(text: string): void {
    if (this.#isShown) process.stderr.write(`\r\x1b[K${text}`);
  }

  clear(): void {
    if (this.#isShown) process.stderr.write('\r\x1b[K');
  }
}
