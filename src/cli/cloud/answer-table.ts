/** An answer as a table for a person. Pure. */
import * as z from 'zod';
import { visible } from '../../base/printable.ts';
import type { Line } from '../../base/styled-text.ts';
import { layOut } from '../columns.ts';
import { bare, fieldAt, type Grid, gridOf, isRow, listOf, pairsOf, type Row } from './answer-shape.ts';

/** @param width columns of the terminal */
export function answerTable(answer: unknown, schema: z.ZodType, width?: number): Line[] {
  const list = listOf(answer, bare(schema));
  return list === undefined ? objectLines(answer as Row, bare(schema), width) : tableOf(list, width);
}

/** Values one below the other, then its lists as tables. */
function objectLines(answer: Row, schema: z.ZodType, width?: number): Line[] {
  const shape: Record<string, z.ZodType> = schema instanceof z.ZodObject ? schema.shape : {};
  const pairs = pairsOf(answer);
  const grids = pairs.flatMap(({ name, value }) => {
    const isTable = Array.isArray(value) && value.length > 0 && value.every(isRow);
    return isTable ? [gridOf(value, bare(fieldAt(shape, name) ?? z.unknown()), name)] : [];
  });
  const tables = grids.map(({ title }) => title);
  const single = pairs.filter(({ name }) => !tables.includes(name));
  const titles = [{ title: 'FIELD' }, { title: 'VALUE' }];
  const rows = single.map(({ name, value }) => [visible(name), cell(value)]);
  return [
    ...layOut(titles, rows, { width }).slice(1),
    ...grids.flatMap((grid) => ['', `${visible(grid.title ?? '')}:`, ...tableOf(grid, width)]),
  ];
}

function tableOf({ columns, rows }: Grid, width?: number): Line[] {
  const titled = columns.map((column) => ({ title: titleOf(column), leastWidth: 12 }));
  // addresses are long, and what comes last matters least
  const dispensable = [...columns.filter(isAddress), ...columns.slice(2).toReversed()].map(titleOf);
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  return layOut(titled, cells, { width, dispensable: [...new Set(dispensable)] });
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

/** An item of a list, in short. */
const nameIn = (item: unknown): string => {
  if (!isRow(item)) return cell(item);
  const { name, version, id } = item;
  return [name ?? (version === undefined ? id : undefined), version]
    .map(cell)
    .filter((text) => text !== '')
    .join(' ');
};
