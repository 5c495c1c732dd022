/** The demo's output: on a terminal a redrawn screen, elsewhere one line per event. */

import { type Line, painted, spansOf } from '../base/styled-text.ts';
import { wrapped } from '../base/wrapped.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import { fitted } from './columns.ts';
import { deviceTable } from './table.ts';
import { terminalWidth, write } from './terminal.ts';
import { fitting, TerminalView } from './terminal-view.ts';

const EVENTS_SHOWN = 12;
/** Rows beside the table: for the title, and for the newest of what happened. */
const OTHER_ROWS = 11;

interface CloudDevice {
  info: DeviceInfo;
  host?: string;
}

export interface ScreenOptions {
  out: NodeJS.WriteStream;
  /** What everybody needs, shown at the top: on a terminal always, elsewhere once. */
  title(): string[];
  /** What to look at, shown at the bottom where there is room. */
  hints: string[];
  /** `host`: which one has it, where there are several. */
  devices(): CloudDevice[];
}

export class Screen {
  readonly #options: ScreenOptions;
  readonly #view: TerminalView;
  readonly #events: { line: string; routine: string | undefined }[] = [];
  #drawing: NodeJS.Timeout | undefined;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#view = new TerminalView(options.out);
    if (!this.#isTerminal) this.#print(...options.title(), '');
    else options.out.on('resize', this.#redraw);
  }

  /** @param routine what comes again and again: on a terminal only the newest of its kind is kept */
  event(text: string, routine?: string): void {
    const line = `${new Date().toTimeString().slice(0, 8)}  ${text}`;
    if (!this.#isTerminal) return void this.#print(line);
    const same = this.#events.findIndex((event) => routine !== undefined && event.routine === routine);
    if (same >= 0) this.#events.splice(same, 1);
    this.#events.push({ line, routine });
    this.#redraw();
  }

  /** Soon, once for several events. */
  readonly #redraw = (): void => {
    this.#drawing ??= setTimeout(() => {
      this.#drawing = undefined;
      this.#view.paint(this.#lines());
    }, 50);
  };

  end(): void {
    clearTimeout(this.#drawing);
    this.#options.out.off('resize', this.#redraw);
    const { devices, hints } = this.#options;
    if (this.#isTerminal) this.#view.paint(this.#lines());
    else this.#print('', ...cloudTable(devices()), '', ...hints);
  }

  get #isTerminal(): boolean {
    return this.#options.out.isTTY === true;
  }

  /** The newest event stands first: the view leaves out what does not fit at the bottom. */
  #lines(): Line[] {
    const { out, title, devices, hints } = this.#options;
    const width = terminalWidth(out) ?? Number.POSITIVE_INFINITY;
    const rows = out.rows || Number.POSITIVE_INFINITY;
    const [first = '', ...others] = title();
    const events = this.#events.slice(-EVENTS_SHOWN).toReversed();
    return [
      [{ text: first, style: 'bold' }],
      ...others.flatMap((line) => wrapped(line, width)),
      '',
      ...fitting(cloudTable(devices(), width), Math.max(rows - OTHER_ROWS, 3), width),
      '',
      [{ text: 'What happened, the newest first', style: 'bold' }],
      ...events.flatMap(({ line }) =>
        wrapped(line, width - 3).map((each, index) => `${index === 0 ? ' ' : '   '}${each}`),
      ),
      '',
      ...hints,
    ];
  }

  #print(...lines: Line[]): void {
    const { out } = this.#options;
    write(out, lines.map((line) => `${painted(line, out)}\n`).join(''));
  }
}

const cloudTable = (devices: CloudDevice[], width?: number): Line[] => [
  [{ text: 'What the cloud knows', style: 'bold' }],
  ...fitted([deviceTable(devices)], width && width - 1).map((line) => [{ text: ' ' }, ...spansOf(line)]),
];
