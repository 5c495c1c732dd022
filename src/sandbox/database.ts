/** Keeps the tables in an SQLite file, each as JSON. All changes of a request are one transaction. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Kept, type Row, Table } from './table.ts';

const FORMAT = 2;

/** @throws {Error} the file cannot be opened, is damaged, or is not a sandbox's */
export class Database {
  /** All tables as they were kept. */
  readonly kept: ReadonlyMap<string, Kept>;
  readonly #sqlite: DatabaseSync;

  constructor(file: string) {
    closeSync(openSync(file, 'a', 0o600)); // API keys are in it
    this.#sqlite = new DatabaseSync(file, { timeout: 2000 });
    const { user_version: format } = this.#sqlite.prepare('PRAGMA user_version').get() ?? {};
    if (format !== 0 && format !== FORMAT) throw new Error('another version of the sandbox wrote it');
    if (format === 0 && this.#sqlite.prepare('SELECT name FROM sqlite_schema').get() !== undefined)
      throw new Error('it is the database of another program');
    this.#sqlite.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA user_version = ${FORMAT};
      CREATE TABLE IF NOT EXISTS tables (name TEXT PRIMARY KEY, json TEXT NOT NULL);`);
    const rows = this.#sqlite.prepare('SELECT name, json FROM tables').all();
    this.kept = new Map(rows.map(({ name, json }) => [String(name), JSON.parse(String(json))]));
  }

  /**
   * Writes the tables of the state that changed: all of them, or after a crash none.
   *
   * @throws {Error} they cannot be written, e.g. on a full disk; the next commit tries again
   */
  commit(state: object): void {
    const changed = Object.entries(state).filter(
      (each): each is [string, Table<Row>] => each[1] instanceof Table && each[1].isChanged,
    );
    if (changed.length === 0) return;
    this.#sqlite.exec('BEGIN');
    try {
      const put = this.#sqlite.prepare('INSERT OR REPLACE INTO tables VALUES (?, ?)');
      for (const [name, table] of changed) put.run(name, JSON.stringify(table));
      this.#sqlite.exec('COMMIT');
    } catch (error) {
      // SQLite itself rolls back at some errors, as at a full disk
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
      throw error;
    }
    for (const [, table] of changed) table.isChanged = false;
  }

  close(): void {
    this.#sqlite.close();
  }
}
