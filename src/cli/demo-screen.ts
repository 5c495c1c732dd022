/** The demo's output: on a terminal a redrawn screen, elsewhere one line per event. */

import type { DeviceInfo } from '../cloud/contract/report.ts';
import { tableOf } from './table.ts';
import { terminalWidth, write } from './terminal.ts';
import { TerminalView } from './terminal-view.ts';

const EVENTS_SHOWN = 12;
/** The hints leave room for this many. */
const FEWEST_EVENTS = 3;

export interface ScreenOptions {
  out: NodeJS.WriteStream;
  /** Shown at the top. */
  title: string[];
  /** What to look at, shown at the bottom. */
  hints(): string[];
  devices(): DeviceInfo[];
}

export class Screen {
  readonly #options: ScreenOptions;
  readonly #view: TerminalView;
  readonly #events: string[] = [];
  #drawing: NodeJS.Timeout | undefined;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#view = new TerminalView(options.out);
    if (!this.#isTerminal) this.#print(...options.title, '');
  }

  /** Shows an event. */
  event(text: string): void {
    const line = `${new Date().toTimeString().slice(0, 8)}  ${text}`;
    if (this.#isTerminal) {
      this.#events.push(line);
      this.draw();
    } else {
      this.#print(line);
    }
  }

  /** Draws soon, once for several events. */
  draw(): void {
    if (!this.#isTerminal) return;
    this.#drawing ??= setTimeout(() => {
      this.#drawing = undefined;
      this.#view.paint(this.#lines());
    }, 50);
  }

  /** Draws for the last time. */
  end(): void {
    clearTimeout(this.#drawing);
    const { devices, hints } = this.#options;
    if (this.#isTerminal) this.#view.paint(this.#lines());
    else this.#print('', ...cloudTable(devices()), '', ...hints());
  }

  get #isTerminal(): boolean {
    return this.#options.out.isTTY === true;
  }

  /** The whole table, and as much of the rest as fits. */
  #lines(): string[] {
    const { out, title, devices } = this.#options;
    const hints = this.#options.hints();
    const width = terminalWidth(out);
    const head = [...title, '', ...cloudTable(devices(), width), '', 'What happened'];
    const room = (out.rows || Number.POSITIVE_INFINITY) - 1 - rowsOf(head, width);
    const foot =
      [
        ['', ...hints],
        ['', ...hints.slice(-1)],
      ].find((lines) => room - rowsOf(lines, width) >= FEWEST_EVENTS) ?? [];
    const shown = Math.min(EVENTS_SHOWN, Math.max(0, room - rowsOf(foot, width)));
    const events = this.#events.slice(Math.max(0, this.#events.length - shown));
    return [...head, ...events.map((line) => ` ${line}`.slice(0, width && width - 1)), ...foot];
  }

  #print(...lines: string[]): void {
    write(this.#options.out, lines.map((line) => `${line}\n`).join(''));
  }
}

/** The number of terminal rows of these lines. */
const rowsOf = (lines: readonly string[], width = Number.POSITIVE_INFINITY): number =>
  lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / width)), 0);

const cloudTable = (devices: DeviceInfo[], width?: number): string[] => [
  'What the cloud knows about this host',
  ...tableOf(devices, width && width - 1).map((line) => ` ${line}`),
];
