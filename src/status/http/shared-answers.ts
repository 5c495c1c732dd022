/** Answers to many questions, each one text for all who ask the same within a moment. Few are worked on at a time. */
export class SharedAnswers {
  readonly #freshMs: number;
  readonly #most: number;
  readonly #answers = new Map<string, Promise<Buffer | undefined>>();
  #atWork = 0;

  /**
   * @param freshMs how long an answer or a failure is reused
   * @param most so many are worked on at a time, and so many are kept
   */
  constructor({ freshMs = 1_000, most = 20 } = {}) {
    this.#freshMs = freshMs;
    this.#most = most;
  }

  /**
   * @param make resolves to the text of the answer, or to undefined
   * @returns undefined if too many are worked on; else rejects with the error of `make`
   */
  get(question: string, make: () => Promise<string | undefined>): Promise<Buffer | undefined> | undefined {
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    if (this.#atWork >= this.#most) return undefined;
    this.#atWork += 1;
    const made = make().then((text) => (text === undefined ? undefined : Buffer.from(text)));
    const forget = () => {
      if (this.#answers.get(question) === made) this.#answers.delete(question);
    };
    const end = () => {
      this.#atWork -= 1;
      setTimeout(forget, this.#freshMs).unref();
    };
    made.then(end, end);
    this.#answers.set(question, made);
    const [oldest = question] = this.#answers.keys();
    if (this.#answers.size > this.#most) this.#answers.delete(oldest);
    return made;
  }
}
