/** Reads what is left of a damaged file. */
import type { DatabaseSync } from 'node:sqlite';
import type { PhoneSample } from './change.ts';
import { openReadOnly } from './database.ts';
import { type EventRow, eventIn } from './event-row.ts';
import { Samples } from './samples.ts';
import { statementsOf } from './statements.ts';

export interface Salvaged {
  rows: EventRow[];
  samples: PhoneSample[];
  meta: [name: string, value: string][];
}

const AT_ONCE = 200;
/** After so many ids in a row that cannot be read, nothing more is expected. */
const MOST_MISSED = 5000;

/**
 * Gives what can be read, some rows at a time. Each event is whole: its checksum says so.
 *
 * @param path of a file that nobody writes; it is not changed
 */
export function* salvage(path: string): Generator<Salvaged> {
  const database = attempt(() => openReadOnly(path));
  if (database === undefined) return;
  try {
    const meta = attempt(() => database.prepare('SELECT name, value FROM meta').all()) ?? [];
    yield { rows: [], samples: [], meta: meta.map(({ name, value }) => [String(name), String(value)]) };
    for (const rows of eventRows(database)) yield { rows, samples: [], meta: [] };
    const samples = attempt(() => new Samples(statementsOf(database)).all()) ?? [];
    for (let at = 0; at < samples.length; at += AT_ONCE)
      yield { rows: [], samples: samples.slice(at, at + AT_ONCE), meta: [] };
  } finally {
    database.close();
  }
}

/** A page that is damaged costs the rows of that page. */
function* eventRows(database: DatabaseSync): Generator<EventRow[]> {
  const prepared = statementsOf(database);
  const read = (condition: string, ...values: number[]) =>
    attempt(() => prepared(`SELECT * FROM events WHERE ${condition}`).all(...values)) as
      | EventRow[]
      | undefined;
  for (let [from, missed] = [1, 0]; missed < MOST_MISSED; ) {
    const rows = read('id >= ? ORDER BY id LIMIT ?', from, AT_ONCE);
    if (rows?.length === 0) return;
    const each =
      rows ?? Array.from({ length: AT_ONCE }, (_, index) => read('id = ?', from + index) ?? []).flat();
    const whole = each.filter((row) => eventIn(row) !== undefined);
    yield whole;
    missed = whole.length > 0 ? 0 : missed + AT_ONCE;
    // ids that were erased are passed in one step
    from = rows === undefined ? from + AT_ONCE : Math.max(from, whole.at(-1)?.id ?? from + AT_ONCE) + 1;
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
