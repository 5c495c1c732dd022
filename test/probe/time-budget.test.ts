import { describe, expect, it, onTestFinished } from 'vitest';
import { sections } from '../../src/facts/index.ts';
import type { Section } from '../../src/facts/section.ts';
import { endsWithin } from '../../src/probe/limited.ts';
import { ParseThread } from '../../src/probe/parse-thread.ts';
import { Parsers } from '../../src/probe/parsers.ts';
import { Slices } from '../../src/probe/slices.ts';
import { backtracking, endless, greedy, honest } from '../support/endless-sections.ts';
import { factsIn, recordingOf, stageOf, without } from '../support/stage.ts';

const poco = recordingOf('f12a8ec9');
const signal = new AbortController().signal;
const file = new URL('../support/endless-sections.ts', import.meta.url);
/** As long as it takes, for code that ends. */
const AMPLE_MS = 60_000;

/** Counts the turns of the event loop while this lasts. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isOver = true;
  return turns;
}

describe('code that has a limit', () => {
  it('is ended in the middle of a loop, of a regular expression, and of what catches everything', () => {
    const stubborn = () => {
      for (;;) {
        try {
          for (;;) {
            // nothing
          }
        } catch {
          // nothing ends it
        }
      }
    };
    for (const work of [() => endless.parse({}), () => backtracking.parse({}), stubborn])
      expect(endsWithin(20, () => void work())).toBe(false);
  });

  it('runs to its end within it, and throws what it throws', () => {
    let did = 0;
    const work = () => {
      did += 1;
    };
    expect(endsWithin(AMPLE_MS, work)).toBe(true);
    expect(did).toBe(1);
    expect(() =>
      endsWithin(AMPLE_MS, () => {
        throw new TypeError('so it is');
      }),
    ).toThrow(new TypeError('so it is'));
  });
});

describe('slices', () => {
  it('do all pieces, and end those that do not end, beside turns of the loop for others', async () => {
    const slices = new Slices();
    const done: string[] = [];
    const piece = (name: string) => () => void done.push(name);
    const work = Promise.all([
      slices.run([piece('a'), () => endless.parse({}), piece('b')]),
      slices.run([() => backtracking.parse({}), piece('c')]),
    ]);
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(4); // each try of one that does not end has its own
    expect(await work).toEqual([
      [true, false, true],
      [false, true],
    ]);
    expect([...new Set(done)]).toEqual(['a', 'b', 'c']);
    expect(await slices.run([])).toEqual([]);
  });
});

describe('the thread for what takes long', () => {
  it('gives up what does not end or takes all memory, and reads what comes next', async () => {
    const thread = new ParseThread({ file, ticks: 2 });
    const read = (section: string) => thread.parse(section, { text: section }, signal);
    const all = Promise.all(
      ['endless', 'honest', 'greedy', 'backtracking', 'wrong', 'nobody', 'honest'].map(read),
    );
    expect(await turnsDuring(all)).toBeGreaterThan(100); // ours goes on meanwhile
    const honestRead = { kind: 'read', facts: { text: 'honest' } };
    expect(await all).toEqual([
      undefined,
      honestRead,
      undefined,
      undefined,
      { kind: 'unreadable', error: new Error('not like this') },
      { kind: 'unknown' },
      honestRead,
    ]);
  });

  it('leaves it when nobody waits any longer', async () => {
    const thread = new ParseThread({ file, ticks: 1_000_000 });
    const leaving = new AbortController();
    const parsed = thread.parse('endless', {}, leaving.signal);
    leaving.abort(new Error('the agent stops'));
    await expect(parsed).rejects.toThrow('the agent stops');
    await expect(thread.parse('honest', {}, leaving.signal)).rejects.toThrow('the agent stops');
    expect(await thread.parse('honest', {}, signal)).toMatchObject({ kind: 'read' });
  });

  it('reads with the sections of the agent', async () => {
    const thread = new ParseThread();
    expect(await thread.parse('battery', { dump: 'level: 7\n' }, signal)).toEqual({
      kind: 'read',
      facts: { levelPercent: 7 },
    });
  });
});

/** The sections of the agent, and these. */
const andThese = (...more: Section<unknown>[]): Section<unknown>[] => [...sections, ...more];

describe('a phone whose answer takes too long to be read', () => {
  const parsers = new Parsers(new ParseThread({ file, ticks: 2 }));

  it('loses that section alone, which rests from the first time on', async () => {
    const { round, asked } = await stageOf(poco, { sections: andThese(endless), parsers });
    const first = round();
    expect(await turnsDuring(first)).toBeGreaterThan(10);
    expect(await first).toMatchObject({
      facts: without(factsIn(poco), 'endless' as never),
      failures: [{ section: 'endless', kind: 'too-slow' }],
    });
    const isAsked = async () => {
      asked();
      await round();
      return asked().scripts.flat().includes('endless.text');
    };
    const rounds: boolean[] = [];
    for (let count = 0; count < 8; count += 1) rounds.push(await isAsked());
    expect(rounds).toEqual([false, false, true, false, false, false, false, true]);
  });

  it('holds nobody else up, and is read in the thread where it only takes long here', async () => {
    const hostile = await stageOf(poco, { sections: andThese(endless, greedy, backtracking), parsers });
    let isFirst = true;
    const slowHere = {
      ...honest,
      parse: () => (isFirst ? endless.parse({}) : {}),
    };
    const others = await stageOf(recordingOf('RE47644423'), { sections: andThese(slowHere), parsers });
    const [bad, good] = await Promise.all([hostile.round(), others.round()]);
    isFirst = false;
    expect(bad.failures.map(({ section, kind }) => [section, kind])).toEqual([
      ['endless', 'too-slow'],
      ['greedy', 'too-slow'],
      ['backtracking', 'too-slow'],
    ]);
    expect(bad.facts).toMatchObject(factsIn(poco));
    expect(good.failures).toEqual([]);
    expect(good.facts).toHaveProperty('honest');
  });

  it('is not collected again at once by an agent that starts after that', async () => {
    const stage = await stageOf(poco, {
      sections: andThese(endless),
      parsers,
      slowSections: { endless: 3, nobody: 2 },
    });
    const rounds: boolean[] = [];
    for (let count = 0; count < 9; count += 1) {
      stage.asked();
      await stage.round();
      rounds.push(stage.asked().scripts.flat().includes('endless.text'));
    }
    expect(rounds).toEqual([...Array(8).fill(false), true]);
    expect(stage.slowSections()).toEqual({ endless: 4 });
  });

  it('ends the round at once when the agent stops', async () => {
    const stage = await stageOf(poco, {
      sections: andThese(endless),
      parsers: new Parsers(new ParseThread({ file, ticks: 1_000_000 })),
    });
    const stopping = new AbortController();
    const round = stage.round(stopping.signal);
    onTestFinished(() => stopping.abort());
    const turns = setInterval(() => {
      if (stage.asked().scripts.length > 0) stopping.abort(new Error('the agent stops'));
    }, 10);
    onTestFinished(() => clearInterval(turns));
    await expect(round).rejects.toThrow('the agent stops');
  });
});
