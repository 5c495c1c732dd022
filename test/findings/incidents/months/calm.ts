/** Months of ordinary labs in which nothing is wrong. */
import { adbRestarts, background, hostRestarts } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND } from '../lab.ts';
import type { QuietMonth } from '../story.ts';

/** All of these are off from one moment to another: somebody or a timer switches their hub. */
export function switchedOff(lab: Lab, phones: readonly LabPhone[], from: number, to: number): void {
  const isThere = phones.filter((phone) => lab.isFree(phone, from - MINUTE, to + MINUTE));
  lab.loseAll(isThere, from, {
    spreadMs: 900,
    forMs: to - from,
    backSpreadMs: 5 * SECOND,
    gone: 'hub',
    isWithHub: true,
  });
}

/** A job of a CI has an emulator of its own for some minutes, which boots for it; a container shares the boot of its host. */
export function job(lab: Lab, emulator: LabPhone, at: number, forMs: number): void {
  lab.phone(emulator, Math.round(at), { kind: 'attached', state: 'offline' });
  lab.phone(emulator, Math.round(at + 22 * SECOND), { kind: 'state', state: 'device', before: 'offline' });
  if (emulator.connection === 'emulator') lab.rebooted(emulator, at + 31 * SECOND, { uptimeSeconds: 33 });
  lab.phone(emulator, Math.round(at + forMs), { kind: 'detached' });
}

export const months: QuietMonth[] = [
  {
    name: 'four phones at one hub, and hands by day',
    lab: { hubs: [4], known: { slots: false, usbPath: false } },
    tell: (lab) => background(lab, { taken: 5 }),
  },
  {
    name: 'twelve phones that a script restarts each night',
    lab: { hubs: [7, 7], free: 2 },
    tell(lab) {
      for (const day of lab.everyDay().slice(1))
        for (const [index, phone] of lab.phones.entries())
          lab.reboot(phone, lab.at(day, '02:00') + index * 45 * SECOND, {
            forMs: 35 * SECOND,
            reason: 'reboot,adb',
          });
      background(lab, { restarts: 0 });
    },
  },
  {
    name: 'twenty phones on the west coast while the clock changes',
    lab: { zone: 'America/Los_Angeles', from: '2026-02-23', hubs: [10, 10] },
    tell: (lab) => background(lab, { taken: 2 }),
  },
  {
    name: 'a cart is taken out at nine and comes back at five',
    lab: { hubs: [10, 7], free: 3, usb: true },
    tell(lab) {
      const cart = lab.phonesOf(0);
      for (const day of lab.workdays()) {
        const minutes = () => lab.random.between(-9, 12) * MINUTE;
        switchedOff(lab, cart, lab.at(day, '09:00') + minutes(), lab.at(day, '17:00') + minutes());
      }
      background(lab, { taken: 0.3, restarts: 0.2 });
    },
  },
  {
    name: 'a cart is out on some days, for a class of two hours',
    lab: { zone: 'Europe/London', hubs: [16] },
    tell(lab) {
      for (const day of lab.workdays().filter((each) => each % 7 !== 3)) {
        const from = lab.at(day, ['10:00', '13:30', '15:10'][lab.random.whole(0, 2)]);
        switchedOff(lab, lab.phonesOf(0), from, from + 2 * HOUR + lab.random.between(-10, 10) * MINUTE);
      }
      background(lab, { taken: 0.2, restarts: 0.1 });
    },
  },
  {
    name: 'tests call adb root each night, which restarts adbd',
    lab: { zone: 'America/New_York', hubs: [7], free: 1, usb: true },
    tell(lab) {
      for (const phone of lab.phones) lab.facts(phone, lab.start, { adbRoot: true } as object);
      for (const day of lab.everyDay().slice(1))
        for (const phone of lab.phones.filter(() => lab.random.chance(0.6))) {
          const at = lab.at(day, '00:30') + lab.random.between(0, 5) * HOUR;
          if (lab.isFree(phone, at, at + MINUTE))
            lab.lose(phone, at, { forMs: lab.random.between(1.2, 4) * SECOND });
        }
      background(lab);
    },
  },
  {
    name: 'a nightly test goes through the USB modes',
    lab: { hubs: [7], free: 2 },
    tell(lab) {
      for (const day of lab.everyDay().slice(1))
        for (const [index, phone] of lab.phones.slice(0, 2).entries())
          for (let mode = 0; mode < 6; mode += 1)
            lab.lose(phone, lab.at(day, `03:${15 + index * 10}`) + mode * 40 * SECOND, {
              forMs: 2.5 * SECOND,
            });
      background(lab);
    },
  },
  {
    name: 'emulators of a CI come and go all day',
    lab: { hubs: [4], emulators: 4 },
    tell(lab) {
      for (const emulator of lab.phones.filter(({ connection }) => connection === 'emulator')) {
        emulator.isThereAtFirst = false;
        for (const day of lab.workdays())
          for (
            let at = lab.at(day, '08:00') + lab.random.between(0, 2) * HOUR;
            at < lab.at(day, '19:00');
            at += lab.random.between(60, 200) * MINUTE
          )
            job(lab, emulator, at, lab.random.between(6, 35) * MINUTE);
      }
      background(lab);
    },
  },
  {
    name: 'Android containers come and go with their jobs',
    lab: { zone: 'Asia/Tokyo', hubs: [], direct: 1, network: 5 },
    tell(lab) {
      for (const container of lab.networkPhones) {
        container.isThereAtFirst = false;
        container.isPinned = true;
        for (const day of lab.everyDay())
          for (
            let at = lab.at(day) + lab.random.between(0, 5) * HOUR;
            at < lab.at(day, '23:00');
            at += lab.random.between(3, 9) * HOUR
          ) {
            lab.phone(container, Math.round(at), { kind: 'attached', state: 'device' });
            lab.phone(container, Math.round(at + lab.random.between(5, 50) * MINUTE), { kind: 'detached' });
          }
      }
      background(lab, { hasReadings: false });
    },
  },
  {
    name: 'a timer switches the hubs off at night',
    lab: { hubs: [7, 7], free: 1 },
    tell(lab) {
      for (const day of lab.everyDay().slice(0, -1))
        for (const index of [0, 1])
          switchedOff(
            lab,
            lab.phonesOf(index),
            lab.at(day, '20:00') + index * SECOND,
            lab.at(day + 1, '07:00') + index * SECOND,
          );
      background(lab, { taken: 0.4, restarts: 0.2, hours: [9, 17] });
    },
  },
  {
    name: 'the last person switches the hubs off, the first one on',
    lab: { zone: 'Europe/Paris', hubs: [7, 7], free: 2 },
    tell(lab) {
      const days = lab.workdays();
      for (const [index, day] of days.entries()) {
        const next = days[index + 1] ?? lab.days;
        const off = lab.at(day, '17:30') + lab.random.between(0, 165) * MINUTE;
        const on = lab.at(next, '07:30') + lab.random.between(0, 110) * MINUTE;
        for (const hub of [0, 1]) switchedOff(lab, lab.phonesOf(hub), off + hub * 1500, on + hub * 2000);
      }
      background(lab, { taken: 0.3, restarts: 0.2, hours: [10, 17] });
    },
  },
  {
    name: 'a timer in Berlin, and the clock changes',
    lab: { from: '2026-03-16', hubs: [10] },
    tell(lab) {
      for (const day of lab.everyDay().slice(0, -1))
        switchedOff(lab, lab.phonesOf(0), lab.at(day, '22:00'), lab.at(day + 1, '06:00'));
      background(lab, { taken: 0.3, restarts: 0.1, hours: [9, 17] });
    },
  },
  {
    name: 'people in New York go home an hour later by UTC when the clock changes',
    lab: { zone: 'America/New_York', from: '2026-10-19', hubs: [7, 4] },
    tell: (lab) => background(lab, { taken: 4, hours: [8, 18] }),
  },
  {
    name: 'a nightly restart in Sydney, and the clock changes',
    lab: { zone: 'Australia/Sydney', from: '2026-03-23', hubs: [7], usb: true },
    tell(lab) {
      for (const day of lab.everyDay().slice(1))
        for (const [index, phone] of lab.phones.entries())
          lab.reboot(phone, lab.at(day, '03:30') + index * 50 * SECOND, { forMs: 38 * SECOND });
      background(lab, { restarts: 0 });
    },
  },
  {
    name: 'charging cycles of 150 minutes, day and night',
    lab: { zone: 'Asia/Kolkata', hubs: [10], free: 2 },
    tell(lab) {
      for (let at = lab.at(0, '01:00'); at < lab.end - 3 * HOUR; at += 150 * MINUTE)
        switchedOff(lab, lab.phonesOf(0), at, at + 45 * MINUTE);
      background(lab, { taken: 0.1, restarts: 0.1, glitches: 0 });
    },
  },
  {
    name: 'a script power-cycles the hub before each run, and says so',
    lab: { hubs: [7], free: 1 },
    tell(lab) {
      for (const day of lab.workdays()) {
        const at = lab.at(day, '08:00') + lab.random.between(0, 9) * HOUR;
        for (const phone of lab.phonesOf(0))
          lab.maintenance(phone, at - 3 * SECOND, 5 * MINUTE, 'power-cycled before the run', at + 4 * MINUTE);
        switchedOff(lab, lab.phonesOf(0), at, at + 12 * SECOND);
      }
      background(lab, { taken: 0.2 });
    },
  },
  {
    name: 'a script power-cycles the hubs at three each night',
    lab: { zone: 'America/Chicago', hubs: [7, 7, 7], hasTwoControllers: true, usb: true },
    tell(lab) {
      for (const day of lab.everyDay().slice(1))
        for (const index of [0, 1, 2])
          switchedOff(
            lab,
            lab.phonesOf(index),
            lab.at(day, '03:00') + index * 8 * SECOND,
            lab.at(day, '03:00:15') + index * 8 * SECOND,
          );
      background(lab);
    },
  },
  {
    name: 'an engineer changes cables, in maintenance',
    lab: { hubs: [10, 10] },
    tell(lab) {
      for (const day of [6, 13, 20])
        for (const phone of lab.phonesOf(day % 2)) {
          const at = lab.at(day, '10:00') + lab.random.between(0, 3) * HOUR;
          lab.maintenance(phone, at, 2 * HOUR, 'new cables', at + 20 * MINUTE);
          if (!lab.isFree(phone, at, at + HOUR)) continue;
          for (let pull = 1; pull < 4; pull += 1)
            lab.lose(phone, at + pull * 3 * MINUTE, { forMs: 50 * SECOND });
        }
      background(lab);
    },
  },
  {
    name: 'sixty phones of two controllers, and many hands',
    lab: { hubs: [16, 16, 10, 10, 10], free: 2, hasTwoControllers: true },
    tell: (lab) => background(lab, { taken: 1.5, glitches: 0.15, restarts: 0.8 }),
  },
  {
    name: 'thirty phones and a night shift in Manila',
    lab: { zone: 'Asia/Manila', hubs: [16, 16], free: 2, usb: true },
    tell: (lab) => background(lab, { taken: 3, hours: [21, 29] }),
  },
  {
    name: 'six phones on Wi-Fi that reconnect now and then',
    lab: { hubs: [4], network: 6 },
    tell(lab) {
      for (const phone of lab.networkPhones)
        for (let left = lab.random.poisson(1.5); left > 0; left -= 1) {
          const at = lab.start + lab.random.between(1, 29) * DAY;
          if (lab.isFree(phone, at, at + HOUR))
            lab.lose(phone, at, { as: 'offline', forMs: lab.random.between(5, 200) * SECOND });
        }
      background(lab, { glitches: 0 });
    },
  },
  {
    name: 'the host and adb are updated',
    lab: { hubs: [7, 7], usb: true },
    tell(lab) {
      hostRestarts(lab, lab.at(9, '12:10'));
      adbRestarts(lab, lab.at(9, '11:50'), 41);
      adbRestarts(lab, lab.at(16, '11:20'), 41);
      hostRestarts(lab, lab.at(23, '12:05'));
      background(lab);
    },
  },
  {
    name: 'testers take phones home over the weekend',
    lab: { zone: 'Asia/Kolkata', hubs: [10], network: 2 },
    tell(lab) {
      for (const day of lab.everyDay().filter((each) => lab.weekday(each) === 5))
        for (const phone of lab.random.shuffled(lab.usbPhones).slice(0, 4)) {
          const at = lab.at(day, '17:00') + lab.random.between(0, 90) * MINUTE;
          const back = lab.at(day + 3, '09:00') + lab.random.between(0, 90) * MINUTE;
          if (back < lab.end && lab.isFree(phone, at, back)) lab.lose(phone, at, { forMs: back - at });
        }
      background(lab);
    },
  },
  {
    name: 'all phones get a new Android in one afternoon',
    lab: { hubs: [16], zone: 'Europe/London' },
    tell(lab) {
      for (const [index, phone] of lab.phones.entries()) {
        const at = lab.at(15, '14:00') + index * 4 * MINUTE;
        lab.reboot(phone, at, { forMs: 170 * SECOND, reason: 'reboot,ota' });
        lab.phone(phone, at + 5 * MINUTE, { kind: 'os', release: '16', before: '15' });
      }
      background(lab);
    },
  },
  {
    name: 'a small computer without a clock of its own',
    lab: { hubs: [4], direct: 1, known: { usbPath: false } },
    tell(lab) {
      lab.stepClock(lab.at(11, '07:02'), 2 * HOUR);
      background(lab, { taken: 2 });
    },
  },
  {
    name: 'a demonstration moves half of the phones to another hub',
    lab: { hubs: [10, 10], free: 10, usb: true },
    tell(lab) {
      const free = lab.freePorts(lab.start);
      for (const [index, phone] of lab.phones.entries()) {
        const to = free[index];
        if (index % 2 === 0 && to)
          lab.lose(phone, lab.at(12, '10:00') + index * 2 * MINUTE, { forMs: 8 * MINUTE, to });
      }
      background(lab);
    },
  },
];
