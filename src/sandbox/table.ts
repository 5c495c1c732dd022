/** A table of rows with ids. A row never changes: a changed one takes its place. */

export interface Row {
  readonly id: number;
}

/** Is told each change; the row is undefined if it was removed. */
export type Journal = (table: string, id: number, row: Row | undefined) => void;

/** What a table is filled with. */
export interface Kept {
  readonly rows: readonly Row[];
  readonly lastId: number;
}

export class Table<R extends Row> {
  readonly #name: string;
  readonly #journal: Journal;
  readonly #rows: Map<number, R>;
  #lastId: number;

  constructor(name: string, journal: Journal, kept: Kept = { rows: [], lastId: 0 }) {
    this.#name = name;
    this.#journal = journal;
    this.#rows = new Map(kept.rows.map((row) => [row.id, row as R]));
    this.#lastId = kept.lastId;
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
    const row = { id: this.#lastId, ...fields } as R;
    return this.put(row);
  }

  /** Replaces the row with this id. */
  put(row: R): R {
    this.#rows.set(row.id, row);
    this.#journal(this.#name, row.id, row);
    return row;
  }

  remove(id: number): void {
    if (this.#rows.delete(id)) this.#journal(this.#name, id, undefined);
  }
}
