import { describe, expect, it } from 'vitest';
import { causesOf } from '../../src/status/causes.ts';
import { causeStatusOf, findingsByPhone, withFindings } from '../../src/status/finding-status.ts';
import { isHostProblem } from '../../src/status/host-status.ts';
import { finding } from '../support/sample-finding.ts';
import { phone } from '../support/sample-status.ts';

const hub = finding('HUB_LOST', { subject: { kind: 'hub', key: '1-3' }, udids: ['A', 'B'] });

describe('a cause in /api/status', () => {
  const statusOf = (one: typeof hub) => causesOf([one], []).causes.map(causeStatusOf);

  it('has a code, and how sure it is, where it is a finding', () => {
    expect(statusOf(hub)).toEqual([
      {
        key: 'HUB_LOST hub 1-3',
        kind: 'finding',
        code: 'HUB_LOST',
        severity: 'major',
        certainty: 'certain',
        subject: 'hub',
        title: 'HUB_LOST of 1-3',
        remedy: 'Fix HUB_LOST',
        since: hub.since,
        udids: ['A', 'B'],
      },
    ]);
  });

  it('is its kind where it is a problem of the present', () => {
    const said = { sign: 'rejected', said: 'no licence', evidence: [] };
    expect(statusOf(finding('refused', { ...said, title: 'Pixel is rejected by the cloud' }))).toEqual([
      {
        key: expect.any(String),
        kind: 'refused',
        title: 'Pixel is rejected by the cloud',
        said: 'no licence',
        remedy: 'Fix refused',
        since: hub.since,
        udids: ['A'],
      },
    ]);
  });

  it('is one of the host itself, or of phones', () => {
    const of = (one: typeof hub) => statusOf(one).map(isHostProblem);
    const host = finding('adb', { subject: { kind: 'host' }, command: 'hostnode doctor' });
    expect([of(host), of(finding('ROOM_WARM', { subject: { kind: 'room' } })), of(hub)]).toEqual([
      [true],
      [true],
      [false],
    ]);
    expect(statusOf(host)).toMatchObject([{ kind: 'adb', command: 'hostnode doctor' }]);
  });
});

describe('a phone with findings', () => {
  it('that is fine needs attention for a finding about itself that is worse than minor', () => {
    const flapping = finding('FLAPPING');
    expect(withFindings(phone(), [flapping])).toMatchObject({
      condition: 'needsAttention',
      sign: 'flapping',
      message: 'Fix FLAPPING',
      since: flapping.since,
      findings: ['FLAPPING'],
    });
  });

  it.each([
    ['a minor one', finding('USB_SLOW', { severity: 'minor' })],
    ['that of its hub', hub],
  ])('stays fine for %s', (_, one) => {
    expect(withFindings(phone(), [one])).toEqual({ ...phone(), findings: [one.code] });
  });

  it.each(['maintenance', 'unknown', 'needsAttention'] as const)('keeps its own words in %s', (condition) => {
    const own = phone({ condition, sign: 'hot', message: 'Let it cool down' });
    expect(withFindings(own, [finding('FLAPPING')])).toEqual({ ...own, findings: ['FLAPPING'] });
  });

  it('says of a lost phone what its hub needs, and keeps its sign', () => {
    const away = { attached: false, sign: 'unplugged', message: 'Not plugged in: plug the phone in again' };
    const own = phone({ condition: 'needsAttention', ...away });
    expect(withFindings(own, [hub])).toEqual({ ...own, message: hub.remedy, findings: ['HUB_LOST'] });
    const slow = finding('USB_SLOW', { severity: 'minor' });
    expect(withFindings(own, [slow]).message).toBe(away.message);
    const worked = phone({ condition: 'maintenance', ...away });
    expect(withFindings(worked, [hub]).message).toBe(away.message);
  });

  it('has each code once, and none of the host or the room', () => {
    const room = finding('ROOM_WARM', { subject: { kind: 'room' }, udids: ['A'] });
    const ofPhone = findingsByPhone([hub, hub, room, finding('FLAPPING')]);
    expect(withFindings(phone(), ofPhone.get('A') ?? []).findings).toEqual(['HUB_LOST', 'FLAPPING']);
    expect([...ofPhone.keys()]).toEqual(['A', 'B']);
  });
});
