import { describe, expect, it } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import type { Section } from '../../src/facts/section.ts';
import { readAnswers } from '../../src/probe/section-results.ts';
import type { CommandOutcome } from '../../src/probe/transcript.ts';
import { commandOptions } from '../support/stage.ts';

const options = { ...commandOptions, shellV2: true };

const section = (name: string, parse: Section<unknown>['parse']): Section<unknown> => ({
  name,
  cadence: 'round',
  limitSeconds: 1,
  limitBytes: 1024,
  commands: () => ({ dump: 'true' }),
  parse,
});

const answered = (...names: string[]) =>
  new Map(
    names.map((name): [string, CommandOutcome] => [
      `${name}.dump`,
      { kind: 'answered', text: name, exitCode: 0, at: 7, readAt: 70 },
    ]),
  );

/** A parser that is as slow as a slice is long. */
function busy({ dump }: { dump?: string | undefined }): object {
  const endsAt = performance.now() + 3;
  while (performance.now() < endsAt);
  return { dump };
}

describe('the answers of a phone', () => {
  it('are parsed section by section: one that throws costs only itself', async () => {
    const error = new ParseError('dumpsys b', 'b');
    const sections = [
      section('a', (answers) => answers),
      section('b', () => {
        throw error;
      }),
      section('c', (answers) => answers),
      section('d', (answers) => answers),
    ];
    const outcomes = answered('a', 'b', 'c').set('d.dump', { kind: 'flooded' });
    expect(await readAnswers(sections, options, outcomes, new AbortController().signal)).toEqual({
      results: new Map(
        ['a', 'c'].map((name) => [name, { facts: { dump: name }, takenAt: 7, readAt: 70, isWhole: true }]),
      ),
      failures: [
        { section: 'b', kind: 'unreadable', error },
        { section: 'd', kind: 'flooded' },
      ],
    });
  });

  it('leave the event loop to others between those that take long', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `s${index}`);
    let turns = 0;
    const seen: number[] = [];
    const count = () => {
      turns += 1;
      if (seen.length < names.length) setImmediate(count);
    };
    setImmediate(count);
    const sections = names.map((name) =>
      section(name, (answers) => {
        seen.push(turns);
        return busy(answers);
      }),
    );
    await readAnswers(sections, options, answered(...names), new AbortController().signal);
    expect(new Set(seen).size).toBe(names.length);
  });

  it('are left when the agent stops', async () => {
    const stopping = new AbortController();
    let parsed = 0;
    const sections = ['a', 'b'].map((name) =>
      section(name, (answers) => {
        parsed += 1;
        stopping.abort(new Error('the agent stops'));
        return busy(answers);
      }),
    );
    const work = readAnswers(sections, options, answered('a', 'b'), stopping.signal);
    await expect(work).rejects.toThrow('the agent stops');
    expect(parsed).toBe(1);
  });
});
