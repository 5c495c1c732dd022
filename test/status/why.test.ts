import { describe, expect, it } from 'vitest';
import { localMoment, wallTime } from '../../src/base/calendar.ts';
import type { Timeline } from '../../src/diagnosis/explain/timeline-query.ts';
import type { Blame } from '../../src/diagnosis/losses/blame.ts';
import { remedyFor } from '../../src/diagnosis/remedies.ts';
import type { HistoryEvent, Where } from '../../src/history/events/event.ts';
import type { Cause, FindingStatus, PhoneStatus, Why } from '../../src/status/host-status.ts';
import type { Named } from '../../src/status/names.ts';
import { whyOf } from '../../src/status/why.ts';
import { host, NOW, phone } from '../support/sample-status.ts';

const hub = 'pci-0000:00:14.0-usb-0:4';
const whereIn = (bay: number): Where => ({
  slot: `rack 2, shelf 3, bay ${bay}`,
  devpath: `1-4.${bay}`,
  usbPath: `${hub}.${bay}`,
  hub,
});
const inBay = (bay: number, changes: Partial<PhoneStatus> = {}): PhoneStatus => {
  const { slot = '', devpath = '' } = whereIn(bay);
  return phone({ udid: `P${bay}`, serial: `P${bay}`, name: `Phone ${bay}`, slot, devpath, ...changes });
};

const unplugged = (since = NOW - 3_600_000): Partial<PhoneStatus> => ({
  attached: false,
  state: 'disconnected',
  condition: 'needsAttention',
  sign: 'unplugged',
  message: 'Not plugged in: plug the phone in again',
  since,
});

const cause = (udids: string[], changes: Partial<Cause> = {}): Cause => ({
  key: udids.join(),
  kind: 'unplugged',
  title: 'unplugged',
  remedy: 'Check the power and the cable of the hub at USB port 1-4',
  since: NOW,
  udids,
  ...changes,
});

const finding = (changes: Partial<FindingStatus>): FindingStatus => ({
  code: 'PORT_UNSTABLE',
  severity: 'major',
  subject: { kind: 'port', key: `${hub}.2` },
  certainty: 'likely',
  title: 'Bay 2 lost 3 different phones in 9 days',
  remedy: 'Replace the cable or the port',
  since: NOW - 86_400_000,
  udids: [],
  ...changes,
});

const named = (kind: Named['kind'], name: string, udids: string[], where: Where = {}): Named => {
  const phones = udids.map((udid) => ({ udid, serial: udid, attached: true, where: whereOf(udid) }));
  const of = kind === 'slot' ? { slots: [name] } : kind === 'phone' ? { udids } : {};
  return { kind, name, phones, of, where };
};
const whereOf = (udid: string): Where => (/^P[1-9]$/.test(udid) ? whereIn(Number(udid.slice(1))) : {});
const phoneCalled = (udid: string): Named => named('phone', udid, [udid]);
const shelf = (...udids: string[]): Named => named('shelf', 'rack 2, shelf 3', udids);

interface Given extends Partial<Timeline> {
  present?: Parameters<typeof host>[1];
  limit?: number;
}

const why = (of: Named, phones: PhoneStatus[], given: Given = {}): Why => {
  const { present = {}, limit = 50, events = [], hasMore = false, ...lost } = given;
  const timeline = { events, hasMore, ...lost };
  return whyOf({ named: of, present: host(phones, present), timeline, limit });
};

const noted = (id: number, text: string, by?: string): HistoryEvent => ({
  ...{ id, at: NOW + id * 1000, kind: 'note', udid: 'P1', where: {}, text },
  ...(by !== undefined && { by }),
});

describe('why a phone is as it is', () => {
  const nowOf = (changes: Partial<PhoneStatus>) => why(phoneCalled('P1'), [inBay(1, changes)]).now;

  it.each<[string, Partial<PhoneStatus>]>([
    ['Phone 1 is fine', {}],
    ['Phone 1 is unplugged', unplugged()],
    [
      `Phone 1 is plugged in at rack-2 since ${localMoment(NOW - 5, NOW)}`,
      { ...unplugged(), elsewhere: { host: 'rack-2', since: NOW - 5 } },
    ],
    [
      `Phone 1 is fine, and plugged in at another host since ${localMoment(NOW - 5, NOW)}`,
      { elsewhere: { since: NOW - 5 } },
    ],
    ['Phone 1 is unauthorized', { condition: 'needsAttention', sign: 'unauthorized' }],
    ['Phone 1 needs attention: no answer', { condition: 'needsAttention', sign: 'no answer' }],
    [
      'Phone 1 is rejected by the cloud: no licence',
      { condition: 'needsAttention', sign: 'rejected', refused: 'no licence' },
    ],
    ['Phone 1 is rejected by the cloud', { condition: 'needsAttention', sign: 'rejected' }],
    ['Phone 1 was fine; now adb cannot be reached', { condition: 'unknown' }],
    [
      `Phone 1 is in maintenance until ${localMoment(NOW + 60_000, NOW)}: new battery`,
      { condition: 'maintenance', maintenance: { until: NOW + 60_000, reason: 'new battery' } },
    ],
  ])('%s', (sentence, changes) => {
    expect(nowOf(changes)).toBe(sentence);
  });

  it('says since when, where it is, and nothing that is not known', () => {
    expect(why(phoneCalled('P1'), [inBay(1, unplugged(NOW - 5))])).toEqual({
      subject: {
        kind: 'phone',
        name: 'Phone 1',
        udid: 'P1',
        slot: 'rack 2, shelf 3, bay 1',
        devpath: '1-4.1',
      },
      now: 'Phone 1 is unplugged',
      since: NOW - 5,
      condition: 'needsAttention',
      findings: [],
      remedy: 'Not plugged in: plug the phone in again',
      timeline: [],
    });
  });

  it('tells phones of the same name apart by their places', () => {
    const many = [1, 2, 3].map((bay) => inBay(bay, { name: bay === 3 ? 'Pixel' : 'Kiosk' }));
    const { timeline } = whyOf({
      named: { kind: 'host', name: 'this host', phones: [], of: { isOfNone: true }, where: {} },
      present: { takenAt: NOW, phones: many, causes: [], notices: [] },
      timeline: {
        events: many
          .map(({ udid }, id) => ({ id, at: NOW, kind: 'detached', udid, where: {} }) as const)
          .toReversed(),
        hasMore: false,
      },
      limit: 5,
    });
    expect(timeline[0]?.text).toMatch(/: Kiosk \(.*bay 1\), Kiosk \(.*bay 2\), Pixel$/);
  });

  it('has the remedy that the status has beside it, whatever else concerns it', () => {
    const status = { causes: [cause(['P1', 'P2'], { remedy: 'not this' })] };
    const message = 'Check the power and the cable of the hub at USB port 1-4';
    const away = inBay(1, { ...unplugged(), message });
    expect(why(phoneCalled('P1'), [away], { present: status }).remedy).toBe(message);
  });

  it('has the remedy of a notice, else of what is found about its place, and none where all is well', () => {
    const notices = [cause(['P1'], { kind: 'finding', remedy: 'Remove files' })];
    const findings = [finding({ subject: { kind: 'port', key: `${hub}.1` } })];
    const remedy = (status: object) => why(phoneCalled('P1'), [inBay(1)], { present: status }).remedy;
    expect(remedy({ notices, findings })).toBe('Remove files');
    expect(remedy({ findings })).toBe('Replace the cable or the port');
    expect(remedy({})).toBe('');
  });

  it('has the remedy of adb while that cannot be reached', () => {
    const adb = cause([], { kind: 'adb', remedy: 'Start the adb server' });
    const given = { present: { causes: [adb] } };
    expect(why(phoneCalled('P1'), [inBay(1, { condition: 'unknown' })], given).remedy).toBe(
      'Start the adb server',
    );
    expect(why(phoneCalled('P1'), [inBay(1)], given).remedy).toBe('');
  });

  it('asks for nothing in maintenance but its end, in words that a shell takes', () => {
    const maintenance = { until: NOW + 60_000, reason: 'x' };
    const worked = (udid: string) =>
      why(phoneCalled(udid), [phone({ udid, ...unplugged(), condition: 'maintenance', maintenance })]).remedy;
    expect(worked('P1')).toBe('When the work is done, run hostnode maintenance --end -- P1');
    expect(worked("it's; rm")).toBe(
      "When the work is done, run hostnode maintenance --end -- 'it'\\''s; rm'",
    );
  });

  it('has the findings about it, its port and its hub, and no others', () => {
    const findings = [
      finding({ code: 'FLAPPING', subject: { kind: 'phone', key: 'P2' }, udids: ['P2'] }),
      finding({ code: 'PORT_UNSTABLE', subject: { kind: 'port', key: `${hub}.2` } }),
      finding({ code: 'HUB_UNSTABLE', subject: { kind: 'hub', key: hub } }),
      finding({ code: 'ROOM_WARM', subject: { kind: 'room' }, udids: ['P1', 'P2'] }),
      finding({ code: 'ADB_RESTARTING', subject: { kind: 'host' } }),
    ];
    const codes = (udid: string) =>
      why(phoneCalled(udid), [inBay(1), inBay(2)], { present: { findings } }).findings.map(
        ({ code }) => code,
      );
    expect(codes('P1')).toEqual(['HUB_UNSTABLE', 'ROOM_WARM']);
    expect(codes('P2')).toEqual(['FLAPPING', 'PORT_UNSTABLE', 'HUB_UNSTABLE', 'ROOM_WARM']);
  });

  it('passes on who is to blame, and when it was lost', () => {
    const blame: Blame = { party: 'hub', key: hub, certainty: 'likely', because: 'x', evidence: [1] };
    const lost = { at: 7, udid: 'P1', blame, cause: 'hub' as const, medium: 'usb' as const };
    const given = { lost };
    expect(why(phoneCalled('P1'), [inBay(1)], given)).toMatchObject({ blame, lostAt: 7 });
    expect(why(shelf('P1'), [inBay(1)], given)).toMatchObject({ blame, lostAt: 7, lostName: 'Phone 1' });
  });

  it('says what to do about the last loss, where nothing else is to be done', () => {
    const blame: Blame = { party: 'hub', key: hub, certainty: 'likely', because: 'x', evidence: [1] };
    const lost = { at: 7, udid: 'P1', blame, cause: 'hub' as const, medium: 'usb' as const };
    const given = { lost };
    expect(why(phoneCalled('P1'), [inBay(1)], given)).toMatchObject({
      remedy: '',
      remedyOfLoss: remedyFor.hub,
    });
    expect(why(phoneCalled('P1'), [inBay(1)])).not.toHaveProperty('remedyOfLoss');
    const noted = { id: 9, at: 8, kind: 'note' as const, udid: 'P1', where: {}, text: 'new cable' };
    expect(why(phoneCalled('P1'), [inBay(1)], { ...given, events: [noted] })).not.toHaveProperty(
      'remedyOfLoss',
    );
    expect(why(phoneCalled('P1'), [inBay(1)], { ...given, events: [{ ...noted, at: 6 }] })).toHaveProperty(
      'remedyOfLoss',
    );
    const handled = { lost: { ...lost, cause: 'handled' as const } };
    expect(why(phoneCalled('P1'), [inBay(1)], handled)).not.toHaveProperty('remedyOfLoss');
    const ill = inBay(1, { condition: 'needsAttention', sign: 'unauthorized', message: 'Accept the prompt' });
    const answer = why(phoneCalled('P1'), [ill], given);
    expect(answer.remedy).toBe('Accept the prompt');
    expect(answer).not.toHaveProperty('remedyOfLoss');
  });

  it('has the newest of the timeline, and says that there is more', () => {
    const events = [3, 2, 1].map((id) => noted(id, `note ${id}`));
    const { timeline, hasMore } = why(phoneCalled('P1'), [inBay(1)], { events, limit: 2 });
    expect(timeline.map(({ id }) => id)).toEqual([3, 2]);
    expect(hasMore).toBe(true);
    expect(why(phoneCalled('P1'), [inBay(1)], { events, limit: 3 })).not.toHaveProperty('hasMore');
    expect(why(phoneCalled('P1'), [inBay(1)], { events, hasMore: true }).hasMore).toBe(true);
  });

  it('says that a phone is gone that was forgotten meanwhile', () => {
    expect(why(phoneCalled('P1'), []).now).toBe('P1 is not known any more');
  });
});

describe('why a place is as it is', () => {
  const bay = (number: number, ...udids: string[]): Named => {
    const { slot = '' } = whereIn(number);
    return named('slot', slot, udids, { slot });
  };

  it('says what is in a slot, and what was', () => {
    expect(why(bay(1, 'P1'), [inBay(1)]).now).toBe('rack 2, shelf 3, bay 1: Phone 1 is fine');
    expect(why(bay(1, 'P1'), [inBay(1, unplugged())]).now).toBe(
      'rack 2, shelf 3, bay 1: Phone 1 was here last, and is unplugged',
    );
    expect(why(bay(9), [inBay(1)]).now).toBe('rack 2, shelf 3, bay 9 is empty: no phone is known there');
  });

  it('says whose an event is, also of a phone that is elsewhere now', () => {
    const events: HistoryEvent[] = [
      noted(2, 'new hub'),
      { id: 1, at: NOW, kind: 'detached', udid: 'P4', where: whereIn(1) },
    ];
    const { timeline } = why(shelf('P1'), [inBay(1), inBay(4)], { events });
    expect(timeline.map(({ name }) => name)).toEqual(['Phone 1', 'Phone 4']);
  });

  it('counts the phones of a shelf and of a hub, and lists them', () => {
    const phones = [inBay(1, unplugged(NOW - 9)), inBay(2, unplugged(NOW - 8)), inBay(3), inBay(4)];
    const answer = why(shelf('P1', 'P2', 'P3'), phones);
    expect(answer).toMatchObject({
      subject: { kind: 'shelf', name: 'rack 2, shelf 3' },
      now: 'rack 2, shelf 3: 3 phones, 2 unplugged, 1 fine',
      since: NOW - 9,
    });
    expect(answer.phones?.map(({ udid, sign }) => `${udid} ${sign}`)).toEqual([
      'P1 unplugged',
      'P2 unplugged',
      'P3 ',
    ]);
    const ofHub = named('hub', '1-4', ['P3', 'P4'], { hub, devpath: '1-4' });
    expect(why(ofHub, phones)).toMatchObject({
      subject: { kind: 'hub', name: '1-4', devpath: '1-4' },
      now: 'hub 1-4: 2 phones, 2 fine',
    });
    expect(why(ofHub, phones)).not.toHaveProperty('since');
  });

  it('tells of the host: all its phones in one count, what is found about host and room, what to do', () => {
    const ofHost = named('host', 'this host', ['P1', 'P2', 'P3']);
    const phones = [inBay(1, unplugged()), inBay(2), inBay(3)];
    const findings = [finding({ code: 'POWER_CUT', subject: { kind: 'room' } }), finding({ udids: ['P1'] })];
    const causes = [cause(['P1']), cause([], { kind: 'finding', subject: 'room', remedy: 'Check the fuse' })];
    const answer = why(ofHost, phones, { present: { findings, causes } });
    expect(answer).toMatchObject({
      subject: { kind: 'host', name: 'this host' },
      now: 'this host: 3 phones, 2 fine, 1 unplugged',
      remedy: 'Check the fuse',
    });
    expect(answer.findings.map(({ code }) => code)).toEqual(['POWER_CUT']);
    expect(answer).not.toHaveProperty('phones');
    expect(why(ofHost, [], {})).toMatchObject({ now: 'this host has no phones', remedy: '' });
    const ofAll = why(ofHost, phones, { present: { causes: [cause(['P1'], { remedy: 'Plug it in' })] } });
    expect(ofAll.remedy).toBe('Plug it in');
    const notices = [cause([], { kind: 'finding', subject: 'host', remedy: 'Limit the charge' })];
    const alsoNoticed = { causes: [cause(['P1'], { remedy: 'Plug it in' })], notices };
    expect(why(ofHost, phones, { present: alsoNoticed }).remedy).toBe('Plug it in');
    expect(why(ofHost, phones, { present: { notices } }).remedy).toBe('Limit the charge');
    const two = [inBay(1, unplugged()), inBay(2, unplugged())];
    expect(why(ofHost, two, { present: { causes: [cause(['P1']), cause(['P2'])] } }).remedy).toBe('');
  });

  it('has what is found about the place itself, though no phone is there', () => {
    const { slot = '' } = whereIn(9);
    const findings = [
      finding({ subject: { kind: 'port', key: 'x', slot } }),
      finding({ code: 'HUB_UNSTABLE', subject: { kind: 'hub', key: hub } }),
    ];
    const codes = (of: Named) => why(of, [], { present: { findings } }).findings.map(({ code }) => code);
    expect(codes(bay(9))).toEqual(['PORT_UNSTABLE']);
    expect(codes(named('hub', '1-4', [], { hub }))).toEqual(['HUB_UNSTABLE']);
  });

  it('says of a shelf in maintenance where that ends', () => {
    const maintenance = { until: NOW + 60_000, reason: 'x' };
    const phones = [1, 2].map((bayOf) => inBay(bayOf, { condition: 'maintenance', maintenance }));
    expect(why(shelf('P1', 'P2'), phones)).toMatchObject({
      now: 'rack 2, shelf 3: 2 phones, 2 in maintenance',
      remedy: "When the work is done, run hostnode maintenance --end -- 'rack 2, shelf 3'",
    });
  });
});

describe('hostile words', () => {
  const nasty = 'a\u001b[31m\u202eb\u0000\r\nc\u2028d';

  it('of a note lose what a terminal obeys, and keep emoji and their length', () => {
    const long = '🔧'.repeat(500);
    const texts = why(phoneCalled('P1'), [inBay(1)], {
      events: [noted(3, long, nasty), noted(2, nasty), noted(1, 'x'.repeat(500), 'anna')],
    }).timeline.map(({ text }) => text);
    expect(texts).toEqual([
      `note by a [31m b c d: ${long}`,
      'note: a [31m b c d',
      `note by anna: ${'x'.repeat(500)}`,
    ]);
  });

  it('of phones in a line of many do so too', () => {
    const events = [1, 2, 3].map(
      (id): HistoryEvent => ({ id, at: NOW, kind: 'detached', udid: `P${id}`, where: whereIn(id) }),
    );
    const phones = [1, 2, 3].map((bayOf) => inBay(bayOf, { name: `${nasty}${bayOf}` }));
    const [entry] = why(shelf('P1', 'P2', 'P3'), phones, { events: events.toReversed() }).timeline;
    expect(entry?.text).toBe('3 phones lost within 1 s: a [31m b c d1, a [31m b c d2, a [31m b c d3');
  });
});

it('tells repetitions once', () => {
  const events = [0, 1, 2].flatMap((cycle): HistoryEvent[] => [
    { id: 2 * cycle + 1, at: NOW + cycle * 60_000, kind: 'detached', udid: 'P1', where: {} },
    {
      id: 2 * cycle + 2,
      at: NOW + cycle * 60_000 + 5000,
      kind: 'attached',
      state: 'device',
      udid: 'P1',
      where: {},
    },
  ]);
  const { timeline } = why(phoneCalled('P1'), [inBay(1)], { events: events.toReversed() });
  const [from, to] = [wallTime(NOW), wallTime(NOW + 125_000)];
  expect(timeline.map(({ text }) => text)).toEqual([
    `lost and back 3 times between ${from} and ${to}, longest 5 s`,
  ]);
});
