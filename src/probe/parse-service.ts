/** The other thread's side of `ParseThread`: parses one section after the other. */
import { parentPort } from 'node:worker_threads';
import type { Answers, Section } from '../facts/section.ts';

/** Functions cannot be sent to a thread: so the section is named. */
export interface ParseJob {
  section: string;
  answers: Answers;
}

/** First `begun`, then the result. */
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
