/**
 * Months of large labs, with shelves of phones at hubs and a few people who look after them: phones are updated, reset,
 * replaced, cleaned, counted and lent by a plan, cables and hubs are renewed before they fail, shelves are added and moved,
 * and programs restart what nobody needs.
 */

import type { Port } from '../../room.ts';
import { adbRestarts, agentRestarts, background, hostRestarts, inUse } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { type Stay, stays } from './at-home.ts';
import { drainsOutside, hostIsOff, powerless } from './at-length.ts';
import { daysOf } from './at-work.ts';
import { switchedOff } from './calm.ts';
import { between, out, restart } from './habits.ts';

type Range = readonly [least: number, most: number];

/** Somebody goes from one to the next, and has so many seconds for each. @returns when the last one is done */
function along<T>(
  lab: Lab,
  things: readonly T[],
  begin: number,
  seconds: Range,
  visit: (thing: T, at: number, index: number) => void,
): number {
  let at = Math.round(begin);
  for (const [index, thing] of things.entries()) {
    visit(thing, at, index);
    at += Math.round(lab.random.between(...seconds) * SECOND);
  }
  return at;
}

interface Lending {
  days?: readonly number[];
  hours?: readonly [from: string, to: string];
  minutes?: Range;
  /** How many are kept until the next morning. */
  overnight?: number;
}

/** So often in the month somebody takes one of them, and puts it back where it was. */
function lent(
  lab: Lab,
  phones: readonly LabPhone[],
  often: number,
  {
    days = lab.workdays(),
    hours: [from, to] = ['09:10', '17:40'],
    minutes = [5, 150],
    overnight = 0.05,
  }: Lending = {},
): void {
  for (const phone of phones)
    for (let left = lab.random.poisson(often); left > 0; left -= 1) {
      const index = lab.random.whole(0, days.length - 1);
      const day = days[index] ?? 0;
      const at = between(lab, day, from, to);
      const next = days[index + 1];
      const isKept = next !== undefined && lab.random.chance(overnight);
      const back = isKept
        ? lab.at(next, from) + lab.random.between(2, 130) * MINUTE
        : at + lab.random.between(...minutes) * MINUTE;
      out(lab, phone, at, back);
    }
}

type Os = Omit<Extract<Parameters<Lab['phone']>[2], { kind: 'os' }>, 'kind'>;

/** It restarts with another Android, and says so minutes later. @returns whether it was free for that */
function updates(lab: Lab, phone: LabPhone, at: number, seconds: Range, os: Os): boolean {
  if (at > lab.end - HOUR || !lab.isFree(phone, at - MINUTE, at + 9 * MINUTE)) return false;
  restart(lab, phone, at, seconds, 'reboot,ota');
  lab.phone(phone, Math.round(at + lab.random.between(5.5, 8) * MINUTE), { kind: 'os', ...os });
  return true;
}

/** It was restarted or started while it was elsewhere, and says so when it is back. */
function startedMeanwhile(lab: Lab, phone: LabPhone, back: number, reason: string, minutes: Range): void {
  const uptimeSeconds = Math.round(lab.random.between(...minutes) * 60);
  lab.rebooted(phone, back + lab.random.between(6, 30) * SECOND, { reason, uptimeSeconds });
}

/** One that was not here before is plugged in there. */
function comes(
  lab: Lab,
  port: Port,
  at: number,
  { name, asks = true, percent = 55 }: { name?: string; asks?: boolean; percent?: number } = {},
): LabPhone {
  const phone = lab.add('usb', { port, isThereAtFirst: false, ...(name !== undefined && { name }) });
  const from = Math.round(at);
  const allowed = asks ? from + lab.random.whole(8, 110) * SECOND : from;
  phone.busy.push({ from: lab.start, to: allowed + MINUTE });
  lab.phone(phone, from, { kind: 'attached', state: asks ? 'unauthorized' : 'device' });
  if (asks) lab.phone(phone, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
  const usual = inUse(lab);
  const full = allowed + ((100 - percent) / 26) * HOUR;
  phone.reading = (moment) => {
    if (moment < allowed) return undefined;
    if (moment > full) return usual(moment);
    const levelPercent = Math.round(percent + ((moment - allowed) / HOUR) * 26);
    return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: 296 };
  };
  return phone;
}

/** For that time it is hidden from bookings. */
function drained(lab: Lab, phone: LabPhone, from: number, to: number, reason: string): void {
  lab.phone(phone, Math.round(from), { kind: 'drain', until: Math.round(to + 4 * HOUR), reason });
  if (to < lab.end) lab.phone(phone, Math.round(to), { kind: 'drainEnded' });
}

export const inRacks: readonly QuietMonth[] = [
  {
    // flutter/flutter#163263: in the settings of the phone, it takes half an hour, a few at a time; then it is racked again
    name: 'two or three of thirty-six phones at a time are updated by hand at a desk, and racked again, for a week',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [10, 10, 16],
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 7 Pro', 'Pixel 7 Pro', 'Galaxy A15'],
    },
    tell(lab) {
      const { random } = lab;
      const os = { release: '16', before: '15', build: 'BP2A.250805.005', buildBefore: 'AP3A.241105.007' };
      const atDesk = (phone: LabPhone, at: number) => {
        const back = at + random.between(31, 62) * MINUTE;
        if (!lab.isFree(phone, at - MINUTE, back + 10 * MINUTE)) return;
        out(lab, phone, at, back);
        startedMeanwhile(lab, phone, back, 'reboot,ota', [2, 14]);
        lab.phone(phone, Math.round(back + 2 * MINUTE), { kind: 'os', ...os });
      };
      const [first, second, ...others] = random.shuffled(lab.phones);
      // one goes first, and is watched for two days; then one at another host's desk
      if (first) atDesk(first, between(lab, 1, '10:30', '11:20'));
      if (second) atDesk(second, between(lab, 3, '14:00', '15:10'));
      const days = lab.workdays(7);
      let [day = 7] = days;
      let at = between(lab, day, '09:15', '09:50');
      for (let left = [...others]; left.length > 0; ) {
        const few = left.slice(0, random.pick([2, 2, 3]));
        left = left.slice(few.length);
        for (const phone of few) {
          // where nobody wants to reach behind the rack, it is updated where it sits
          if (random.chance(0.2)) updates(lab, phone, at + 26 * MINUTE, [70, 160], os);
          else atDesk(phone, at);
          at += random.between(25, 90) * SECOND;
        }
        at += random.between(48, 85) * MINUTE;
        if (at > lab.at(day, '11:50') && at < lab.at(day, '13:00')) at = between(lab, day, '13:05', '13:40');
        if (at < lab.at(day, '16:10')) continue;
        // on one of these days there is only a meeting
        day = days.find((each) => each > day && each !== 9) ?? day + 1;
        at = between(lab, day, '09:05', '10:30');
      }
      lent(lab, lab.phones, 0.5);
      background(lab, { taken: 0, restarts: 1.2, hours: [9, 17], glitches: 0.05 });
    },
  },
  {
    // flutter/flutter#145852: a lab moves in waves, and no wave goes in the days around a release
    name: 'a lab moves over the road in waves: a shelf at a time leaves for hosts over there, and two phones come back for a look',
    lab: {
      zone: 'America/Edmonton',
      from: '2026-04-06',
      hubs: [10, 10, 10, 7],
      free: 1,
      usb: true,
      models: ['Pixel 7 Pro', 'Moto G Play', 'Galaxy A02s'],
    },
    tell(lab) {
      const { random } = lab;
      // the first one is a try with four phones
      const waves = [
        { day: 3, phones: lab.phonesOf(3).slice(0, 4) },
        { day: 9, phones: lab.phonesOf(1) },
        { day: 22, phones: lab.phonesOf(2) },
      ];
      for (const { day, phones } of waves) {
        const evening = lab.at(day - 1, '18:00') + random.between(0, 25) * MINUTE;
        for (const phone of phones) drained(lab, phone, evening, lab.end, 'moves over the road');
        const begins = between(lab, day, '09:20', '10:05');
        along(lab, random.shuffled(phones), begins, [20, 150], (phone, at, index) => {
          // the box is full, and the rest goes after lunch
          lab.lose(phone, index > 6 ? at + 3.1 * HOUR : at);
        });
      }
      // to compare with what it measures over there, one of each goes back to a place that is empty now
      const [port, other] = lab.phonesOf(1).map((phone) => lab.portOf(phone, lab.start));
      const back = between(lab, 15, '13:20', '14:30');
      for (const [index, place] of [port, other].entries()) {
        if (place === undefined) continue;
        const phone = comes(lab, place, back + index * 4 * MINUTE, { percent: 71 });
        lab.lose(phone, between(lab, 17, '16:10', '17:20'));
      }
      // no wave in these days, but the shelf that stays is spread out: there is room for air
      const empty = lab
        .phonesOf(3)
        .slice(0, 3)
        .map((phone) => lab.portOf(phone, lab.start));
      along(
        lab,
        lab.phonesOf(3).slice(4),
        between(lab, 10, '15:00', '15:40'),
        [40, 130],
        (phone, at, index) => {
          const to = empty[index];
          if (to) lab.lose(phone, at, { forMs: random.between(15, 50) * SECOND, to });
        },
      );
      lent(lab, lab.phones, 0.4);
      background(lab, { taken: 0, restarts: 0.9, hours: [9, 17] });
    },
  },
  {
    // flutter/flutter#192696: a planned power outage of the lab, for tests of its UPS
    name: 'the power of a lab is taken on a Saturday to test its UPS, after a rehearsal of some seconds on the Wednesday before',
    lab: {
      zone: 'Europe/Sofia',
      from: '2026-05-04',
      hubs: [16, 10],
      network: 6,
      usb: true,
      models: ['Galaxy A55', 'Pixel 8', 'Redmi Note 13'],
    },
    tell(lab) {
      const { random } = lab;
      lab.note(
        lab.at(7, '10:05'),
        {},
        'Test of the UPS: rehearsal on Wednesday at ten, Saturday from half past seven',
      );
      // the hubs are not at the UPS, the host and the access point are
      const rehearsal = between(lab, 9, '10:02', '10:09');
      powerless(lab, lab.usbPhones, rehearsal, rehearsal + random.between(22, 34) * SECOND);
      const again = rehearsal + random.between(11, 16) * MINUTE;
      powerless(lab, lab.usbPhones, again, again + random.between(3.5, 5) * MINUTE);
      const [off, on] = [lab.at(12, '07:24'), lab.at(12, '14:10') + random.whole(0, 20 * 60) * SECOND];
      for (const phone of lab.phones)
        lab.maintenance(phone, off - 20 * MINUTE, 12 * HOUR, 'no power: test of the UPS', on + HOUR);
      // two were in use on Friday evening and lie in a drawer until Monday
      const cautious = random.shuffled(lab.usbPhones).slice(0, 2);
      for (const phone of cautious) {
        const back = between(lab, 14, '09:20', '11:00');
        out(lab, phone, between(lab, 11, '17:40', '18:20'), back);
        startedMeanwhile(lab, phone, back, 'cold', [1, 4]);
      }
      hostIsOff(lab, off, on);
      // the access point starts later than the host, and adb connects to each when the script of the hour runs
      const script = on + random.between(9, 58) * MINUTE;
      for (const phone of lab.networkPhones)
        lab.lose(phone, on + 600, { forMs: script - on + random.between(0, 12) * SECOND });
      lent(lab, lab.usbPhones, 0.7, { hours: ['09:30', '18:20'] });
      background(lab, { taken: 0, hours: [9.5, 18], isUpdated: false });
    },
  },
  {
    // flutter/flutter#148085: half of the old ones are taken out, then the other half, and others come to their hosts
    name: 'ten old phones of a model are replaced by new ones, one half after the other, and set up where they sit',
    lab: {
      zone: 'America/New_York',
      from: '2026-05-11',
      hubs: [16, 16],
      free: 2,
      hasTwoControllers: true,
      usb: true,
      models: ['Moto G Play', 'Pixel 8', 'Galaxy A54'],
    },
    tell(lab) {
      const { random } = lab;
      const old = lab.phones.filter(({ name }) => name.startsWith('Moto'));
      let number = 1;
      const replace = (phones: readonly LabPhone[], day: number, late: number) => {
        const removed = between(lab, day, '10:10', '11:00');
        const ports = phones.map((phone) => lab.portOf(phone, removed));
        for (const phone of phones) drained(lab, phone, lab.at(day - 1, '17:30'), lab.end, 'replaced');
        along(lab, phones, removed, [15, 70], (phone, at) => lab.lose(phone, at));
        // what was delivered is charged on a desk first; of the second half some come a day later
        const begins = between(lab, day, '13:10', '14:00');
        along(lab, ports, begins, [70, 260], (port, usual, index) => {
          if (port === undefined) return;
          const at = index < phones.length - late ? usual : usual + 22.5 * HOUR;
          const phone = comes(lab, port, at, {
            name: `Moto G 2025 ${number}`,
            percent: random.whole(48, 83),
          });
          number += 1;
          const first = at + random.between(16, 40) * MINUTE;
          updates(lab, phone, first, [80, 170], { build: 'V2UC35.29-5', buildBefore: 'V2UC35.11' });
          // a second one is offered after the first
          updates(lab, phone, first + random.between(20, 55) * MINUTE, [60, 130], {
            build: 'V2UC35.29-5-3',
            buildBefore: 'V2UC35.29-5',
          });
          if (random.chance(0.4)) restart(lab, phone, first + 2.4 * HOUR, [30, 50], 'reboot,adb');
        });
      };
      replace(old.slice(0, 5), 9, 0);
      replace(old.slice(5), 16, 2);
      // Memorial Day
      const days = lab.workdays().filter((day) => day !== 14);
      lent(lab, lab.phones, 0.7, { days });
      background(lab, { taken: 0, restarts: 0.8, hours: [9, 18] });
    },
  },
  {
    name: 'the four hubs of a lab are renewed on four Thursdays, with their cables, as the plan of the year says',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [10, 10, 10, 10],
      hasTwoControllers: true,
      usb: true,
      models: ['Redmi 13C', 'Galaxy M15', 'Realme C67', 'Vivo Y28'],
    },
    tell(lab) {
      const { random } = lab;
      for (const [index, day] of daysOf(lab, 4).entries()) {
        const { ports = [] } = lab.hubs[index] ?? {};
        const phones = lab.phonesOf(index);
        const off = between(lab, day, '10:20', '11:10');
        const ready = off + random.between(9, 21) * MINUTE;
        // on the second time nobody said it before, and on the last one there is a note only
        if (index === 0 || index === 2)
          for (const phone of phones)
            lab.maintenance(phone, Math.round(off - 5 * MINUTE), 2 * HOUR, 'new hub', ready + 45 * MINUTE);
        if (index === 3) lab.note(Math.round(off - 3 * MINUTE), {}, 'The last hub is replaced now');
        // each goes to the cable that is next, not to the one it had
        const cables = random.shuffled(ports);
        along(lab, random.shuffled(phones), ready, [18, 75], (phone, back, rank) => {
          const to = cables[rank];
          if (!lab.isFree(phone, off - MINUTE, back + 5 * MINUTE) || to === undefined) return;
          lab.lose(phone, off + random.between(0, 900), { forMs: back - off, to, gone: 'hub' });
          // it is put into its place, for which the cable is led in another way
          if (random.chance(0.25))
            out(lab, phone, back + 80 * SECOND, back + random.between(92, 130) * SECOND);
        });
        // one was not seated well, and is put in again after tea
        const seated = random.pick(phones);
        const tea = ready + random.between(22, 34) * MINUTE;
        out(lab, seated, tea, tea + random.between(4, 12) * SECOND);
      }
      lent(lab, lab.phones, 0.8, { hours: ['10:00', '19:00'] });
      background(lab, { taken: 0, hours: [10, 19], restarts: 0.6 });
    },
  },
  {
    // buildingadevicelab.com/checkup-worksheet: are devices grouped well, is there space for new ones; openstf/stf#426
    name: 'nine of thirty-five phones are spares without a cable, and change places with some of the others on Mondays',
    lab: {
      zone: 'Asia/Ho_Chi_Minh',
      from: '2026-08-10',
      hubs: [16, 10],
      usb: true,
      models: ['Galaxy A06', 'Oppo A3x', 'Xiaomi 14T', 'Vivo Y19s'],
    },
    tell(lab) {
      const { random } = lab;
      const stayed = new Map<LabPhone | number, Stay[]>();
      for (const phone of lab.phones)
        stayed.set(phone, [{ from: lab.start, to: lab.end, port: lab.portOf(phone, lab.start) }]);
      const drawer: (LabPhone | number)[] = Array.from({ length: 9 }, (_, index) => index);
      for (const index of drawer) stayed.set(index, []);
      for (const day of daysOf(lab, 1)) {
        // once whoever does it is away, and it is done a day later
        const begins = between(lab, day === 14 ? day + 1 : day, '09:05', '09:55');
        const here = [...stayed.keys()].filter((who) => !drawer.includes(who));
        along(lab, random.shuffled(here).slice(0, random.whole(7, 9)), begins, [140, 330], (who, at) => {
          const last = stayed.get(who)?.at(-1);
          const next = drawer.shift();
          if (last === undefined || next === undefined) return;
          last.to = at;
          const from = at + random.whole(25, 100) * SECOND;
          stayed.get(next)?.push({ from, to: lab.end, port: last.port });
          drawer.push(who);
        });
      }
      for (const [who, times] of stayed) {
        const [first] = times;
        if (first?.port === undefined) continue;
        const phone = typeof who === 'number' ? comes(lab, first.port, first.from, { asks: false }) : who;
        stays(lab, phone, times);
        // in the drawer they are switched off; with a cable they start
        for (const { from } of typeof who === 'number' ? times : times.slice(1))
          lab.rebooted(phone, from + random.between(25, 50) * SECOND, { reason: 'cold', uptimeSeconds: 44 });
      }
      // the second of September, and the day before it
      const days = lab.workdays().filter((day) => day !== 22 && day !== 23);
      lent(lab, lab.phones, 0.5, { days, hours: ['08:40', '17:20'] });
      background(lab, { taken: 0, restarts: 0.8, hours: [8, 17.5] });
    },
  },
  {
    name: 'forty phones share twenty cables and charge in turns: somebody goes along and changes each for its neighbour',
    lab: {
      zone: 'Africa/Lagos',
      hubs: [10, 10],
      // adb runs in a container, which does not see the tree of USB
      known: { usbPath: false, hub: false },
      models: ['Tecno Spark 20', 'Infinix Hot 40i', 'Itel P55', 'Galaxy A05'],
    },
    tell(lab) {
      const { random } = lab;
      const rounds = lab.everyDay().flatMap((day) => {
        const times: readonly (readonly [string, string])[] = lab.isWorkday(day)
          ? [
              ['07:50', '08:35'],
              ['13:50', '14:50'],
              ['20:10', '21:30'],
            ]
          : [
              ['08:30', '10:15'],
              ['18:30', '20:20'],
            ];
        // on a Sunday nobody comes in the evening, now and then
        const few = lab.weekday(day) === 0 && random.chance(0.4) ? times.slice(0, 1) : times;
        return few.map(([from, to]) => between(lab, day, from, to));
      });
      const places = lab.phones.map((phone) => ({
        port: lab.portOf(phone, lab.start),
        one: [{ from: lab.start, to: lab.end }] as Stay[],
        other: [] as Stay[],
      }));
      for (const begins of rounds)
        along(lab, random.chance(0.5) ? places : [...places].reverse(), begins, [20, 55], (place, at) => {
          // somebody talks with it, or waits for what it loads
          if (random.chance(0.1)) return;
          const { one, other } = place;
          const isOne = (one.at(-1)?.to ?? 0) === lab.end;
          const [leaving, coming] = isOne ? [one, other] : [other, one];
          const last = leaving.at(-1);
          if (last === undefined) return;
          last.to = at;
          coming.push({ from: at + random.whole(4, 16) * SECOND, to: lab.end });
        });
      for (const [index, phone] of [...lab.phones].entries()) {
        const { port, one, other } = places[index] ?? {};
        const [first] = other ?? [];
        if (port === undefined || first === undefined) continue;
        const neighbour = comes(lab, port, first.from, { asks: false, percent: 38 });
        stays(lab, phone, one ?? []);
        stays(lab, neighbour, other ?? []);
        for (const each of [phone, neighbour]) {
          each.isPinned = true;
          drainsOutside(lab, each, 6);
        }
      }
      background(lab, { restarts: 0.4, hours: [8, 17] });
    },
  },
  {
    // zebrunner/mcloud-agent#360: restart by a schedule, but not who is in use; DeviceFarmer/docker-adb: new platform tools
    name: 'a third of forty-five phones is restarted each night, one after the other, and who is in use is asked again later',
    lab: {
      zone: 'Europe/Minsk',
      from: '2026-03-02',
      hubs: [16, 16, 16],
      free: 3,
      hasTwoControllers: true,
      usb: true,
      models: ['Galaxy S23', 'Pixel 7', 'Xiaomi 13', 'Galaxy A34', 'Poco X6'],
    },
    tell(lab) {
      const { random } = lab;
      // the hosts of a site are updated one after the other; this one is the third
      for (const [week, day] of daysOf(lab, 0).entries()) {
        const at = lab.at(day, '04:40') + random.whole(0, 140) * SECOND;
        // no new kernel in one of the weeks
        if (week !== 2) hostRestarts(lab, at);
        else agentRestarts(lab, at);
        for (const phone of lab.phones) phone.busy.push({ from: at - MINUTE, to: at + 3 * MINUTE });
      }
      const replaced = lab.at(17, '11:30') + random.whole(0, 20) * MINUTE;
      const back = adbRestarts(lab, replaced, 42, 9 * SECOND);
      for (const phone of lab.phones) phone.busy.push({ from: replaced - MINUTE, to: back + MINUTE });
      for (const day of lab.everyDay().slice(1)) {
        const tonight = lab.phones.filter((_, index) => index % 3 === day % 3);
        along(lab, tonight, lab.at(day, '03:00:05'), [88, 94], (phone, at) => {
          // a session of another continent; it is asked each quarter of an hour, until half past five
          const tries = random.chance(0.18) ? random.whole(1, 9) : 0;
          if (tries < 9) restart(lab, phone, at + tries * 15 * MINUTE, [34, 72], 'reboot,adb');
        });
      }
      // the eighth of March is a Sunday, and Monday is free too
      const days = lab.workdays().filter((day) => day !== 7);
      lent(lab, lab.phones, 0.9, { days, hours: ['09:20', '18:30'], overnight: 0.1 });
      background(lab, { taken: 0.2, restarts: 0.4, hours: [9, 19], isUpdated: false, glitches: 0.05 });
    },
  },
  {
    name: 'a trainee looks after a lab for the first time: shows, labels, a wrong plug, cables that are changed, and a phone in a jacket',
    lab: {
      zone: 'America/Montevideo',
      from: '2026-02-23',
      hubs: [10, 10, 7],
      free: 2,
      usb: true,
      models: ['Moto G54', 'Galaxy A15', 'Xiaomi 13T'],
    },
    tell(lab) {
      const { random } = lab;
      const pulls = (phone: LabPhone, at: number, seconds: Range) =>
        out(lab, phone, at, at + random.between(...seconds) * SECOND);
      // Monday: how one takes a phone, and how it is put back, which takes two or three times
      along(
        lab,
        random.shuffled(lab.phonesOf(0)).slice(0, 4),
        between(lab, 7, '10:30', '11:10'),
        [150, 260],
        (phone, at) => {
          pulls(phone, at, [20, 70]);
          if (random.chance(0.6)) pulls(phone, at + 95 * SECOND, [4, 30]);
        },
      );
      // Tuesday: labels on two shelves, with a break
      const labelled = along(
        lab,
        lab.phonesOf(0),
        between(lab, 8, '09:40', '10:10'),
        [85, 240],
        (phone, at) => {
          pulls(phone, at, [35, 80]);
        },
      );
      along(lab, lab.phonesOf(1), labelled + 24 * MINUTE, [60, 150], (phone, at) =>
        pulls(phone, at, [25, 55]),
      );
      // which of the plugs is that of the lamp?
      const wrong = between(lab, 8, '15:20', '16:40');
      switchedOff(lab, lab.phonesOf(1), wrong, wrong + random.between(25, 60) * SECOND);
      // Wednesday: six cables are changed for longer ones, and two phones sit in each other's place since then
      const [one, other, ...longer] = random.shuffled(lab.phonesOf(2));
      const changed = between(lab, 9, '11:00', '11:40');
      along(lab, longer.slice(0, 4), changed, [120, 300], (phone, at) => pulls(phone, at, [30, 100]));
      if (one && other) {
        const [port, place] = [lab.portOf(one, changed), lab.portOf(other, changed)];
        const at = changed + 27 * MINUTE;
        if (place) lab.lose(one, at, { forMs: 140 * SECOND, to: place });
        if (port) lab.lose(other, at + 12 * SECOND, { forMs: 165 * SECOND, to: port });
      }
      // Thursday: what is on the list is restarted by its button, and two that are not
      along(
        lab,
        random.shuffled(lab.phones).slice(0, 8),
        between(lab, 10, '14:05', '14:50'),
        [75, 200],
        (phone, at) => restart(lab, phone, at, [32, 75], random.pick(['reboot,userrequested', 'reboot'])),
      );
      // on Friday a phone goes home in the pocket of a jacket
      const taken = random.pick(lab.phonesOf(0));
      out(lab, taken, between(lab, 11, '17:20', '17:50'), between(lab, 14, '09:50', '10:30'));
      // later it goes faster: screens are wiped each Friday, shelf after shelf
      for (const day of [18, 25])
        along(lab, lab.phones, between(lab, day, '14:00', '15:20'), [20, 65], (phone, at) => {
          if (random.chance(0.7)) pulls(phone, at, [8, 35]);
        });
      lent(lab, lab.phones, 0.7, { hours: ['09:40', '17:40'] });
      background(lab, { taken: 0, restarts: 0.6, hours: [9.5, 18] });
    },
  },
  {
    name: 'a lab in Osaka is closed for eight days of Golden Week, and one of its four shelves goes on with the jobs of the night',
    lab: {
      zone: 'Asia/Tokyo',
      from: '2026-04-13',
      days: 33,
      hubs: [10, 10, 10, 7],
      free: 1,
      hasTwoControllers: true,
      usb: true,
      models: ['Xperia 10 VI', 'Aquos sense9', 'Pixel 8a', 'Galaxy A25'],
    },
    tell(lab) {
      const { random } = lab;
      // Wednesday is free, and they took Thursday and Friday off too
      const [closed, opens] = [15, 24];
      const evening = lab.at(closed, '18:35') + random.between(0, 30) * MINUTE;
      const morning = lab.at(opens, '08:45') + random.between(0, 20) * MINUTE;
      // on Saturday somebody needs the second shelf for an hour or two
      const visit = between(lab, 19, '13:10', '14:30');
      const left = visit + random.between(65, 130) * MINUTE;
      // from the plug on it charges, and starts when there is enough in it
      const isOff = (phones: readonly LabPhone[], from: number, to: number, empty: number) => {
        for (const phone of phones) {
          const isEmpty = random.chance(empty);
          const back = to + (isEmpty ? random.between(3, 28) * MINUTE : random.between(1, 5) * SECOND);
          if (!lab.isFree(phone, from - MINUTE, back + MINUTE)) continue;
          lab.lose(phone, from + random.between(0, 800), { forMs: back - from, gone: 'hub' });
          if (isEmpty) lab.rebooted(phone, back + 22 * SECOND, { reason: 'cold', uptimeSeconds: 46 });
        }
      };
      isOff(lab.phonesOf(0), evening, morning, 0.5);
      isOff(lab.phonesOf(2), evening + 21 * SECOND, morning + 50 * SECOND, 0.6);
      isOff(lab.phonesOf(1), evening + 9 * SECOND, visit, 0.1);
      isOff(lab.phonesOf(1), left, morning + 24 * SECOND, 0.3);
      const jobs = lab.everyDay().filter((day) => lab.isWorkday(day - 1) || (day > closed && day < opens));
      for (const day of jobs.filter((each) => each > 0))
        for (const phone of lab.phonesOf(3))
          restart(lab, phone, between(lab, day, '01:00', '03:30'), [35, 70], 'reboot,adb');
      const isAway = (day: number) => day > closed && day < opens;
      const days = lab.workdays().filter((day) => !isAway(day));
      lent(lab, lab.phones, 0.9, { days, hours: ['09:30', '18:10'] });
      // and who comes back restarts what asks for it
      for (const phone of lab.phones.filter(() => random.chance(0.3)))
        restart(lab, phone, between(lab, opens, '09:40', '11:50'), [35, 80], 'reboot,userrequested');
      background(lab, { taken: 0, restarts: 0 });
    },
  },
];
