import { describe, expect, it } from 'vitest';
import type { Facts } from '../../src/facts/index.ts';
import { PROMPT } from '../../src/report/message.ts';
import type { Remark } from '../../src/report/remark.ts';
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
  const remark: Remark = {};
  const hostReport = reportOf({ roster, phones: probePool, rules, remarkOf: () => ({ ...remark }) });
  return { roster, said, rules, remark, hostReport, look: () => hostReport.devices()[0] };
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
    [
      'its maintenance',
      ({ remark }) => Object.assign(remark, { message: 'In maintenance until 18:00: x', isHidden: true }),
      { message: /^In maintenance until 18:00: x$/, isHidden: true },
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

  it('says of a phone in maintenance that alone, while a person still learns what its state needs', () => {
    const { roster, remark, hostReport, look } = scene();
    roster.observe([{ ...listed, state: 'unauthorized' }], 2_000);
    Object.assign(remark, { message: 'In maintenance until 18:00: x' });
    expect(look()).toMatchObject({ message: 'In maintenance until 18:00: x', isHidden: false });
    const [{ udid = '' } = {}] = roster.devices;
    expect(hostReport.remedyOf(udid)).toBe(PROMPT.usb);
  });

  it('asks the rules again only when who it is has changed', () => {
    const { roster, rules, look } = scene();
    let asked = 0;
    const match = {
      get serial() {
        asked += 1;
        return 'P*';
      },
    };
    rules.push({ match, isHidden: true });
    const named = (model: string) => ({ identity: { serialNumber: 'POCO', model, isEmulator: false } });
    roster.learn(listed, named('F5'), 1_000);
    const counts = [2_000, 3_000, 4_000].map((now) => {
      roster.observe([listed], now);
      expect(look()?.isHidden).toBe(true);
      return asked;
    });
    expect(counts).toEqual([1, 1, 1]);
    roster.learn(listed, named('F6'), 5_000);
    look();
    expect(asked).toBe(2);
  });

  it('stays hidden by a rule when its maintenance ends, and is hidden by maintenance without one', () => {
    const { rules, remark, look } = scene();
    Object.assign(remark, { isHidden: true });
    expect(look()?.isHidden).toBe(true);
    rules.push({ match: { serial: 'POCO' }, isHidden: true });
    expect(look()?.isHidden).toBe(true);
    delete remark.isHidden;
    expect(look()?.isHidden).toBe(true);
    rules.pop();
    expect(look()?.isHidden).toBe(false);
  });
});
