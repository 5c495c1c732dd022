/** JSON files that survive crashes, full disks and damage. */
import { rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../base/errors.ts';
import { jsonInTurns } from '../base/json-in-turns.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { pathText } from '../base/words.ts';
import { Folder } from './folder.ts';
import { StateUnwritableError } from './state-errors.ts';
import { type Aside, MOST_BYTES, readStateText, setAside } from './state-file.ts';

/** A time in a file, ms since the epoch: one that a calendar has, also with another one added. */
export const moment = z.number().min(0).max(Date.UTC(9999, 0));

/** The result of reading a file. Without `value` and `problem` the file does not exist. */
export interface JsonFile<T> extends Partial<Aside> {
  readonly value?: T;
}

export interface ReadOptions {
  readonly mayRename?: boolean;
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
  const draftName = `.${name}.draft.tmp`;
  const draft = folder.path(draftName);
  await unlink(draft).catch(() => {}); // what a killed write left
  try {
    {
      await using handle = await folder.create(draftName);
      await handle.writeFile(text);
      await handle.sync();
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
export const stampOf = (path: string): Promise<string | undefined> =>
  stat(path).then(
    ({ dev, ino, size, mtimeMs }) => [dev, ino, size, mtimeMs].join(),
    () => undefined,
  );

const versionOf = (content: unknown): unknown =>
  typeof content === 'object' && content !== null && 'version' in content ? content.version : undefined;

/**
 * Reads a JSON file that matches `schema` and has this `version`. Never throws. It renames an unusable file, so that
 * the next write does not destroy it and a person can inspect it. An unreadable file stays.
 *
 * @param mayRename false leaves the file in place, for commands that only read
 */
export async function readJsonFile<T>(
  path: string,
  schema: z.ZodType<T>,
  version: number,
  { mayRename = true, bounds = BOUNDS }: ReadOptions = {},
): Promise<JsonFile<T>> {
  const aside = (word: string, what: string) =>
    mayRename ? setAside(path, word, what) : { problem: `${path} ${what}; it is ignored` };
  const found = await readStateText(path, bounds.mostBytes);
  if (found.kind === 'none') {
    return found.why === undefined ? {} : { problem: `${path} cannot be read (${found.why}); it is ignored` };
  }
  if (found.kind === 'unfit') return aside(found.word, found.what);
  if (found.kind === 'unreadable') {
    const later = 'the agent reads it again later and does not overwrite it until then';
    const what = mayRename ? later : 'it is ignored';
    return { problem: `${path} cannot be read (${found.why}); ${what}`, mustStay: true };
  }
  const excess = beyondBounds(found.text, bounds);
  if (excess !== undefined) return aside('damaged', `is damaged (${excess})`);
  const content = parseJson(found.text);
  if (content === undefined) return aside('damaged', 'is damaged (not JSON)');
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

export interface JsonBounds {
  readonly mostBytes: number;
  /** Commas, colons and brackets outside of strings: no value comes without one. */
  readonly mostMarks: number;
}

/** @returns why `JSON.parse` must not have the text; undefined if it may */
function beyondBounds(text: string, { mostMarks }: JsonBounds): string | undefined {
  let marks = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character !== undefined && ',:[{'.includes(character)) marks += 1;
    if (marks > mostMarks) return `more than ${mostMarks} values`;
  }
  return undefined;
}

/** The place of the closing quote, or the text's end. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '"') return at;
  }
  return text.length;
}

export interface UnreadOptions<T> {
  /** Never throws. */
  read(): Promise<JsonFile<T>>;
  path: string;
  log: Logger;
}

/**
 * Reads a state file at the start, and logs what is wrong with it. Never throws.
 *
 * @returns `unread` if it may be intact but could not be read
 */
export async function readAtStart<T>(options: UnreadOptions<T>) {
  const { value, problem, mustStay } = await options.read();
  if (problem !== undefined) options.log.error(problem);
  return omitUndefined({ value, problem, unread: mustStay && new Unread(options) });
}

export class Unread<T> {
  readonly #options: UnreadOptions<T>;
  #reading: Promise<boolean> | undefined;
  #isOver = false;

  constructor(options: UnreadOptions<T>) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Reads the file again. Never throws.
   *
   * @param take merges its content with newer data
   * @returns whether the file may be overwritten now
   */
  async tryAgain(take: (value: T) => void): Promise<boolean> {
    if (this.#isOver) return true;
    this.#reading ??= this.#read(take).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(take: (value: T) => void): Promise<boolean> {
    const { read, path, log } = this.#options;
    const { value, problem, mustStay } = await read();
    if (mustStay) return false;
    this.#isOver = true;
    if (value !== undefined) take(value);
    if (problem === undefined) log.info({ path }, 'a state file can be read again');
    else log.error(problem);
    return true;
  }
}
