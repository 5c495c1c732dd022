/** What happens in the agent, for the history, the status, metrics and log. */
import type { HistorySample, NewEvent } from '../history/events/event.ts';

/** An observer may not throw, and the agent does not wait for it. */
export interface AgentEvents {
  /** A phone's facts, connection or refusal may have changed; without udid: adb's or the cloud's state. */
  changed(udid?: string): void;
  collected(udid: string, collected: { outcome: CollectOutcome; durationMs: number }): void;
  round(round: RoundSummary): void;
  /** One report was sent, in however many requests; `outcome` is `stored` or the code of the error. */
  sent(sent: { outcome: string; devices: number; refused: number; durationMs: number }): void;
  /** What happened to phones and host since the last call, in its order. */
  happened(events: readonly NewEvent[]): void;
  /** A phone's readings: the first of each five minutes, and worse ones within them. */
  sampled(sample: HistorySample & { udid: string }): void;
  /** A phone has another udid from now on. What happens next happens to that one. */
  renamed(from: string, to: string): void;
  /** The host has forgotten these phones: nothing of them is to remain. */
  forgotten(udids: readonly string[]): void;
}

export type AgentObserver = Partial<AgentEvents>;

/** One observer that passes everything on to these; the list may grow later. */
export function notifyAll(observers: readonly AgentObserver[]): AgentEvents {
  const notify =
    <E extends keyof AgentEvents>(event: E) =>
    (...args: Parameters<AgentEvents[E]>): void => {
      for (const each of observers) (each[event] as ((...of: typeof args) => void) | undefined)?.(...args);
    };
  return {
    changed: notify('changed'),
    collected: notify('collected'),
    round: notify('round'),
    sent: notify('sent'),
    happened: notify('happened'),
    sampled: notify('sampled'),
    renamed: notify('renamed'),
    forgotten: notify('forgotten'),
  };
}

/** How a phone answered: to the end, not to the end, or not at all. */
export type CollectOutcome = 'answered' | 'broken' | 'failed';

/** How many phones were collected, and how many of them gave no fresh answer. */
export interface CollectCounts {
  collected: number;
  failed: number;
}

export interface RoundSummary extends CollectCounts {
  /** Phones that adb lists, in whatever state. */
  attached: number;
  known: number;
  /** What came of the report; absent where nothing is reported. */
  reported?: ReportResult;
  durationMs: number;
}

export type ReportResult =
  | { kind: 'stored'; devices: number; refused: number }
  /** Another one took its place, or no device was left to report. */
  | { kind: 'superseded' }
  /** The cloud asked us to wait (`Retry-After`), until after the next full report. */
  | { kind: 'postponed' }
  | { kind: 'failed'; error: unknown };
