/**
 * What the sources of the configuration (files, environment) say, entry by entry: a key, its value, and where that stands.
 * Each entry is checked on its own, so that every problem names its place, and a wrong one costs no other.
 */

import * as z from 'zod';
import { attempt } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { allowed, inner, schemaAt } from '../base/schema.ts';
import { pathText, valueAt } from '../base/words.ts';
import { configKeys, keyOf, sectionOf } from './keys.ts';
import { settings } from './schema.ts';

/** Nested plain objects, as written. */
export type Tree = { [key: string]: unknown };

export interface Entry {
  /** Of a key; where a source has what it must not have, of a section, or of nothing that we know. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** Where the value, or a part of it, was written: `hostnode.yaml:12`, `HOSTNODE_ADB_PORT`. */
  readonly where: (part?: readonly PropertyKey[]) => string;
}

/** A file as it is written. */
export interface Layer {
  readonly values: Tree;
  where(path: readonly PropertyKey[]): string;
}

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In the order of the schema; in each section what it does not know comes last. */
export const entriesIn = ({ values, where }: Layer, schema: z.ZodObject = settings): Entry[] =>
  entriesBelow(schema, values, [], where);

function entriesBelow(
  { shape }: z.ZodObject,
  tree: Tree,
  above: readonly string[],
  where: Layer['where'],
): Entry[] {
  const names = new Set([...Object.keys(shape), ...Object.keys(tree)]);
  return [...names].flatMap((name): Entry[] => {
    if (!Object.hasOwn(tree, name)) return [];
    const path = [...above, name];
    const value = tree[name];
    const section = Object.hasOwn(shape, name) ? sectionOf(shape[name]) : undefined;
    if (section !== undefined && isTree(value)) return entriesBelow(section, value, path, where);
    return [{ path, value, where: (part = []) => where([...path, ...part]) }];
  });
}

/** The values of the entries, nested. */
export function treeOf(entries: Iterable<Entry>): Tree {
  const tree: Tree = {};
  for (const { path, value } of entries) {
    let at = tree;
    for (const part of path.slice(0, -1)) {
      at[part] ??= {};
      at = at[part] as Tree;
    }
    at[path.at(-1) ?? ''] = value;
  }
  return tree;
}

/**
 * One problem as a line: the key, its value, its place, and what is allowed. Never shows a secret, nor a value that may
 * hold one: a value in place of a section, or a list or section in place of a key of `cloud`, or an entry of `notify`.
 *
 * @param part of the entry's value
 */
export function problemLine(entry: Entry, part: readonly PropertyKey[] = [], more = '', otherwise = '') {
  const path = [...entry.path, ...part];
  const schema = schemaAt(settings, path);
  const mustBe = (schema === undefined ? otherwise : allowed(schema)) + more;
  const key = keyOf(path);
  const value = valueAt(entry.value, part);
  const isList = key?.name === 'notify' && path.length < 3; // its entries have addresses
  const mayHoldSecret = key === undefined || isList || (key.path[0] === 'cloud' && typeof value === 'object');
  const secret = [key?.schema, schema].some((each) => each?.meta()?.secret === true);
  const shown = secret ? '***' : mayHoldSecret ? undefined : shortened(value);
  return `${pathText(path)}${shown === undefined ? '' : ` = ${shown}`} (${entry.where(part)}): must be ${mustBe}`;
}

/** As JSON; undefined if there is no value, or none that JSON can hold (an alias within its anchor, deep nesting). */
const shortened = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : attempt(() => JSON.stringify(value))?.slice(0, 80);

interface Problem {
  /** Of the part of the value. */
  readonly part: readonly PropertyKey[];
  readonly line: string;
  /** The key that an unknown one probably means. */
  readonly meant?: string;
}

/** The section at this path, or the nearest one that has it. */
function sectionAround(path: readonly PropertyKey[]): z.ZodObject {
  const schema = schemaAt(settings, path);
  return (schema && sectionOf(schema)) ?? sectionAround(path.slice(0, -1));
}

function unknownKey(entry: Entry, part: readonly PropertyKey[]): Problem {
  const path = [...entry.path, ...part];
  const above = path.slice(0, -1);
  const siblings = Object.keys(sectionAround(above).shape);
  const isInValue = keyOf(above) !== undefined;
  const beside = siblings.map((key) => pathText([...above, key]));
  const known = isInValue ? beside : [...beside, ...configKeys.map((key) => key.name)];
  const meant = nearest(pathText(path), known);
  const remedy = meant === undefined ? `allowed here: ${siblings.join(', ')}` : `did you mean ${meant}?`;
  const line = `${pathText(path)} (${entry.where(part)}): unknown key; ${remedy}`;
  return meant === undefined ? { part, line } : { part, line, meant };
}

function problemsOf(issue: z.core.$ZodIssue, entry: Entry): Problem[] {
  const { path: part } = issue;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(entry, [...part, key]));
  if (issue.code === 'invalid_key') return [{ part, line: wrongNameLine(entry, part) }];
  const remedy =
    issue.code === 'invalid_type' ? quotesRemedy(issue.expected, valueAt(entry.value, part)) : '';
  return [{ part, line: problemLine(entry, part, remedy, issue.message) }];
}

/** A name that a person chose for an entry, as in `clouds`. */
function wrongNameLine(entry: Entry, part: readonly PropertyKey[]): string {
  const above = [...entry.path, ...part.slice(0, -1)];
  const entries = inner(schemaAt(settings, above) ?? settings);
  const mustBe = entries instanceof z.ZodRecord ? allowed(entries.keyType as z.ZodType) : 'another one';
  const name = JSON.stringify(String(part.at(-1))).slice(0, 80);
  return `${pathText(above)} (${entry.where(part)}): the name ${name} must be ${mustBe}`;
}

/** In quotes a number, true or false is text. */
function quotesRemedy(expected: string, value: unknown): string {
  if (expected === 'string') {
    return ['number', 'boolean'].includes(typeof value) ? ': put it in quotes' : '';
  }
  const asWritten: Record<string, RegExp> = { number: /^-?\d+(\.\d+)?$/, boolean: /^(true|false)$/ };
  return typeof value === 'string' && asWritten[expected]?.test(value) ? ': remove the quotes' : '';
}

const isBelow = (path: readonly PropertyKey[], above: readonly PropertyKey[]) =>
  path.length > above.length && above.every((part, index) => part === path[index]);

/**
 * What is wrong with an entry; nothing if it counts. If both a value and a part of it are wrong, only the part; if a key is
 * missing and probably misspelt, only the misspelt one.
 */
export function problemsIn(entry: Entry): Pick<Problem, 'line' | 'meant'>[] {
  const schema = schemaAt(settings, entry.path);
  if (schema === undefined) return [unknownKey(entry, [])];
  if (keyOf(entry.path) === undefined) return [{ line: problemLine(entry) }];
  const issues = schema.safeParse(entry.value).error?.issues ?? [];
  const found = issues.flatMap((issue) => problemsOf(issue, entry));
  const isMisspelt = (part: readonly PropertyKey[]) =>
    valueAt(entry.value, part) === undefined &&
    found.some(({ meant }) => meant === pathText([...entry.path, ...part]));
  return found.filter(({ part }) => !isMisspelt(part) && !found.some((other) => isBelow(other.part, part)));
}
