/** Months in which much happens, and nothing is wrong: timers, hands, scripts, tests, moves. */
import { adbRestarts, agentRestarts, background, hostRestarts, inUse } from '../background.ts';
import { HOUR, type Lab, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';
import { job, switchedOff } from './calm.ts';

const soon = (lab: Lab, minutes: number): number => lab.random.between(-minutes, minutes) * MINUTE;

/** Two carts out in turn, as a school does. */
function carts(lab: Lab, lessons: readonly (readonly [string, number])[]): void {
  for (const day of lab.workdays())
    for (const [index, [time, minutes]] of lessons.entries()) {
      const from = lab.at(day, time) + soon(lab, 5);
      switchedOff(
        lab,
        lab.phonesOf((day + index) % lab.hubs.length),
        from,
        from + minutes * MINUTE + soon(lab, 6),
      );
    }
}

export const months: QuietMonth[] = [
  {
    name: 'two carts of a school are out for lessons',
    lab: { zone: 'Europe/Stockholm', hubs: [10, 10] },
    tell(lab) {
      carts(lab, [
        ['08:30', 80],
        ['13:00', 90],
      ]);
      background(lab, { taken: 0, restarts: 0.1 });
    },
  },
  {
    name: 'a cart of five phones and no USB information',
    lab: { zone: 'America/Denver', hubs: [7], free: 2, known: { slots: false, usbPath: false, hub: false } },
    tell(lab) {
      for (const day of lab.workdays())
        switchedOff(
          lab,
          lab.phonesOf(0),
          lab.at(day, '09:00') + soon(lab, 15),
          lab.at(day, '17:00') + soon(lab, 25),
        );
      background(lab, { taken: 0.2 });
    },
  },
  {
    name: 'a timer switches one of three hubs off over noon',
    lab: { zone: 'Europe/Rome', hubs: [7, 7, 7], usb: true },
    tell(lab) {
      for (const day of lab.everyDay())
        switchedOff(lab, lab.phonesOf(1), lab.at(day, '12:00'), lab.at(day, '14:00'));
      background(lab);
    },
  },
  {
    name: 'a timer switches all hubs of two controllers off, also on weekends',
    lab: { zone: 'Asia/Tokyo', hubs: [10, 10, 7, 7], hasTwoControllers: true },
    tell(lab) {
      for (const day of lab.everyDay().slice(0, -1)) {
        const end = lab.isWorkday(day + 1) ? lab.at(day + 1, '06:30') : lab.at(day + 1, '10:00');
        for (const hub of [0, 1, 2, 3])
          switchedOff(lab, lab.phonesOf(hub), lab.at(day, '21:30') + hub * 300, end + hub * 300);
      }
      background(lab, { taken: 0.3, restarts: 0.1, hours: [10, 18] });
    },
  },
  {
    name: 'the room is switched off for the weekend',
    lab: { zone: 'Europe/Amsterdam', hubs: [10, 7], usb: true },
    tell(lab) {
      for (const day of lab.everyDay().filter((each) => lab.weekday(each) === 5 && each + 3 < lab.days)) {
        const [off, on] = [lab.at(day, '18:10') + soon(lab, 40), lab.at(day + 3, '07:40') + soon(lab, 20)];
        for (const hub of [0, 1]) switchedOff(lab, lab.phonesOf(hub), off + hub * SECOND, on + hub * SECOND);
      }
      background(lab, { taken: 0.6 });
    },
  },
  {
    name: 'the cleaners take the power of one desk each evening',
    lab: { zone: 'America/Sao_Paulo', hubs: [4, 7] },
    tell(lab) {
      for (const day of lab.workdays()) {
        const at = lab.at(day, '19:00') + soon(lab, 20);
        switchedOff(lab, lab.phonesOf(0), at, at + 12 * MINUTE + soon(lab, 3));
      }
      background(lab);
    },
  },
  {
    name: 'charging cycles of 150 minutes at one hub of two',
    lab: { hubs: [7, 7], usb: true },
    tell(lab) {
      for (let at = lab.at(0, '00:20'); at < lab.end - 4 * HOUR; at += 150 * MINUTE)
        switchedOff(lab, lab.phonesOf(0), at, at + 60 * MINUTE);
      background(lab, { taken: 0.2, restarts: 0.2 });
    },
  },
  {
    name: 'charging by turns: each hub is off for an hour, twice a day',
    lab: { zone: 'Asia/Singapore', hubs: [4, 4, 4, 4] },
    tell(lab) {
      for (const day of lab.everyDay())
        for (const hub of [0, 1, 2, 3])
          for (const half of [0, 12])
            switchedOff(
              lab,
              lab.phonesOf(hub),
              lab.at(day, `${String(half + hub * 2).padStart(2, '0')}:05`),
              lab.at(day, `${String(half + hub * 2 + 1).padStart(2, '0')}:05`),
            );
      background(lab, { taken: 0.2, restarts: 0.1 });
    },
  },
  {
    name: 'a script power-cycles one hub before each nightly run',
    lab: { zone: 'America/New_York', hubs: [10], free: 2 },
    tell(lab) {
      for (const day of lab.everyDay().slice(1)) {
        const at = lab.at(day, '01:00') + lab.random.between(0, 3) * MINUTE;
        switchedOff(lab, lab.phonesOf(0), at, at + 14 * SECOND);
      }
      background(lab, { restarts: 0.2 });
    },
  },
  {
    name: 'a script power-cycles both hubs on Mondays, in maintenance',
    lab: { zone: 'Europe/London', hubs: [7, 7] },
    tell(lab) {
      for (const day of lab.everyDay().filter((each) => lab.weekday(each) === 1)) {
        const at = lab.at(day, '06:00');
        for (const phone of lab.usbPhones)
          lab.maintenance(phone, at - 5 * SECOND, 10 * MINUTE, 'weekly power cycle', at + 9 * MINUTE);
        for (const hub of [0, 1])
          switchedOff(lab, lab.phonesOf(hub), at + hub * 20 * SECOND, at + 15 * SECOND + hub * 20 * SECOND);
      }
      background(lab);
    },
  },
  {
    name: 'adb root and adb remount of one phone, many times a day',
    lab: { zone: 'America/Los_Angeles', hubs: [4], direct: 1, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.facts(phone, lab.start, { adbRoot: true } as object);
      for (const day of lab.workdays())
        for (
          let at = lab.at(day, '09:30') + soon(lab, 20);
          at < lab.at(day, '17:30');
          at += lab.random.between(50, 170) * MINUTE
        )
          lab.lose(phone, at, { forMs: lab.random.between(1, 3) * SECOND });
      background(lab);
    },
  },
  {
    name: 'a nightly test of USB modes of six phones, at any hour of the night',
    lab: { zone: 'Asia/Seoul', hubs: [7], free: 1, usb: true },
    tell(lab) {
      for (const day of lab.everyDay().slice(1))
        for (const [index, phone] of lab.usbPhones.entries()) {
          const begin = lab.at(day, '00:30') + lab.random.between(0, 40) * MINUTE + index * 45 * MINUTE;
          for (let mode = 0; mode < 4; mode += 1)
            lab.lose(phone, begin + mode * 70 * SECOND, { forMs: 3 * SECOND });
        }
      background(lab);
    },
  },
  {
    name: 'a CI starts eight emulators an hour',
    lab: { hubs: [], direct: 2, emulators: 8 },
    tell(lab) {
      for (const emulator of lab.phones.filter(({ connection }) => connection === 'emulator')) {
        emulator.isThereAtFirst = false;
        for (const day of lab.workdays().slice(0, 12))
          for (
            let at = lab.at(day, '07:00') + lab.random.between(0, 50) * MINUTE;
            at < lab.at(day, '20:00');
            at += lab.random.between(45, 90) * MINUTE
          )
            job(lab, emulator, at, lab.random.between(4, 30) * MINUTE);
      }
      background(lab);
    },
  },
  {
    name: 'emulators that are killed and started anew every night',
    lab: { zone: 'Europe/Warsaw', hubs: [4], emulators: 3 },
    tell(lab) {
      for (const [index, emulator] of lab.phones
        .filter(({ connection }) => connection === 'emulator')
        .entries())
        for (const day of lab.everyDay().slice(1))
          lab.lose(emulator, lab.at(day, '04:00') + index * 30 * SECOND, { forMs: 70 * SECOND });
      background(lab);
    },
  },
  {
    name: 'containers that a scheduler moves about',
    lab: { zone: 'America/Chicago', hubs: [4], network: 8 },
    tell(lab) {
      for (const container of lab.networkPhones) {
        container.isPinned = true;
        for (let day = lab.random.whole(0, 3); day < lab.days - 1; day += lab.random.whole(2, 5)) {
          const at = lab.at(day) + lab.random.between(0, 20) * HOUR;
          lab.lose(container, at, { forMs: lab.random.between(20, 600) * MINUTE });
        }
      }
      background(lab, { hasReadings: false });
    },
  },
  {
    name: 'Wi-Fi phones that people carry about',
    lab: { zone: 'Europe/Dublin', hubs: [4], network: 4 },
    tell(lab) {
      for (const phone of lab.networkPhones)
        for (const day of lab.workdays().filter(() => lab.random.chance(0.5))) {
          const at = lab.at(day, '09:30') + lab.random.between(0, 6) * HOUR;
          if (lab.isFree(phone, at, at + 2 * HOUR))
            lab.lose(phone, at, { forMs: lab.random.between(15, 100) * MINUTE });
        }
      background(lab);
    },
  },
  {
    name: 'the access point is updated once',
    lab: { hubs: [], direct: 1, network: 7 },
    tell(lab) {
      const phones = lab.networkPhones;
      lab.loseAll(phones, lab.at(17, '12:05'), {
        as: 'offline',
        spreadMs: 8 * SECOND,
        forMs: 45 * SECOND,
        backSpreadMs: 20 * SECOND,
      });
      background(lab, { taken: 0.4 });
    },
  },
  {
    name: 'a host with one phone that tests restart after thirty runs',
    lab: { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const day of lab.everyDay().slice(1))
        for (
          let at = lab.at(day) + lab.random.between(0, 8) * HOUR;
          at < lab.at(day, '23:30');
          at += lab.random.between(6, 11) * HOUR
        )
          lab.reboot(phone, at, { forMs: lab.random.between(30, 70) * SECOND, reason: 'reboot,adb' });
      background(lab);
    },
  },
  {
    name: 'phones of old Android that give no reason for the restart of each morning',
    lab: { zone: 'Asia/Kolkata', hubs: [7], known: { usbPath: false }, models: ['Galaxy J3', 'Moto G4'] },
    tell(lab) {
      for (const day of lab.everyDay().slice(1))
        for (const [index, phone] of lab.usbPhones.entries())
          lab.reboot(phone, lab.at(day, '05:00') + index * 60 * SECOND, { forMs: 50 * SECOND });
      background(lab, { restarts: 0.1 });
    },
  },
  {
    name: 'all phones are allowed anew after the host was set up again',
    lab: { zone: 'Europe/Vienna', hubs: [7], free: 1 },
    tell(lab) {
      const at = lab.at(14, '10:00');
      hostRestarts(lab, at);
      for (const [index, phone] of lab.usbPhones.entries()) {
        lab.lose(phone, at + 82 * SECOND, { forMs: 6 * SECOND, backAs: 'unauthorized' });
        lab.phone(phone, at + 3 * MINUTE + index * 20 * SECOND, {
          kind: 'state',
          state: 'device',
          before: 'unauthorized',
        });
      }
      background(lab);
    },
  },
  {
    name: 'forty phones on three shifts',
    lab: { zone: 'Asia/Kolkata', hubs: [16, 16, 10], free: 2 },
    tell: (lab) => background(lab, { taken: 2, hours: [0, 24], isDaily: true }),
  },
  {
    name: 'hands on weekends only',
    lab: { zone: 'Europe/Lisbon', hubs: [7] },
    tell(lab) {
      for (const day of lab.everyDay().filter((each) => !lab.isWorkday(each)))
        for (const phone of lab.usbPhones.filter(() => lab.random.chance(0.7))) {
          const at = lab.at(day, '11:00') + lab.random.between(0, 6) * HOUR;
          lab.lose(phone, at, { forMs: lab.random.between(10, 120) * MINUTE });
        }
      background(lab, { taken: 0 });
    },
  },
  {
    name: 'one phone that its developer takes each day',
    lab: { zone: 'Europe/Paris', hubs: [4], direct: 1, usb: true },
    tell(lab) {
      const phone = lab.pinned(1);
      for (const day of lab.workdays())
        for (const time of ['10:00', '14:00', '16:30']) {
          const at = lab.at(day, time) + soon(lab, 40);
          lab.lose(phone, at, { forMs: lab.random.between(4, 50) * MINUTE });
        }
      background(lab);
    },
  },
  {
    name: 'a phone that is set up: plugged in and out, restarted, updated',
    lab: { zone: 'America/Toronto', hubs: [7], free: 1 },
    tell(lab) {
      const phone = lab.pinned(4);
      for (const [index, time] of ['10:02', '10:05', '10:06', '10:09'].entries())
        lab.lose(phone, lab.at(8, time), { forMs: (15 + index * 9) * SECOND });
      lab.reboot(phone, lab.at(8, '10:20'), { forMs: 110 * SECOND, reason: 'reboot,ota' });
      lab.phone(phone, lab.at(8, '10:25'), { kind: 'os', release: '16', before: '14' });
      lab.reboot(phone, lab.at(8, '10:40'), { forMs: 45 * SECOND, reason: 'reboot,userrequested' });
      background(lab);
    },
  },
  {
    name: 'somebody writes notes about new cables',
    lab: { hubs: [10] },
    tell(lab) {
      for (const [index, day] of [5, 12, 19].entries()) {
        const phone = lab.pinned(index);
        const at = lab.at(day, '11:00');
        for (const minute of [0, 4, 9]) lab.lose(phone, at + minute * MINUTE, { forMs: 70 * SECOND });
        lab.note(at + 11 * MINUTE, lab.where(phone, at), 'new cable');
      }
      background(lab);
    },
  },
  {
    name: 'phones are flashed each Tuesday',
    lab: { zone: 'Asia/Taipei', hubs: [7, 4], usb: true },
    tell(lab) {
      for (const day of lab.everyDay().filter((each) => lab.weekday(each) === 2))
        for (const [index, phone] of lab.usbPhones.slice(0, 5).entries()) {
          const at = lab.at(day, '14:00') + index * 12 * MINUTE;
          phone.isPinned = true;
          lab.lose(phone, at, { forMs: 20 * SECOND, backAs: 'recovery' });
          lab.lose(phone, at + 3 * MINUTE, { forMs: 120 * SECOND });
          lab.rebooted(phone, at + 6 * MINUTE, { reason: 'reboot,recovery', uptimeSeconds: 50 });
        }
      background(lab);
    },
  },
  {
    name: 'the agent is updated every week and adb with it',
    lab: { zone: 'Europe/Madrid', hubs: [7, 7] },
    tell(lab) {
      for (const day of [3, 10, 17, 24]) {
        agentRestarts(lab, lab.at(day, '12:00'));
        adbRestarts(lab, lab.at(day, '12:01'), 41);
      }
      background(lab);
    },
  },
  {
    name: 'the host sleeps at night',
    lab: { zone: 'Europe/Berlin', hubs: [4], known: { slots: false } },
    tell(lab) {
      for (const day of lab.everyDay().slice(1)) {
        const at = lab.at(day, '02:00');
        lab.host(at, { kind: 'agentStopped' });
        lab.host(at + 4 * HOUR, {
          kind: 'agentStarted',
          version: '1.0.0',
          hostBootedAt: at + 4 * HOUR - 50 * SECOND,
          lastAliveAt: at,
        });
      }
      background(lab, { taken: 2, glitches: 0 });
    },
  },
  {
    name: 'a power cut that the lab knows of: a note says so',
    lab: { zone: 'Africa/Johannesburg', hubs: [7, 7] },
    tell(lab) {
      for (const phone of lab.usbPhones)
        lab.maintenance(phone, lab.at(12, '09:50'), 3 * HOUR, 'planned power cut', lab.at(12, '12:10'));
      for (const hub of [0, 1])
        switchedOff(lab, lab.phonesOf(hub), lab.at(12, '10:00') + hub * 200, lab.at(12, '12:00') + hub * 200);
      background(lab, { taken: 0.5 });
    },
  },
  {
    name: 'phones with a limit of 80 % for their batteries',
    lab: { zone: 'Europe/Helsinki', hubs: [10] },
    tell(lab) {
      for (const phone of lab.phones) {
        const reading = inUse(lab);
        phone.reading = (at) => {
          const { levelPercent = 80, ...rest } = reading(at) ?? {};
          return { ...rest, levelPercent: Math.round(levelPercent * 0.8), isFull: false };
        };
      }
      background(lab);
    },
  },
  {
    name: 'phones that soak tests drain by day and that charge at night',
    lab: { zone: 'America/Los_Angeles', hubs: [7], usb: true },
    tell(lab) {
      for (const phone of lab.phones) {
        const least = lab.random.whole(18, 35);
        phone.reading = (at) => {
          const hour = ((at - lab.start) / HOUR) % 24;
          const used = hour < 8 ? 0 : hour < 20 ? (hour - 8) / 12 : Math.max(0, 1 - (hour - 20) / 3.5);
          const levelPercent = Math.round(100 - (100 - least) * used);
          return {
            levelPercent,
            isFull: levelPercent === 100,
            temperatureDecicelsius: Math.round(270 + 80 * used),
          };
        };
      }
      background(lab);
    },
  },
  {
    name: 'a hot summer in a room without cooling',
    lab: { zone: 'Asia/Dubai', from: '2026-07-01', hubs: [10] },
    tell(lab) {
      for (const phone of lab.phones) {
        const reading = inUse(lab);
        phone.reading = (at) => {
          const { temperatureDecicelsius = 300, ...rest } = reading(at) ?? {};
          return { ...rest, temperatureDecicelsius: temperatureDecicelsius + 60 };
        };
      }
      background(lab);
    },
  },
  {
    name: 'a week of holidays, then everybody is back',
    lab: { zone: 'Europe/Berlin', from: '2025-12-15', hubs: [10, 7], days: 32 },
    tell(lab) {
      for (const phone of lab.usbPhones)
        for (let left = lab.random.poisson(3); left > 0; left -= 1) {
          const day = lab.random.pick([0, 1, 2, 3, 4, 7, 8, 22, 23, 24, 25, 28, 29, 30]);
          const at = lab.at(day, '09:00') + lab.random.between(0, 8) * HOUR;
          const forMs = lab.random.between(5, 60) * MINUTE;
          if (lab.isFree(phone, at, at + forMs + MINUTE)) lab.lose(phone, at, { forMs });
        }
      background(lab, { taken: 0, restarts: 0.2 });
    },
  },
  {
    name: 'a lab that moves to another room in one afternoon',
    lab: { zone: 'Europe/Prague', hubs: [7, 7], usb: true },
    tell(lab) {
      const [off, on] = [lab.at(20, '13:00'), lab.at(20, '16:30')];
      lab.host(off + 40 * SECOND, { kind: 'agentStopped' });
      for (const phone of lab.usbPhones)
        lab.maintenance(phone, off - 10 * MINUTE, 6 * HOUR, 'moving', on + 20 * MINUTE);
      for (const hub of [0, 1])
        lab.loseAll(lab.phonesOf(hub), off + hub * 15 * SECOND, {
          forMs: on - off + 3 * MINUTE,
          spreadMs: 9 * SECOND,
        });
      lab.host(on, {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: on - 50 * SECOND,
        lastAliveAt: off + 40 * SECOND,
      });
      for (const phone of lab.usbPhones) phone.isPinned = true;
      background(lab);
    },
  },
  {
    name: 'four phones, two of which share a wobbly table: one glitch each',
    lab: { hubs: [4], zone: 'America/Bogota' },
    tell(lab) {
      lab.lose(lab.pinned(0), lab.at(9, '10:10'), { forMs: 4 * SECOND });
      lab.lose(lab.pinned(1), lab.at(9, '10:10:01'), { forMs: 5 * SECOND });
      lab.lose(lab.pinned(0), lab.at(21, '15:40'), { forMs: 3 * SECOND });
      background(lab, { taken: 3 });
    },
  },
];
