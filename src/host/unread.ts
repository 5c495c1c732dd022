/** A state file that could not be read when it was wanted: nobody writes it until it could be. */
import type { Logger } from '../base/log.ts';
import type { JsonFile, ReadOptions } from './json-file.ts';

export interface UnreadOptions<T> {
  /** As it was read the first time. Never throws. */
  read(options: ReadOptions): Promise<JsonFile<T>>;
  path: string;
  log: Logger;
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
   * Reads it again. Never throws.
   *
   * @param take joins what is found at last to what has come meanwhile
   * @returns whether it may be written from now on
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
