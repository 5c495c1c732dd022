/**
 * Months of large labs, with shelves of phones at hubs and a few people who look after them: phones are updated, reset,
 * replaced, cleaned, counted and lent by a plan, cables and hubs are renewed before they fail, shelves are added and moved,
 * and programs restart what nobody needs.
 */
import { chainsOf, type Hub, type Port } from '../../room.ts';
import { MTP } from '../../usb-tree.ts';
import { adbRestarts, agentRestarts, background, hostRestarts, inUse } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { type Stay, stays } from './at-home.ts';
import { drainsOutside, hostIsOff, powerless } from './at-length.ts';
import { type Absence, daysOf, shared } from './at-work.ts';
import { switchedOff } from './calm.ts';
import { between, out, restart } from './habits.ts';

export type Range = readonly [least: number, most: number];

/** Somebody goes from one to the next, and has so many seconds for each. @returns when the last one is done */
export function along<T>(
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
export function lent(
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
export function updates(lab: Lab, phone: LabPhone, at: number, seconds: Range, os: Os): boolean {
  if (at > lab.end - HOUR || !lab.isFree(phone, at - MINUTE, at + 9 * MINUTE)) return false;
  restart(lab, phone, at, seconds, 'reboot,ota');
  lab.phone(phone, Math.round(at + lab.random.between(5.5, 8) * MINUTE), { kind: 'os', ...os });
  return true;
}

/** It was restarted or started while it was elsewhere, and says so when it is back. */
export function startedMeanwhile(
  lab: Lab,
  phone: LabPhone,
  back: number,
  reason: string,
  minutes: Range,
): void {
  const uptimeSeconds = Math.round(lab.random.between(...minutes) * 60);
  lab.rebooted(phone, back + lab.random.between(6, 30) * SECOND, { reason, uptimeSeconds });
}

/** Somebody sets it up again after that, and allows debugging. @returns when, if it was free for it */
export function isReset(lab: Lab, phone: LabPhone, at: number, minutes: Range): number | undefined {
  const started = at + lab.random.between(95, 190) * SECOND;
  const listed = Math.round(started + lab.random.between(...minutes) * MINUTE);
  if (listed > lab.end - HOUR || !lab.isFree(phone, at - MINUTE, listed + 5 * MINUTE)) return undefined;
  lab.lose(phone, at, { forMs: listed - at, backAs: 'unauthorized', onUsb: { interfaces: [MTP] } });
  const allowed = listed + lab.random.whole(4, 45) * SECOND;
  lab.phone(phone, allowed, { kind: 'state', state: 'device', before: 'unauthorized' });
  const uptimeSeconds = Math.round((allowed - started) / SECOND) + 25;
  lab.rebooted(phone, allowed + 14 * SECOND, { reason: 'reboot,recovery', uptimeSeconds });
  phone.busy.push({ from: listed, to: allowed + 2 * MINUTE });
  return allowed;
}

/** One that was not here before is plugged in there. */
export function comes(
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
export function drained(lab: Lab, phone: LabPhone, from: number, to: number, reason: string): void {
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
      const back = adbRestarts(lab, replaced, 41, 9 * SECOND);
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
  {
    // code.facebook.com/posts/300815046928882: a lab in a data center; host.net/remote-hands-policy: what its people do there
    name: 'nobody works at a lab in a data center, but its remote hands come four times with a list of what is to be done',
    lab: {
      zone: 'Europe/Stockholm',
      from: '2026-03-09',
      hubs: [16, 16, 16, 7],
      free: 8,
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 6a', 'Galaxy S21', 'Moto G50', 'OnePlus Nord 3', 'Nokia G60'],
    },
    tell(lab) {
      const { random } = lab;
      const announced = (phones: readonly LabPhone[], at: number, hours: number) => {
        for (const phone of phones) drained(lab, phone, at - 2 * HOUR, at + hours * HOUR, 'remote hands');
      };
      // in the night, when it is cheap to take a few out: twelve cables are changed as they are two years old
      const old = random.shuffled(lab.phonesOf(0)).slice(0, 12);
      const cables = lab.at(3, '23:05') + random.between(0, 50) * MINUTE;
      announced(old, cables, 1.5);
      along(lab, old, cables, [65, 190], (phone, at) =>
        out(lab, phone, at, at + random.between(18, 50) * SECOND),
      );
      // a shelf is taken into use: six go there from where it was narrow
      const wide = lab.hubs[3]?.ports ?? [];
      const narrow = random.shuffled(lab.phonesOf(1)).slice(0, 6);
      const moved = between(lab, 10, '13:20', '16:10');
      announced(narrow, moved, 1);
      along(lab, narrow, moved, [80, 200], (phone, at, index) => {
        const to = wide[index];
        if (to) lab.lose(phone, at, { forMs: random.between(30, 75) * SECOND, to });
      });
      // five are sent home to be used there, and five others were delivered, in the wrong order
      const home = random.shuffled(lab.phonesOf(2)).slice(0, 5);
      const packed = between(lab, 17, '10:40', '11:30');
      announced(home, packed, 300);
      along(lab, home, packed, [30, 80], (phone, at) => lab.lose(phone, at));
      const places = random.shuffled(home.map((phone) => lab.portOf(phone, packed)));
      along(lab, places, packed + 34 * MINUTE, [60, 240], (port, at, index) => {
        if (port === undefined) return;
        const phone = comes(lab, port, at, { name: `Pixel 9a ${index + 1}`, asks: false, percent: 51 });
        for (let left = random.whole(1, 2); left > 0; left -= 1)
          restart(lab, phone, at + left * random.between(14, 40) * MINUTE, [60, 160], 'reboot,ota');
      });
      // on the Sunday before, the clocks went on; at three of the new time an adapter of a hub gets its spare
      const adapter = lab.at(21, '03:05') + random.whole(0, 1500) * SECOND;
      const there = lab
        .phonesOf(2, adapter)
        .filter((phone) => lab.isFree(phone, adapter - MINUTE, adapter + 4 * MINUTE));
      for (const phone of there)
        lab.maintenance(phone, adapter - HOUR, 4 * HOUR, 'another adapter', adapter + HOUR);
      powerless(lab, there, adapter, adapter + random.between(70, 170) * SECOND);
      // programs restart them after a booking, at any hour
      for (const phone of lab.phones)
        for (
          let at = lab.start + random.between(3, 60) * HOUR;
          at < lab.end - HOUR;
          at += random.between(8, 130) * HOUR
        )
          restart(lab, phone, at, [38, 80], 'reboot,adb');
      background(lab, { taken: 0, restarts: 0, glitches: 0.06 });
    },
  },
  {
    // SmartLab, University of Cyprus: hubs of seven ports, one behind the other
    name: 'a hub is plugged into the last port of another as more phones come, and gets a port of its own two weeks later',
    lab: {
      zone: 'Asia/Nicosia',
      from: '2026-03-16',
      hubs: [7, 7, 7],
      free: 1,
      usb: true,
      models: ['Galaxy A16', 'Pixel 6', 'Redmi 12', 'HTC U20'],
    },
    tell(lab) {
      const { random } = lab;
      const last = lab.hubs[2];
      const [free] = lab.freePorts(lab.start);
      if (last === undefined || free === undefined) return;
      const { controller, bus } = free;
      // the same bays, first behind the third hub, and then at the host
      const shelf = (chain: string): Hub => ({
        chain,
        controller,
        bus,
        ports: chainsOf(chain, 7).map((port, bay) => ({
          chain: port,
          controller,
          bus,
          slot: `rack 1, shelf 4, bay ${bay + 1}`,
        })),
      });
      const [behind, alone] = [shelf(free.chain), shelf('4')];
      lab.hubs.push(behind, alone);
      const delivered = between(lab, 8, '11:10', '12:20');
      const shelved: LabPhone[] = [];
      along(lab, behind.ports.slice(0, 4), delivered, [90, 400], (port, at) => {
        shelved.push(comes(lab, port, at, { percent: random.whole(40, 70) }));
      });
      // two sat too near to the door until now; one more comes from a colleague on leave
      along(
        lab,
        lab.phonesOf(0).slice(0, 2),
        between(lab, 10, '15:05', '16:00'),
        [50, 140],
        (phone, at, index) => {
          const to = behind.ports[4 + index];
          if (to === undefined) return;
          lab.lose(phone, at, { forMs: random.between(25, 60) * SECOND, to });
          shelved.push(phone);
        },
      );
      const borrowed = behind.ports[6];
      if (borrowed) shelved.push(comes(lab, borrowed, between(lab, 15, '09:30', '10:10'), { percent: 22 }));
      // a port of the host is free since a keyboard is gone: the hub is put there, with all that hangs on it
      const moves = between(lab, 22, '14:10', '15:40');
      for (const phone of shelved) {
        const port = lab.portOf(phone, moves);
        const bay = port ? behind.ports.indexOf(port) : -1;
        const to = alone.ports[bay];
        if (to && lab.isFree(phone, moves - MINUTE, moves + 5 * MINUTE))
          lab.lose(phone, moves + random.between(0, 700), {
            forMs: 21 * SECOND + random.between(0, 4) * SECOND,
            to,
            gone: 'hub',
          });
      }
      // its adapter was in the way, so that it is out once more
      const tidied = moves + random.between(6, 13) * MINUTE;
      powerless(lab, shelved, tidied, tidied + random.between(9, 30) * SECOND);
      // the twenty-fifth of March, the first of April, and Easter of the Orthodox
      const days = lab.workdays().filter((day) => ![9, 16, 25, 28].includes(day));
      lent(lab, lab.phones, 0.8, { days, hours: ['08:30', '17:10'] });
      background(lab, { taken: 0, restarts: 0.9, hours: [8, 17.5] });
    },
  },
  {
    // docs.thestorage.app/audit: two or three times a year; people confirm what they have, and two go along the shelves
    name: 'an audit counts all phones of a lab in Casablanca, and those at home come back for it, before Ramadan makes days short',
    lab: {
      zone: 'Africa/Casablanca',
      from: '2026-02-09',
      hubs: [16, 10, 7],
      free: 6,
      usb: true,
      models: ['Galaxy A14', 'Infinix Note 30', 'Pixel 7a', 'Oppo Reno 8'],
    },
    tell(lab) {
      const { random } = lab;
      const [counted, again] = [8, 9];
      // three have been at home for weeks; each of them sits in the rack for a few days now
      const [reminded, ...homes] = random.shuffled(lab.freePorts(lab.start)).slice(0, 3);
      if (reminded) comes(lab, reminded, between(lab, 7, '16:20', '17:40'), { asks: false, percent: 12 });
      for (const port of homes) {
        const phone = comes(lab, port, between(lab, counted, '08:45', '09:25'), { asks: false, percent: 64 });
        out(lab, phone, between(lab, 14, '14:10', '15:00'), between(lab, 24, '09:40', '11:00'));
      }
      // one reads the numbers, the other one holds the phone and turns it; until prayer, and on after it
      const label = (phone: LabPhone, at: number) =>
        out(lab, phone, at, at + random.between(24, 70) * SECOND);
      const shelf = (index: number) => lab.phonesOf(index).filter(({ isThereAtFirst }) => isThereAtFirst);
      const noon = along(lab, shelf(0), between(lab, counted, '09:50', '10:20'), [75, 190], label);
      along(lab, shelf(1), Math.max(noon + 8 * MINUTE, lab.at(counted, '11:40')), [60, 150], label);
      along(lab, shelf(2), between(lab, counted, '14:30', '15:10'), [60, 150], label);
      // somebody of the finance department wants to see nine of them himself, and holds three in the light
      along(
        lab,
        random.shuffled(lab.usbPhones).slice(0, 9),
        between(lab, again, '11:00', '11:40'),
        [40, 110],
        (phone, at) =>
          out(lab, phone, at, at + (random.chance(0.3) ? 5 * MINUTE : random.between(10, 40) * SECOND)),
      );
      // Ramadan begins on Thursday, the nineteenth; on the Sunday before it the clocks go back for it
      lent(lab, lab.phones, 0.35, { days: lab.workdays(0, 10), hours: ['08:50', '17:50'], overnight: 0.1 });
      lent(lab, lab.phones, 0.6, { days: lab.workdays(10), hours: ['09:20', '14:50'], minutes: [4, 90] });
      background(lab, { taken: 0, restarts: 0.4, hours: [9, 15] });
    },
  },
  {
    // buildingadevicelab.com/checkup-worksheet: wipe the screens; acroname.com on swollen batteries: half full is a good place
    name: 'a shelf of thirty phones is wiped each Friday, and lies without its cables until Monday for the sake of its batteries',
    lab: {
      zone: 'Australia/Hobart',
      from: '2026-03-23',
      hubs: [10, 10, 10],
      usb: true,
      models: ['Galaxy S22', 'Pixel 7', 'Oppo A57', 'Galaxy A33', 'Pixel 5'],
    },
    tell(lab) {
      const { random } = lab;
      // on Good Friday nobody is there, and on the Thursday before it is done in a hurry; they come back on Tuesday
      for (const [week, { day, back }] of [
        { day: 4, back: 7 },
        { day: 10, back: 15 },
        { day: 18, back: 21 },
        { day: 25, back: 28 },
      ].entries()) {
        const resting = lab.phonesOf(week % 3);
        const others = lab.phones.filter((phone) => !resting.includes(phone));
        const begins = between(lab, day, '14:20', '15:30');
        const after = between(lab, back, '08:35', '09:50');
        along(lab, resting, begins, week === 1 ? [15, 40] : [50, 130], (phone, at, index) => {
          // who has an open bug on one keeps it at the cable, and it is only wiped
          if (random.chance(0.12)) out(lab, phone, at, at + random.between(20, 60) * SECOND);
          else out(lab, phone, at, after + index * random.between(12, 25) * SECOND);
        });
        // the rest is wiped where it sits; a cable goes out with it here and there
        along(lab, others, begins + 40 * MINUTE, [14, 35], (phone, at) => {
          if (random.chance(0.2)) out(lab, phone, at, at + random.between(3, 18) * SECOND);
        });
      }
      const days = lab.workdays().filter((day) => day !== 11 && day !== 14);
      lent(lab, lab.phones, 0.6, { days, hours: ['08:50', '16:50'] });
      // what is there runs its tests at night, and they begin with a restart
      for (const day of lab.everyDay().filter((each) => lab.weekday(each) > 1))
        for (const phone of lab.phones.filter(() => random.chance(0.3)))
          restart(lab, phone, between(lab, day, '00:15', '04:40'), [33, 66], 'reboot,adb');
      for (const phone of lab.phones) drainsOutside(lab, phone, 0.8);
      background(lab, { taken: 0, restarts: 0.2, hours: [9, 17] });
    },
  },
  {
    name: 'at the end of each sprint two people reset thirty phones, three at a time, and take a few of them home to set them up',
    lab: {
      zone: 'America/Argentina/Buenos_Aires',
      from: '2026-03-09',
      hubs: [16, 16],
      free: 2,
      // the host is a virtual machine, to which the ports are passed
      known: { usbPath: false, hub: false },
      models: ['Moto G24', 'Galaxy A05s', 'Moto Edge 40', 'Xiaomi Redmi 13'],
    },
    tell(lab) {
      const { random } = lab;
      // the second sprint ends before Easter, on a Wednesday
      for (const [day, next] of [
        [11, 14],
        [23, 28],
      ] as const) {
        const taken = random.shuffled(lab.phones).slice(0, random.whole(3, 5));
        for (const phone of taken) {
          const back = between(lab, next, '09:20', '11:30');
          out(lab, phone, between(lab, day, '17:10', '18:20'), back);
          startedMeanwhile(lab, phone, back, 'reboot,recovery', [500, 3000]);
        }
        const shelves = [0, 1].map((index) => lab.phonesOf(index).filter((phone) => !taken.includes(phone)));
        for (const [who, phones] of shelves.entries()) {
          let at = between(lab, day, who === 0 ? '13:40' : '14:10', '14:50');
          for (let left = random.shuffled(phones); left.length > 0; left = left.slice(3)) {
            const three = left.slice(0, 3);
            const ready = three.map((phone, index) =>
              isReset(lab, phone, at + index * random.between(20, 60) * SECOND, [4.5, 11]),
            );
            // an account, the certificates, and one more restart
            for (const [index, allowed] of ready.entries()) {
              const phone = three[index];
              if (phone && allowed !== undefined && random.chance(0.5))
                restart(lab, phone, allowed + random.between(4, 9) * MINUTE, [30, 60], 'reboot');
            }
            at += random.between(13, 24) * MINUTE;
            // what is not done by then is done on the next day
            if (at > lab.at(day, '18:00') && at < lab.at(day + 1)) at = between(lab, next, '09:00', '09:50');
          }
        }
      }
      // the twenty-fourth of March, and Maundy Thursday and Good Friday with the second of April
      const days = lab.workdays().filter((day) => ![15, 24, 25].includes(day));
      lent(lab, lab.phones, 0.9, { days, hours: ['09:30', '18:30'], overnight: 0.15 });
      background(lab, { taken: 0, restarts: 0.3, hours: [9.5, 18.5] });
    },
  },
  {
    // source.android.com/docs/security/bulletin: a patch each month; hosts have theirs on the second Tuesday
    name: 'patches of the month come to a lab in three evenings, and phones on Wi-Fi wait for a cable until the next morning',
    lab: {
      zone: 'America/Phoenix',
      from: '2026-03-02',
      hubs: [16, 10],
      network: 8,
      free: 2,
      usb: true,
      models: ['Pixel 8a', 'Galaxy S24', 'Pixel 7', 'Galaxy A35'],
    },
    tell(lab) {
      const { random } = lab;
      const wireless = lab.pinnedOf('tcp');
      const os = (phone: LabPhone): Os =>
        phone.name.startsWith('Pixel')
          ? { build: 'BP1A.260305.019', buildBefore: 'BP1A.260205.012' }
          : { build: 'S921BXXS9CZC2', buildBefore: 'S921BXXS8CZB1' };
      const pixels = lab.usbPhones.filter(({ name }) => name.startsWith('Pixel'));
      const galaxies = lab.usbPhones.filter(({ name }) => name.startsWith('Galaxy'));
      const evening = (phones: readonly LabPhone[], day: number) => {
        // five at once, and who starts it has a look at them before the next five; some are asleep, and take it at night
        let at = between(lab, day, '18:10', '18:40');
        for (let left = random.shuffled(phones); left.length > 0; left = left.slice(5)) {
          for (const phone of left.slice(0, 5)) {
            const isLate = random.chance(0.12);
            const begins = isLate
              ? between(lab, day + 1, '02:05', '03:50')
              : at + random.between(0, 7) * MINUTE;
            updates(lab, phone, begins, [55, 150], os(phone));
          }
          at += random.between(17, 28) * MINUTE;
        }
      };
      const [canary, ...rest] = pixels;
      if (canary) updates(lab, canary, between(lab, 2, '14:00', '15:30'), [70, 120], os(canary));
      evening(rest, 7);
      evening(galaxies.slice(0, 5), 15);
      evening(galaxies.slice(5), 16);
      hostRestarts(lab, lab.at(8, '21:00:30'));
      // after a restart each of these needs `adb tcpip` at a cable; whoever is first in the lab does that
      const morning = between(lab, 10, '08:40', '09:30');
      for (const [index, phone] of wireless.entries()) {
        const at = lab.at(9, '19:00') + index * 4 * MINUTE + random.between(0, 80) * SECOND;
        const back = morning + index * random.between(70, 110) * SECOND;
        if (!lab.isFree(phone, at - MINUTE, back + 5 * MINUTE)) continue;
        lab.lose(phone, at, { forMs: back - at });
        startedMeanwhile(lab, phone, back, 'reboot,ota', [810, 830]);
        lab.phone(phone, Math.round(back + 70 * SECOND), { kind: 'os', ...os(phone) });
      }
      // two run empty at a desk of somebody, who is at a conference
      for (const phone of random.shuffled(wireless).slice(0, 2))
        out(lab, phone, between(lab, 20, '16:00', '22:00'), between(lab, 24, '09:10', '13:00'));
      lent(lab, lab.usbPhones, 0.8, { hours: ['08:40', '17:10'] });
      background(lab, { taken: 0, restarts: 0.3, hours: [8.5, 17.5], isUpdated: false });
    },
  },
  {
    name: 'testers have most of a rack by day, and at three hours of the night jobs restart and measure what was brought back',
    lab: {
      zone: 'Asia/Yerevan',
      from: '2026-04-20',
      hubs: [16, 16],
      usb: true,
      models: ['Galaxy A25', 'Redmi Note 12', 'Pixel 6a', 'Honor X7b'],
    },
    tell(lab) {
      const { random } = lab;
      // the twenty-fourth of April and the first of May
      const days = lab.workdays().filter((day) => day !== 4 && day !== 11);
      const away: { phone: LabPhone; from: number; to: number }[] = [];
      for (const [index, day] of days.entries()) {
        const testers = random.whole(7, 10);
        let pool = random.shuffled(lab.phones);
        for (let tester = 0; tester < testers; tester += 1) {
          const few = pool.slice(0, random.pick([1, 2, 2, 3]));
          pool = pool.slice(few.length);
          const came = between(lab, day, '09:45', '11:40');
          const goes = tester < 2 ? between(lab, day, '20:30', '22:20') : between(lab, day, '17:50', '19:50');
          for (const phone of few) {
            const from = came + random.between(0, 4) * MINUTE;
            const isForgotten = random.chance(0.08);
            const next = days[index + 1];
            if (isForgotten && next === undefined) continue;
            const to = isForgotten
              ? between(lab, next ?? day, '10:00', '12:30')
              : goes + random.between(0, 3) * MINUTE;
            // who eats at the desk charges there; others put it back for lunch
            const lunch = from + random.between(2.4, 3.6) * HOUR;
            if (random.chance(0.3)) {
              away.push({ phone, from, to: lunch });
              away.push({ phone, from: lunch + random.between(30, 70) * MINUTE, to });
            } else away.push({ phone, from, to });
          }
        }
      }
      for (const { phone, from, to } of away)
        if (lab.isFree(phone, from - MINUTE, to + MINUTE)) out(lab, phone, from, to);
      // a job takes what is there: it restarts it, makes its adbd root for what it measures, and no longer root at the end
      for (const day of lab.everyDay().slice(0, -1)) {
        // after a holiday there is nothing new
        if (lab.isWorkday(day) && !days.includes(day)) continue;
        for (const [next, time] of [
          [0, '21:30'],
          [1, '00:40'],
          [1, '04:00'],
        ] as const) {
          for (const phone of lab.phones) {
            const at = lab.at(day + next, time) + random.between(5, 600) * SECOND;
            const until = at + random.between(25, 95) * MINUTE;
            if (random.chance(0.35) || !lab.isFree(phone, at - MINUTE, until + 2 * MINUTE)) continue;
            restart(lab, phone, at, [34, 68], 'reboot,adb');
            if (phone.name.startsWith('Pixel')) {
              lab.lose(phone, at + 3 * MINUTE, { forMs: random.between(1.2, 3.5) * SECOND });
              lab.facts(phone, Math.round(at + 3.4 * MINUTE), { adbRoot: true });
              lab.lose(phone, until, { forMs: random.between(1.2, 3.5) * SECOND });
              lab.facts(phone, Math.round(until + 24 * SECOND), { adbRoot: false });
            }
          }
        }
      }
      for (const phone of lab.phones) drainsOutside(lab, phone, 7);
      background(lab, { taken: 0, restarts: 0.2, hours: [10, 19] });
    },
  },
  {
    name: 'painters are in a lab of Kathmandu for three days, and a layer of floors a week later: shelves are rolled from wall to wall',
    lab: {
      zone: 'Asia/Kathmandu',
      from: '2026-05-03',
      hubs: [10, 10, 7, 7],
      free: 1,
      usb: true,
      models: ['Galaxy M14', 'Redmi A3', 'Samsung A05', 'Infinix Smart 8'],
    },
    tell(lab) {
      const { random } = lab;
      const rolled = (shelf: number, from: number, to: number) =>
        switchedOff(lab, lab.phonesOf(shelf), from, to);
      const minutes = (least: number, most: number) => random.between(least, most) * MINUTE;
      // on Monday evening all that stands at the first wall goes to the middle of the room, and stays on
      along(lab, [0, 1], between(lab, 8, '17:10', '17:40'), [420, 700], (shelf, at) =>
        rolled(shelf, at, at + minutes(2, 6)),
      );
      // the wall of the second two; one of these finds no socket until Wednesday
      along(lab, [2, 3], between(lab, 9, '08:30', '09:10'), [500, 900], (shelf, at) =>
        rolled(shelf, at, shelf === 2 ? at + minutes(3, 8) : between(lab, 10, '10:20', '11:30')),
      );
      // the painter needs the socket for his lamp, and asks before he takes it
      const lamp = between(lab, 10, '13:30', '15:20');
      rolled(2, lamp, lamp + minutes(24, 50));
      // the host goes along with its shelf
      const moved = Math.round(between(lab, 10, '16:30', '17:00'));
      const on = moved + random.whole(16, 31) * MINUTE;
      hostIsOff(lab, moved, on);
      // back to the walls, and one of them twice, as the door did not close
      along(lab, [0, 1, 2, 3], between(lab, 11, '11:00', '11:40'), [480, 840], (shelf, at) => {
        rolled(shelf, at, at + minutes(2, 5));
        if (shelf === 1) rolled(shelf, at + 12 * MINUTE, at + 12 * MINUTE + minutes(1, 3));
      });
      // for the floor everything is out of the room from Friday noon to Sunday, their first day of the week
      const cleared = between(lab, 19, '12:10', '12:50');
      const back = between(lab, 21, '09:40', '10:30');
      for (const shelf of [0, 1, 2, 3])
        rolled(shelf, cleared + shelf * 9 * MINUTE, back + shelf * minutes(6, 14));
      // they are off on Saturdays, and on the day of the republic
      const days = lab.everyDay().filter((day) => lab.weekday(day) !== 6 && day !== 26);
      const isPainted = (day: number) => (day >= 9 && day <= 11) || day === 19;
      lent(lab, lab.phones, 0.9, { days: days.filter((day) => !isPainted(day)), hours: ['10:00', '16:50'] });
      background(lab, {
        taken: 0,
        restarts: 0.6,
        hours: [10, 17],
        weekdays: new Set([0, 1, 2, 3, 4, 5]),
      });
    },
  },
  {
    // DeviceFarmer/docker-adb#50, #54: platform tools 36, and 37 later
    name: 'a host is brought up to date by small steps: adb forth, back and forth again, three kernels, and a few phones that must not wait',
    lab: {
      zone: 'America/St_Johns',
      from: '2026-02-23',
      hubs: [10, 10],
      direct: 2,
      usb: true,
      controllerId: ['8086', 'a36d'],
      models: ['Pixel 8', 'Galaxy S23', 'Moto G84'],
    },
    tell(lab) {
      const { random } = lab;
      const quiet = (from: number, to: number) => {
        for (const phone of lab.phones) phone.busy.push({ from: from - MINUTE, to: to + MINUTE });
      };
      const tools = (day: number, time: string) => {
        const at = lab.at(day, time) + random.whole(0, 240) * SECOND;
        quiet(at, adbRestarts(lab, at, 41, random.whole(2, 14) * SECOND));
      };
      const urgent = random.shuffled(lab.phonesOf(1)).slice(0, 4);
      // a kernel needs a restart; before it, somebody takes those with a run of days over to the other host
      for (const [index, day] of [3, 17, 24].entries()) {
        const at = lab.at(day, '13:30') + random.whole(0, 25 * 60) * SECOND;
        along(lab, urgent, at - 14 * MINUTE, [15, 60], (phone, taken, rank) => {
          const back = at + random.between(18, 34) * MINUTE + rank * 40 * SECOND;
          // the last time they stay over there until the run has ended on the next day
          out(lab, phone, taken, index === 2 ? back + 21 * HOUR : back);
        });
        hostRestarts(lab, at);
        quiet(at, at + 2 * MINUTE);
      }
      tools(8, '10:05');
      // a script does not like the new ones, and has the old ones until it is mended
      tools(9, '15:40');
      tools(15, '10:30');
      // what is updated by itself in the morning restarts a library of USB, and adb with it
      for (const day of [4, 12, 19, 26]) tools(day, '06:21');
      for (const day of [1, 10, 22]) {
        const at = lab.at(day, '09:50') + random.whole(0, 300) * SECOND;
        agentRestarts(lab, at);
        quiet(at, at + 10 * SECOND);
      }
      lent(lab, lab.phones, 1.1, { hours: ['08:50', '17:20'], overnight: 0.08 });
      background(lab, { taken: 0, restarts: 1, hours: [9, 17], isUpdated: false });
    },
  },
  {
    name: 'phones that nobody may see before their launch are locked away each evening, and the others stay in their rack',
    lab: {
      zone: 'America/Halifax',
      from: '2026-03-16',
      hubs: [16, 16],
      free: 3,
      hasTwoControllers: true,
      usb: true,
      models: ['Pixel 9', 'Galaxy S25', 'Moto Edge 50'],
    },
    tell(lab) {
      const { random } = lab;
      const secret = lab.phonesOf(1);
      for (const phone of secret) phone.isPinned = true;
      // it is launched on the second Wednesday of April; from then on they stay where they are
      const launch = 23;
      // Good Friday and Easter Monday are free, but on the Saturday between them three people work
      const [saturday, tuesday] = [19, 22];
      const days = lab
        .everyDay()
        .filter((day) => (lab.isWorkday(day) && day !== 18 && day !== 21) || day === saturday);
      const needed = random.shuffled(secret).slice(0, 6);
      const absences: Absence[] = [];
      for (const [index, day] of days.entries()) {
        const next = days[index + 1] ?? lab.days;
        if (day >= launch) break;
        const isShort = day === saturday;
        // two of them lock the box, and both have to be there
        const evening = between(lab, day, isShort ? '14:30' : '17:25', isShort ? '15:20' : '19:10');
        const morning = between(lab, next, '08:15', '09:25');
        const late = between(lab, tuesday, '08:15', '09:05');
        const here = random.shuffled(isShort ? needed : secret);
        // in any order, and into any bay that is empty then
        const turns = random.shuffled(here.map((_, turn) => turn * random.between(9, 40) * SECOND));
        // some are at desks by day, under a cover, and go into the box from there
        const atDesks = random.whole(1, isShort ? 2 : 5);
        along(lab, here, evening, [7, 22], (phone, locked, rank) => {
          const from = rank < atDesks ? between(lab, day, '09:50', isShort ? '13:40' : '16:30') : locked;
          const isLeft = next === saturday && !needed.includes(phone);
          absences.push({ phone, from, to: (isLeft ? late : morning) + (turns[rank] ?? 0) });
        });
      }
      shared(lab, absences);
      // in the last days they get a build each night, and on the day of the launch what buyers get
      for (const day of [14, 15, 16, 17, 22, 23])
        for (const phone of secret)
          updates(lab, phone, between(lab, day, '10:10', '15:30'), [70, 140], {
            build: `BD4A.2604${day}.001`,
            buildBefore: `BD4A.2604${day - 1}.001`,
          });
      lent(lab, lab.phonesOf(0), 0.8, { days, hours: ['09:00', '17:00'] });
      background(lab, { taken: 0, restarts: 0.5, hours: [9, 17] });
    },
  },
];
