import { describe, expect, it } from 'vitest';
import { matches, resolvePolicy, standardPolicy } from '../../src/report/policy.ts';

const galaxy = {
  udid: 'R5CT10ABCDE',
  serial: '192.168.1.7:5555',
  model: 'SM-S911B',
  brand: 'samsung',
  slot: 'rack 2, bay 4',
};

describe('the policy of a phone', () => {
  it('without rules shows it in the cloud with everything enabled', () => {
    expect(resolvePolicy([], galaxy)).toEqual({
      addedToCloud: true,
      isHidden: false,
      prepare: [],
      ignore: false,
      support: {
        appiumDisabled: false,
        networkTrafficCapturingDisabled: false,
        unlockPasscodeDisabled: false,
        setTimeZoneDisabled: false,
        networkPayloadCaptureDisabled: false,
      },
    });
  });

  it('is made of all rules that match, the later one winning key by key', () => {
    const rules = [
      {
        match: { brand: 'Samsung' },
        isHidden: true,
        deviceName: 'a Galaxy',
        support: { appiumDisabled: true },
      },
      { match: { brand: 'google' }, ignore: true },
      { match: { udid: 'R5CT*' }, isHidden: false, support: { setTimeZoneDisabled: true } },
    ];
    expect(resolvePolicy(rules, galaxy)).toEqual({
      ...standardPolicy,
      deviceName: 'a Galaxy',
      support: { ...standardPolicy.support, appiumDisabled: true, setTimeZoneDisabled: true },
    });
    expect(resolvePolicy([], galaxy)).toEqual(standardPolicy);
  });

  it.each([
    [['manual'], true, true],
    [['manual', 'battery'], true, true],
    [['manual', 'automation'], true, false],
    [['battery'], true, false],
    [['manual'], false, false],
  ] as const)(
    'of a phone that is wanted for %j: with supportFromPreparation %s, no Appium: %s',
    (wants, supportFromPreparation, isDisabled) => {
      const preparing = { wants, supportFromPreparation };
      expect(resolvePolicy([], galaxy, preparing).support.appiumDisabled).toBe(isDisabled);
      const ofSlot = { match: { slot: 'rack 2*' }, prepare: wants };
      const nothing = { wants: [], supportFromPreparation };
      expect(resolvePolicy([ofSlot], galaxy, nothing).support.appiumDisabled).toBe(isDisabled);
      const rule = { match: {}, support: { appiumDisabled: false } };
      expect(resolvePolicy([rule], galaxy, preparing).support.appiumDisabled).toBe(false);
    },
  );
});

describe('a rule', () => {
  it.each([
    [{}, true],
    [{ model: 'SM-*' }, true],
    [{ model: 'sm-s91?b' }, true],
    [{ model: 'SM-S91' }, false],
    [{ model: 'SM?S911B?' }, false],
    [{ model: '*', brand: 'google' }, false],
    [{ serial: '192.168.1.*:5555' }, true],
    [{ serial: '192x168.1.*' }, false],
    [{ serial: '192.168.1.[7]:5555' }, false],
    [{ slot: 'rack 2*' }, true],
    [{ slot: 'RACK ?, bay ?' }, true],
    [{ slot: 'rack 2' }, false],
    [{ slot: 'rack 2*', model: 'Pixel*' }, false],
  ])('of %j matches a Galaxy S23: %s', (match, expected) => {
    expect(matches(match, galaxy)).toBe(expected);
  });

  it.each(['model', 'brand', 'slot'])('by %s does not match a phone of which that is not known', (key) => {
    expect(matches({ [key]: '*' }, { udid: 'A', serial: 'A' })).toBe(false);
  });
});
