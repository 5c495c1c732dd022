/** Statements of a database, each prepared once: SQLite's memory of one is only given back when Node collects it. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

export function statementsOf(database: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
