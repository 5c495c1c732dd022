/** The keys of the configuration, from the schema: paths, environment variables, allowed values. */
import * as z from 'zod';
import { inner } from '../base/schema.ts';
import { settings } from './schema.ts';

export interface ConfigKey {
  /** e.g. `['cloud', 'baseUrl']`. */
  readonly path: readonly string[];
  /** The path with dots. */
  readonly name: string;
  /** The environment variable, e.g. `HOSTNODE_CLOUD_BASE_URL`. */
  readonly variable: string;
  readonly schema: z.ZodType;
}

/** The section that `schema` holds; undefined if it is a key with a value. */
export function sectionOf(schema: z.ZodType): z.ZodObject | undefined {
  const bare = inner(schema);
  return bare instanceof z.ZodObject ? bare : undefined;
}

const upperSnake = (path: readonly string[]) =>
  path.map((part) => part.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()).join('_');

/** Every key of a section that stands below the path `above`. */
export function keysOf(section: z.ZodObject, above: readonly string[]): ConfigKey[] {
  return Object.entries(section.shape as Record<string, z.ZodType>).flatMap(([part, schema]) => {
    const path = [...above, part];
    const below = sectionOf(schema);
    if (below !== undefined) return keysOf(below, path);
    return [{ path, name: path.join('.'), variable: `HOSTNODE_${upperSnake(path)}`, schema }];
  });
}

/** Every key, in the schema's order. */
export const configKeys: readonly ConfigKey[] = keysOf(settings, []);

/** The key of a dotted name, or of a path into its value (`devices.0.match`). */
export const keyOf = (path: readonly PropertyKey[]): ConfigKey | undefined =>
  configKeys.find((key) => key.path.every((part, index) => part === path[index]));

/** `default` of the schema; undefined if it has none. */
export function defaultOf(key: Pick<ConfigKey, 'schema'>): unknown {
  return (key.schema.def as { defaultValue?: unknown }).defaultValue;
}
