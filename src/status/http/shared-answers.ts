/**
 * Answers to many questions, each one text for all who ask the same within a moment. Few are worked on at a time, and of
 * one client one fewer: none waits behind all that another one asks.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { CommandRefusedError } from '../commands.ts';

export type SharedAnswers = ReturnType<typeof sharedAnswers>;

/**
 * @param bounds `freshMs`: how long an answer or a failure is reused once it is there; 0: only while it is worked on; `most`: so
 *   many are worked on at a time; `kept`: so many answers are kept; `waiting`: so many questions of one client wait: all jobs
 *   of a CI may come from one address, and ask when a run has failed
 */
export function sharedAnswers({ freshMs = 1_000, most = 20, kept = 60, waiting = 60 } = {}) {
  const answers = new Map<string, Promise<Buffer | undefined>>();
  const limit = pLimit(most);
  /** Of each client that asks now. */
  const limits = new Map<string, LimitFunction>();

  const limitOf = (client: string): LimitFunction => {
    for (const [other, { activeCount, pendingCount }] of limits)
      if (activeCount + pendingCount === 0) limits.delete(other);
    const own = limits.get(client) ?? pLimit(Math.max(1, most - 1));
    limits.set(client, own);
    return own;
  };

  /**
   * @param make resolves to the text of the answer, or to undefined
   * @param client who asks
   * @throws {CommandRefusedError} it asks too much; or the error of `make`
   */
  return async (question: string, make: () => Promise<string | undefined>, client = '') => {
    const known = answers.get(question);
    if (known !== undefined) return known;
    const own = limitOf(client);
    if (own.pendingCount >= waiting)
      throw new CommandRefusedError('too many ask for the past: try again', 503, 2);
    const answer = own(() => limit(make)).then((text) =>
      text === undefined ? undefined : Buffer.from(text),
    );
    answers.set(question, answer);
    const forget = () => {
      if (answers.get(question) === answer) answers.delete(question);
    };
    const late = () => (freshMs > 0 ? void setTimeout(forget, freshMs).unref() : forget());
    answer.then(late, late);
    const [oldest = ''] = answers.keys();
    if (answers.size > kept) answers.delete(oldest);
    return answer;
  };
}
