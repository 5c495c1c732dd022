import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/diagnosis/finding.ts';
import { remedyFor } from '../../src/diagnosis/remedies.ts';
import type { ShownPhone } from '../../src/diagnosis/rule.ts';
import {
  causeStatusOf,
  causesOf,
  explainedBy,
  findingsByPhone,
  signOf,
  withFindings,
  withoutExplained,
} from '../../src/status/causes.ts';
import { isHostProblem } from '../../src/status/host-status.ts';
import { finding } from '../support/sample-finding.ts';
import { NOW, phone } from '../support/sample-status.ts';

const HOUR = 3_600_000;

/** A problem of the present of one phone. */
const problem = (code: string, key = 'A', changes: Partial<Finding> = {}): Finding =>
  finding(code, { subject: { kind: 'phone', key }, evidence: [], since: NOW - HOUR, ...changes });

const unplugged = (key: string, agoMs = HOUR): Finding =>
  problem('unplugged', key, {
    title: `Pixel ${key} is unplugged`,
    remedy: 'Not plugged in: plug the phone in again',
    since: NOW - agoMs,
  });

const hot = problem('hot', 'A', { severity: 'critical', sign: 'hot', remedy: 'Let it cool down' });

const hub = finding('HUB_LOST', {
  subject: { kind: 'hub', key: '1-3' },
  udids: ['A', 'B'],
  since: NOW - HOUR,
});

const at = (udid: string, devpath?: string, attached = false): ShownPhone => ({
  ...{ udid, connection: 'usb', attached },
  ...(devpath !== undefined && { devpath }),
});

const codesOf = (findings: readonly Finding[]) => findings.map(({ code }) => code);

describe('what explains what', () => {
  const again = finding('HUB_UNSTABLE', { subject: { kind: 'hub', key: '1-4' }, udids: ['A', 'B'] });

  it('a finding about a hub tells what its phones do because of it', () => {
    const others = [finding('FLAPPING'), finding('BATTERY_HOT')];
    expect(codesOf(withoutExplained([again, ...others]))).toEqual(['HUB_UNSTABLE', 'BATTERY_HOT']);
  });

  it('but not of another phone, nor what is worse', () => {
    const ofAnother = finding('FLAPPING', { subject: { kind: 'phone', key: 'C' } });
    expect(withoutExplained([again, ofAnother])).toHaveLength(2);
    expect(withoutExplained([again, finding('FLAPPING', { severity: 'critical' })])).toHaveLength(2);
  });

  it('a finding without phones is told by no other', () => {
    expect(withoutExplained([again, { ...finding('FLAPPING'), udids: [] }])).toHaveLength(2);
  });

  it('knows which findings say why a phone is lost', () => {
    const codes = ['HUB_LOST', 'PORT_UNSTABLE', 'BATTERY_HOT', 'USB_SLOW'];
    const isOfLoss = (code: string) => explainedBy({ code, severity: 'major' }).includes('unplugged');
    expect(codes.map(isOfLoss)).toEqual([true, true, true, false]);
    expect(explainedBy({ code: 'HUB_LOST', severity: 'minor' })).toEqual([]);
    expect(explainedBy({ code: 'HOST_LOST_PHONES', severity: 'minor' })).toEqual([]);
  });
});

describe('the causes', () => {
  it('tell a hub and its unplugged phones once', () => {
    const { causes, notices } = causesOf([hub, unplugged('A'), unplugged('B'), unplugged('C', HOUR / 2)], []);
    expect(causes).toEqual([
      { ...unplugged('C', HOUR / 2), key: 'unplugged phone C' },
      { ...hub, key: 'HUB_LOST hub 1-3' },
    ]);
    expect(notices).toEqual([]);
  });

  it('say of what happened over days which phones are unplugged now', () => {
    const port = finding('PORT_UNSTABLE', { subject: { kind: 'port', key: '1-3.1' }, udids: ['A', 'B'] });
    const flapping = finding('FLAPPING', { subject: { kind: 'phone', key: 'C' } });
    const titles = (...problems: Finding[]) =>
      causesOf([flapping, port, ...problems], []).causes.map(({ title }) => title);
    expect(titles(unplugged('B'), unplugged('C'))).toEqual([
      'FLAPPING of C, unplugged now',
      'PORT_UNSTABLE of 1-3.1, 1 unplugged now',
    ]);
    const cut = finding('POWER_CUT', { subject: { kind: 'room' }, udids: ['A'], title: 'as in a power cut' });
    expect(causesOf([cut, unplugged('A')], []).causes[0]?.title).toBe('as in a power cut, 1 unplugged now');
    expect(titles(problem('silent', 'B'))).toEqual(['FLAPPING of C', 'PORT_UNSTABLE of 1-3.1']);
  });

  it('do not take in a phone that was unplugged long before, unless they say what is plugged in now', () => {
    expect(codesOf(causesOf([hub, unplugged('A', 2 * HOUR)], []).causes)).toEqual(['HUB_LOST', 'unplugged']);
    const onUsb = finding('NOT_IN_ADB', {
      subject: { kind: 'port', key: '1-3.1' },
      udids: ['A'],
      evidence: [],
    });
    expect(codesOf(causesOf([onUsb, unplugged('A', 20 * HOUR)], []).causes)).toEqual(['NOT_IN_ADB']);
    const flashed = { ...onUsb, severity: 'minor' } as const;
    const { causes, notices, remedies } = causesOf([unplugged('A'), flashed], []);
    expect([codesOf(causes), notices, remedies.get('A')]).toEqual([['NOT_IN_ADB'], [], flashed.remedy]);
    expect(explainedBy(flashed)).toContain('unplugged');
    expect(explainedBy({ ...hub, severity: 'minor' })).toEqual([]);
  });

  it('take in what else they tell whenever that was noticed, also in the phone’s own words', () => {
    const burning = finding('BATTERY_HOT', { severity: 'critical', since: NOW + HOUR });
    const own = problem('battery', 'A', { severity: 'critical', sign: 'battery too hot' });
    const dead = { ...own, sign: 'battery dead' };
    expect(causesOf([burning, hot, own, dead], []).causes.map(signOf)).toEqual(['hot', 'battery dead']);
  });

  it('leave other problems of the same phone alone', () => {
    expect(codesOf(causesOf([hub, hot], []).causes)).toEqual(['hot', 'HUB_LOST']);
  });

  it('keep the worse of a finding and a problem that tell the same', () => {
    const minor = finding('BATTERY_HOT', { severity: 'minor', udids: ['A'] });
    const kept = causesOf([minor, hot], []);
    expect([codesOf(kept.causes), kept.notices]).toEqual([['hot'], []]);
    const critical = finding('BATTERY_HOT', { severity: 'critical', udids: ['A'] });
    expect(codesOf(causesOf([critical, hot], []).causes)).toEqual(['BATTERY_HOT']);
  });

  it('keep a minor finding for the phones of which no problem tells more', () => {
    const filling = finding('STORAGE_FILLING', {
      severity: 'minor',
      subject: { kind: 'room' },
      udids: ['A', 'B'],
    });
    expect(causesOf([filling, problem('storage')], []).notices).toMatchObject([{ udids: ['B'] }]);
  });

  it('put minor findings aside, unless a problem that needs somebody is told by them', () => {
    const filling = finding('STORAGE_FILLING', { severity: 'minor' });
    expect(causesOf([filling], [])).toMatchObject({ causes: [], notices: [{ code: 'STORAGE_FILLING' }] });
    const full = problem('storage', 'A', { severity: 'minor' });
    expect(causesOf([filling, full], [])).toMatchObject({
      causes: [{ code: 'STORAGE_FILLING' }],
      notices: [],
    });
  });

  it('tell phones with the same finding and remedy as one', () => {
    const of = (key: string, remedy = 'Unlock the phone') =>
      finding('NOT_PREPARED', {
        severity: 'minor',
        certainty: key === 'B' ? 'likely' : 'certain',
        subject: { kind: 'phone', key },
        since: NOW - (key === 'B' ? 2 : 1),
        remedy,
      });
    const { notices } = causesOf([of('A'), of('B'), of('C', 'Enter the PIN')], []);
    expect(notices.map(({ title, udids, certainty, since }) => [title, udids, certainty, since])).toEqual([
      ['NOT_PREPARED of C', ['C'], 'certain', NOW - 1],
      ['2 phones are not prepared', ['A', 'B'], 'likely', NOW - 2],
    ]);
  });

  it('tell phones in the same state as one, and rejected ones where the cloud says the same of them', () => {
    const offline = (key: string) => problem('state', key, { sign: 'offline', remedy: 'Replug it' });
    const refused = (key: string, said: string) =>
      problem('refused', key, { sign: 'rejected', said, remedy: 'Fix' });
    const all = [
      offline('A'),
      offline('B'),
      refused('C', 'no licence'),
      refused('D', 'no licence'),
      refused('E', 'no'),
    ];
    expect(causesOf(all, []).causes.map(({ title, udids }) => [title, udids])).toEqual([
      ['refused of E', ['E']],
      ['2 phones are rejected by the cloud', ['C', 'D']],
      ['2 phones: offline', ['A', 'B']],
    ]);
  });

  it('are in order: those of the host first, then the worst, of these the newest', () => {
    const host = finding('cloud', { severity: 'critical', subject: { kind: 'host' }, since: 1 });
    const storage = problem('storage', 'F', { severity: 'minor', since: NOW });
    const all = [
      storage,
      unplugged('A', 9),
      unplugged('B', HOUR),
      problem('silent', 'C', { since: NOW - 5 }),
      hot,
      host,
    ];
    expect(codesOf(causesOf(all, [at('B', '2-1')]).causes)).toEqual([
      'cloud',
      'hot',
      'silent',
      'unplugged',
      'unplugged',
      'storage',
    ]);
  });
});

describe('phones that are unplugged', () => {
  const phones = [at('A', '1-3.1'), at('B', '1-3.2'), at('C', '1-3.4.1'), at('D', '1-3.3'), at('E', '1-3.5')];

  it('are one cause if they left a hub together, with its chips, and another if they left it later', () => {
    const all = [
      unplugged('A', 60_000),
      unplugged('B', 57_000),
      unplugged('C', 60_000),
      unplugged('D', 9_000),
    ];
    const { causes } = causesOf(all, phones);
    expect(causes.map(({ title, udids, since }) => ({ title, udids, since }))).toEqual([
      { title: 'Pixel D is unplugged', udids: ['D'], since: NOW - 9_000 },
      { title: '3 phones behind hub 1-3 are unplugged', udids: ['A', 'C', 'B'], since: NOW - 60_000 },
    ]);
    expect(causes[1]).toMatchObject({ subject: { kind: 'hub', key: '1-3' }, remedy: remedyFor.hub });
  });

  it.each([
    [
      'usb',
      'See whether the hubs have power, and switch them off and on; check what they share: a cable, the power strip, a USB card; in a virtual machine attach them again; then restart the adb server or the host, which interrupts all phones',
    ],
    [
      'tcp',
      'Check their network and whether their addresses have changed, and connect them again; then restart the adb server, which interrupts all phones',
    ],
    [
      'emulator',
      'Start them again; if they end again, look in their logs and in that of what starts them, and give this host more memory or disk space',
    ],
  ] as const)('at once, without a hub, connected by %s: what to do', (connection, remedy) => {
    const some = ['A', 'B'].map((udid) => ({ udid, connection, attached: false }));
    expect(causesOf([unplugged('A'), unplugged('B')], some).causes).toMatchObject([
      { title: '2 phones were unplugged at once', remedy, udids: ['A', 'B'] },
    ]);
  });

  it('of several hubs that lost several phones each at one moment are one cause', () => {
    const some = ['1-3.1', '1-3.2', '2-1.1', '2-1.2', '2-2.1'].map((devpath) => at(devpath, devpath));
    const { causes } = causesOf(
      some.map(({ udid }, index) => unplugged(udid, 60_000 - index * 1_000)),
      some,
    );
    expect(causes).toMatchObject([
      {
        subject: { kind: 'room' },
        title: '4 phones behind 2 hubs were unplugged at once',
        udids: ['1-3.1', '1-3.2', '2-1.1', '2-1.2'],
      },
      { title: 'Pixel 2-2.1 is unplugged' },
    ]);
  });

  it('keep the key of their cause while phones are added to it', () => {
    const two = [unplugged('A', 60_000), unplugged('B', 57_000)];
    const keys = [two, [...two, unplugged('E', 55_000)]].map((some) => causesOf(some, phones).causes[0]?.key);
    expect(keys[0]).toBe(keys[1]);
  });

  it('of one hub at two moments are two causes with a key each', () => {
    const all = [
      ...['A', 'B'].map((udid) => unplugged(udid, 60_000)),
      ...['D', 'E'].map((udid) => unplugged(udid, 9_000)),
    ];
    const { causes } = causesOf(all, phones);
    expect(causes.map(({ title }) => title)).toEqual(Array(2).fill('2 phones behind hub 1-3 are unplugged'));
    expect(new Set(causes.map(({ key }) => key)).size).toBe(2);
  });
});

describe('phones that are unauthorized', () => {
  const unauthorized = (key: string) =>
    problem('unauthorized', key, { remedy: 'Accept the USB debugging prompt' });

  it('are one cause', () => {
    const phones = ['A', 'B', 'C'].map((udid) => at(udid, '1-3', true));
    expect(causesOf([unauthorized('A'), unauthorized('B')], phones).causes).toMatchObject([
      {
        title: '2 phones wait for the USB debugging prompt',
        remedy: 'Accept the USB debugging prompt',
        udids: ['A', 'B'],
      },
    ]);
  });

  it('all at once do not know the key of another adb server', () => {
    const phones = ['A', 'B', 'C'].map((udid) => at(udid, '1-3', true));
    expect(causesOf(['A', 'B', 'C'].map(unauthorized), phones).causes).toMatchObject([
      { title: 'All 3 phones are unauthorized', command: 'hostnode doctor', udids: ['A', 'B', 'C'] },
    ]);
  });
});

const hubOfTwo = finding('HUB_LOST', { subject: { kind: 'hub', key: '1-3' }, udids: ['A', 'B'] });

describe('a cause in /api/status', () => {
  const statusOf = (one: typeof hubOfTwo) => causesOf([one], []).causes.map(causeStatusOf);

  it('has a code, and how sure it is, where it is a finding', () => {
    expect(statusOf(hubOfTwo)).toEqual([
      {
        key: 'HUB_LOST hub 1-3',
        kind: 'finding',
        code: 'HUB_LOST',
        severity: 'major',
        certainty: 'certain',
        subject: 'hub',
        title: 'HUB_LOST of 1-3',
        remedy: 'Fix HUB_LOST',
        since: hubOfTwo.since,
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
        since: hubOfTwo.since,
        udids: ['A'],
      },
    ]);
  });

  it('is one of the host itself, or of phones', () => {
    const of = (one: typeof hubOfTwo) => statusOf(one).map(isHostProblem);
    const host = finding('adb', { subject: { kind: 'host' }, command: 'hostnode doctor' });
    expect([of(host), of(finding('ROOM_WARM', { subject: { kind: 'room' } })), of(hubOfTwo)]).toEqual([
      [true],
      [true],
      [false],
    ]);
    expect(statusOf(host)).toMatchObject([{ kind: 'adb', command: 'hostnode doctor' }]);
    const history = finding('history', { subject: { kind: 'host' } });
    const worse = finding('HUB_LOST', { severity: 'critical' });
    expect(causesOf([worse, history], []).causes.map(({ code }) => code)).toEqual(['history', 'HUB_LOST']);
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
    ['that of its hub', hubOfTwo],
  ])('stays fine for %s', (_, one) => {
    expect(withFindings(phone(), [one])).toEqual({ ...phone(), findings: [one.code] });
  });

  it.each(['maintenance', 'unknown', 'needsAttention'] as const)('keeps its own words in %s', (condition) => {
    const own = phone({ condition, sign: 'hot', message: 'Let it cool down' });
    expect(withFindings(own, [finding('FLAPPING')])).toEqual({ ...own, findings: ['FLAPPING'] });
  });

  it('says of a lost phone what the cause says, and keeps its sign', () => {
    const own = phone({ condition: 'needsAttention', sign: 'unplugged', message: 'Plug it in again' });
    const { remedies } = causesOf([hubOfTwo, unplugged('A')], []);
    expect(withFindings(own, [hubOfTwo], remedies.get('A'))).toEqual({
      ...own,
      message: hubOfTwo.remedy,
      findings: ['HUB_LOST'],
    });
    expect(withFindings(own, [], remedies.get('A')).message).toBe(hubOfTwo.remedy);
    expect(withFindings(own, [hubOfTwo], remedies.get('C')).message).toBe('Plug it in again');
  });

  it('says of its own finding what the one says that tells it', () => {
    const again = finding('HUB_UNSTABLE', { subject: { kind: 'hub', key: '1-3' }, udids: ['A', 'B'] });
    expect(withFindings(phone(), [again, finding('FLAPPING')])).toMatchObject({
      sign: 'flapping',
      message: again.remedy,
    });
  });

  it('has each code once, and none of the host or the room', () => {
    const room = finding('ROOM_WARM', { subject: { kind: 'room' }, udids: ['A'] });
    const ofPhone = findingsByPhone([hubOfTwo, hubOfTwo, room, finding('FLAPPING')]);
    expect(withFindings(phone(), ofPhone.get('A') ?? []).findings).toEqual(['HUB_LOST', 'FLAPPING']);
    expect([...ofPhone.keys()]).toEqual(['A', 'B']);
  });
});
