/**
 * Answers to many questions, each one text for all who ask the same within a moment. Few are worked on at a time; of those
 * that wait, the next is of the client that has the fewest at work.
 */
import { CommandRefusedError } from '../commands.ts';

/** Questions that wait, of all and of one client. */
const MOST_WAITING = 40;
const MOST_OF_CLIENT = 10;

/** Too many questions wait: ask again in some seconds. */
export class TooManyAskError extends CommandRefusedError {
  constructor() {
    super('too many ask for the past: try again', 503);
  }
}

interface Waiting {
  readonly client: string;
  work(): Promise<void>;
  refuse(): void;
}

export class SharedAnswers {
  readonly #freshMs: number;
  readonly #most: number;
  readonly #kept: number;
  readonly #answers = new Map<string, Promise<Buffer | undefined>>();
  #waiting: Waiting[] = [];
  /** The client of each question that is worked on. */
  readonly #atWork: string[] = [];

  /**
   * @param freshMs how long an answer or a failure is reused once it is there; 0: only while it is worked on
   * @param most so many are worked on at a time
   * @param kept so many answers are kept
   */
  constructor({ freshMs = 1_000, most = 20, kept = 60 } = {}) {
    this.#freshMs = freshMs;
    this.#most = most;
    this.#kept = kept;
  }

  /**
   * @param make resolves to the text of the answer, or to undefined
   * @param client who asks
   * @throws {TooManyAskError} or the error of `make`
   */
  get(question: string, make: () => Promise<string | undefined>, client = ''): Promise<Buffer | undefined> {
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
    const forget = () => {
      if (this.#answers.get(question) === promise) this.#answers.delete(question);
    };
    this.#answers.set(question, promise);
    this.#waiting.push({
      client,
      async work() {
        try {
          const text = await make();
          resolve(text === undefined ? undefined : Buffer.from(text));
        } catch (error) {
          reject(error);
        }
      },
      refuse() {
        forget();
        reject(new TooManyAskError());
      },
    });
    const late = () => (this.#freshMs > 0 ? void setTimeout(forget, this.#freshMs).unref() : forget());
    promise.then(late, late);
    this.#makeRoom();
    this.#work();
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#kept) break;
      this.#answers.delete(oldest);
    }
    return promise;
  }

  /** The newest question of whoever has the most gives way. */
  #makeRoom(): void {
    const count = countsOf(this.#waiting.map(({ client }) => client));
    const [[client, most] = ['', 0]] = [...count].sort(([, one], [, other]) => other - one);
    if (this.#waiting.length <= MOST_WAITING && most <= MOST_OF_CLIENT) return;
    const last = this.#waiting.findLast((each) => each.client === client);
    this.#waiting = this.#waiting.filter((each) => each !== last);
    last?.refuse();
  }

  #work(): void {
    while (this.#atWork.length < this.#most && this.#waiting.length > 0) {
      const busy = countsOf(this.#atWork);
      const isLess = (one: Waiting, other: Waiting) =>
        (busy.get(one.client) ?? 0) < (busy.get(other.client) ?? 0);
      const next = this.#waiting.reduce((best, each) => (isLess(each, best) ? each : best));
      this.#waiting = this.#waiting.filter((each) => each !== next);
      this.#atWork.push(next.client);
      void next.work().then(() => {
        this.#atWork.splice(this.#atWork.indexOf(next.client), 1);
        this.#work();
      });
    }
  }
}

function countsOf(clients: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const client of clients) counts.set(client, (counts.get(client) ?? 0) + 1);
  return counts;
}
