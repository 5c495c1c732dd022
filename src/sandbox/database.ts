/** Keeps the tables in an SQLite file: a row is JSON. All changes of a request are one transaction. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Kept, type Row, Table } from './table.ts';

const FORMAT = 1;

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
    const names = this.#sqlite.prepare('SELECT name FROM sqlite_schema').all();
    if (names.length > 0 && !(format === FORMAT && names.some(({ name }) => name === 'rows')))
      throw new Error('it is the database of another program');
    this.#sqlite.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA user_version = ${FORMAT};
      CREATE TABLE IF NOT EXISTS rows (name TEXT, id INTEGER, json TEXT NOT NULL, PRIMARY KEY (name, id));
      CREATE TABLE IF NOT EXISTS last_ids (name TEXT PRIMARY KEY, id INTEGER NOT NULL);`);
    const rows = Map.groupBy(
      this.#sqlite.prepare('SELECT name, json FROM rows ORDER BY id').all(),
      ({ name }) => name,
    );
    const lastIds = this.#sqlite.prepare('SELECT name, id FROM last_ids').all();
    this.kept = new Map(
      lastIds.map(({ name = null, id }) => {
        const ofTable = (rows.get(name) ?? []).map(({ json }) => JSON.parse(String(json)));
        return [String(name), { rows: ofTable, lastId: Number(id) }];
      }),
    );
  }

  /**
   * Writes the rows of the state that changed: all of them, or after a crash none.
   *
   * @throws {Error} they cannot be written, e.g. on a full disk; the next commit tries again
   */
  commit(state: object): void {
    const changed = Object.entries(state).filter(
      (each): each is [string, Table<Row>] =>
        each[1] instanceof Table && (each[1].isNew || each[1].changed.size > 0),
    );
    if (changed.length === 0) return;
    this.#sqlite.exec('BEGIN');
    try {
      const put = this.#sqlite.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?, ?)');
      const remove = this.#sqlite.prepare('DELETE FROM rows WHERE name = ? AND id = ?');
      const count = this.#sqlite.prepare('INSERT OR REPLACE INTO last_ids VALUES (?, ?)');
      const clear = this.#sqlite.prepare('DELETE FROM rows WHERE name = ?');
      for (const [name, table] of changed) {
        if (table.isNew) clear.run(name);
        for (const id of table.changed) {
          const row = table.get(id);
          if (row === undefined) remove.run(name, id);
          else put.run(name, id, JSON.stringify(row));
        }
        count.run(name, table.lastId);
      }
      this.#sqlite.exec('COMMIT');
    } catch (error) {
      // SQLite itself rolls back at some errors, as at a full disk
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
      throw error;
    }
    for (const [, table] of changed) {
      table.isNew = false;
      table.changed.clear();
    }
  }

  close(): void {
    this.#sqlite.close();
  }
}
