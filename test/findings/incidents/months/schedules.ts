/** Months of labs that live by other hours: homes, night shifts, jobs, chargers that switch single ports. */
import { background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { switchedOff } from './calm.ts';

/** On most days, from one part of the day to another. */
function takenByDay(
  lab: Lab,
  phone: LabPhone,
  from: readonly [string, string],
  to: readonly [string, string],
): void {
  const between = (day: number, [first, last]: readonly [string, string]) =>
    lab.random.between(lab.at(day, first), lab.at(day, last));
  for (const day of lab.workdays().filter(() => lab.random.chance(0.8))) {
    const [at, back] = [between(day, from), between(day, to)];
    lab.lose(phone, at, { forMs: back - at });
  }
}

export const months: QuietMonth[] = [
  {
    name: 'the only phone of a desk goes home with its developer each evening',
    lab: { zone: 'America/Vancouver', hubs: [], direct: 1, known: { slots: false } },
    tell(lab) {
      const phone = lab.pinned(0);
      const days = lab.workdays();
      for (const [index, day] of days.entries()) {
        const from = lab.at(day, '17:10') + lab.random.between(0, 110) * MINUTE;
        const to = lab.at(days[index + 1] ?? lab.days, '08:20') + lab.random.between(0, 100) * MINUTE;
        lab.lose(phone, from, { forMs: to - from });
      }
      background(lab);
    },
  },
  {
    name: 'six emulators of a CI run only while jobs run, on workdays',
    lab: { zone: 'America/New_York', hubs: [], direct: 1, emulators: 6 },
    tell(lab) {
      for (const emulator of lab.phones.filter(({ connection }) => connection === 'emulator')) {
        emulator.isThereAtFirst = false;
        emulator.isPinned = true;
        for (const day of lab.workdays())
          for (
            let at = lab.at(day, '07:30') + lab.random.between(0, 3) * HOUR;
            at < lab.at(day, '19:30');
            at += lab.random.between(1, 4) * HOUR
          ) {
            lab.phone(emulator, Math.round(at), { kind: 'attached', state: 'offline' });
            lab.phone(emulator, Math.round(at + 25 * SECOND), {
              kind: 'state',
              state: 'device',
              before: 'offline',
            });
            lab.phone(emulator, Math.round(at + lab.random.between(8, 45) * MINUTE), { kind: 'detached' });
          }
      }
      background(lab);
    },
  },
  {
    name: 'a script charges single phones by turns and switches their ports',
    lab: { zone: 'Europe/Zurich', hubs: [7, 7], usb: true },
    tell(lab) {
      for (const phone of lab.phones) {
        phone.isPinned = true;
        for (
          let at = lab.start + lab.random.between(0, 9) * HOUR;
          at < lab.end - 4 * HOUR;
          at += lab.random.between(8, 11) * HOUR
        )
          lab.lose(phone, at, { forMs: lab.random.between(80, 150) * MINUTE });
      }
      background(lab, { taken: 0 });
    },
  },
  {
    name: 'tests switch the Wi-Fi of five phones off and on, by day and night',
    lab: { zone: 'Asia/Seoul', hubs: [4], network: 5 },
    tell(lab) {
      for (const phone of lab.networkPhones) {
        phone.isPinned = true;
        for (
          let at = lab.start + lab.random.between(0, 5) * HOUR;
          at < lab.end - HOUR;
          at += lab.random.between(3, 8) * HOUR
        )
          lab.lose(phone, at, { forMs: lab.random.between(30, 100) * SECOND });
      }
      background(lab);
    },
  },
  {
    name: 'eight containers are started and ended by jobs of an hour',
    lab: { zone: 'Europe/Dublin', hubs: [4], network: 8 },
    tell(lab) {
      for (const container of lab.networkPhones) {
        container.isThereAtFirst = false;
        container.isPinned = true;
        for (
          let at = lab.start + lab.random.between(0, 4) * HOUR;
          at < lab.end - 4 * HOUR;
          at += lab.random.between(2, 5) * HOUR
        ) {
          lab.phone(container, Math.round(at), { kind: 'attached', state: 'device' });
          lab.phone(container, Math.round(at + lab.random.between(50, 115) * MINUTE), { kind: 'detached' });
        }
      }
      background(lab);
    },
  },
  {
    name: 'a library lends thirty phones for a day or three',
    lab: { zone: 'Europe/Amsterdam', hubs: [16, 16], free: 2, known: { slots: false } },
    tell(lab) {
      for (const phone of lab.phones) {
        phone.isPinned = true;
        for (let day = lab.random.whole(0, 6); day < lab.days - 5; day += lab.random.whole(4, 9)) {
          const out = lab.isWorkday(day) ? day : day + 2;
          const at = lab.at(out, '09:00') + lab.random.between(0, 8) * HOUR;
          const back = lab.at(out + lab.random.whole(1, 3), '09:00') + lab.random.between(0, 8) * HOUR;
          if (lab.isFree(phone, at, back)) lab.lose(phone, at, { forMs: back - at });
        }
      }
      background(lab);
    },
  },
  {
    name: 'two of twelve phones go to the testers in the morning, and come back in the evening',
    lab: { zone: 'Asia/Kolkata', hubs: [10], direct: 2, usb: true },
    tell(lab) {
      for (const phone of [lab.pinned(2), lab.pinned(7)])
        takenByDay(lab, phone, ['08:30', '12:30'], ['16:30', '18:30']);
      background(lab, { taken: 0 });
    },
  },
  {
    name: 'two testers of the late shift have a phone each at their desks, from half past two until they leave',
    lab: { zone: 'America/Sao_Paulo', hubs: [7], direct: 2, usb: true, known: { slots: false } },
    tell(lab) {
      for (const phone of [lab.pinned(1), lab.pinned(4)])
        takenByDay(lab, phone, ['14:00', '14:50'], ['20:30', '23:10']);
      background(lab, { taken: 0 });
    },
  },
  {
    name: 'one phone of a rack goes to the testers at nine, and is put back at half past six',
    lab: { zone: 'America/New_York', hubs: [7, 4], free: 1 },
    tell(lab) {
      takenByDay(lab, lab.pinned(3), ['08:50', '10:10'], ['18:10', '19:00']);
      background(lab, { taken: 0.2, hours: [14, 19] });
    },
  },
  {
    name: 'two phones of a shared desk are taken for lunch and for the night',
    lab: { zone: 'Asia/Kolkata', hubs: [], direct: 2, usb: true },
    tell(lab) {
      for (const phone of [lab.pinned(0), lab.pinned(1)])
        for (const day of lab.workdays()) {
          const lunch = lab.at(day, '12:30') + lab.random.between(-20, 20) * MINUTE;
          lab.lose(phone, lunch, { forMs: lab.random.between(40, 75) * MINUTE });
          const evening = lab.at(day, '18:40') + lab.random.between(-30, 80) * MINUTE;
          const next = day + (lab.weekday(day) === 5 ? 3 : 1);
          const back = lab.at(next, '09:10') + lab.random.between(-25, 60) * MINUTE;
          lab.lose(phone, evening, { forMs: back - evening });
        }
      background(lab, { taken: 0 });
    },
  },
  {
    name: 'a timer switches a hub off at night while New York changes its clock',
    lab: { zone: 'America/New_York', from: '2026-02-23', hubs: [7, 7], free: 1 },
    tell(lab) {
      for (const day of lab.everyDay().slice(0, -1))
        switchedOff(lab, lab.phonesOf(1), lab.at(day, '22:30'), lab.at(day + 1, '05:30'));
      background(lab);
    },
  },
  {
    name: 'an update of Android restarts all phones in one night',
    lab: { zone: 'America/Sao_Paulo', hubs: [10, 4], usb: true },
    tell(lab) {
      for (const phone of lab.phones) {
        const at = lab.at(17, '02:00') + lab.random.between(0, 110) * MINUTE;
        phone.isPinned = true;
        lab.reboot(phone, at, { forMs: lab.random.between(70, 200) * SECOND, reason: 'reboot,ota' });
        lab.phone(phone, Math.round(at + 6 * MINUTE), { kind: 'os', release: '16', before: '15' });
      }
      background(lab);
    },
  },
  {
    name: 'people who work from eight in the evening to four, in Cairo',
    lab: { zone: 'Africa/Cairo', hubs: [7, 4], direct: 2 },
    tell: (lab) => background(lab, { taken: 2.5, hours: [20, 28] }),
  },
  {
    name: 'tests call adb root and adb unroot by day, at any phone',
    lab: { zone: 'Asia/Taipei', hubs: [10], usb: true },
    tell(lab) {
      for (const phone of lab.phones)
        for (const day of lab.workdays().filter(() => lab.random.chance(0.5))) {
          const at = lab.at(day, '10:00') + lab.random.between(0, 6) * HOUR;
          const until = at + lab.random.between(10, 50) * MINUTE;
          if (!lab.isFree(phone, at, until)) continue;
          lab.lose(phone, at, { forMs: lab.random.between(1, 4) * SECOND });
          lab.facts(phone, at + 20 * SECOND, { adbRoot: true });
          lab.lose(phone, until, { forMs: lab.random.between(1, 4) * SECOND });
          lab.facts(phone, until + 20 * SECOND, { adbRoot: false });
        }
      background(lab);
    },
  },
];
