/** The live status from the agent, and the state of the connection. */
import { type HostStatus, withReadingsOfNow } from '../host-status.ts';
import { ask } from './use-answer.ts';

export interface Live {
  /** The newest; kept while the connection is lost. */
  status?: HostStatus;
  /** When it arrived or was last confirmed; the browser's time. Absent while a tab that was hidden asks anew. */
  heardAt?: number | undefined;
  /** When the connection broke; absent while there is one, and before the first. */
  lostSince?: number;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** Silence after which we check that the stream still works, ms. */
const QUIET_MS = 25_000;

/**
 * Follows the status from now on, and connects anew when the browser is online again. A stream keeps one of the six
 * connections that a browser has to a host: a hidden tab has none, and asks now and then.
 *
 * @param onChange told of each change
 */
export function followStatus(onChange: (live: Live) => void): void {
  let live: Live = {};
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** That of the newest status. */
  let heardAt: number | undefined;

  const tell = (now: Live) => {
    live = now;
    onChange(now);
  };
  const later = (ms: number, task: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(task, ms);
  };
  const heard = (status: HostStatus) => {
    failures = 0;
    heardAt = Date.now();
    tell({ status: withReadingsOfNow(status), heardAt });
    waitForWords();
  };
  /** Silence means no news, or a dead connection: after a while we request the status again. */
  const waitForWords = (ms = QUIET_MS) =>
    later(ms, async () => {
      const before = live;
      const { answer: status } = await ask<HostStatus>('api/status');
      if (live !== before) return; // the stream spoke in the meantime
      if (status) heard(status);
      else lose();
    });
  const lose = () => {
    stream?.close();
    tell({ lostSince: Date.now(), ...live, heardAt });
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    failures += 1;
    later(wait * (0.75 + Math.random() / 2), connect); // spread the pages of a lab
  };
  const connect = () => {
    stream?.close();
    if (document.visibilityState === 'hidden') return waitForWords(0);
    stream = new EventSource('api/events');
    stream.addEventListener('status', ({ data }) => heard(JSON.parse(data)));
    stream.addEventListener('open', () => waitForWords());
    stream.addEventListener('error', lose); // the browser's own retries have no back-off
    waitForWords();
  };

  addEventListener('online', connect);
  document.addEventListener('visibilitychange', () => {
    if (live.lostSince === undefined) tell({ ...live, heardAt: undefined });
    connect();
  });
  connect();
}
