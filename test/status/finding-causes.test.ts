import { describe, expect, it } from 'vitest';
import { findingCodes } from '../../src/diagnosis/rules/index.ts';
import type { AffectedPhone } from '../../src/status/causes.ts';
import { causesOfFindings, findingsByPhone, withFindings } from '../../src/status/finding-causes.ts';
import { pluralOf, signOf } from '../../src/status/finding-words.ts';
import { finding } from '../support/sample-finding.ts';
import { NOW, phone } from '../support/sample-status.ts';

const lost = (udid: string, agoMs = 3_600_000): AffectedPhone => ({
  udid,
  name: udid,
  kind: 'unplugged',
  sign: 'unplugged',
  remedy: 'Not plugged in: plug the phone in again',
  since: NOW - agoMs,
  connection: 'usb',
  devpath: '1-3.1',
});

const hot: AffectedPhone = { ...lost('A'), kind: 'hot', sign: 'hot', remedy: 'Let it cool down' };

const hub = finding('HUB_LOST', { subject: { kind: 'hub', key: '1-3' }, udids: ['A', 'B'] });

describe('causesOfFindings', () => {
  it('tells a hub and its unplugged phones once', () => {
    const { causes, notices, unexplained } = causesOfFindings([hub], [lost('A'), lost('B'), lost('C')]);
    expect(causes).toEqual([
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
    expect(notices).toEqual([]);
    expect(unexplained.map(({ udid }) => udid)).toEqual(['C']);
  });

  it('says of what happened over days which phones are unplugged now', () => {
    const port = finding('PORT_UNSTABLE', { subject: { kind: 'port', key: '1-3.1' }, udids: ['A', 'B'] });
    const flapping = finding('FLAPPING', { subject: { kind: 'phone', key: 'C' } });
    const titles = (...problems: AffectedPhone[]) =>
      causesOfFindings([port, flapping], problems).causes.map(({ title }) => title);
    expect(titles(lost('B'), lost('C'))).toEqual([
      'PORT_UNSTABLE of 1-3.1, 1 unplugged now',
      'FLAPPING of C, unplugged now',
    ]);
    expect(titles({ ...lost('B'), kind: 'silent' })).toEqual(['PORT_UNSTABLE of 1-3.1', 'FLAPPING of C']);
  });

  it('does not take in a phone that was unplugged long before', () => {
    expect(causesOfFindings([hub], [lost('A', 7_200_000)]).unexplained).toHaveLength(1);
  });

  it('takes in what else it tells whenever that was noticed, also in the phone’s own words', () => {
    const since = hot.since + 7_200_000;
    const burning = finding('BATTERY_HOT', { severity: 'critical', since });
    const own: AffectedPhone = { ...hot, kind: 'battery', sign: 'battery too hot' };
    const dead: AffectedPhone = { ...own, sign: 'battery dead' };
    expect(causesOfFindings([burning], [hot, own, dead]).unexplained).toEqual([dead]);
  });

  it('leaves other problems of the same phone alone', () => {
    expect(causesOfFindings([hub], [hot]).unexplained).toEqual([hot]);
  });

  it('keeps the worse of a finding and a problem that tell the same', () => {
    const minor = finding('BATTERY_HOT', { severity: 'minor', udids: ['A'] });
    expect(causesOfFindings([minor], [hot])).toEqual({ causes: [], notices: [], unexplained: [hot] });
    const critical = finding('BATTERY_HOT', { severity: 'critical', udids: ['A'] });
    expect(causesOfFindings([critical], [hot])).toMatchObject({
      causes: [{ code: 'BATTERY_HOT' }],
      unexplained: [],
    });
  });

  it('keeps a minor finding for the phones of which no problem tells more', () => {
    const locked = finding('SCREEN_LOCKED', {
      severity: 'minor',
      subject: { kind: 'room' },
      udids: ['A', 'B'],
    });
    const { notices } = causesOfFindings([locked], [{ ...lost('A'), kind: 'locked' }]);
    expect(notices).toMatchObject([{ udids: ['B'] }]);
  });

  it('puts minor findings aside, unless a problem that needs somebody is told by them', () => {
    const filling = finding('STORAGE_FILLING', { severity: 'minor' });
    expect(causesOfFindings([filling], [])).toMatchObject({
      causes: [],
      notices: [{ code: 'STORAGE_FILLING' }],
    });
    const full: AffectedPhone = { ...lost('A'), kind: 'storage', sign: 'storage full' };
    expect(causesOfFindings([filling], [full])).toMatchObject({
      causes: [{ code: 'STORAGE_FILLING' }],
      notices: [],
    });
  });

  it('tells phones with the same finding and remedy as one', () => {
    const of = (key: string, remedy = 'Unlock the phone') =>
      finding('SCREEN_LOCKED', {
        severity: 'minor',
        certainty: key === 'B' ? 'likely' : 'certain',
        subject: { kind: 'phone', key },
        since: NOW - (key === 'B' ? 2 : 1),
        remedy,
      });
    const { notices } = causesOfFindings([of('A'), of('B'), of('C', 'Enter the PIN')], []);
    expect(notices.map(({ title, udids, certainty, since }) => [title, udids, certainty, since])).toEqual([
      ['SCREEN_LOCKED of C', ['C'], 'certain', NOW - 1],
      ['2 phones are locked', ['A', 'B'], 'likely', NOW - 2],
    ]);
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

it('every code has words for a tile, of three at most, and for several phones', () => {
  for (const code of findingCodes) {
    expect(signOf(code)).toMatch(/^\S+( \S+){0,2}$/);
    expect(pluralOf(code)).toMatch(/^[a-z]\w+ /);
  }
});
