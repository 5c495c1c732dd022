/** A state file that could not be read at the start: nobody overwrites it until it could be read. */
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { JsonFile, ReadOptions } from './json-file.ts';

export interface UnreadOptions<T> {
  /** Never throws. */
  read(options: ReadOptions): Promise<JsonFile<T>>;
  path: string;
  log: Logger;
}

/**
 * Reads a state file at the start, and logs what is wrong with it. Never throws.
 *
 * @returns `unread` if it may be intact but could not be read
 */
export async function readAtStart<T>(options: UnreadOptions<T>) {
  const { value, problem, mustStay } = await options.read({});
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
    const { value, problem, mustStay } = await read({ isAgain: true });
    if (mustStay) return false;
    this.#isOver = true;
    if (value !== undefined) take(value);
    if (problem === undefined) log.info({ path }, 'a state file can be read again');
    else log.error(problem);
    return true;
  }
}
