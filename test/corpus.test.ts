import { describe, expect, it } from 'vitest';
import { expectFacts, samples } from './support/corpus.ts';
import { notOurs } from './support/corpus-not-ours.ts';
import { allSamples, judge } from './support/corpus-reporter.ts';

describe('the corpus', () => {
  const present = allSamples();
  const ours = present.filter((file) => !Object.values(notOurs).flat().includes(file));
  const compared = new Map(ours.map((file) => [file, 1]));

  it('has a row in its manifest for each sample, and a sample for each row', () => {
    const sections = new Set(present.map((file) => file.split('/', 1)[0] ?? ''));
    const listed = [...sections].flatMap((section) => samples(section).map(({ file }) => file));
    expect(listed.sort()).toEqual(present.sort());
  });

  it('is in order when each sample is compared, or is known not to be ours', () => {
    expect(judge(compared, present)).toEqual([]);
  });

  it('is not in order when a sample is passed over, or is needlessly called not ours', () => {
    const [first = '', ...others] = ours;
    const [stranger = ''] = Object.values(notOurs).flat();
    const some = new Map([...others, stranger].map((file) => [file, 1]));
    expect(judge(some, present)).toEqual([
      `${first} is not compared, and test/support/corpus-not-ours.ts does not say why`,
      `${stranger} stands in test/support/corpus-not-ours.ts, and is compared`,
    ]);
  });

  it('counts a fact for each single value, and does so only where it has compared', ({ task }) => {
    const facts = { a: 1, b: [{ c: 'x', d: null }], none: [] };
    expectFacts('a', facts, { ...facts });
    expect(() => expectFacts('b', facts, { a: 2 })).toThrow();
    expect(task.meta.corpusFacts).toEqual({ a: 4 });
    delete task.meta.corpusFacts;
  });
});
