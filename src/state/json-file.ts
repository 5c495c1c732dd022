/** JSON files that survive crashes, full disks and being damaged. */
import { randomBytes } from 'node:crypto';
import { open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type * as z from 'zod';
import { hasCode } from '../errors.ts';
import { jsonInTurns } from '../json-in-turns.ts';
import { StateUnwritableError } from './errors.ts';
import { giveToOwner } from './owner.ts';

/** A file as read. Without `value` and `trouble` there was no file. */
export interface JsonFile<T> {
  readonly value?: T;
  /** Why what the file holds cannot be used, and where it was set aside: one sentence. */
  readonly trouble?: string;
  /** Where the unusable file is now. */
  readonly movedTo?: string;
}

async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Replaces a file as a whole: whoever reads it, at whatever moment the power fails, finds the old text or the new.
 * A write that comes up short on a full disk fails before the old file is touched. Writes of one file must not overlap.
 *
 * @throws {StateUnwritableError} and the old file is as it was
 */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await giveToOwner(draft, dirname(path));
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    await syncDirectory(dirname(path));
  } catch (cause) {
    await unlink(draft).catch(() => {});
    throw new StateUnwritableError(path, cause);
  }
}

/** @throws {StateUnwritableError} and the old file is as it was */
export async function writeJsonFile(path: string, value: object): Promise<void> {
  await writeFileWhole(path, `${await jsonInTurns(value)}\n`);
}

/** By which a file is known again that nobody has touched; undefined where none can be seen. */
export async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeMs } = await stat(path);
    return [dev, ino, size, mtimeMs].join();
  } catch {
    return undefined;
  }
}

async function moveAside<T>(path: string, word: string, what: string): Promise<JsonFile<T>> {
  const movedTo = `${path}.${word}-${new Date().toISOString()}`;
  try {
    await rename(path, movedTo);
    return { trouble: `${path} ${what}; it was set aside as ${movedTo}`, movedTo };
  } catch {
    return { trouble: `${path} ${what}; it could not be set aside and is ignored` };
  }
}

const versionOf = (content: unknown): unknown =>
  typeof content === 'object' && content !== null && 'version' in content ? content.version : undefined;

/**
 * Reads a JSON file of the shape `schema`, whose `version` is the number `version`. Never throws: a file that
 * cannot be used is renamed, so that the next write does not destroy what a person may want to look at.
 *
 * @param mayRename false for who only looks: the file stays where it is
 */
export async function readJsonFile<T>(
  path: string,
  schema: z.ZodType<T>,
  version: number,
  { mayRename = true } = {},
): Promise<JsonFile<T>> {
  const setAside = (word: string, what: string) =>
    mayRename ? moveAside<T>(path, word, what) : { trouble: `${path} ${what}; it is ignored` };
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return {};
    if (error instanceof SyntaxError) return setAside('damaged', 'is damaged (not JSON)');
    const what = `cannot be read (${error instanceof Error ? error.message : error})`;
    // another user's file, or a directory: it stays so, and the next write would destroy it or fail
    if (hasCode(error, 'EACCES') || hasCode(error, 'EISDIR')) return setAside('unreadable', what);
    return { trouble: `${path} ${what}; it is ignored` };
  }
  const found = versionOf(content);
  if (typeof found === 'number' && found > version) {
    return setAside('newer', `was written by a newer hostnode (version ${found}, this one reads ${version})`);
  }
  const { data, error } = schema.safeParse(content);
  if (error === undefined) return { value: data };
  const place = error.issues[0]?.path.join('.') || 'the whole';
  return setAside('damaged', `is damaged (unexpected content at ${place})`);
}
