/** The live status from the agent, and the state of the connection. */
import { type HostStatus, withReadingsOfNow } from '../host-status.ts';
import { ask } from './use-answer.ts';

export interface Live {
  /** The newest; kept while the connection is lost. */
  status?: HostStatus;
  /** When it arrived or was last confirmed; the browser's time. */
  heardAt?: number;
  /** When the connection broke; absent while there is one, and before the first. */
  lostSince?: number;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** Silence after which we check that the stream still works, ms. */
const QUIET_MS = 25_000;

export class LiveStatus {
  readonly #onChange: (live: Live) => void;
  #live: Live = {};
  #stream: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(onChange: (live: Live) => void) {
    this.#onChange = onChange;
  }

  /** Connects, and reconnects when the browser is online again. */
  start(): void {
    addEventListener('online', () => this.#connect());
    this.#connect();
  }

  #connect(): void {
    this.#close();
    const stream = new EventSource('api/events');
    this.#stream = stream;
    stream.addEventListener('status', ({ data }) => this.#heard(JSON.parse(data)));
    stream.addEventListener('open', () => this.#waitForWords());
    stream.addEventListener('error', () => this.#lose()); // the browser's own retries have no back-off
    this.#waitForWords();
  }

  #heard(status: HostStatus): void {
    this.#failures = 0;
    this.#tell({ status: withReadingsOfNow(status), heardAt: Date.now() });
    this.#waitForWords();
  }

  /** Silence means no news, or a dead connection: after a while we request the status again. */
  #waitForWords(): void {
    this.#later(QUIET_MS, async () => {
      const before = this.#live;
      const { answer: status } = await ask<HostStatus>('api/status');
      if (this.#live !== before) return; // the stream spoke in the meantime
      if (status) this.#heard(status);
      else this.#lose();
    });
  }

  #lose(): void {
    this.#close();
    this.#tell({ lostSince: Date.now(), ...this.#live });
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#later(wait * (0.75 + Math.random() / 2), () => this.#connect()); // spread the pages of a lab
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#stream?.close();
  }

  #later(ms: number, task: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(task, ms);
  }

  #tell(live: Live): void {
    this.#live = live;
    this.#onChange(live);
  }
}
