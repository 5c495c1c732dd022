/** Incidents from the forums and trackers of those who make phones and their systems, and from labs that lend phones out. */
import { background, inUse, levels, offAndOn } from '../background.ts';
import {
  DAY,
  HOUR,
  type Lab,
  type LabOptions,
  type LabPhone,
  MINUTE,
  SECOND,
  type ToldLoss,
} from '../lab.ts';
import type { Incident } from '../story.ts';

/** Somebody’s own phone, at a port of the computer itself. */
const own = (options: LabOptions): LabOptions => ({
  hubs: [],
  direct: 1,
  known: { slots: false },
  ...options,
});

/** It starts, is there for a moment, and goes again, until it stays at last. */
function comesAndGoes(
  lab: Lab,
  phone: LabPhone,
  { from, until, thereMs, awayMs }: { from: number; until: number; thereMs: number; awayMs: number },
): ToldLoss[] {
  const losses: ToldLoss[] = [];
  for (let at = from; at < until; ) {
    const gone = at + thereMs * lab.random.between(0.8, 1.25);
    const next = gone + awayMs * lab.random.between(0.9, 1.15);
    const back = next < until - thereMs ? next : until;
    if (lab.random.chance(0.6)) lab.rebooted(phone, at + thereMs / 2, { uptimeSeconds: 30 });
    losses.push(lab.lose(phone, gone, { forMs: back - gone }));
    at = back;
  }
  return losses;
}

export const incidents: readonly Incident[] = [
  {
    name: 'a rooted Fairphone 3 does not come back from every fourth or fifth restart',
    source: 'topjohnwu/Magisk#4434, topjohnwu/Magisk#3639, topjohnwu/Magisk#3681, topjohnwu/Magisk#3789',
    seen: 'Restarted more than ten minutes after its last start, the phone goes dark and nothing follows. Switched off in the evening it is not off: in the morning it has lost a fifth of its charge.',
    cause: 'something in the root that was put on it; without that it restarts well',
    did: 'held its power button for 10 to 15 seconds each time; newer versions did not help',
    lab: own({ zone: 'Europe/Berlin', usb: true, from: '2021-05-24', days: 27, models: ['Fairphone 3'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [6, '18:20', 0],
        [8, '19:05', 0],
        [9, '20:40', 0],
        [11, '18:55', 7],
        [12, '21:10', 0],
        [14, '17:30', 0],
        [15, '19:45', 0],
        [16, '18:15', 34],
        [18, '20:20', 0],
        [19, '10:50', 0],
        [20, '19:30', 0],
        [22, '18:35', 0],
        [23, '21:05', 12],
      ] as const) {
        const at = lab.at(day, time);
        if (minutes === 0) lab.reboot(phone, at, { forMs: 48 * SECOND, reason: 'reboot,userrequested' });
        else losses.push(offAndOn(lab, phone, at, minutes * MINUTE));
      }
      const [off, on] = [lab.at(21, '23:10'), lab.at(22, '07:20')];
      losses.push(offAndOn(lab, phone, off, on - off));
      const usual = inUse(lab);
      const low = levels([
        [on, 79],
        [on + 2 * HOUR, 100],
      ]);
      phone.reading = (at) => (at < on || at > on + 2 * HOUR ? usual(at) : low(at));
      background(lab);
      return {
        at: lab.at(23, '21:40'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restart|reboot|hang|\bstarts?\b|power (button|key)|switch(es|ed)? (itself )?off|root|module/i,
        },
      };
    },
  },
  {
    name: 'the kernel of a Pixel 8a panics each time that a computer connects to it over Wi-Fi',
    source: 'GrapheneOS/os-issue-tracker#7754',
    seen: 'As soon as the code for the pairing is entered, or an unpaired computer connects, the phone restarts; in safe mode too. By the cable all is well.',
    cause: 'the Wi-Fi driver of a new kernel',
    did: 'installed the next build of the system, which has it mended',
    lab: own({ zone: 'America/New_York', usb: true, from: '2026-04-20', days: 22, models: ['Pixel 8a'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [18, '19:42'],
          [18, '19:51'],
          [18, '20:07'],
          [18, '20:36'],
          [19, '09:18'],
          [19, '09:31'],
        ] as const
      ).map(([day, time]) =>
        lab.reboot(phone, lab.at(day, time), {
          forMs: lab.random.between(38, 62) * SECOND,
          reason: 'kernel_panic',
        }),
      );
      background(lab);
      return {
        at: lab.at(19, '10:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /kernel|panic|crash|update|driver/i,
        },
      };
    },
  },
  {
    name: 'the adb of a Pixel crashes when a computer connects over Wi-Fi that is not paired with it',
    source:
      'GrapheneOS/os-issue-tracker#3770, GrapheneOS/os-issue-tracker#3641, GrapheneOS/os-issue-tracker#5245, GrapheneOS/os-issue-tracker#2724',
    seen: 'After the first connection was lost, each attempt ends at once, the phone tells of a crash of its adb, and the next one is refused. Wi-Fi off and on: it crashes anew.',
    cause: 'a fault of the adb of the phone, which a connection without a pairing triggers',
    did: 'paired them: then it connects and does not crash',
    lab: { zone: 'Europe/Rome', hubs: [], network: 3, from: '2024-07-01', days: 20, models: ['Pixel 8 Pro'] },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      const begun = lab.at(16, '20:14');
      losses.push(lab.lose(phone, begun, { forMs: 3 * MINUTE }));
      losses.push(lab.lose(phone, begun + 3 * MINUTE + 2 * SECOND, { forMs: 6 * MINUTE }));
      losses.push(lab.lose(phone, begun + 9 * MINUTE + 4 * SECOND, { forMs: 22 * MINUTE }));
      losses.push(lab.lose(phone, begun + 31 * MINUTE + 7 * SECOND));
      background(lab);
      return {
        at: lab.at(16, '21:20'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: {
          about: ['phone', 'network'],
          keys: [phone.udid],
          says: /\bpair|wireless debugging|adb connect|refus|switch(ed)? (it )?off and on|restart/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'three Pixels that ran empty boot, find no charge and go off, over and over on the charger',
    source: 'GrapheneOS/os-issue-tracker#6512',
    seen: 'Put on its charger when its battery is dead, each of three phones starts its system, which finds too little charge and shuts down, and so on; it never charges.',
    cause: 'the phone starts instead of charging when power comes',
    did: 'stopped it in the bootloader until it had two percent; turned on its mode for charging',
    lab: {
      zone: 'America/Chicago',
      hubs: [4],
      free: 1,
      from: '2025-10-27',
      days: 19,
      models: ['Pixel 8'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, day, taken, back, minutes] of [
        [0, 10, '09:40', '17:05', 34],
        [1, 14, '11:15', '16:20', 47],
        [2, 17, '08:55', '14:30', 55],
      ] as const) {
        const phone = lab.pinned(index);
        const [out, from] = [lab.at(day, taken), lab.at(day, back)];
        lab.lose(phone, out, { forMs: from - out });
        const until = from + minutes * MINUTE;
        losses.push(...comesAndGoes(lab, phone, { from, until, thereMs: 24 * SECOND, awayMs: 75 * SECOND }));
        lab.rebooted(phone, until + 20 * SECOND, { uptimeSeconds: 55 });
        const usual = inUse(lab);
        const full = until + 3 * HOUR;
        const charging = levels([
          [from, 0],
          [until, 2],
          [full, 100],
        ]);
        phone.reading = (at) => (at < from || at > full ? usual(at) : charging(at));
      }
      background(lab);
      const asked = lab.at(17, '15:10');
      const phone = lab.pinned(2);
      return {
        at: asked,
        losses: losses.filter(({ at }) => at < asked),
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /charg|batter|empty|bootloader/i },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'an empty Pixel 7a loops for an hour at one charger, and charges at that of a laptop',
    source: 'GrapheneOS/os-issue-tracker#5965',
    seen: 'Plugged in, it shows its three logos again and again, for an hour; unplugged it is dark, and its button shows an empty battery.',
    cause: 'an empty battery, and a charger too weak for a start',
    did: 'took the charger of a laptop: it says that it charges fast, and is at 3 %',
    lab: { zone: 'America/Denver', hubs: [4], from: '2025-07-21', days: 18, models: ['Pixel 7a', 'Pixel 6'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const [empty, back] = [lab.at(16, '18:25'), lab.at(16, '20:05')];
      const usual = inUse(lab);
      const falling = levels([
        [empty - 26 * HOUR, 71],
        [empty, 1],
        [back, 3],
        [back + 2 * HOUR, 96],
      ]);
      phone.reading = (at) => (at < empty - 26 * HOUR ? usual(at) : falling(at));
      const losses = [offAndOn(lab, phone, empty, back - empty)];
      background(lab);
      return {
        at: lab.at(16, '19:30'),
        losses,
        blame: ['phone', 'port', 'hub'],
        told: {
          about: ['phone', 'port', 'hub'],
          says: /charg|batter|empty|\bcurrent\b|power supply/i,
        },
      };
    },
  },
  {
    name: 'a Pixel whose battery ran empty loops, and the kernel cannot read it on USB',
    source: 'GrapheneOS/os-issue-tracker#1487',
    seen: 'Charged again it shows its logo and restarts. Fastboot has no device; the kernel reads no descriptor, cannot enable the port, asks whether the cable is bad, and gives up. The same in the menu of fastboot.',
    cause: 'not told; it began when the battery had run empty',
    did: 'tried to charge it in its menu of fastboot, in vain',
    lab: own({ zone: 'Europe/Vienna', usb: true, from: '2022-08-29', days: 19, models: ['Pixel 4a (5G)'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const taken = lab.at(16, '17:35');
      lab.lose(phone, taken);
      const where = lab.where(phone, taken);
      for (const time of ['09:52', '10:06', '10:31', '11:18']) {
        const begun = lab.at(17, time);
        for (const [seconds, fault] of [
          [0.1, 'descriptor'],
          [0.4, 'descriptor'],
          [2.4, 'cable'],
          [3.3, 'cable'],
          [3.6, 'descriptor'],
          [3.8, 'descriptor'],
          [3.9, 'enumerate'],
          [4.1, 'descriptor'],
          [4.4, 'descriptor'],
        ] as const)
          lab.kernel(Math.round(begun + seconds * SECOND), where, fault);
      }
      background(lab);
      return {
        at: lab.at(17, '11:40'),
        told: { about: ['port', 'phone'], says: /cable|port|socket|charg|batter|plug/i },
        alsoAbout: ['port', 'phone'],
      };
    },
  },
  {
    name: 'after an update a OnePlus tries for an hour to start, and comes back with the build that it had',
    source: 'lineageos4microg/docker-lineage-cicd#668, lineageos4microg/docker-lineage-cicd#658',
    seen: 'The update of August does not start on a OnePlus 7T, an 8, an 8T and an 8T Pro. After about an hour of attempts the phone starts the build before it.',
    cause: 'the build',
    did: 'removed it from the server; waited for the next one',
    cannotShow:
      'an update that does not start is never read: the phone is away for an hour, and then as it was',
    lab: own({ zone: 'Europe/Stockholm', from: '2024-08-01', days: 20, models: ['OnePlus 7T'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [offAndOn(lab, phone, lab.at(17, '19:20'), 66 * MINUTE, 'reboot')];
      background(lab);
      return {
        at: lab.at(17, '20:05'),
        losses,
        blame: ['phone', 'person', 'port', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /update|\bstarts?\b|restart|reboot|flash|recovery|screen|look/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a Mi 9 freezes at random, most of all on its charger, five times within two hours of one day',
    source: 'crdroidandroid/android#86',
    seen: 'Its screen comes on at times, and nothing answers; alarms are missed. It was so with version 7 of its system, and is with version 8, installed from scratch.',
    cause: 'not found; something of its system',
    did: 'restarted it by its power button each time',
    lab: own({ zone: 'America/Montevideo', from: '2022-02-21', days: 24, models: ['Mi 9'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const frozen: [number, number][] = [];
      for (const [day, time, minutes] of [
        [9, '18:12', 9],
        [9, '18:40', 11],
        [9, '19:02', 6],
        [9, '19:29', 14],
        [9, '19:55', 8],
        [12, '21:30', 25],
        [17, '02:15', 335],
        [19, '20:48', 22],
        [20, '13:05', 31],
      ] as const) {
        const [at, end] = [lab.at(day, time), lab.at(day, time) + minutes * MINUTE];
        frozen.push([at, end]);
        lab.facts(phone, at, { isSilent: true, silentSince: at });
        lab.facts(phone, end, { isSilent: false });
        losses.push(lab.reboot(phone, end, { forMs: lab.random.between(45, 75) * SECOND }));
      }
      const installed = lab.at(14, '16:20');
      lab.lose(phone, installed, { forMs: 52 * MINUTE });
      lab.rebooted(phone, installed + 53 * MINUTE, { reason: 'reboot', uptimeSeconds: 70 });
      lab.phone(phone, installed + 53 * MINUTE + SECOND, { kind: 'os', release: '12', before: '11' });
      const usual = inUse(lab);
      phone.reading = (at) => (frozen.some(([from, to]) => at >= from && at < to) ? undefined : usual(at));
      background(lab);
      return {
        at: lab.at(20, '14:00'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /hang|freez|froze|answer|silent|restart|reboot|update|flash|erase/i,
        },
      };
    },
  },
  {
    name: 'a Mi 11i is found switched off after it was left alone for two or three hours',
    source: 'crdroidandroid/issue_tracker#521',
    seen: 'Not used for some hours, it is off, and has to be switched on. Now and then it also stands still in the middle of something, and restarts after a while by itself.',
    cause: 'not found',
    did: 'switched it on again and again',
    lab: own({ zone: 'Asia/Kolkata', from: '2024-09-02', days: 20, models: ['Mi 11i'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [9, '14:10', 95],
        [10, '02:40', 290],
        [12, '16:25', 55],
        [13, '03:15', 250],
        [14, '13:50', 130],
        [16, '02:05', 315],
        [17, '15:35', 70],
        [18, '01:50', 340],
      ] as const)
        losses.push(offAndOn(lab, phone, lab.at(day, time), minutes * MINUTE, 'cold,powerkey'));
      for (const [day, time] of [
        [11, '19:20'],
        [15, '20:45'],
      ] as const)
        losses.push(lab.reboot(phone, lab.at(day, time), { forMs: 55 * SECOND }));
      background(lab, { isDaily: true });
      return {
        at: lab.at(18, '08:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /switch(es|ed)? (itself )?off|goes off|power|restart|batter|update|erase/i,
        },
      };
    },
  },
  {
    name: 'a Fairphone 3 restarts every few seconds for days, and is there for a minute in between',
    source: 'https://forum.fairphone.com/t/fp3-random-reboot-loop/60617',
    seen: 'While it is used, with little charge left, it begins to loop; it does so on the charger and off it, for three days now, as once in February for two. Without its SD card it stayed on for a minute.',
    cause: 'not found; neither an update, nor the cards, nor the charger',
    did: 'took its battery out to end it; took out the SD card and the SIM card',
    lab: own({ zone: 'Europe/London', from: '2020-04-06', days: 24, models: ['Fairphone 3'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const begun = lab.at(18, '17:25');
      const losses: ToldLoss[] = [];
      let at = begun;
      for (const [day, time, seconds] of [
        [18, '21:40', 35],
        [19, '11:05', 62],
        [19, '19:30', 24],
        [20, '18:10', 41],
        [21, '10:20', 28],
      ] as const) {
        const back = lab.at(day, time);
        losses.push(lab.lose(phone, at, { forMs: back - at }));
        lab.rebooted(phone, back + 15 * SECOND, { uptimeSeconds: 40 });
        at = back + seconds * SECOND;
      }
      losses.push(lab.lose(phone, at));
      const usual = inUse(lab);
      const low = levels([
        [begun - 5 * HOUR, 58],
        [begun, 14],
        [begun + DAY, 37],
      ]);
      phone.reading = (when) => (when < begun - 5 * HOUR ? usual(when) : low(when));
      background(lab);
      return {
        at: lab.at(21, '18:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restart|reboot|boot loop|\bstarts?\b|batter|repair|replac|erase|factory|recovery/i,
        },
      };
    },
  },
  {
    name: 'a Fairphone 2 is dead in the morning although it lay on its charger, and starts in vain each half-hour',
    source: 'https://forum.fairphone.com/t/fairphone-2-does-not-boot-any-more-battery-broken/57397',
    seen: 'The day before it had restarted by itself, and was switched off and on. In the morning it is dead. On the charger it takes half an hour until it begins to start, goes dark, and so on; its battery taken out for an hour changes nothing.',
    cause: 'most likely its battery, which is empty and does not take its charge',
    did: 'took the battery out for an hour and charged it for hours, in vain',
    lab: own({ zone: 'Europe/Zurich', from: '2020-01-06', days: 20, models: ['Fairphone 2'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      lab.reboot(phone, lab.at(15, '14:22'), { forMs: 55 * SECOND });
      offAndOn(lab, phone, lab.at(15, '14:41'), 2 * MINUTE, 'power_key');
      const dead = lab.at(16, '04:35');
      const usual = inUse(lab);
      const falling = levels([
        [lab.at(15, '18:00'), 62],
        [dead, 1],
      ]);
      phone.reading = (at) => (at < lab.at(15, '18:00') ? usual(at) : falling(at));
      const losses = [lab.lose(phone, dead)];
      background(lab);
      return {
        at: lab.at(16, '11:00'),
        losses,
        blame: ['phone', 'port'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /charg|batter|empty/i,
        },
      };
    },
  },
  {
    name: 'since its update a Fairphone 2 restarts five times a day in place of once in one or two days',
    source: 'ubports/ubuntu-touch#1807',
    seen: 'Locked, on Wi-Fi and untouched, it restarts by itself: each day or second day before the update of the week, five times a day since.',
    cause: 'the new version of its system',
    did: 'reported it',
    lab: own({ zone: 'Europe/Berlin', from: '2021-07-26', days: 25, models: ['Fairphone 2'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const updated = lab.at(21, '08:10');
      const restarts = (from: number, to: number, [least, most]: readonly [number, number]) => {
        for (let at = from; at < to; at += lab.random.between(least, most) * HOUR)
          losses.push(lab.reboot(phone, at, { forMs: lab.random.between(40, 70) * SECOND }));
      };
      restarts(lab.at(1, '15:00'), updated - 4 * HOUR, [28, 48]);
      lab.reboot(phone, updated, { forMs: 5 * MINUTE, reason: 'reboot' });
      restarts(updated + 3 * HOUR, lab.at(23, '17:00'), [3, 6.6]);
      background(lab);
      return {
        at: lab.at(23, '18:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /restart|reboot|crash|update|erase|battery/i },
      };
    },
  },
  {
    name: 'a Fairphone 4 does not react any more in the morning after an update',
    source: 'https://gizchina.it/2025/12/fairphone-4-aggiornamento-difettoso/',
    seen: 'It fetched its update in the evening of December 23. In the morning it was restarted, and is dead: no key does anything. Others write the same.',
    cause: 'the update, which its maker withdrew a day after it had begun',
    did: 'found nothing that one could do at home',
    cannotShow: 'a phone that an update has killed is away like any that was unplugged',
    lab: own({ zone: 'Europe/Rome', from: '2025-12-08', days: 19, models: ['Fairphone 4'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [lab.lose(phone, lab.at(16, '07:35'))];
      background(lab);
      return {
        at: lab.at(16, '12:30'),
        losses,
        blame: ['phone', 'person', 'port', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /update|power|\bstarts?\b|restart|switch|charg|screen|repair|look/i,
        },
      };
    },
  },
  {
    name: 'phones that colleagues borrow come back empty, and need up to twenty minutes until they start',
    source: 'http://testhuddle.com/managing-a-mobile-device-lab-2/',
    seen: 'Phones of the lab lie on other desks, are returned without charge, and some of them take twenty minutes on the cable before they start.',
    cause: 'people who take phones for their own tests and do not charge them',
    did: 'looked how other labs keep theirs and hand them out',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [7, 7],
      free: 1,
      from: '2015-05-04',
      days: 26,
      models: ['Galaxy S5', 'Nexus 5', 'HTC One', 'Moto X', 'LG G3'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, day, time, hours] of [
        [2, 8, '10:20', 5.4],
        [9, 9, '13:05', 3.2],
        [4, 11, '09:45', 7.1],
        [11, 14, '11:30', 4.6],
        [2, 15, '14:10', 2.8],
        [6, 17, '10:05', 6.3],
        [12, 18, '13:40', 3.9],
        [9, 16, '09:55', 6.7],
        [4, 22, '11:20', 4.1],
      ] as const) {
        const phone = lab.pinned(index);
        const at = lab.at(day, time);
        const back = at + hours * HOUR + lab.random.between(9, 20) * MINUTE;
        losses.push(offAndOn(lab, phone, at, back - at));
        const usual = phone.reading ?? inUse(lab);
        const full = back + 2.5 * HOUR;
        const charging = levels([
          [back, lab.random.whole(2, 5)],
          [full, 100],
        ]);
        phone.reading = (when) => (when < back || when > full ? usual(when) : charging(when));
      }
      background(lab);
      return {
        at: lab.at(22, '15:00'),
        losses: losses.filter(({ at }) => at < lab.at(22, '15:00')),
        blame: ['person', 'unknown'],
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'in its recovery a OnePlus One is on USB for 0.8 seconds, gone for a third of one, and so on',
    source: 'omnirom/android_bootable_recovery#194',
    seen: 'The computer finds the phone and loses it again, about fifty times a minute; its kernel writes nothing more of it.',
    cause: 'not found; the device rather than the recovery, which does well on others',
    did: 'was sent to the forum of the device',
    lab: own({ zone: 'Europe/Rome', usb: true, from: '2017-10-16', days: 17, models: ['OnePlus One'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [time, turns] of [
        ['20:12', 38],
        ['20:31', 52],
        ['21:06', 44],
      ] as const) {
        const begun = lab.at(15, time);
        lab.lose(phone, begun - 40 * SECOND, { forMs: 40 * SECOND, backAs: 'recovery' });
        let at = begun + 0.8 * SECOND;
        for (let turn = 0; turn < turns; turn += 1) {
          const isLast = turn === turns - 1;
          losses.push(
            lab.lose(phone, at, {
              forMs: isLast ? 70 * SECOND : 350,
              backAs: isLast ? 'device' : 'recovery',
            }),
          );
          at += 1.15 * SECOND;
        }
        lab.rebooted(phone, at + 90 * SECOND, { uptimeSeconds: 60 });
      }
      background(lab);
      return {
        at: lab.at(15, '21:30'),
        losses,
        blame: ['phone', 'port', 'link'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /recovery|flash|restart|cable|\bport\b|plug|socket/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a Galaxy Tab with Android 16 drops off the cable seconds after each mirror of its screen begins',
    source: 'Genymobile/scrcpy#6692',
    seen: 'The mirror shows one picture and ends; without picture or sound, smaller or otherwise encoded, it is the same. The list of adb is in order before and after. Over the network, by the same cable, it holds.',
    cause: 'supposed: Android 16 of that maker, as it is adb on USB alone',
    did: 'mirrored it over the network that the tablet shares by its cable',
    lab: own({
      zone: 'Asia/Seoul',
      direct: 2,
      from: '2026-02-09',
      days: 18,
      models: ['Galaxy Tab S8+', 'Galaxy S23'],
    }),
    tell(lab) {
      const tablet = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, times] of [
        [13, ['20:05', '20:09', '20:16']],
        [14, ['21:12', '21:15', '21:26', '21:40']],
        [15, ['19:35', '19:41', '19:58', '20:20', '20:24']],
      ] as const)
        for (const time of times)
          losses.push(lab.lose(tablet, lab.at(day, time), { forMs: lab.random.between(1.5, 5) * SECOND }));
      background(lab);
      return {
        at: lab.at(15, '20:40'),
        losses,
        blame: ['phone', 'port', 'link'],
        told: {
          about: ['phone', 'port'],
          keys: [tablet.udid, lab.portKey(tablet)],
          says: /cable|\bport\b|plug|socket|network|Wi-?Fi|update|USB (mode|setting|preference)/i,
        },
      };
    },
  },
];
