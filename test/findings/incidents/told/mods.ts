/** Incidents of phones with another system, of rooted ones, of tablets at a wall, and of the apps that say when they charge. */
import { background, offAndOn } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, type Reading, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** What it has so many hours after it was plugged in: up to 80 %, down to 70 %, then it is charged again, but too weakly. */
function levelAfter(begin: number, hours: number): number {
  const [charging, falling] = begin < 80 ? [1.2, (80 - 70) / 1.7] : [0, (begin - 70) / 1.7];
  const top = Math.max(begin, 80);
  if (hours < charging) return begin + (top - begin) * (hours / charging);
  if (hours < charging + falling) return top - (hours - charging) * 1.7;
  return Math.max(9, 70 - (hours - charging - falling) * 1.35);
}

export const incidents: readonly Incident[] = [
  {
    name: 'a tablet drops out of the Wi-Fi when its access point renews the keys while the screen is off',
    source: 'jxlarrea/kiosk-satellite#101',
    seen: 'While the screen of the tablet is off it leaves the network (4-way handshake timeout), and stays away until somebody switches the screen on. With the screen on nothing happens.',
    cause:
      'the router renews the keys of the Wi-Fi each hour, which the tablet misses while its Wi-Fi saves power; its roaming assistant throws clients out besides',
    did: 'found the two settings of the router, after the app had been suspected',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2026-07-13',
      days: 20,
      models: ['Pixel 6', 'Lenovo Tab', 'Galaxy S22'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      const lost = (day: number, time: string, untilDay: number, until: string) => {
        const at = lab.at(day, time) + lab.random.between(0, 40) * SECOND;
        const back = lab.at(untilDay, until) + lab.random.between(0, 25) * MINUTE;
        losses.push(lab.lose(tablet, at, { forMs: back - at }));
      };
      for (let day = 7; day < 18; day += 1) {
        if (lab.random.chance(0.6)) lost(day, '10:12:50', day, '10:15');
        if (lab.random.chance(0.5)) lost(day, '14:12:50', day, '15:20');
        if (lab.random.chance(0.85))
          lost(day, lab.random.chance(0.5) ? '23:12:50' : '22:12:50', day + 1, '06:40');
      }
      const last = lab.at(18, '10:12:57');
      losses.push(lab.lose(tablet, last, { forMs: 160 * SECOND }));
      background(lab);
      return {
        at: lab.at(18, '10:40'),
        losses,
        blame: ['link', 'network', 'phone'],
        told: {
          about: ['phone', 'network'],
          says: /sleep|awake|\bwake|screen|sav(e|es|ing).{0,20}power|power.sav|doze|access point|router|roam/i,
        },
      };
    },
  },
  {
    name: 'a tablet without a battery goes out ten minutes after its screen, as its coffee machine cuts its power',
    source: 'Kulitorum/Decenza#580, Kulitorum/Decenza#603',
    seen: 'A tablet whose battery was taken out is fed by the USB port of a coffee machine. Since another app controls the machine, the tablet is dead in the morning if its screen was switched off in the evening.',
    cause:
      'the machine resets its USB port after ten minutes without a command, and the app, which has to send one each minute, stands still while the screen is off',
    did: 'had the app hold a wake lock, so that it goes on sending',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2026-03-09',
      days: 21,
      models: ['Pixel 5', 'Teclast P85Pro'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      tablet.reading = () => undefined;
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 20; day += 1) {
        if (day !== 19 && lab.random.chance(0.15)) continue;
        const off = lab.at(day, '20:50') + lab.random.between(0, 110) * MINUTE;
        const at = Math.round(off + 10 * MINUTE + lab.random.between(0, 50) * SECOND);
        const back = lab.at(day + 1, '06:50') + Math.round(lab.random.between(0, 70) * MINUTE);
        losses.push(offAndOn(lab, tablet, at, back - at));
      }
      background(lab);
      return {
        at: lab.at(20, '09:30'),
        losses,
        blame: ['phone', 'port'],
        told: {
          about: ['phone', 'port'],
          says: /power|charger|supply|batter(y|ies)|awake|wake.?lock|sleep|screen/i,
        },
      };
    },
  },
  {
    name: 'after each pause of its charge a phone takes so little that it goes on falling, until it is plugged in anew',
    source: 'VR-25/acc#18',
    seen: 'A module stops the charge of a Zenfone 4 and starts it again further down. Mostly it takes very little then: the system says "charging", and yet the level falls, only slower. Plugged out and in again, it charges as it should.',
    cause: 'the switch by which the module stops the charge leaves it weak on that kernel',
    did: 'unplugged it and plugged it in again; tried the other switches of the module, of which none works',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [],
      direct: 3,
      from: '2019-10-14',
      days: 20,
      models: ['Zenfone 4', 'Moto G5', 'Galaxy J7'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      /** Between these it is plugged in all the time; at the end of each, somebody plugs it in anew. */
      const turns: { from: number; until: number; begin: number }[] = [];
      let from = lab.at(10, '18:40');
      let begin = 100;
      for (const [day, time] of [
        [12, '13:15'],
        [14, '09:05'],
        [15, '19:30'],
        [17, '12:20'],
        [19, '23:50'],
      ] as const) {
        const until = lab.at(day, time);
        turns.push({ from, until, begin });
        begin = levelAfter(begin, (until - from) / HOUR);
        if (day !== 19) lab.lose(phone, until, { forMs: lab.random.between(5, 14) * SECOND });
        from = until;
      }
      const reading: Reading = (at) => {
        const turn = turns.find((each) => at >= each.from && at < each.until);
        // before: the module is not there yet
        const hours = turn ? (at - turn.from) / HOUR : 0;
        const level = turn ? levelAfter(turn.begin, hours) : 100;
        const isCharging = turn !== undefined && turn.begin < 80 && hours < 1.2;
        return {
          levelPercent: Math.round(level),
          isFull: Math.round(level) === 100,
          temperatureDecicelsius: Math.round((isCharging ? 335 : 285) + ((at / MINUTE) % 9)),
        };
      };
      phone.reading = reading;
      background(lab);
      return {
        at: lab.at(19, '22:30'),
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /plug|cable|limit|module|charg.{0,30}(setting|app|switch)|(setting|app|switch).{0,30}charg/i,
        },
      };
    },
  },
  {
    name: 'since it was rooted a Galaxy A50 panics some times a day, until the root is of an older version',
    source: 'topjohnwu/Magisk#2640, topjohnwu/Magisk#1450',
    seen: 'Rooted, the phone restarts at random, one to three times a day, in use and while it lies there. Its last kernel log ends in a panic; reading a file of the kernel about memory is enough for that. Without root nothing happens.',
    cause: 'a fault of its kernel that newer versions of the root program trigger',
    did: 'went back to an older version of the root program',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [4],
      from: '2020-03-09',
      days: 26,
      models: ['Galaxy A50', 'Moto G7', 'Galaxy J6'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const rooted = lab.at(14, '19:20');
      lab.reboot(phone, rooted, { forMs: 24 * MINUTE, reason: 'reboot' });
      const losses: ToldLoss[] = [];
      for (let day = 15; day < 24; day += 1) {
        const count = lab.random.whole(1, 3);
        for (let index = 0; index < count; index += 1) {
          const part = (22 * HOUR) / count;
          const at = Math.round(lab.at(day, '01:00') + (index + lab.random.between(0.1, 0.8)) * part);
          const forMs = Math.round(lab.random.between(45, 75) * SECOND);
          losses.push(lab.reboot(phone, at, { forMs, reason: 'kernel_panic' }));
        }
      }
      background(lab);
      return {
        at: lab.at(24, '09:40'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /root|module|kernel|system|update|version|firmware|ROM\b/i,
        },
      };
    },
  },
  {
    name: 'a rooted Galaxy M30s restarts seconds after it is up, until it gets another kernel',
    source: 'topjohnwu/Magisk#2200',
    seen: 'With its boot image patched, the phone restarts by itself some seconds after its start, again and again; others see random restarts too. The kernel log shows a panic.',
    cause: 'a fault of the kernel of that model',
    did: 'flashed a recovery that brings another kernel',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [4],
      free: 1,
      from: '2019-12-16',
      days: 22,
      models: ['Redmi Note 7', 'Galaxy M30s', 'Realme 5'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      let end = 0;
      // patched in the evening, given up, and tried again at the next one
      for (const [day, time, count] of [
        [17, '20:40', 14],
        [18, '19:55', 11],
      ] as const) {
        let at = lab.at(day, time);
        lab.lose(phone, at, { forMs: 11 * MINUTE });
        at += 11 * MINUTE;
        for (let left = count; left > 0; left -= 1) {
          const isLonger = left % 4 === 0;
          at += Math.round((isLonger ? lab.random.between(70, 140) : lab.random.between(8, 24)) * SECOND);
          const forMs = Math.round(lab.random.between(34, 48) * SECOND);
          // only where it stays up for longer can it be asked
          const isAsked = (left - 1) % 4 === 0 && left > 1;
          losses.push(
            isAsked
              ? lab.reboot(phone, at, { forMs, reason: 'kernel_panic' })
              : lab.lose(phone, at, { forMs }),
          );
          at += forMs;
        }
        end = at;
        if (day === 17) lab.lose(phone, at + 15 * SECOND, { forMs: lab.at(18, '19:30') - at });
      }
      background(lab);
      return {
        at: end + 6 * SECOND,
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /kernel|root|system|firmware|flash|update|safe mode|ROM\b/i,
        },
      };
    },
  },
  {
    name: 'a Waydroid in a nested window starts anew whenever its laptop has slept',
    source: '1999AZZAR/use-waydroid-on-x11#5',
    seen: 'Once in a while at first, then after each sleep of the laptop: the window in which Waydroid runs breaks, and Waydroid starts from scratch.',
    cause: 'the laptop sleeps, and the compositor between it and Waydroid does not survive that',
    did: 'took another compositor, which does',
    lab: {
      zone: 'Asia/Jakarta',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2026-02-09',
      days: 25,
      models: ['Redmi 9', 'Waydroid'],
    },
    tell(lab) {
      const [waydroid] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 3; day < 24; day += 1)
        for (const [time, least, most] of [
          ['07:20', 7, 9],
          ['13:05', 0.6, 1.4],
        ] as const) {
          if (lab.random.chance(0.2)) continue;
          const woke = lab.at(day, time) + Math.round(lab.random.between(0, 40) * MINUTE);
          lab.host(woke, { kind: 'hostSlept', forMs: Math.round(lab.random.between(least, most) * HOUR) });
          if (day < 12 && lab.random.chance(0.7)) continue;
          const forMs = Math.round(lab.random.between(35, 90) * SECOND);
          losses.push(lab.reboot(waydroid, woke + 3 * SECOND, { forMs }));
        }
      background(lab, { hasReadings: false, glitches: 0 });
      return {
        at: lab.at(23, '15:30'),
        losses,
        blame: ['host', 'phone'],
        told: { about: ['host', 'phone'], says: /sleep|slept|suspend/i },
      };
    },
  },
  {
    name: 'the phone of win-5 goes bad in March: it is off four times until April',
    source: 'flutter/flutter#164638, flutter/flutter#164801, flutter/flutter#165815, flutter/flutter#166770',
    seen: 'The bot is without its phone on March 5 and 7, on March 24 and on April 8: it was off each time.',
    cause: 'the phone keeps switching itself off; it is going bad',
    did: 'pressed the power button; said that the phone is going bad',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      from: '2025-02-24',
      days: 46,
      models: ['Mokey'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [9, '01:50', 9, '09:35'],
          [11, '03:25', 11, '10:10'],
          [26, '14:30', 28, '09:20'],
          [42, '22:40', 43, '09:55'],
        ] as const
      ).map(([day, time, untilDay, until]) => {
        const at = lab.at(day, time);
        return offAndOn(lab, phone, at, lab.at(untilDay, until) - at);
      });
      background(lab);
      return {
        at: lab.at(43, '13:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          says: /power|switch(ed|es|ing)? (itself )?o(ff|n)|turn(ed|s|ing)? (itself )?o(ff|n)|replace|batter(y|ies)|repair/i,
        },
      };
    },
  },
  {
    name: 'an Xperia 10 with another system leaves the Wi-Fi ten minutes after its screen, and does not come back alone',
    source: 'sonyxperiadev/bug_tracker#460',
    seen: 'Put to sleep, the phone loses its Wi-Fi after ten minutes or so. It has to be connected again in its settings, by hand; connected and awake, it has no trouble. Others with that model and a like one see it too.',
    cause:
      'the driver of its Wi-Fi interrupts each sleep and connects anew, until the system takes the network for bad and leaves it',
    did: 'connected it by hand; newer kernels and another configuration of the driver were tried',
    lab: {
      zone: 'Europe/Prague',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2019-08-26',
      days: 23,
      models: ['Xperia XA2', 'Xperia 10', 'Pixel 3'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 21; day += 1)
        for (const [time, least, most] of [
          ['08:40', 0.4, 2.2],
          ['12:30', 0.5, 3],
          ['18:10', 0.2, 1.5],
          ['22:50', 8, 9],
        ] as const) {
          if (lab.random.chance(0.25)) continue;
          const asleep = lab.at(day, time) + lab.random.between(0, 30) * MINUTE;
          const at = Math.round(asleep + lab.random.between(9, 13) * MINUTE);
          losses.push(lab.lose(phone, at, { forMs: Math.round(lab.random.between(least, most) * HOUR) }));
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '12:00'),
        losses,
        blame: ['link', 'phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /Wi-?Fi|sleep|awake|power.sav|driver|kernel|system|update|network/i,
        },
      };
    },
  },
];
