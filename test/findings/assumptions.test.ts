/** What rules may not take for granted: of people, nights, causes. After incidents that people have described in public. */
import { describe, expect, it } from 'vitest';
import { findingsIn } from '../support/findings-in.ts';
import { blamesOf } from './blames.ts';
import { at, contextOf, DAYS, HOURS, lost, phone } from './told.ts';

type Told = Parameters<typeof contextOf>[1];

/** Seconds after the start, which is a Monday at 3:00. */
const clock = (day: number, hour: number): number => day * DAYS + (hour - 3) * HOURS;
const only = [phone('A', at('1-3'))];
const codesOf = (now: number, told: Told, phones = only) =>
  findingsIn(
    contextOf(
      now,
      told.filter(([second]) => second <= now),
      phones,
    ),
  ).map(({ code }) => code);

describe('a host with one phone, which is lost at night and plugged anew each morning (flutter/flutter#165129, #171967)', () => {
  const nights = [clock(0, 22.5), clock(2, 26), clock(3, 28.5), clock(7, 21)];
  const mornings = [clock(1, 9.3), clock(3, 9.2), clock(4, 9.4), clock(8, 9.3)];
  const told = nights.flatMap((night, index) => lost(night, 'A', at('1-3'), (mornings[index] ?? 0) - night));

  it('is no person: the port is named with the third night', () => {
    expect(codesOf(clock(3, 12), told)).toEqual([]);
    expect(codesOf(clock(4, 4.6), told)).toEqual(['PORT_UNSTABLE']);
    const context = contextOf(clock(8, 12), told, only);
    expect([...blamesOf(context).values()].map(({ party }) => party)).toEqual(Array(4).fill('port'));
  });

  it('is nobody’s fault at first, and not a person’s', () => {
    const [first] = blamesOf(contextOf(clock(1, 10), told.slice(0, 2), only)).values();
    expect(first).toMatchObject({
      party: 'unknown',
      because:
        'it was lost when nobody is there, and came back at the same port after 10 h; this is too little to tell the phone from its cable or port',
    });
  });

  it('is possibly a person at noon', () => {
    const days = [0, 1, 3, 4].flatMap((day) => lost(clock(day, 10 + 1.7 * day), 'A', at('1-3'), HOURS));
    expect(codesOf(clock(5, 12), days)).toEqual([]);
    const [first] = blamesOf(contextOf(clock(5, 12), days, only)).values();
    expect(first).toMatchObject({ party: 'person', certainty: 'possible' });
  });
});

it('a habit is not six hours wide (DeviceFarmer/stf#798)', () => {
  const told = [9.5, 16, 11, 14, 12.5].flatMap((hour, day) => lost(clock(day, hour), 'A', at('1-3'), 600));
  const becauses = [...blamesOf(contextOf(clock(5, 8), told, only)).values()].map(({ because }) => because);
  expect(becauses.filter((because) => because.includes('every day'))).toEqual([]);
});

it('a phone that is off the Wi-Fi for long is not with a person', () => {
  const [blame] = blamesOf(
    contextOf(clock(1, 12), lost(clock(0, 11), 'N', {}, 2400), [phone('N', {})]),
  ).values();
  expect(blame).toMatchObject({ party: 'unknown', because: 'it was off the network for 40 min' });
});

describe('a phone that is lost and restarted hours later', () => {
  const boot = (second: number, uptimeSeconds?: number, reason = 'cold,powerkey'): Told[number] => [
    second,
    {
      kind: 'rebooted',
      reason,
      udid: 'A',
      where: at('1-3'),
      ...(uptimeSeconds !== undefined && { uptimeSeconds }),
    },
  ];
  const blamed = (...told: Told) => [...blamesOf(contextOf(clock(9, 12), told, only)).values()][0];
  const gone = (day: number, awaySeconds: number) => lost(clock(day, 11), 'A', at('1-3'), awaySeconds);

  it('had switched itself off or did not answer: nobody had restarted it then (flutter/flutter#160987)', () => {
    const revived = {
      ...{ party: 'phone', key: 'A', certainty: 'likely' },
      because: 'it was off or did not answer until it was restarted 3 h later',
    };
    expect(blamed(...gone(0, 4 * HOURS), boot(clock(0, 15) + 50, 80))).toMatchObject(revived);
    expect(blamed(...gone(0, 4 * HOURS), boot(clock(0, 15) + 50, 80, 'reboot,userrequested'))).toMatchObject(
      revived,
    );
    expect(blamed(...gone(0, 4 * HOURS), boot(clock(0, 15) + 50))).toMatchObject(revived);
  });

  it('was with a person who restarted it on the way', () => {
    expect(blamed(...gone(0, 4 * HOURS), boot(clock(0, 15) + 50, 2 * HOURS))).toMatchObject({
      party: 'person',
      because: 'it was away for 4 h, when people are there',
    });
  });

  it('is no restart without a reason, however often', () => {
    const told = [0, 1, 2, 3].flatMap((day) => [
      ...lost(clock(day, 5 + 4 * day), 'A', at('1-3'), 2 * HOURS),
      boot(clock(day, 7 + 4 * day) + 50, 80),
    ]);
    const found = findingsIn(contextOf(clock(4, 12), told, only));
    expect(found).toMatchObject([
      {
        code: 'PHONE_UNSTABLE',
        title: 'Pixel A was lost 4 times in 3 days, and came back only with a restart',
        remedy: expect.stringMatching(/^Check the battery and the temperature of the phone/),
      },
    ]);
  });

  it('restarted then where the boot began with the loss, and took long only with an update', () => {
    expect(blamed(...gone(0, 90), boot(clock(0, 11) + 150, 120, 'reboot,userrequested'))).toMatchObject({
      because: 'the phone was restarted by a person or an update',
    });
    const update: Told[number] = [
      clock(0, 11) + 1380,
      { kind: 'os', release: '15', before: '14', udid: 'A', where: at('1-3') },
    ];
    expect(blamed(...gone(0, 1300), boot(clock(0, 11) + 1370, 100, 'reboot'), update)).toMatchObject({
      because: 'the phone was restarted by a person or an update',
    });
  });
});
