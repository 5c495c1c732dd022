/** What the thread of the history answers. Another layer adds its own questions to these. */
import type { HistoryEvent, HistorySample } from '../events/event.ts';
import type { DayUptime, EventQuery } from './history.ts';
import type { Store } from './store.ts';

/** Answers a question from the store. Argument and answer must be plain data: they go from thread to thread. */
// biome-ignore lint/suspicious/noExplicitAny: each question has an argument and an answer of its own
export type Question = (store: Store, argument: any) => unknown;
export type Questions = Readonly<Record<string, Question>>;

/** Events in one answer at most: the receiver's loop is held while it unpacks them. */
export const MOST_EVENTS = 1000;
const MOST_DAYS = 366;

/** The store's own. */
export const storeQuestions = {
  events: (store: Store, query: EventQuery): HistoryEvent[] =>
    store.events({ ...query, limit: Math.min(query.limit ?? MOST_EVENTS, MOST_EVENTS) }),
  samples: (store: Store, { udid, since }: { udid: string; since: number }): HistorySample[] =>
    store.samples(udid, since),
  uptime: (store: Store, { udid, days }: { udid: string; days: number }): DayUptime[] =>
    store.uptime(udid, Math.min(days, MOST_DAYS)),
  lastStates: (store: Store): HistoryEvent[] => store.lastStates(),
} satisfies Questions;
export type StoreQuestions = typeof storeQuestions;

export type ArgumentOf<Q extends Question> = Parameters<Q>[1];
export type AnswerOf<Q extends Question> = ReturnType<Q>;
