/**
 * Runs the sections' parsers with a time limit: first here, a few ms in each turn of the event loop. One that takes longer
 * runs again in another thread, and is given up if it does not end there either.
 */
import type { Answers, Section } from '../facts/section.ts';
import type { Parsed } from './parse-service.ts';
import { type ParseThread, parseThread } from './parse-thread.ts';
import { Slices } from './slices.ts';

export interface ParserJob {
  section: Section<unknown>;
  answers: Answers;
}

export type ParserResult =
  | { kind: 'read'; facts: unknown }
  | { kind: 'unreadable'; error: Error }
  | { kind: 'too-slow' };

export class Parsers {
  readonly #thread: ParseThread;
  readonly #slices = new Slices();

  /** @param thread for parsers that take long */
  constructor(thread: ParseThread) {
    this.#thread = thread;
  }

  /**
   * @returns the result of each job, by section
   * @throws the signal's reason
   */
  async parse(jobs: readonly ParserJob[], signal: AbortSignal): Promise<[Section<unknown>, ParserResult][]> {
    const results = new Map<Section<unknown>, ParserResult>();
    await this.#slices.run(jobs.map((job) => () => void results.set(job.section, resultOf(job))));
    signal.throwIfAborted();
    for (const { section, answers } of jobs) {
      if (results.has(section)) continue;
      // one that took too long is enough: other phones need the thread, too
      const isGivenUp = [...results.values()].some(({ kind }) => kind === 'too-slow');
      const parsed = isGivenUp ? undefined : await this.#thread.parse(section.name, answers, signal);
      results.set(section, shown(parsed));
    }
    return [...results];
  }
}

/** One for all phones of this process: they take turns. */
export const parsers = new Parsers(parseThread);

function resultOf({ section, answers }: ParserJob): ParserResult {
  try {
    return { kind: 'read', facts: section.parse(answers) };
  } catch (error) {
    return { kind: 'unreadable', error: error as Error };
  }
}

const shown = (parsed: Parsed | undefined): ParserResult =>
  parsed === undefined || parsed.kind === 'unknown' ? { kind: 'too-slow' } : parsed;
