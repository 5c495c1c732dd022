/** A thread's module for tests: sections that never end, beside one that does. */
import type { Section } from '../../src/facts/section.ts';
import { serveParsers } from '../../src/probe/parse-service.ts';

const section = (name: string, parse: Section<unknown>['parse']): Section<unknown> => ({
  name,
  cadence: 'round',
  limitSeconds: 1,
  limitBytes: 1024,
  commands: () => ({ text: 'echo' }),
  parse,
});

export const endless = section('endless', () => {
  for (;;) {
    // whatever a hostile phone makes a parser do
  }
});

export const backtracking = section('backtracking', () => /^(a+)+$/.test(`${'a'.repeat(60)}b`));

export const greedy = section('greedy', () => {
  const kept: string[] = [];
  for (;;) kept.push(`${kept.length}`.padEnd(1000));
});

export const honest = section('honest', ({ text }) => ({ text }));

export const wrong = section('wrong', () => {
  throw new RangeError('not like this');
});

serveParsers([endless, backtracking, greedy, honest, wrong]);
