/** An answer of the cloud as a table, as JSON, or as tab-separated values. */
import type * as z from 'zod';
import { escaped } from '../../base/printable.ts';
import type { Line } from '../../base/styled-text.ts';
import { say, terminalWidth, write } from '../terminal.ts';
import { bare, listOf, masked, pairsOf, type Row } from './answer-shape.ts';

export const FORMATS = ['table', 'json', 'tsv'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * Prints an answer on standard output: as `output` says, else as a table on a terminal and as TSV elsewhere. Columns come
 * from the schema, so that they do not depend on the answer; JSON has all that was received. Secrets are masked.
 */
export async function sayAnswer(
  answer: unknown,
  schema: z.ZodType,
  output: Format | undefined,
): Promise<void> {
  const format = output ?? (process.stdout.isTTY ? 'table' : 'tsv');
  if (format === 'tsv') write(process.stdout, tsvOf(answer, schema));
  else say(...(await answerLines(answer, schema, format, terminalWidth(process.stdout))));
}

/** @param width columns of the terminal */
export async function answerLines(
  answer: unknown,
  schema: z.ZodType,
  format: 'table' | 'json',
  width?: number,
): Promise<Line[]> {
  const shown = masked(answer, schema);
  if (format === 'json') return [JSON.stringify(shown, null, 2)];
  // loaded here: it measures text, which takes long to load
  return (await import('./answer-table.ts')).answerTable(shown, schema, width);
}

/** Lines of cells: of a list one line an item, without titles; of anything else one line a value. */
export function tsvOf(answer: unknown, schema: z.ZodType): string {
  const shown = masked(answer, schema);
  const list = listOf(shown, bare(schema));
  const lines =
    list === undefined
      ? pairsOf(shown as Row).map(({ name, value }) => [name, value])
      : list.rows.map((row) => list.columns.map((column) => row[column]));
  return lines.map((cells) => `${cells.map(tsvCell).join('\t')}\n`).join('');
}

/**
 * A value for a program, without control characters: a tab, a line end and a backslash are written as \t, \n, \r and \\;
 * lists and objects as JSON.
 */
function tsvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return escaped(text.replace(/[\\\t\n\r]/g, (sign) => TSV_ESCAPES[sign] ?? sign));
}

const TSV_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
