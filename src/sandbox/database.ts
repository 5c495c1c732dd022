/** Keeps the tables in an SQLite file: a row is JSON. All changes of a request are one transaction. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Journal, Kept, Row } from './table.ts';

const FORMAT = 1;

/** @throws {Error} the file cannot be opened, or is not a sandbox's */
export class Database {
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
  }

  /** All tables as they were kept. */
  read(): Map<string, Kept> {
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

  /** Writes what changed: all of it, or after a crash nothing. */
  commit(): void {
    if (this.#changes.length === 0) return;
    const changes = this.#changes;
    this.#changes = [];
    this.#sqlite.exec('BEGIN');
    try {
      for (const change of changes) change();
      this.#sqlite.exec('COMMIT');
    } catch (error) {
      this.#sqlite.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#sqlite.close();
  }
}
