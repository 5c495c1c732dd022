/** The demo's output: on a terminal a redrawn screen, elsewhere one line per event. */

import { type Line, painted, spansOf } from '../base/styled-text.ts';
import { wrapped } from '../base/wrapped.ts';
import { fitted } from './columns.ts';
import { deviceTable, type TablePhone } from './table.ts';
import { terminalWidth, write } from './terminal.ts';
import { fitting, painterOf } from './terminal-view.ts';

const EVENTS_SHOWN = 12;
/** Rows beside the table: for the title, and for the newest of what happened. */
const OTHER_ROWS = 11;

interface ScreenOptions {
  out: NodeJS.WriteStream;
  /** What everybody needs, shown at the top: on a terminal always, elsewhere once. */
  title(): string[];
  /** What to look at, shown at the bottom where there is room. */
  hints: string[];
  devices(): TablePhone[];
}

export function createScreen({ out, title, hints, devices }: ScreenOptions) {
  const paint = out.isTTY ? painterOf(out) : undefined;
  const events: { line: string; routine: string | undefined }[] = [];
  let drawing: NodeJS.Timeout | undefined;

  const print = (...lines: Line[]) => write(out, lines.map((line) => `${painted(line, out)}\n`).join(''));

  /** The newest event stands first: the painter leaves out what does not fit at the bottom. */
  const screenLines = (): Line[] => {
    const width = terminalWidth(out) ?? Number.POSITIVE_INFINITY;
    const rows = out.rows || Number.POSITIVE_INFINITY;
    const [first = '', ...others] = title();
    return [
      [{ text: first, style: 'bold' }],
      ...others.flatMap((line) => wrapped(line, width)),
      '',
      ...fitting(cloudTable(devices(), width), Math.max(rows - OTHER_ROWS, 3), width),
      '',
      [{ text: 'What happened, the newest first', style: 'bold' }],
      ...events
        .toReversed()
        .flatMap(({ line }) =>
          wrapped(line, width - 3).map((each, index) => `${index === 0 ? ' ' : '   '}${each}`),
        ),
      '',
      ...hints,
    ];
  };

  /** Soon, once for several events. */
  const redraw = () => {
    drawing ??= setTimeout(() => {
      drawing = undefined;
      paint?.(screenLines());
    }, 50);
  };

  if (paint) out.on('resize', redraw);
  else print(...title(), '');

  return {
    /** @param routine what comes again and again: on a terminal only the newest of its kind is kept */
    event(text: string, routine?: string): void {
      const line = `${new Date().toTimeString().slice(0, 8)}  ${text}`;
      if (!paint) return void print(line);
      const same = events.findIndex((event) => routine !== undefined && event.routine === routine);
      if (same >= 0) events.splice(same, 1);
      events.push({ line, routine });
      if (events.length > EVENTS_SHOWN) events.shift();
      redraw();
    },

    end(): void {
      clearTimeout(drawing);
      out.off('resize', redraw);
      if (paint) paint(screenLines());
      else print('', ...cloudTable(devices()), '', ...hints);
    },
  };
}

const cloudTable = (devices: TablePhone[], width?: number): Line[] => [
  [{ text: 'What the cloud knows', style: 'bold' }],
  ...fitted([deviceTable(devices)], width && width - 1).map((line) => [{ text: ' ' }, ...spansOf(line)]),
];
