/** More kinds than there are: who makes up ever new ones is not heard. */
const MOST_KINDS = 20;

/** A trouble of one kind: said when it begins and when it ends, not while it goes on. */
export class OutageLog {
  readonly #said = new Set<string>();

  get isThere(): boolean {
    return this.#said.size > 0;
  }

  /** Is this news? Each kind is, once, until the trouble ends: two that take turns are not said by turns. */
  begin(kind: string): boolean {
    const isNews = !this.#said.has(kind) && this.#said.size < MOST_KINDS;
    if (isNews) this.#said.add(kind);
    return isNews;
  }

  /** Was there any? */
  end(): boolean {
    const wasThere = this.isThere;
    this.#said.clear();
    return wasThere;
  }
}
