/** The other thread's side of `ParseThread`: reads the answers of one section after the other. */
import { parentPort } from 'node:worker_threads';
import type { Answers, Section } from '../facts/section.ts';

/** What is to be read. Functions cannot be sent: the section goes by its name. */
export interface ParseJob {
  section: string;
  answers: Answers;
}

/** `begun`, and then what came of it. */
export type ParseReply = { kind: 'begun' } | Parsed;

export type Parsed =
  | { kind: 'read'; facts: unknown }
  | { kind: 'unreadable'; error: Error }
  /** This thread has no such section. */
  | { kind: 'unknown' };

/** Answers each job, until the thread is ended. */
export function serveParsers(sections: readonly Section<unknown>[]): void {
  const port = parentPort;
  port?.on('message', ({ section, answers }: ParseJob) => {
    port.postMessage({ kind: 'begun' } satisfies ParseReply);
    port.postMessage(
      parsed(
        sections.find(({ name }) => name === section),
        answers,
      ) satisfies ParseReply,
    );
  });
}

function parsed(section: Section<unknown> | undefined, answers: Answers): Parsed {
  if (section === undefined) return { kind: 'unknown' };
  try {
    return { kind: 'read', facts: section.parse(answers) };
  } catch (error) {
    return { kind: 'unreadable', error: new Error(error instanceof Error ? error.message : String(error)) };
  }
}
