import { describe, expect, it } from 'vitest';
import { parseBoot } from '../../src/facts/boot.ts';
import { hasSimChanged, simStateAfter } from '../../src/facts/sim-state.ts';
import { samples } from '../support/corpus.ts';

const stateAfter = (before: string | undefined, simState: string, bootCompleted = true) =>
  simStateAfter(before, { simState, bootCompleted });

describe('simStateAfter', () => {
  it.each([
    ['a first state', undefined, 'LOADED,ABSENT', 'LOADED,ABSENT'],
    ['a SIM that was taken out', 'LOADED,ABSENT', 'ABSENT,ABSENT', 'ABSENT,ABSENT'],
    ['a SIM that wants its PIN', 'LOADED', 'PIN_REQUIRED', 'PIN_REQUIRED'],
    ['what it was, where a SIM is only being read', 'LOADED,ABSENT', 'NOT_READY,UNKNOWN', 'LOADED,ABSENT'],
    ['what it was, where a ready SIM has its data', 'READY', 'LOADED', 'READY'],
    ['what it was of a slot that says nothing', 'LOADED,ABSENT', ',LOADED', 'LOADED,LOADED'],
    ['a slot that is new', 'LOADED', 'LOADED,ABSENT', 'LOADED,ABSENT'],
    ['nothing of a phone that only starts', undefined, 'UNKNOWN', undefined],
    ['no number that a phone writes there', undefined, '8949020000123456789,ABSENT', ',ABSENT'],
    ['no more slots than phones have', undefined, 'READY,READY,READY,READY,READY', 'READY,READY,READY,READY'],
  ])('is %s', (_, before, state, expected) => {
    expect(stateAfter(before, state)).toBe(expected);
  });

  it('waits for the end of the boot: until then no SIM is read', () => {
    expect(stateAfter('LOADED', 'ABSENT', false)).toBe('LOADED');
  });

  it.each(samples('getprop').filter(({ text }) => text.includes('[gsm.sim.state]')))(
    'knows the words of $device',
    ({ text, expected }) => {
      const state = expected['gsm.sim.state'];
      const facts = parseBoot({ properties: text });
      // a Pixel's second slot may stay so for good
      const lasting = facts.simState?.replace('NOT_READY', '');
      expect(simStateAfter(undefined, facts)).toBe(state === 'UNKNOWN' ? undefined : lasting);
    },
  );
});

describe('hasSimChanged', () => {
  it.each([
    ['a SIM that went', 'LOADED,ABSENT', 'ABSENT,ABSENT', true],
    ['a first word', undefined, 'LOADED', false],
    ['a first word of the second slot', 'LOADED', 'LOADED,ABSENT', false],
    ['nothing', 'LOADED', 'LOADED', false],
    ['nothing known', 'LOADED', undefined, false],
  ])('of %s', (_, before, now, expected) => {
    expect(hasSimChanged(before, now)).toBe(expected);
  });
});
