/** What an answer is made of: lists and single values, with the names that the contract gives them. Pure. */
import * as z from 'zod';
import { inner } from '../../base/schema.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Rows with the same columns. */
export interface Grid {
  readonly title?: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** The column of a row's list, where an answer has several lists of one kind. */
const LIST = 'list';

/** Deeper objects of an answer are one value. */
const DEEPEST = 8;

/** An answer that is one list, or an object of nothing but lists of one kind. */
export function listOf(answer: unknown, schema: z.ZodType): Grid | undefined {
  if (Array.isArray(answer)) return gridOf(answer, schema);
  if (!(schema instanceof z.ZodObject) || !isRow(answer)) return undefined;
  const fields = Object.entries<z.ZodType>(schema.shape);
  if (fields.length < 2 || !fields.every(([, field]) => bare(field) instanceof z.ZodArray)) return undefined;
  const [first] = fields;
  const grids = fields.map(([name, field]) => ({ name, grid: gridOf(listIn(answer[name]), bare(field)) }));
  return {
    columns: [LIST, ...gridOf([], bare(first?.[1] ?? schema)).columns],
    rows: grids.flatMap(({ name, grid }) => grid.rows.map((row) => ({ ...row, [LIST]: name }))),
  };
}

/** Rows that no schema describes have the columns that are in them. */
export function gridOf(list: readonly unknown[], schema: z.ZodType, title?: string): Grid {
  const element = schema instanceof z.ZodArray ? bare(schema.element as z.ZodType) : schema;
  const rows = list.map((each) => (isRow(each) ? each : { value: each }));
  const columns =
    element instanceof z.ZodObject
      ? Object.keys(element.shape)
      : [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { ...(title !== undefined && { title }), columns, rows };
}

/** The schema of a name with dots. */
export const fieldAt = (shape: Record<string, z.ZodType>, name: string): z.ZodType | undefined => {
  const [first = '', ...rest] = name.split('.');
  const field = shape[first];
  if (field === undefined || rest.length === 0) return field;
  const below = bare(field);
  return below instanceof z.ZodObject ? fieldAt(below.shape, rest.join('.')) : undefined;
};

export interface Pair {
  readonly name: string;
  readonly value: unknown;
}

/** An object's values; those of objects in it have names with dots. */
export const pairsOf = (object: Row, above: readonly string[] = []): Pair[] =>
  Object.entries(object).flatMap(([key, value]) => {
    const path = [...above, key];
    return isRow(value) && path.length < DEEPEST ? pairsOf(value, path) : [{ name: path.join('.'), value }];
  });

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The schema of the value itself; of several kinds the first. */
export function bare(schema: z.ZodType): z.ZodType {
  const within = inner(schema);
  if (within instanceof z.ZodUnion) return bare(within.options[0] as z.ZodType);
  return within instanceof z.ZodPipe ? bare(within.in as z.ZodType) : within;
}

/** Without the values that the contract calls secret. */
export function masked(answer: unknown, schema: z.ZodType): unknown {
  const object = bare(schema);
  if (!(object instanceof z.ZodObject) || !isRow(answer)) return answer;
  const secret = Object.entries<z.ZodType>(object.shape).filter(([, field]) => field.meta()?.secret === true);
  return { ...answer, ...Object.fromEntries(secret.map(([name]) => [name, '***'])) };
}

/**
 * What an answer lists as failed, although the request succeeded: `failedDevices`, `failedActions`, `failed`.
 *
 * @returns names with how many
 */
export const failuresIn = (answer: unknown): string[] =>
  (isRow(answer) ? pairsOf(answer) : []).flatMap(({ name, value }) => {
    const last = name.slice(name.lastIndexOf('.') + 1);
    const count = Array.isArray(value) ? value.length : value;
    return last.startsWith('failed') && typeof count === 'number' && count > 0 ? [`${last}: ${count}`] : [];
  });
