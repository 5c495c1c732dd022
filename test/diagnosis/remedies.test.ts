import { describe, expect, it } from 'vitest';
import type { Blame, LossBlame, Party } from '../../src/diagnosis/losses/blame.ts';
import { CHARGE, remedyFor, remedyOfLoss } from '../../src/diagnosis/remedies.ts';

const blamed = (party: Party, certainty: Blame['certainty'] = 'likely'): Blame => ({
  party,
  certainty,
  because: 'x',
  evidence: [],
});

describe('what keeps a phone from being lost so again', () => {
  it.each<[string, Blame, LossBlame['cause'], string]>([
    ['of a known one is its remedy', blamed('hub'), 'gone', remedyFor.hub],
    ['of an empty battery is to charge it', blamed('phone'), 'battery', CHARGE],
    ['of a person who is known is to tell', blamed('person'), 'gone', remedyFor.person],
  ])('%s', (_, blame, cause, remedy) => {
    expect(remedyOfLoss({ blame, cause, medium: 'usb' })).toBe(remedy);
  });

  it('of a phone that restarts says so, but of an emulator its own', () => {
    expect(remedyOfLoss({ blame: blamed('phone'), cause: 'restarted', medium: 'usb' })).toContain(
      'apps, modules, kernels',
    );
    expect(remedyOfLoss({ blame: blamed('phone'), cause: 'own', medium: 'usb' })).toBe(remedyFor.phone);
    expect(remedyOfLoss({ blame: blamed('phone'), cause: 'restarted', medium: 'emulator' })).not.toContain(
      'memory card',
    );
  });

  it('is a condition where nobody knows, or a person may have done it', () => {
    expect(remedyOfLoss({ blame: blamed('unknown', 'possible'), cause: 'gone', medium: 'usb' })).toMatch(
      /^If nobody took it: replace the cable/,
    );
    expect(remedyOfLoss({ blame: blamed('unknown', 'possible'), cause: 'gone', medium: 'network' })).toMatch(
      /^If nobody took it: connect it again/,
    );
    expect(remedyOfLoss({ blame: blamed('unknown', 'possible'), cause: 'gone', medium: 'emulator' })).toMatch(
      /^If no job ended it: start the emulator anew/,
    );
    expect(remedyOfLoss({ blame: blamed('person', 'possible'), cause: 'restarted', medium: 'usb' })).toMatch(
      /^If nobody restarted it: find the test, the script or the update/,
    );
  });
});
