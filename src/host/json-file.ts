/** JSON files that survive crashes, full disks and damage. */
import { randomBytes } from 'node:crypto';
import { open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type * as z from 'zod';
import { jsonInTurns } from '../base/json-in-turns.ts';
import { pathText } from '../base/words.ts';
import { CREATE_NEW, Folder } from './folder.ts';
import { beyondBounds, type JsonBounds } from './json-bounds.ts';
import { giveToOwner } from './owner.ts';
import { type Aside, MOST_BYTES, readStateText, setAside } from './reading.ts';
import { StateUnwritableError } from './state-errors.ts';

/** The result of reading a file. Without `value` and `problem` the file does not exist. */
export interface JsonFile<T> extends Partial<Aside> {
  readonly value?: T;
}

export interface ReadOptions {
  readonly mayRename?: boolean;
  readonly isAgain?: boolean;
  /** Absent: those of a history of some thousand phones, our largest file. */
  readonly bounds?: JsonBounds;
}

const BOUNDS: JsonBounds = { mostBytes: MOST_BYTES, mostMarks: 4_000_000 };

/**
 * Replaces a file atomically: after a power failure it holds either the old text or the new one. A full disk makes the
 * write fail before it touches the old file. Writes of one file must not overlap.
 *
 * @throws {StateUnwritableError} the old file is unchanged
 */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  try {
    await using folder = await Folder.open(dirname(path));
    await writeInFolder(folder, basename(path), text);
  } catch (cause) {
    throw new StateUnwritableError(path, cause);
  }
}

async function writeInFolder(folder: Folder, name: string, text: string): Promise<void> {
  const draft = folder.path(`.${name}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(draft, CREATE_NEW, 0o600);
    try {
      await giveToOwner(handle, folder);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, folder.path(name));
    await folder.sync();
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
}

/** @throws {StateUnwritableError} the old file is unchanged */
export async function writeJsonFile(path: string, value: object): Promise<void> {
  await writeFileWhole(path, `${await jsonInTurns(value)}\n`);
}

/** Identifies an unchanged file; undefined if the file cannot be read. */
export async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeMs } = await stat(path);
    return [dev, ino, size, mtimeMs].join();
  } catch {
    return undefined;
  }
}

const versionOf = (content: unknown): unknown =>
  typeof content === 'object' && content !== null && 'version' in content ? content.version : undefined;

/**
 * Reads a JSON file that matches `schema` and has this `version`. Never throws. It renames an unusable file, so that
 * the next write does not destroy it and a person can inspect it. An unreadable file stays.
 *
 * @param mayRename false leaves the file in place, for commands that only read
 * @param isAgain the file was unreadable before: one attempt is enough
 */
export async function readJsonFile<T>(
  path: string,
  schema: z.ZodType<T>,
  version: number,
  { mayRename = true, isAgain = false, bounds = BOUNDS }: ReadOptions = {},
): Promise<JsonFile<T>> {
  const aside = (word: string, what: string) =>
    mayRename ? setAside(path, word, what) : { problem: `${path} ${what}; it is ignored` };
  const found = await readStateText(path, isAgain, bounds.mostBytes);
  if (found.kind === 'none') {
    return found.why === undefined ? {} : { problem: `${path} cannot be read (${found.why}); it is ignored` };
  }
  if (found.kind === 'unfit') return aside(found.word, found.what);
  if (found.kind === 'unreadable') {
    const what = mayRename
      ? 'the agent reads it again later and does not overwrite it until then'
      : 'it is ignored';
    return { problem: `${path} cannot be read (${found.why}); ${what}`, mustStay: true };
  }
  const excess = beyondBounds(found.text, bounds);
  if (excess !== undefined) return aside('damaged', `is damaged (${excess})`);
  let content: unknown;
  try {
    content = JSON.parse(found.text);
  } catch {
    return aside('damaged', 'is damaged (not JSON)');
  }
  const writtenBy = versionOf(content);
  if (typeof writtenBy === 'number' && writtenBy > version) {
    return aside(
      'newer',
      `was written by a newer hostnode (version ${writtenBy}, this one reads ${version})`,
    );
  }
  const { data, error } = schema.safeParse(content);
  if (error === undefined) return { value: data };
  const place = pathText(error.issues[0]?.path ?? []) || 'the whole';
  return aside('damaged', `is damaged (unexpected content at ${place})`);
}
