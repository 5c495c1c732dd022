/** An answer of the cloud as a table, as JSON, or as tab-separated values, with the names that the contract gives it. */
import * as z from 'zod';
import { exitCode } from '../../base/exit-code.ts';
import { escaped, visible } from '../../base/printable.ts';
import { inner, schemaAt } from '../../base/schema.ts';
import type { Line } from '../../base/styled-text.ts';
import type { Block } from '../columns.ts';
import { CommandError, say, terminalWidth, UsageError, write } from '../terminal.ts';

export const FORMATS = ['table', 'json', 'tsv'] as const;
export type Format = (typeof FORMATS)[number];

export interface AnswerOptions {
  output?: Format;
  /** As JSON; of some fields only, if it names them, with commas. */
  json?: true | string;
}

/**
 * Prints an answer on standard output: as `output` says, else as a table on a terminal and as TSV elsewhere. Columns come
 * from the schema, so that they do not depend on the answer; JSON has all that was received. Secrets are masked.
 */
export async function sayAnswer(
  answer: unknown,
  schema: z.ZodType,
  { output, json }: AnswerOptions,
): Promise<void> {
  const format = output ?? (json === undefined ? (process.stdout.isTTY ? 'table' : 'tsv') : 'json');
  try {
    if (typeof json === 'string') say(JSON.stringify(picked(answer, schema, json.split(',')), null, 2));
    else if (format === 'tsv') write(process.stdout, tsvOf(answer, schema));
    else say(...(await answerLines(answer, schema, format, terminalWidth(process.stdout))));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(exitCode.cloud, 'the answer is not one of this API: it is nested too deep');
  }
}

/** The fields that `--json` may name: of the entries of a list, or of the lists in an object; else of the object. */
function fieldsOf(schema: z.ZodType): readonly string[] {
  const object = bare(schema);
  const list = listOf(object instanceof z.ZodArray ? [] : {}, object);
  if (list !== undefined) return list.columns.filter((name) => name !== LIST);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

/** Checks the fields of `--json` before anything is sent: a value behind it may have been meant as an argument. */
export function checkFields(schema: z.ZodType | undefined, { json }: AnswerOptions): void {
  if (schema === undefined || typeof json !== 'string') return;
  const known = fieldsOf(schema);
  const unknown = json.split(',').filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`--json ${unknown.join()}: unknown; known are ${known.join(', ')}`);
}

export function picked(answer: unknown, schema: z.ZodType, names: readonly string[]): unknown {
  const shown = masked(answer, schema);
  const pick = (row: unknown) =>
    isRow(row) ? Object.fromEntries(names.flatMap((name) => (name in row ? [[name, row[name]]] : []))) : row;
  if (Array.isArray(shown)) return shown.map(pick);
  if (listOf(shown, bare(schema)) === undefined) return pick(shown);
  const lists = Object.entries(shown as Row).map(([name, list]) => [name, listIn(list).map(pick)]);
  return Object.fromEntries(lists);
}

export async function answerLines(
  answer: unknown,
  schema: z.ZodType,
  format: 'table' | 'json',
  width?: number,
): Promise<Line[]> {
  const shown = masked(answer, schema);
  if (format === 'json') return [JSON.stringify(shown, null, 2)];
  const { fitted, layOut } = await import('../columns.ts'); // measures text, which takes long to load
  const tableOf = ({ columns, rows }: Grid): Block => {
    const titles = columns.map((column) => ({ title: titleOf(column), leastWidth: 12 }));
    // addresses are long, and what comes last matters least
    const dispensable = [...columns.filter(isAddress), ...columns.slice(2).toReversed()].map(titleOf);
    const cells = rows.map((row) => columns.map((column) => cell(row[column])));
    return layOut(titles, cells, dispensable);
  };
  const list = listOf(shown, bare(schema));
  if (list !== undefined) return fitted([tableOf(list)], width);
  // values one below the other, then the lists of objects as tables
  const pairs = pairsOf(shown as Row);
  const single = pairs
    .filter(([, value]) => !isTable(value))
    .map(([name, value]) => [visible(name), cell(value)]);
  const tables = pairs.flatMap(([name, value]) =>
    isTable(value)
      ? [
          '',
          `${visible(name)}:`,
          tableOf(gridOf(value, bare(schemaAt(bare(schema), name.split('.')) ?? z.unknown()))),
        ]
      : [],
  );
  return [...fitted([layOut(['FIELD', 'VALUE'], single)], width).slice(1), ...fitted(tables, width)];
}

/** Lines of cells: of a list one line an item, without titles; of anything else one line a value. */
export function tsvOf(answer: unknown, schema: z.ZodType): string {
  const shown = masked(answer, schema);
  const list = listOf(shown, bare(schema));
  const lines =
    list === undefined
      ? pairsOf(shown as Row)
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
  return escaped(text.replace(/[\\\t\n\r]/g, (sign) => JSON.stringify(sign).slice(1, -1)));
}

const isAddress = (column: string): boolean => column.endsWith('Url');

/** `DEVICE NAME` of deviceName, `BOOKED` of isBooked. */
const titleOf = (column: string): string =>
  column
    .replace(/^is(?=[A-Z])/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toUpperCase();

/** A value for a person: one line, with every control character made visible. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(nameIn).join(', ');
  return isRow(value) ? Object.values(value).map(cell).join(' ') : visible(String(value));
}

const nameIn = (item: unknown): string => {
  if (!isRow(item)) return cell(item);
  const { name, version, id } = item;
  return [name ?? (version === undefined ? id : undefined), version]
    .map(cell)
    .filter((text) => text !== '')
    .join(' ');
};

type Row = Readonly<Record<string, unknown>>;

interface Grid {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** The column of a row's list, where an answer has several lists of one kind. */
const LIST = 'list';

/** Deeper objects of an answer are one value. */
const DEEPEST = 8;

/** An answer that is one list, or an object of nothing but lists of one kind. */
function listOf(answer: unknown, schema: z.ZodType): Grid | undefined {
  if (Array.isArray(answer)) return gridOf(answer, schema);
  if (!(schema instanceof z.ZodObject) || !isRow(answer)) return undefined;
  const fields = Object.entries<z.ZodType>(schema.shape);
  if (fields.length < 2 || !fields.every(([, field]) => bare(field) instanceof z.ZodArray)) return undefined;
  const grids = fields.map(([name, field]) => ({ name, ...gridOf(listIn(answer[name]), bare(field)) }));
  return {
    columns: [LIST, ...(grids[0]?.columns ?? [])],
    rows: grids.flatMap(({ name, rows }) => rows.map((row) => ({ ...row, [LIST]: name }))),
  };
}

/** Rows that no schema describes have the columns that are in them. */
function gridOf(list: readonly unknown[], schema: z.ZodType): Grid {
  const element = schema instanceof z.ZodArray ? bare(schema.element as z.ZodType) : schema;
  const rows = list.map((each) => (isRow(each) ? each : { value: each }));
  const columns =
    element instanceof z.ZodObject
      ? Object.keys(element.shape)
      : [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { columns, rows };
}

/** An object's values; those of objects in it have names with dots. */
const pairsOf = (object: Row, above: readonly string[] = []): [name: string, value: unknown][] =>
  Object.entries(object).flatMap(([key, value]) => {
    const path = [...above, key];
    return isRow(value) && path.length < DEEPEST ? pairsOf(value, path) : [[path.join('.'), value]];
  });

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The schema of the value itself; of several kinds the first. */
function bare(schema: z.ZodType): z.ZodType {
  const within = inner(schema);
  if (within instanceof z.ZodUnion) return bare(within.options[0] as z.ZodType);
  return within instanceof z.ZodPipe ? bare(within.in as z.ZodType) : within;
}

/** Without the values that the contract calls secret. */
function masked(answer: unknown, schema: z.ZodType): unknown {
  const object = bare(schema);
  if (!(object instanceof z.ZodObject) || !isRow(answer)) return answer;
  const secret = Object.entries<z.ZodType>(object.shape).filter(([, field]) => field.meta()?.secret === true);
  return { ...answer, ...Object.fromEntries(secret.map(([name]) => [name, '***'])) };
}

/** What an answer lists as failed, although the request succeeded: `failedDevices`, `failedActions`, `failed`. */
export const failuresIn = (answer: unknown): string[] =>
  (isRow(answer) ? pairsOf(answer) : []).flatMap(([name, value]) => {
    const last = name.slice(name.lastIndexOf('.') + 1);
    const count = Array.isArray(value) ? value.length : value;
    return last.startsWith('failed') && typeof count === 'number' && count > 0 ? [`${last}: ${count}`] : [];
  });
