import { describe, expect, it } from 'vitest';
import { evaluatePresent } from '../../../src/diagnosis/evaluate.ts';
import type { PhoneInput } from '../../../src/diagnosis/rule-input.ts';
import { presentRules } from '../../../src/diagnosis/rules/index.ts';
import { withoutExplained } from '../../../src/status/causes.ts';
import { NOW, phoneOf } from '../../findings/phones.ts';

const found = (changes: Partial<PhoneInput>) =>
  withoutExplained(evaluatePresent(presentRules, { phones: [phoneOf('A', changes)] }, NOW));
const codesOf = (changes: Partial<PhoneInput>) => found(changes).map(({ code }) => code);

describe('what is wrong with a phone now', () => {
  it.each<[string, Partial<PhoneInput>]>([
    ['unplugged', { attached: false, state: 'disconnected' }],
    ['unauthorized', { state: 'unauthorized' }],
    ['state', { state: 'recovery' }],
    ['state', { bootCompleted: false, uptimeSeconds: 601 }],
    ['silent', { isSilent: true }],
    ['locked', { isDataLocked: true }],
    ['refused', { refused: '' }],
    ['hot', { battery: { temperatureDecicelsius: 450 } }],
    ['battery', { battery: { health: 'DEAD', temperatureDecicelsius: 450 } }],
    ['storage', { storage: { totalBytes: 100, usedBytes: 95 } }],
    ['network', { network: 'UNREACHABLE', remedy: 'Connect it to the Wi-Fi' }],
  ])('%s', (code, changes) => {
    expect(codesOf(changes)).toEqual([code]);
  });

  it('is nothing where all is well, or where it only needs a moment', () => {
    expect(found({})).toEqual([]);
    expect(found({ bootCompleted: false, uptimeSeconds: 600 })).toEqual([]);
    expect(found({ network: 'UNREACHABLE', remedy: '' })).toEqual([]);
    const offline = (agoMs: number) => codesOf({ state: 'offline', stateSince: NOW - agoMs });
    expect([offline(29_000), offline(30_000)]).toEqual([[], ['state']]);
  });

  it('names a battery that may swell before a phone that the cloud rejects', () => {
    const changes = { battery: { temperatureDecicelsius: 450 }, isDataLocked: true, refused: 'no licence' };
    expect(codesOf({ ...changes, network: 'UNREACHABLE', remedy: 'Unlock it' })).toEqual([
      'hot',
      'locked',
      'refused',
    ]);
  });

  it('has what adb alone says since adb says so, and all else since it is found', () => {
    const since = (changes: Partial<PhoneInput>) =>
      found({ stateSince: 7, ...changes }).map((each) => each.since);
    expect(since({ state: 'recovery', refused: 'no' })).toEqual([7, NOW]);
    expect(since({ attached: false, state: 'disconnected' })).toEqual([7]);
    expect(since({ isSilent: true })).toEqual([NOW]);
  });

  it('has the remedy that the report says too, and the cloud’s own words', () => {
    const network = { network: 'UNREACHABLE', remedy: 'Connect it to the Wi-Fi' };
    expect(found(network)).toMatchObject(
      [
        {
          title: 'A has no internet',
          sign: 'no internet',
          remedy: 'Connect it to the Wi-Fi',
          severity: 'minor',
        },
      ].map(({ sign: _, ...rest }) => rest),
    );
    expect(found({ refused: 'no licence' })).toMatchObject([
      {
        title: 'A is rejected by the cloud',
        said: 'no licence',
        remedy: 'Fix what the cloud names; each report sends the phone again',
      },
    ]);
    expect(found({ state: 'recovery', remedy: 'Reboot it' })).toMatchObject([
      { title: 'A: recovery', sign: 'recovery', remedy: 'Reboot it' },
    ]);
  });
});
