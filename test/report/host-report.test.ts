import { describe, expect, it } from 'vitest';
import type { Facts } from '../../src/facts/index.ts';
import { Roster } from '../../src/roster/roster.ts';
import { reportOf } from '../support/manual-host.ts';

const listed = { serial: 'POCO', state: 'device', devpath: '1-1', transportId: 1 };

/** A phone of which all that its picture is made of can be changed. */
function scene() {
  const roster = new Roster({ nodeId: 'host', offlineNetworkMs: 0 });
  roster.observe([listed], 1_000);
  const said: { facts: Facts; isSilent: boolean } = { facts: {}, isSilent: false };
  const rules: { match: object; isHidden: boolean; support?: { appiumDisabled: boolean } }[] = [];
  const probePool = { facts: () => said.facts, isSilent: () => said.isSilent };
  const hostReport = reportOf({ roster, phones: probePool, rules });
  return { roster, said, rules, look: () => hostReport.devices()[0] };
}

describe('the picture of a phone', () => {
  it('is the same object while nothing of it changes, also when it is listed again', () => {
    const { roster, look } = scene();
    const first = look();
    expect(look()).toBe(first);
    roster.observe([listed], 2_000);
    expect(look()).toBe(first);
  });

  it.each<[string, (each: ReturnType<typeof scene>) => void, object]>([
    [
      'what it said',
      ({ said }) => Object.assign(said, { facts: { battery: { levelPercent: 7 } } }),
      { battery: { percentage: '7' } },
    ],
    [
      'that it is silent',
      ({ said }) => Object.assign(said, { isSilent: true }),
      { message: /does not answer/ },
    ],
    [
      "adb's word",
      ({ roster }) => void roster.observe([{ ...listed, state: 'offline' }], 2_000),
      { state: 'offline' },
    ],
    ['that it is gone', ({ roster }) => void roster.observe([], 2_000), { status: 'UNPLUGGED' }],
    ['the rules', ({ rules }) => void rules.push({ match: {}, isHidden: true }), { isHidden: true }],
    [
      'what the rules allow',
      ({ rules }) => void rules.push({ match: {}, isHidden: false, support: { appiumDisabled: true } }),
      { support: { appiumDisabled: true } },
    ],
  ])('is made anew when %s changes', (_, change, expected) => {
    const each = scene();
    const before = each.look();
    change(each);
    const { message, ...values } = expected as { message?: RegExp };
    expect(each.look()).not.toBe(before);
    expect(each.look()).toMatchObject(values);
    if (message !== undefined) expect(each.look()?.message).toMatch(message);
  });
});
