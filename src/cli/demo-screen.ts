/** The demo's output: on a terminal a redrawn screen, elsewhere one line per event. */

import { type Line, painted, spansOf } from '../base/styled-text.ts';
import { wrapped } from '../base/wrapped.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import { fitted } from './columns.ts';
import { deviceTable } from './table.ts';
import { terminalWidth, write } from './terminal.ts';
import { fitting, rowsOf, TerminalView } from './terminal-view.ts';

const EVENTS_SHOWN = 12;
/** The hints are left out where there is no room for this many. */
const FEWEST_EVENTS = 3;

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
  /** The most useful of them, in one line: in place of all where there is less room. */
  brief: string;
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

  /** The table, in a small window as much of it as leaves room for what happened; and as much of the rest as fits. */
  #lines(): Line[] {
    const { out, title, devices, hints, brief } = this.#options;
    const width = terminalWidth(out) ?? Number.POSITIVE_INFINITY;
    const [first = '', ...others] = title();
    const top: Line[] = [
      [{ text: first, style: 'bold' }],
      ...others.flatMap((line) => wrapped(line, width)),
      '',
    ];
    const below: Line[] = ['', [{ text: 'What happened', style: 'bold' }]];
    const screenRows = (out.rows || Number.POSITIVE_INFINITY) - 1;
    const around = rowsOf([...top, ...below, ...wrapped(brief, width)], width) + FEWEST_EVENTS;
    const table = fitting(cloudTable(devices(), width), Math.max(FEWEST_EVENTS, screenRows - around), width);
    const head = [...top, ...table, ...below];
    const room = screenRows - rowsOf(head, width);
    const foot = [['', ...hints], wrapped(brief, width)].find(
      (lines) => room - rowsOf(lines, width) >= FEWEST_EVENTS,
    );
    const left = room - rowsOf(foot ?? [], width);
    const newest = this.#events.slice(-EVENTS_SHOWN);
    // where not all fit, what comes again and again gives way
    const ranked = newest.toReversed().sort((one, other) => Number(!!one.routine) - Number(!!other.routine));
    const kept = new Map<unknown, string[]>();
    let rows = 0;
    for (const event of ranked) {
      const lines = wrapped(event.line, width - 1).map(
        (each, index) => `${index === 0 ? ' ' : '   '}${each}`,
      );
      rows += rowsOf(lines, width);
      if (rows > left) break;
      kept.set(event, lines);
    }
    const events = newest.flatMap((event) => kept.get(event) ?? []);
    return [...head, ...events, ...(foot ?? [])];
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
