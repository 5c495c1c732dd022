/**
 * Answers to many questions, each one text for all who ask the same within a moment. Few are worked on at a time, and of
 * one client one fewer: none waits behind all that another one asks.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { CommandRefusedError } from '../commands.ts';

/** Questions of one client that wait. */
const MOST_WAITING = 10;

export class SharedAnswers {
  readonly #freshMs: number;
  readonly #most: number;
  readonly #kept: number;
  readonly #answers = new Map<string, Promise<Buffer | undefined>>();
  readonly #limit: LimitFunction;
  /** Of each client that asks now. */
  readonly #limits = new Map<string, LimitFunction>();

  /**
   * @param freshMs how long an answer or a failure is reused once it is there; 0: only while it is worked on
   * @param most so many are worked on at a time
   * @param kept so many answers are kept
   */
  constructor({ freshMs = 1_000, most = 20, kept = 60 } = {}) {
    this.#freshMs = freshMs;
    this.#most = most;
    this.#kept = kept;
    this.#limit = pLimit(most);
  }

  /**
   * @param make resolves to the text of the answer, or to undefined
   * @param client who asks
   * @throws {CommandRefusedError} it asks too much; or the error of `make`
   */
  async get(
    question: string,
    make: () => Promise<string | undefined>,
    client = '',
  ): Promise<Buffer | undefined> {
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    const own = this.#limitOf(client);
    if (own.pendingCount >= MOST_WAITING)
      throw new CommandRefusedError('too many ask for the past: try again', 503, 2);
    const answer = own(() => this.#limit(make)).then((text) =>
      text === undefined ? undefined : Buffer.from(text),
    );
    this.#answers.set(question, answer);
    const forget = () => {
      if (this.#answers.get(question) === answer) this.#answers.delete(question);
    };
    const late = () => (this.#freshMs > 0 ? void setTimeout(forget, this.#freshMs).unref() : forget());
    answer.then(late, late);
    const [oldest = ''] = this.#answers.keys();
    if (this.#answers.size > this.#kept) this.#answers.delete(oldest);
    return answer;
  }

  #limitOf(client: string): LimitFunction {
    for (const [other, { activeCount, pendingCount }] of this.#limits)
      if (activeCount + pendingCount === 0) this.#limits.delete(other);
    const limit = this.#limits.get(client) ?? pLimit(Math.max(1, this.#most - 1));
    this.#limits.set(client, limit);
    return limit;
  }
}
