import { describe, expect, it } from 'vitest';
import {
  hindranceEvents,
  hindranceInWords,
  type RecordedHindrances,
} from '../../../src/diagnosis/explain/hindrances.ts';
import type { PhoneInput, RuleInput } from '../../../src/diagnosis/rule-input.ts';

const input = (changes: Partial<PhoneInput>): RuleInput => ({
  ...{ at: 7, isAdbListed: true },
  phones: [
    {
      ...{ udid: 'A', serial: 'A', name: 'Pixel', connection: 'usb', attached: true, state: 'device' },
      ...{ where: { slot: 'bay 1' }, isInMaintenance: false, ...changes },
    },
  ],
});

describe('what hinders tests', () => {
  it('is recorded when it begins, changes and ends, once each', () => {
    const recorded = new Map() as RecordedHindrances;
    const events = (changes: Partial<PhoneInput>) => hindranceEvents(input(changes), recorded);
    const own = { kind: 'hindered', at: 7, udid: 'A', where: { slot: 'bay 1' } };
    expect(events({})).toEqual([]);
    const locked = { readiness: { isLocked: true, isAwake: true, dialog: 'NONE' as const } };
    const unlock = 'Unlock the phone, and set its screen lock to None';
    expect(events(locked)).toEqual([{ ...own, codes: 'screenLocked', remedy: unlock }]);
    expect(events(locked)).toEqual([]);
    const offline = { ...locked, network: 'UNREACHABLE', remedy: 'Check its Wi-Fi' };
    expect(events(offline)).toEqual([{ ...own, codes: 'network,screenLocked', remedy: 'Check its Wi-Fi' }]);
    expect(events({})).toEqual([{ ...own, codes: '' }]);
  });

  it('is no internet where the phone had it, also while it is away; not where it never had', () => {
    const recorded: RecordedHindrances = new Map();
    const codes = (changes: Partial<PhoneInput>) =>
      hindranceEvents(input(changes), recorded).map((event) => event.kind === 'hindered' && event.codes);
    expect(codes({ network: 'UNREACHABLE' })).toEqual([]);
    expect(codes({ network: 'REACHABLE' })).toEqual([]);
    expect(codes({ network: 'UNREACHABLE' })).toEqual(['internet']);
    expect(codes({ state: 'offline' })).toEqual([]);
    expect(codes({ network: 'UNREACHABLE', remedy: 'Sign in' })).toEqual(['network']);
    expect(codes({ network: 'REACHABLE' })).toEqual(['']);
    expect(codes({ state: 'offline' })).toEqual([]);
  });

  it('is kept only of phones that the host knows', () => {
    const recorded: RecordedHindrances = new Map();
    hindranceEvents(input({ udid: 'A' }), recorded);
    hindranceEvents(input({ udid: 'B' }), recorded);
    expect([...recorded.keys()]).toEqual(['B']);
  });

  it.each<[Partial<PhoneInput>, string]>([
    [{ isSilent: true, remedy: 'Restart it' }, 'silent'],
    [{ isDataLocked: true, remedy: 'Unlock it' }, 'locked'],
    [{ readiness: { isAwake: false } }, 'screenOff'],
    [{ readiness: { dialog: 'PERMISSION' } }, 'dialog'],
  ])('%j is %s', (changes, codes) => {
    expect(hindranceEvents(input(changes), new Map())).toMatchObject([{ codes }]);
  });

  it('of a phone that is not usable, or in maintenance, is none', () => {
    for (const changes of [{ state: 'offline' }, { isInMaintenance: true }])
      expect(hindranceEvents(input({ readiness: { isLocked: true }, ...changes }), new Map())).toEqual([]);
  });

  it('has words, also for a code that is not known any more', () => {
    expect(['silent', 'dialog', 'internet', 'toString', 'X_OLD'].map(hindranceInWords)).toEqual([
      ...['no answer', 'dialog in front', 'no internet', 'toString', 'X_OLD'],
    ]);
  });
});
