/** More kinds than exist: a source that invents new ones is not logged for ever. */
const MOST_KINDS = 20;

/** An outage: logged when it begins and when it ends, not while it lasts. */
export class OutageLog {
  readonly #logged = new Set<string>();

  get isOpen(): boolean {
    return this.#logged.size > 0;
  }

  /** Is this kind to be logged? Once each, until the outage ends: two that alternate are logged once each. */
  begin(kind: string): boolean {
    const isNew = !this.#logged.has(kind) && this.#logged.size < MOST_KINDS;
    if (isNew) this.#logged.add(kind);
    return isNew;
  }

  /** Was there any? */
  end(): boolean {
    const wasOpen = this.isOpen;
    this.#logged.clear();
    return wasOpen;
  }
}
