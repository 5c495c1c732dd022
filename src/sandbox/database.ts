/** Keeps the tables in an SQLite file: a row is JSON. All changes of a request are one transaction. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Journal, Kept, Row } from './table.ts';

const FORMAT = 1;

/** @throws {Error} the file cannot be opened, is damaged, or is not a sandbox's */
export class Database {
  /** All tables as they were kept. */
  readonly kept: ReadonlyMap<string, Kept>;
  readonly #sqlite: DatabaseSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #count: StatementSync;
  #changes: (() => void)[] = [];

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
      CREATE TABLE IF NOT EXISTS rows (name TEXT, id INTEGER, json TEXT NOT NULL, PRIMARY KEY (name, id));
      CREATE TABLE IF NOT EXISTS last_ids (name TEXT PRIMARY KEY, id INTEGER NOT NULL);`);
    this.#put = this.#sqlite.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?, ?)');
    this.#remove = this.#sqlite.prepare('DELETE FROM rows WHERE name = ? AND id = ?');
    this.#count = this.#sqlite.prepare(
      'INSERT INTO last_ids VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET id = max(id, excluded.id)',
    );
    this.kept = this.#read();
  }

  #read(): Map<string, Kept> {
    const tables = new Map<string, { rows: Row[]; lastId: number }>();
    for (const { name, id } of this.#sqlite.prepare('SELECT name, id FROM last_ids').all())
      tables.set(String(name), { rows: [], lastId: Number(id) });
    for (const { name, json } of this.#sqlite.prepare('SELECT name, json FROM rows ORDER BY id').all())
      tables.get(String(name))?.rows.push(JSON.parse(String(json)));
    return tables;
  }

  /** Notes a change, for the next `commit`. */
  readonly journal: Journal = (name, id, row) => {
    this.#changes.push(() => {
      if (row === undefined) this.#remove.run(name, id);
      else this.#put.run(name, id, JSON.stringify(row));
      this.#count.run(name, id);
    });
  };

  /** Forgets all tables, with the next `commit`. */
  clear(): void {
    this.#changes = [() => this.#sqlite.exec('DELETE FROM rows; DELETE FROM last_ids')];
  }

  /**
   * Writes what changed: all of it, or after a crash nothing.
   *
   * @throws {Error} it cannot be written, e.g. on a full disk; the next commit tries again
   */
  commit(): void {
    if (this.#changes.length === 0) return;
    this.#sqlite.exec('BEGIN');
    try {
      for (const change of this.#changes) change();
      this.#sqlite.exec('COMMIT');
      this.#changes = [];
    } catch (error) {
      // SQLite itself rolls back at some errors, as at a full disk
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#sqlite.close();
  }
}
