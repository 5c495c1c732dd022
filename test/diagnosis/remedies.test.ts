import { describe, expect, it } from 'vitest';
import type { Blame, Party } from '../../src/diagnosis/losses/attribution.ts';
import type { LossCause } from '../../src/diagnosis/losses/loss.ts';
import { CHARGE, remedyFor, remedyOfLoss } from '../../src/diagnosis/remedies.ts';

const blamed = (party: Party, certainty: Blame['certainty'] = 'likely'): Blame => ({
  party,
  certainty,
  because: 'x',
  evidence: [],
});

describe('what keeps a phone from being lost so again', () => {
  it.each<[string, Blame, LossCause['kind'], string]>([
    ['of a known one is its remedy', blamed('hub'), 'gone', remedyFor.hub],
    ['of an empty battery is to charge it', blamed('phone'), 'battery', CHARGE],
    ['of a person who is known is to tell', blamed('person'), 'gone', remedyFor.person],
  ])('%s', (_, blame, kind, remedy) => {
    expect(remedyOfLoss(blame, { kind }, 'usb')).toBe(remedy);
  });

  it('of a phone that restarts says so, but of an emulator its own', () => {
    expect(remedyOfLoss(blamed('phone'), { kind: 'restarted' }, 'usb')).toContain('apps, modules, kernels');
    expect(remedyOfLoss(blamed('phone'), { kind: 'own' }, 'usb')).toBe(remedyFor.phone);
    expect(remedyOfLoss(blamed('phone'), { kind: 'restarted' }, 'emulator')).not.toContain('memory card');
  });

  it('is a condition where nobody knows, or a person may have done it', () => {
    expect(remedyOfLoss(blamed('unknown', 'possible'), { kind: 'gone' }, 'usb')).toMatch(
      /^If nobody took it: replace the cable/,
    );
    expect(remedyOfLoss(blamed('unknown', 'possible'), { kind: 'gone' }, 'tcp')).toMatch(
      /^If nobody took it: connect the phone again/,
    );
    expect(remedyOfLoss(blamed('person', 'possible'), { kind: 'restarted' }, 'usb')).toMatch(
      /^If nobody restarted it: take out its memory card/,
    );
  });
});
