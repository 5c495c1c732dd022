/** The demo's output: on a terminal a redrawn screen, elsewhere one line per event. */

import { type Line, painted, spansOf } from '../base/styled-text.ts';
import { wrapped } from '../base/wrapped.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import { cut } from './columns.ts';
import { deviceTable } from './table.ts';
import { terminalWidth, write } from './terminal.ts';
import { rowsOf, TerminalView } from './terminal-view.ts';

const EVENTS_SHOWN = 12;
/** The hints are left out where there is no room for this many. */
const FEWEST_EVENTS = 3;

export interface ScreenOptions {
  out: NodeJS.WriteStream;
  /** What everybody needs, shown at the top: on a terminal always, elsewhere once. */
  title(): string[];
  /** What to look at, shown at the bottom where there is room. */
  hints: string[];
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
    if (!this.#isTerminal) this.#print(...options.title(), '');
  }

  event(text: string): void {
    const line = `${new Date().toTimeString().slice(0, 8)}  ${text}`;
    if (!this.#isTerminal) return void this.#print(line);
    this.#events.push(line);
    // soon, once for several events
    this.#drawing ??= setTimeout(() => {
      this.#drawing = undefined;
      this.#view.paint(this.#lines());
    }, 50);
  }

  end(): void {
    clearTimeout(this.#drawing);
    const { devices, hints } = this.#options;
    if (this.#isTerminal) this.#view.paint(this.#lines());
    else this.#print('', ...cloudTable(devices()), '', ...hints);
  }

  get #isTerminal(): boolean {
    return this.#options.out.isTTY === true;
  }

  /** The whole table, and as much of the rest as fits. */
  #lines(): Line[] {
    const { out, title, devices, hints } = this.#options;
    const width = terminalWidth(out) ?? Number.POSITIVE_INFINITY;
    const [first = '', ...others] = title();
    const head: Line[] = [
      [{ text: first, style: 'bold' }],
      ...others.flatMap((line) => wrapped(line, width)),
      '',
      ...cloudTable(devices(), width),
      '',
      [{ text: 'What happened', style: 'bold' }],
    ];
    const room = (out.rows || Number.POSITIVE_INFINITY) - 1 - rowsOf(head, width);
    const all = ['', ...hints];
    const foot = room - rowsOf(all, width) >= FEWEST_EVENTS ? all : [];
    const shown = Math.min(EVENTS_SHOWN, Math.max(0, room - rowsOf(foot, width)));
    const events = this.#events.slice(Math.max(0, this.#events.length - shown));
    return [...head, ...events.map((line) => cut(` ${line}`, width)), ...foot];
  }

  #print(...lines: Line[]): void {
    const { out } = this.#options;
    write(out, lines.map((line) => `${painted(line, out)}\n`).join(''));
  }
}

const cloudTable = (devices: DeviceInfo[], width?: number): Line[] => [
  [{ text: 'What the cloud knows', style: 'bold' }],
  ...deviceTable(
    devices.map((info) => ({ info })),
    width && width - 1,
  ).map((line) => [{ text: ' ' }, ...spansOf(line)]),
];
