import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, isOtherMake, type Signs } from '../../src/facts/same-phone.ts';

const identity = {
  serialNumber: 'S1',
  model: 'M',
  brand: 'B',
  androidRelease: '15',
  sdk: 35,
  isEmulator: false,
};
const phone: Signs = { identity, bootId: 'a', startedAt: 1000 };
const stale: Signs = { ...phone, isStale: true };

describe('isOtherMake', () => {
  it.each([
    ['another serial number', { ...identity, serialNumber: 'S2' }, true],
    ['no serial number', { isEmulator: false, model: 'M' }, true],
    ['another model', { ...identity, model: 'N' }, true],
    ['another brand', { ...identity, brand: 'C' }, true],
    ['another kind', { ...identity, isEmulator: true }, true],
    ['no model', { serialNumber: 'S1', isEmulator: false }, false],
    ['an update of Android', { ...identity, androidRelease: '16', sdk: 36 }, false],
  ])('%s: %#', (_, other, isOther) => {
    expect(isOtherMake(identity, other)).toBe(isOther);
    expect(isOtherMake(other, identity)).toBe(isOther);
  });

  it('says nothing of one that is not known', () => {
    expect(isOtherMake(undefined, identity)).toBe(false);
  });
});

describe('compare', () => {
  it.each<[string, Signs, Signs, string]>([
    ['one boot id', phone, { ...phone, startedAt: 1060 }, 'same'],
    ['one boot id, told before a break', stale, phone, 'same'],
    ['another boot id', phone, { ...phone, bootId: 'b' }, 'other'],
    ['another boot id since a break', stale, { ...phone, bootId: 'b' }, 'unknown'],
    ['one boot id and another Android', phone, { ...phone, identity: { ...identity, sdk: 30 } }, 'other'],
    ['one boot id and another start', phone, { ...phone, startedAt: 9000 }, 'other'],
    ['one boot id and another model', stale, { ...phone, identity: { ...identity, model: 'N' } }, 'other'],
    ['no boot id and one start', phone, { identity, startedAt: 1010 }, 'same'],
    ['no boot id and another start', phone, { identity, startedAt: 2000 }, 'other'],
    ['no boot id and another start since a break', stale, { identity, startedAt: 2000 }, 'unknown'],
    ['no boot', phone, { identity }, 'unknown'],
    ['nothing', phone, {}, 'unknown'],
  ])('%s', (_, a, b, sameness) => {
    expect(compare(a, b)).toBe(sameness);
    expect(compare(b, a)).toBe(sameness);
  });

  it('never takes two of different models for one, whatever their other facts', () => {
    const signs = fc.record(
      { bootId: fc.constantFrom('a', 'b'), startedAt: fc.nat(3000), isStale: fc.boolean() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(signs, signs, (a, b) => {
        const [one, other] = ['M', 'N'].map((model) => ({ ...identity, model }));
        expect(
          compare({ ...a, ...(one && { identity: one }) }, { ...b, ...(other && { identity: other }) }),
        ).toBe('other');
      }),
      { seed: 1 },
    );
  });
});
