/**
 * A layer: the values of one source (a file, the environment), and where each stands. We check each layer on its own,
 * so that every problem names its source, and then merge the valid values.
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

export interface Layer {
  readonly values: Tree;
  /** Where a value was written: `hostnode.yaml:12`, `HOSTNODE_ADB_PORT`. */
  where(path: readonly PropertyKey[]): string;
}

/** `values` are those that have no problem. */
export interface CheckedLayer extends Layer {
  /** Keys that unknown ones probably mean: `cloud.baseUrl` for `cloud.baseURL`. */
  readonly meant: readonly string[];
  readonly problems: readonly string[];
}

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy of `tree` without the value at `path`. */
function without(tree: Tree, [first, ...rest]: readonly PropertyKey[]): Tree {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      if (key !== first) return [[key, value]];
      return rest.length > 0 && isTree(value) ? [[key, without(value, rest)]] : [];
    }),
  );
}

const isNone = (_path: readonly string[]): boolean => false;

/**
 * `upper` over `lower`, section by section.
 *
 * @param isJoined true for the path of a list to which the upper layer adds
 */
export function overlay(lower: Tree, upper: Tree, isJoined = isNone, above: readonly string[] = []): Tree {
  const merged = Object.entries(upper).map(([key, value]) => {
    const below = lower[key];
    const path = [...above, key];
    if (isTree(below) && isTree(value)) return [key, overlay(below, value, isJoined, path)];
    if (isJoined(path) && Array.isArray(below) && Array.isArray(value)) return [key, [...below, ...value]];
    return [key, value];
  });
  return { ...lower, ...Object.fromEntries(merged) };
}

/** The keys of `cloud` that say the API key. */
export const keySources = ['apiKey', 'apiKeyFile'];

/** Lays `upper` over `lower`. A key in the upper layer replaces a key file in the lower one, and vice versa. */
export function overlayKeys(lower: Tree, upper: Tree, isJoined = isNone): Tree {
  const { cloud } = lower;
  const replaced = keySources.some((key) => valueAt(upper, ['cloud', key]) !== undefined);
  if (!replaced || !isTree(cloud)) return overlay(lower, upper, isJoined);
  const kept = Object.entries(cloud).filter(([key]) => !keySources.includes(key));
  return overlay({ ...lower, cloud: Object.fromEntries(kept) }, upper, isJoined);
}

/**
 * One problem as a line: the key, its value, its place, and what is allowed. Never shows a secret, nor a value that may
 * hold one: a value in place of a section, or a list or section in place of a key of `cloud`, or an entry of `notify`.
 */
export function problemLine(path: readonly PropertyKey[], layer: Layer, more = '', otherwise = ''): string {
  const schema = schemaAt(settings, path);
  const mustBe = (schema === undefined ? otherwise : allowed(schema)) + more;
  const key = keyOf(path);
  const value = valueAt(layer.values, path);
  const isList = key?.name === 'notify' && path.length < 3; // its entries have addresses
  const mayHoldSecret = key === undefined || isList || (key.path[0] === 'cloud' && typeof value === 'object');
  const secret = [key?.schema, schema].some((each) => each?.meta()?.secret === true);
  const shown = secret ? '***' : mayHoldSecret ? undefined : shortened(value);
  return `${pathText(path)}${shown === undefined ? '' : ` = ${shown}`} (${layer.where(path)}): must be ${mustBe}`;
}

/** As JSON; undefined if there is no value, or none that JSON can hold (an alias within its anchor, deep nesting). */
const shortened = (value: unknown): string | undefined => attempt(() => JSON.stringify(value))?.slice(0, 80);

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly line: string;
  /** The key that an unknown one probably means. */
  readonly meant?: string;
}

function unknownKey(path: readonly PropertyKey[], layer: Layer): Problem {
  const above = path.slice(0, -1);
  const isInValue = keyOf(above) !== undefined;
  const siblings = Object.keys(sectionOf(schemaAt(settings, above) ?? settings)?.shape ?? {});
  const known = isInValue
    ? siblings.map((key) => pathText([...above, key]))
    : configKeys.map((key) => key.name);
  const meant = nearest(pathText(path), known);
  const remedy = meant === undefined ? `allowed here: ${siblings.join(', ')}` : `did you mean ${meant}?`;
  const line = `${pathText(path)} (${layer.where(path)}): unknown key; ${remedy}`;
  return meant === undefined ? { path, line } : { path, line, meant };
}

function problemsOf(issue: z.core.$ZodIssue, layer: Layer): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey([...issue.path, key], layer));
  }
  const { path } = issue;
  if (issue.code === 'invalid_key') return [{ path, line: wrongNameLine(path, layer) }];
  const remedy =
    issue.code === 'invalid_type' ? quotesRemedy(issue.expected, valueAt(layer.values, path)) : '';
  return [{ path, line: problemLine(path, layer, remedy, issue.message) }];
}

/** A name that a person chose for an entry, as in `clouds`. */
function wrongNameLine(path: readonly PropertyKey[], layer: Layer): string {
  const entries = inner(schemaAt(settings, path.slice(0, -1)) ?? settings);
  const mustBe = entries instanceof z.ZodRecord ? allowed(entries.keyType as z.ZodType) : 'another one';
  const name = JSON.stringify(String(path.at(-1))).slice(0, 80);
  return `${pathText(path.slice(0, -1))} (${layer.where(path)}): the name ${name} must be ${mustBe}`;
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
 * Checks one layer against the schema. If both a value and a part of it are wrong, reports only the part; if a key is
 * missing and probably misspelt, only the misspelt one.
 */
export function checkLayer(layer: Layer): CheckedLayer {
  const { error } = settings.safeParse(layer.values);
  const found = (error?.issues ?? []).flatMap((issue) => problemsOf(issue, layer));
  const isMisspelt = (path: readonly PropertyKey[]) =>
    valueAt(layer.values, path) === undefined && found.some(({ meant }) => meant === pathText(path));
  const reported = found.filter(
    ({ path }) => !isMisspelt(path) && !found.some((other) => isBelow(other.path, path)),
  );
  return {
    values: reported.map(({ path }) => keyOf(path)?.path ?? path).reduce(without, layer.values),
    where: layer.where,
    meant: reported.flatMap(({ meant }) => meant ?? []),
    problems: [...new Set(reported.map(({ line }) => line))],
  };
}
