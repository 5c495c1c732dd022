/** What the demo shows: on a terminal one picture, redrawn; elsewhere each event as a line. */
import { tableOf } from '../cli/table.ts';
import { terminalWidth, write } from '../cli/terminal.ts';
import type { DeviceInfo } from '../cloud/contract.ts';

const EVENTS_SHOWN = 12;
const CLEAR = '\x1b[H\x1b[2J\x1b[3J';

export interface ScreenOptions {
  out: NodeJS.WriteStream;
  /** Above everything. */
  title: string[];
  /** What a person should look at, below everything. */
  hints: string[];
  devices(): DeviceInfo[];
}

export class Screen {
  readonly #options: ScreenOptions;
  readonly #events: string[] = [];
  #drawing: NodeJS.Timeout | undefined;

  constructor(options: ScreenOptions) {
    this.#options = options;
    if (!this.#isTerminal) this.#print(...options.title, '');
  }

  /** Something happened. */
  event(text: string): void {
    const line = `${new Date().toTimeString().slice(0, 8)}  ${text}`;
    if (this.#isTerminal) {
      this.#events.push(line);
      this.draw();
    } else {
      this.#print(line);
    }
  }

  /** Draws soon, once for all that happens together. */
  draw(): void {
    if (!this.#isTerminal) return;
    this.#drawing ??= setTimeout(() => {
      this.#drawing = undefined;
      write(this.#options.out, CLEAR);
      this.#print(...this.#picture(terminalWidth(this.#options.out)));
    }, 50);
  }

  /** Draws for the last time. */
  end(): void {
    clearTimeout(this.#drawing);
    if (this.#isTerminal) write(this.#options.out, CLEAR);
    const { devices, hints } = this.#options;
    this.#print(
      ...(this.#isTerminal
        ? this.#picture(terminalWidth(this.#options.out))
        : ['', ...cloudTable(devices()), '', ...hints]),
    );
  }

  get #isTerminal(): boolean {
    return this.#options.out.isTTY === true;
  }

  #picture(width?: number): string[] {
    const { title, hints, devices } = this.#options;
    const events = this.#events.slice(-EVENTS_SHOWN).map((line) => line.slice(0, width && width - 1));
    return [
      ...title,
      '',
      ...cloudTable(devices(), width),
      '',
      'What happened',
      ...events.map((line) => ` ${line}`),
      '',
      ...hints,
    ];
  }

  #print(...lines: string[]): void {
    write(this.#options.out, lines.map((line) => `${line}\n`).join(''));
  }
}

const cloudTable = (devices: DeviceInfo[], width?: number): string[] => [
  'What the cloud knows of this host',
  ...tableOf(devices, width && width - 1).map((line) => ` ${line}`),
];
