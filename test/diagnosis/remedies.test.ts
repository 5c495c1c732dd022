import { describe, expect, it } from 'vitest';
import type { Blame, LossBlame } from '../../src/diagnosis/losses/blame.ts';
import type { Party } from '../../src/diagnosis/losses/reasons.ts';
import { CHARGE, remedyFor, remedyOfLoss, STAY_AWAKE } from '../../src/diagnosis/remedies.ts';

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

  it('of a host that slept is to keep it awake, not to look after its USB', () => {
    const remedy = remedyOfLoss({ blame: blamed('host'), cause: 'sleep', medium: 'usb' });
    expect(remedy).toMatch(new RegExp(`: t${STAY_AWAKE.slice(1)}$`));
    const onNetwork = remedyOfLoss({ blame: blamed('host'), cause: 'sleep', medium: 'network' });
    expect(onNetwork).toMatch(/^If it stays away, connect it again; keep the host awake: /);
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

  it.each<[string, Pick<LossBlame, 'blame' | 'cause' | 'sign'>, RegExp | undefined]>([
    [
      'of a phone when nobody is there asks for another loss',
      { blame: blamed('unknown'), cause: 'own', sign: 'unattended' },
      /^If it is lost again: replace the cable/,
    ],
    [
      'of one that goes when it is full limits its charge',
      { blame: blamed('unknown'), cause: 'own', sign: 'full' },
      /^Limit the charge/,
    ],
    [
      'of a USB mode that changed sets one',
      { blame: blamed('person', 'possible'), cause: 'mode', sign: 'mode' },
      /^If nobody changed it: set the default USB/,
    ],
    [
      'of a port that cut the power is a hub with a supply',
      { blame: blamed('port', 'certain'), cause: 'own', sign: 'overCurrent' },
      /a hub with a power supply of its own/,
    ],
    [
      'of `adb root` is nothing',
      { blame: blamed('person', 'possible'), cause: 'mode', sign: 'root' },
      undefined,
    ],
    [
      'of a start of the agent is nothing',
      { blame: blamed('unknown', 'possible'), cause: 'start' },
      undefined,
    ],
    [
      'of a power cut is that of the room',
      { blame: blamed('room', 'possible'), cause: 'start' },
      /^Check the power strip/,
    ],
  ])('%s', (_, loss, remedy) => {
    const found = remedyOfLoss({ ...loss, medium: 'usb' });
    if (remedy === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(remedy);
  });
});
