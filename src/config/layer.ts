/**
 * A layer: what one source (a file, the environment) says, and where. Each layer is checked on its own, so that
 * every problem names its source; what is valid of them is then laid one over the other.
 */
import * as z from 'zod';
import { allowed, configKeys, keyOf, sectionOf } from './keys.ts';
import { nearest } from './nearest.ts';
import { settings } from './schema.ts';

/** Nested plain objects, as written. */
export type Tree = { [key: string]: unknown };

export interface Layer {
  readonly values: Tree;
  /** Where a value was written: `hostnode.yaml:12`, `HOSTNODE_ADB_PORT`. */
  where(path: readonly PropertyKey[]): string;
}

export interface CheckedLayer {
  /** The values without those that have a problem. */
  readonly valid: Tree;
  readonly problems: readonly string[];
}

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function valueAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[part] : undefined,
    tree,
  );
}

/** A copy of `tree` without the value at `path`. */
function without(tree: Tree, [first, ...rest]: readonly PropertyKey[]): Tree {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      if (key !== first) return [[key, value]];
      return rest.length > 0 && isTree(value) ? [[key, without(value, rest)]] : [];
    }),
  );
}

/** `upper` over `lower`, section by section. */
export function overlay(lower: Tree, upper: Tree): Tree {
  const merged = Object.entries(upper).map(([key, value]) => {
    const below = lower[key];
    return [key, isTree(below) && isTree(value) ? overlay(below, value) : value];
  });
  return { ...lower, ...Object.fromEntries(merged) };
}

const nameOf = (path: readonly PropertyKey[]) => path.map(String).join('.');

/**
 * One problem as a line: the key, its value, where it was written, what is allowed. A secret is never shown, nor what
 * may have one in it: what stands where a section should, or is a list or a section where a key of the cloud should.
 */
export function problemLine(path: readonly PropertyKey[], layer: Layer, mustBe: string): string {
  const key = keyOf(path);
  const value = valueAt(layer.values, path);
  const mayHoldSecret = key === undefined || (key.path[0] === 'cloud' && typeof value === 'object');
  const secret = key?.schema.meta()?.secret === true;
  const shown = secret ? '***' : mayHoldSecret ? undefined : shortened(value);
  return `${nameOf(path)}${shown === undefined ? '' : ` = ${shown}`} (${layer.where(path)}): must be ${mustBe}`;
}

/** As JSON; undefined where there is nothing, or it cannot be: an alias within its own anchor, or nested too deep. */
function shortened(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)?.slice(0, 80);
  } catch {
    return undefined;
  }
}

/** The schema of what stands at `path`; undefined where the schema knows no such place. */
function schemaAt(path: readonly PropertyKey[]): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>((schema, part) => {
    if (schema === undefined) return undefined;
    if (typeof part === 'number') return elementOf(schema);
    return sectionOf(schema)?.shape[String(part)] as z.ZodType | undefined;
  }, settings);
}

function elementOf(schema: z.ZodType): z.ZodType | undefined {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  if (innerType !== undefined) return elementOf(innerType);
  return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
}

function unknownKeyLine(path: readonly PropertyKey[], layer: Layer): string {
  const above = path.slice(0, -1);
  const inRule = above.some((part) => typeof part === 'number');
  const siblings = Object.keys(sectionOf(schemaAt(above) ?? settings)?.shape ?? {});
  const known = inRule ? siblings.map((key) => nameOf([...above, key])) : configKeys.map((key) => key.name);
  const meant = nearest(nameOf(path), known);
  const hint = meant === undefined ? `the keys here are ${siblings.join(', ')}` : `did you mean ${meant}?`;
  return `${nameOf(path)} (${layer.where(path)}): unknown key; ${hint}`;
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly line: string;
}

function problemsOf(issue: z.core.$ZodIssue, layer: Layer): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const paths = issue.keys.map((key) => [...issue.path, key]);
    return paths.map((path) => ({ path, line: unknownKeyLine(path, layer) }));
  }
  const { path } = issue;
  const schema = schemaAt(path);
  const mustBe = schema === undefined ? issue.message : allowed(schema);
  const hint = issue.code === 'invalid_type' ? quotesHint(issue.expected, valueAt(layer.values, path)) : '';
  return [{ path, line: problemLine(path, layer, mustBe + hint) }];
}

/** Quotes make a text of what YAML and JSON would read as a number, true or false. */
function quotesHint(expected: string, value: unknown): string {
  if (expected === 'string') {
    return ['number', 'boolean'].includes(typeof value) ? ': put it in quotes' : '';
  }
  const asWritten: Record<string, RegExp> = { number: /^-?\d+(\.\d+)?$/, boolean: /^(true|false)$/ };
  return typeof value === 'string' && asWritten[expected]?.test(value) ? ': take the quotes away' : '';
}

const isBelow = (path: readonly PropertyKey[], above: readonly PropertyKey[]) =>
  path.length > above.length && above.every((part, index) => part === path[index]);

/** Checks one layer against the schema. Of a value and a part of it, only the part's problem is told. */
export function checkLayer(layer: Layer): CheckedLayer {
  const { error } = settings.safeParse(layer.values);
  const found = (error?.issues ?? []).flatMap((issue) => problemsOf(issue, layer));
  const told = found.filter(({ path }) => !found.some((other) => isBelow(other.path, path)));
  return {
    valid: told.map(({ path }) => keyOf(path)?.path ?? path).reduce(without, layer.values),
    problems: [...new Set(told.map(({ line }) => line))],
  };
}
