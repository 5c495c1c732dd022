/** A table of rows with ids. A row never changes: a changed one takes its place. */

export interface Row {
  readonly id: number;
}

/** What a table is kept as, and filled with. */
export interface Kept {
  readonly rows: readonly Row[];
  readonly lastId: number;
}

export class Table<R extends Row> {
  /** Nothing of it was kept yet. */
  isNew: boolean;
  /** The rows that are not as they were last kept. */
  readonly changed = new Set<number>();
  readonly #rows: Map<number, R>;
  #lastId: number;

  constructor(kept?: Kept) {
    this.isNew = kept === undefined;
    this.#rows = new Map(kept?.rows.map((row) => [row.id, row as R]));
    this.#lastId = kept?.lastId ?? 0;
  }

  get lastId(): number {
    return this.#lastId;
  }

  /** In the order in which they were added. */
  all(): R[] {
    return [...this.#rows.values()];
  }

  get(id: number): R | undefined {
    return this.#rows.get(id);
  }

  find(isMeant: (row: R) => boolean): R | undefined {
    for (const row of this.#rows.values()) if (isMeant(row)) return row;
    return undefined;
  }

  filter(isMeant: (row: R) => boolean): R[] {
    return this.all().filter(isMeant);
  }

  /** Adds a row under an id that no row had before. */
  add(fields: Omit<R, 'id'>): R {
    this.#lastId += 1;
    return this.put({ id: this.#lastId, ...fields } as R);
  }

  /** Replaces the row with this id. */
  put(row: R): R {
    this.#rows.set(row.id, row);
    this.changed.add(row.id);
    return row;
  }

  remove(id: number): void {
    if (this.#rows.delete(id)) this.changed.add(id);
  }
}
