/** The SQLite file of the history: how it is opened, and its tables. */
import { DatabaseSync } from 'node:sqlite';
import { HostNodeError, hasCode } from '../../base/errors.ts';

/** The format of the file. Released statements stay as they are; another format gets another number, and a way to it. */
const FORMAT = 1;

/** As SQLite keeps them. */
const tables: ReadonlySet<unknown> = new Set([
  `CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL, udid TEXT,
    slot TEXT, usb_path TEXT, hub TEXT, devpath TEXT, rest TEXT NOT NULL, sum INTEGER NOT NULL) STRICT`,
  'CREATE INDEX events_of_phone ON events (udid) WHERE udid IS NOT NULL',
  'CREATE INDEX events_of_slot ON events (slot) WHERE slot IS NOT NULL',
  'CREATE INDEX events_of_port ON events (usb_path) WHERE usb_path IS NOT NULL',
  'CREATE INDEX events_of_hub ON events (hub) WHERE hub IS NOT NULL',
  'CREATE INDEX events_of_none ON events (kind) WHERE udid IS NULL',
  `CREATE TABLE samples (udid TEXT NOT NULL, at INTEGER NOT NULL, level REAL, temperature REAL, is_full INTEGER,
    storage_used REAL, PRIMARY KEY (udid, at)) STRICT, WITHOUT ROWID`,
  'CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
]);
/** SQLite makes it for AUTOINCREMENT. */
const SEQUENCE = 'CREATE TABLE sqlite_sequence(name,seq)';

/** Another agent's lock may be about to go, ms. */
const LOCK_WAIT_MS = 1000;

/** The file is not one that we can use. */
export class UnfitFileError extends HostNodeError {
  readonly code = 'HISTORY_UNFIT';
  readonly word: 'damaged' | 'newer';

  constructor(word: 'damaged' | 'newer', message: string) {
    super(message);
    this.word = word;
  }
}

/**
 * Opens the file, which must exist, or a history in memory, and brings it to our version.
 *
 * A transaction that has ended survives a kill and, where the disk keeps its word, a power cut (`synchronous`). What is
 * erased is overwritten (`secure_delete`). Only one process may have the file open (`locking_mode`): this also spares
 * the file of shared memory, which network disks do not have.
 *
 * @param path `:memory:` for none
 * @param isWhole it was found to be whole, and nobody wrote it since: finding that takes half a second for a large file
 * @throws {UnfitFileError} it is damaged, or a newer hostnode wrote it; it is unchanged
 * @throws {Error} SQLite's, with `errcode`
 */
export function openDatabase(path: string, { isWhole = false } = {}): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: LOCK_WAIT_MS });
  try {
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      PRAGMA mmap_size = 0; PRAGMA cache_size = -1024; PRAGMA temp_store = MEMORY;`);
    const format = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    const newer = `was written by a newer hostnode (version ${format}, this one reads ${FORMAT})`;
    if (format > FORMAT) throw new UnfitFileError('newer', newer);
    if (format < 0) throw new UnfitFileError('damaged', `is damaged (version ${format})`);
    if (format === 0 && database.prepare('SELECT name FROM sqlite_schema').get() !== undefined)
      throw new UnfitFileError('damaged', 'is the database of another program');
    // 0.1.0 had it incremental: one may become the other at any time
    if (database.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum !== 1)
      database.exec('PRAGMA auto_vacuum = FULL');
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
      PRAGMA wal_autocheckpoint = 256; PRAGMA journal_size_limit = 0;`);
    if (format === 0)
      database.exec(`BEGIN; ${[...tables].join('; ')}; INSERT INTO meta VALUES ('madeAt', '${Date.now()}');
        PRAGMA user_version = ${FORMAT}; COMMIT`);
    if (!hasOurTables(database)) throw new UnfitFileError('damaged', 'is damaged (its tables are not ours)');
    const fault = isWhole ? 'ok' : database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (fault !== 'ok') throw new UnfitFileError('damaged', `is damaged (${String(fault).slice(0, 200)})`);
    database.exec('BEGIN IMMEDIATE; ROLLBACK'); // fails where the disk is read-only
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get(); // of an agent that was killed
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Are they all there, and no other table, index, view or trigger? A statement of another's could read for ever, or change
 * what we write.
 */
function hasOurTables(database: DatabaseSync): boolean {
  // SQLite's own indexes have no statement
  const found = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  return found.length === tables.size + 1 && found.every(({ sql }) => sql === SEQUENCE || tables.has(sql));
}

/** SQLite's result codes that we tell apart: sqlite.org/rescode.html. */
const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Does the error mean that the file is damaged? */
export const isDamage = (error: unknown): boolean =>
  (error instanceof UnfitFileError && error.word === 'damaged') ||
  [CORRUPT, NOT_A_DATABASE].includes(resultCode(error)) ||
  // we write no such number: a bit of it has changed
  (hasCode(error, 'ERR_OUT_OF_RANGE') && String(error).includes('too large to be represented'));

/** Why SQLite fails, in words; undefined if the error is not SQLite's. */
export function sqliteReason(error: unknown): string | undefined {
  if (resultCode(error) === 0 || !(error instanceof Error)) return undefined;
  return resultCode(error) === BUSY ? 'another agent uses it' : error.message;
}

/** SQLite's primary result code; 0 if the error is not SQLite's. */
export const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
