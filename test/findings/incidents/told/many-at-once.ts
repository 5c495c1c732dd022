/** Incidents where three and more phones hang at one host: farms, build bots, test labs, and tools that use many at once. */

import { MTP } from '../../usb-tree.ts';
import {
  adbRestarts,
  agentStartsFirst,
  background,
  hostDies,
  hostRestarts,
  levels,
  offAndOn,
} from '../background.ts';
import { HOUR, type Lab, type LabOptions, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const OPEN_FARM = 'https://github.com/DeviceFarmer/stf/blob/master/README.md';
/** The makers of an open farm tell what their own four hubs of seven phones taught them. */
const farm: LabOptions = { zone: 'Asia/Tokyo', hubs: [7, 7, 7, 7], from: '2015-05-11', days: 26, usb: true };

const BUILD_BOT =
  'https://github.com/chromium/chromium/blob/main/build/android/buildbot/bb_device_status_check.py';
/** A bot that builds a browser, and tests it on its phones. */
const bot: LabOptions = { zone: 'America/Los_Angeles', hubs: [4, 3], from: '2014-09-08', days: 24 };

/** The host is switched off as planned, and on again later. */
function isOff(lab: Lab, from: number, to: number): void {
  lab.host(from, { kind: 'agentStopped' });
  hostDies(lab, from, to - from);
}

/** Those before somebody asks, and not just then. */
const until = (at: number, losses: readonly ToldLoss[]): ToldLoss[] =>
  losses.filter((loss) => loss.at < at - MINUTE);

export const incidents: readonly Incident[] = [
  {
    name: 'after the power of the office was off on a weekend, the hubs with a switch of their own stay off',
    source: OPEN_FARM,
    seen: 'On Monday all phones of the farm are dead: none of them was charged since the power came back.',
    cause: 'hubs with a mechanical switch that do not come on by themselves after a planned power outage',
    did: 'switched the hubs on by hand, and charged the phones',
    lab: farm,
    tell(lab) {
      agentStartsFirst(lab);
      const off = lab.at(19, '09:02');
      const started = hostDies(lab, off, 8.5 * HOUR);
      const on = lab.at(21, '09:40');
      const losses = lab.pinnedOf('usb').map((phone) => {
        const back = on + Math.round(lab.random.between(10, 90) * MINUTE);
        const level = levels([
          [off, 100],
          [on, 0],
          [on + 3 * HOUR, 90],
        ]);
        phone.reading = (at) => (at >= off && at < back ? undefined : level(at));
        const from = started + 500;
        return lab.lose(phone, from, { forMs: back - from, gone: 'hub', isWithHub: true });
      });
      background(lab, { isUpdated: false });
      return {
        at: lab.at(21, '09:20'),
        losses,
        blame: ['hub', 'host', 'room'],
        told: {
          about: ['hub', 'host', 'room'],
          says: /power|switch|charg|batter|turn(ed)? (it |them )?on|plug/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a cheap machine loses its USB card with all hubs that hang at it, at times also after a restart',
    source: OPEN_FARM,
    seen: 'At times the system no longer has the card, and all phones at its hubs are gone. A restart helps only sometimes.',
    cause: 'the small mainboard and its card do not go together; no setting of its firmware changes that',
    did: 'restarted the machine, again and again; hubs can be plugged into the board itself instead',
    lab: { ...farm, hasTwoControllers: true },
    tell(lab) {
      agentStartsFirst(lab);
      lab.pinnedOf('usb');
      const phones = [...lab.phonesOf(1), ...lab.phonesOf(3)];
      const losses: ToldLoss[] = [];
      const cardDies = (at: number, back: number) => {
        lab.kernel(at, {}, 'died', '0000:03:00.0');
        const away = { forMs: back - at, gone: 'controller', isWithHub: true } as const;
        losses.push(...lab.loseAll(phones, at, { spreadMs: 400, ...away }));
      };
      cardDies(lab.at(6, '22:41:08'), lab.at(7, '09:51:31'));
      hostRestarts(lab, lab.at(7, '09:50'));
      cardDies(lab.at(17, '15:22:40'), lab.at(17, '17:21:31'));
      hostRestarts(lab, lab.at(17, '15:55'));
      hostRestarts(lab, lab.at(17, '17:20'));
      background(lab, { isUpdated: false });
      return {
        at: lab.at(17, '16:10'),
        losses,
        blame: ['host', 'hub'],
        told: {
          about: ['host', 'hub'],
          says: /controller|card|mainboard|firmware|bios|restart|reboot|another (port|socket)|usb/i,
        },
      };
    },
  },
  {
    name: 'static, or a power plug that broke off, kills the card at which half of the hubs hang, for good',
    source: OPEN_FARM,
    seen: 'All phones at the hubs of one extension card are gone; no restart brings the card back.',
    cause:
      'cards that static electricity kills, and whose power plug breaks off easily, at work on the machine',
    did: 'put in another card, and in the end used a sturdier one everywhere',
    lab: { ...farm, hubs: [4, 7, 4, 7], hasTwoControllers: true, usb: false, from: '2014-11-10' },
    tell(lab) {
      agentStartsFirst(lab);
      lab.pinnedOf('usb');
      const phones = [...lab.phonesOf(1), ...lab.phonesOf(3)];
      const at = lab.at(15, '14:12:20');
      const replaced = lab.at(17, '11:00');
      const away = { forMs: replaced + 90 * SECOND - at, gone: 'controller', isWithHub: true } as const;
      const losses = lab.loseAll(phones, at, { spreadMs: 300, ...away });
      hostRestarts(lab, lab.at(15, '14:50'));
      isOff(lab, lab.at(17, '10:30'), replaced);
      background(lab, { isUpdated: false });
      return {
        at: lab.at(16, '09:30'),
        losses,
        blame: ['host', 'hub', 'room', 'person'],
        told: { about: ['host', 'hub', 'room'], says: /controller|card|power|usb|replac|cable|plug/i },
      };
    },
  },
  {
    name: 'whoever uses a phone of the farm in the browser switches its debugging off by mistake',
    source: OPEN_FARM,
    seen: 'A phone that somebody was just using remotely is gone from the farm, although it hangs at its cable as before.',
    cause: 'anybody with access can switch USB debugging off in the settings of the phone, also by accident',
    did: 'switched debugging on again, at the phone itself',
    lab: { ...farm, hubs: [7, 7] },
    tell(lab) {
      agentStartsFirst(lab);
      const onUsb = { interfaces: [MTP] };
      const losses = [
        lab.lose(lab.pinned(3), lab.at(9, '16:27:30'), { forMs: 17.6 * HOUR, onUsb }),
        lab.lose(lab.pinned(10), lab.at(17, '11:48:12'), { forMs: 3.2 * HOUR, onUsb }),
      ];
      background(lab);
      return {
        at: lab.at(17, '12:20'),
        losses,
        blame: ['person', 'phone'],
        told: { about: ['phone'], says: /debugging|developer/i },
      };
    },
  },
  {
    name: 'after an update of their system, the tablets of a shop come up without debugging',
    source: OPEN_FARM,
    seen: 'Tablets update themselves, and are then no longer there for the farm, although they run.',
    cause: 'the update switches USB debugging off, above all on these tablets',
    did: 'switched debugging on again by hand',
    lab: { ...farm, hubs: [7], models: ['Fire HD', 'Nexus 7'], from: '2015-09-14' },
    tell(lab) {
      agentStartsFirst(lab);
      const fires = lab.usbPhones.filter(({ name }) => name.startsWith('Fire'));
      const losses = fires.map((phone) => {
        phone.isPinned = true;
        const at = Math.round(lab.at(15, '02:05') + lab.random.between(0, 170) * MINUTE);
        const up = at + Math.round(lab.random.between(4, 9) * MINUTE);
        const back = Math.round(lab.at(15, '13:10') + lab.random.between(0, 20) * MINUTE);
        const asked = back + 12 * SECOND;
        lab.usb(phone, up, { interfaces: [MTP], connectedAt: up });
        lab.usb(phone, back, undefined);
        lab.phone(phone, asked, { kind: 'os', build: '37.5.4.2', buildBefore: '37.5.4.1' });
        lab.rebooted(phone, asked, {
          reason: 'reboot,ota',
          uptimeSeconds: Math.round((asked - up) / SECOND),
        });
        return lab.lose(phone, at, { forMs: back - at });
      });
      background(lab);
      return {
        at: lab.at(15, '09:40'),
        losses,
        blame: ['phone', 'person'],
        told: { about: ['phone'], says: /debugging|developer|update/i },
      };
    },
  },
  {
    name: 'a hub feeds only two of its four ports itself: at the others phones run empty while the host is off',
    source: OPEN_FARM,
    seen: 'After the machine was off, two phones of each hub are charged, and two are empty.',
    cause: 'only half of the ports get power from the adapter; the others get it from the machine alone',
    did: 'kept such hubs for old phones, and gave those that need much the two ports that are fed',
    lab: { ...farm, hubs: [4, 4], days: 24, from: '2014-06-02' },
    tell(lab) {
      agentStartsFirst(lab);
      const phones = lab.pinnedOf('usb');
      const weekends = [
        [lab.at(11, '18:30'), lab.at(14, '08:55')],
        [lab.at(18, '18:20'), lab.at(21, '09:05')],
      ] as const;
      for (const [off, on] of weekends) isOff(lab, off, on);
      const losses: ToldLoss[] = [];
      phones.forEach((phone, index) => {
        const isFed = index % 4 < 2;
        const points: [number, number][] = [[lab.start, 100]];
        const gaps = weekends.map(([off, on]) => {
          if (isFed) return { off, back: on };
          const back = on + Math.round(lab.random.between(25, 55) * MINUTE);
          losses.push(lab.lose(phone, on + 500, { forMs: back - on - 500 }));
          points.push([off, 100], [on, 0], [back, 12], [back + 3 * HOUR, 100]);
          return { off, back };
        });
        const level = levels(points);
        phone.reading = (at) =>
          gaps.some(({ off, back }) => at >= off && at < back) ? undefined : level(at);
      });
      background(lab, { isUpdated: false });
      return {
        at: lab.at(21, '11:00'),
        losses,
        blame: ['hub', 'port', 'host', 'phone'],
        told: {
          about: ['hub', 'port', 'host', 'phone'],
          says: /power|charg|batter|empty|another port|switched off/i,
        },
      };
    },
  },
  {
    name: 'a build bot restarts all that it has on USB whenever one of its phones is missing',
    source: BUILD_BOT,
    seen: 'At the start of a build all phones of the bot are gone for some seconds, each time until a missing one is back.',
    cause:
      'a check at the start of each build ends adb and resets phones and hubs as soon as one phone is missing',
    did: 'the check writes to those who look after the lab to restart the missing phone',
    lab: bot,
    tell(lab) {
      agentStartsFirst(lab);
      const phones = lab.pinnedOf('usb');
      const missing = lab.pinned(5);
      const others = phones.filter((phone) => phone !== missing);
      const [hung, back] = [lab.at(15, '13:10:25'), lab.at(16, '11:06')];
      offAndOn(lab, missing, hung, back - hung);
      const at = lab.at(15, '18:00');
      const losses: ToldLoss[] = [];
      for (let build = hung + 21 * MINUTE; build < back; build += lab.random.between(50, 80) * MINUTE) {
        const running = adbRestarts(lab, Math.round(build), undefined, 5 * SECOND);
        losses.push(
          ...lab.loseAll(others, running + 2 * SECOND, {
            spreadMs: 12 * SECOND,
            forMs: 4 * SECOND,
            backSpreadMs: 6 * SECOND,
          }),
        );
      }
      background(lab);
      return {
        at,
        losses: until(at, losses),
        blame: ['person', 'adb', 'host', 'hub', 'unknown'],
        told: {
          about: ['phone', 'host', 'hub', 'port'],
          says: /restart|reboot|reset|adb|program|script|off and on|hang|hung/i,
        },
      };
    },
  },
  {
    name: 'tablets at a build bot that are fed too little are shut down by its check at 15 percent',
    source: BUILD_BOT,
    seen: 'Tablets that must hang at a charger of their own lose charge under test, and are off at the start of some build.',
    cause:
      'the charger is not plugged in or not enough; the check shuts each one down that is below 15 percent',
    did: 'checked that the tablet is at its charger, and switched it on when it was charged',
    lab: { ...bot, models: ['Nexus 10'], hubs: [7] },
    tell(lab) {
      agentStartsFirst(lab);
      const losses = [
        { index: 1, drains: lab.at(4, '10:00'), off: lab.at(9, '21:14:10'), back: lab.at(10, '13:40') },
        { index: 4, drains: lab.at(13, '11:00'), off: lab.at(18, '04:32:40'), back: lab.at(18, '15:05') },
      ].map(({ index, drains, off, back }) => {
        const phone = lab.pinned(index);
        const level = levels([
          [drains, 96],
          [off, 13],
          [back, 80],
          [back + 2 * HOUR, 96],
        ]);
        phone.reading = (at) => (at >= off && at < back ? undefined : level(at));
        return offAndOn(lab, phone, off, back - off);
      });
      background(lab);
      return {
        at: lab.at(18, '09:10'),
        losses,
        blame: ['phone', 'port', 'hub', 'person'],
        told: { about: ['phone', 'port', 'hub'], says: /charg|batter|power|\blow\b|empty/i },
      };
    },
  },
  {
    name: 'of a pool of phones that measure a browser some hang each day, or do not come back from a restart',
    source: 'https://elvis314.wordpress.com/2019/07/17/1872/',
    seen: 'Of some eighty phones two to five are offline each day, more in a week with a holiday.',
    cause: 'mostly phones that hang, or have trouble when they restart; the deeper reason is not known',
    did: 'the operator found them, or was told, and reset them; a newer Android was hoped to be better',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [8, 8, 8],
      from: '2019-06-17',
      days: 24,
      models: ['Pixel 2', 'Moto G5'],
    },
    tell(lab) {
      agentStartsFirst(lab);
      const at = lab.at(22, '08:50');
      const holiday = 17;
      const attended = lab.workdays(3, 24).filter((day) => day !== holiday);
      const losses: ToldLoss[] = [];
      for (let day = 2; day < 22; day += 1) {
        const from = Math.round(lab.at(day, '00:30') + lab.random.between(0, 23) * HOUR);
        const found = attended.find((each) => each > day) ?? day + 1;
        const back = Math.round(lab.at(found, '09:00') + lab.random.between(0, 6) * HOUR);
        const phone = lab.random.shuffled(lab.usbPhones).find((each) => lab.isFree(each, from, back));
        if (!phone) continue;
        if (lab.random.chance(0.5)) losses.push(offAndOn(lab, phone, from, back - from));
        else {
          losses.push(lab.lose(phone, from, { as: 'offline', forMs: back - from }));
          lab.rebooted(phone, back + 25 * SECOND, { uptimeSeconds: 60 });
        }
      }
      background(lab);
      return {
        at,
        losses: until(at, losses),
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone', 'host'],
          says: /restart|reboot|reset|power|hang|hung|crash|android|version|system/i,
        },
      };
    },
  },
  {
    name: 'in test labs phones fall offline one after the other, and each wants to be recovered by hand',
    source:
      'https://android.googlesource.com/platform/packages/modules/adb/+/refs/heads/main/daemon/watchdog.h',
    seen: 'More and more phones of an automated lab are offline; somebody must look after each of them.',
    cause: 'not named: the phone has no link to a host any more, and does not get one by itself',
    did: 'a watchdog on the phone restarts it when no host was connected for ten minutes',
    lab: { zone: 'America/Los_Angeles', hubs: [4, 4, 4], from: '2020-09-07', days: 28, usb: true },
    tell(lab) {
      agentStartsFirst(lab);
      const phones = lab.random.shuffled(lab.usbPhones).slice(0, 6);
      const recovered = lab.at(25, '14:00');
      const losses = phones.map((phone, index) => {
        phone.isPinned = true;
        const at = Math.round(lab.at(8 + Math.floor(index * 2.5)) + lab.random.between(1, 23) * HOUR);
        const back = recovered + index * 4 * MINUTE;
        lab.rebooted(phone, back + 25 * SECOND, { uptimeSeconds: 55 });
        return lab.lose(phone, at, { as: 'offline', forMs: back - at });
      });
      background(lab);
      return {
        at: lab.at(23, '10:00'),
        losses,
        blame: ['phone', 'port', 'link', 'adb', 'hub', 'unknown'],
        told: {
          about: ['phone', 'hub', 'host', 'port'],
          says: /restart|reboot|plug|adb|cable|port|reconnect/i,
        },
      };
    },
  },
  {
    name: 'phones answer no more to any command of adb until this one phone is connected anew',
    source: 'google/mobly#71',
    seen: 'Some phones of a test bed do not answer to adb any more, while the others go on.',
    cause: 'calls of adb that tests made wedge the link to that phone',
    did: 'had adb reconnect that phone alone at the end of its tests, which touches no other',
    lab: { zone: 'America/Los_Angeles', hubs: [4, 4], from: '2017-03-06', days: 22 },
    tell(lab) {
      agentStartsFirst(lab);
      const losses: ToldLoss[] = [];
      const wedged = (index: number, at: number, reconnected: number) => {
        const phone = lab.pinned(index);
        lab.facts(phone, at, { isSilent: true, silentSince: at });
        lab.facts(phone, reconnected, { isSilent: false });
        losses.push(lab.lose(phone, reconnected, { forMs: 2.2 * SECOND }));
      };
      wedged(2, lab.at(9, '11:20'), lab.at(9, '12:02:10'));
      wedged(5, lab.at(14, '16:35'), lab.at(14, '17:10:40'));
      wedged(6, lab.at(17, '10:05'), lab.at(17, '11:15:20'));
      const at = lab.at(17, '10:50');
      background(lab);
      return {
        at,
        losses: until(at, losses),
        blame: ['adb', 'person', 'phone', 'unknown'],
        told: { about: ['phone', 'host'], says: /respond|answer|reconnect|adb|restart|reboot|plug/i },
      };
    },
  },
  {
    name: 'ten phones that get their network through USB overload it, and fall offline',
    source: 'https://docs.webpagetest.org/dev/system%20design/mobile_testing',
    seen: 'While tests run, phones of a small host drop out again and again.',
    cause: 'the traffic of all phones goes over USB, by reverse tethering, which is more than it bears',
    did: 'used wireless network instead, which is more reliable',
    lab: { zone: 'America/New_York', hubs: [10], from: '2014-06-02', days: 21 },
    tell(lab) {
      agentStartsFirst(lab);
      const at = lab.at(16, '15:30');
      const losses: ToldLoss[] = [];
      const phones = lab.pinnedOf('usb');
      for (let day = 5; day < 17; day += 1)
        for (let left = lab.random.whole(1, 3); left > 0; left -= 1) {
          const from = Math.round(lab.at(day, '08:00') + lab.random.between(0, 7) * HOUR);
          for (const phone of lab.random.shuffled(phones).slice(0, lab.random.whole(1, 3))) {
            const off = Math.round(from + lab.random.between(0, 60) * SECOND);
            const forMs = Math.round(lab.random.between(0.5, 12) * MINUTE);
            if (lab.isFree(phone, off, off + forMs))
              losses.push(lab.lose(phone, off, { as: 'offline', forMs }));
          }
        }
      background(lab);
      return {
        at,
        losses: until(at, losses),
        blame: ['hub', 'host', 'port', 'link', 'adb', 'unknown'],
        told: {
          about: ['hub', 'host', 'port', 'phone'],
          says: /usb|hub|bandwidth|controller|power|cable|port/i,
        },
      };
    },
  },
  {
    name: 'no more than five phones show at a hub, and one put back into its own port does not show',
    source: 'AppiumTestDistribution/appium-device-farm#781',
    seen: 'One is taken out and another put in elsewhere, which shows; put back as it was, the first does not show again.',
    cause: 'most likely the hub, and how cables and phones were spread over it',
    did: 'with other cables in another order, more than five phones show',
    lab: { zone: 'Asia/Kolkata', hubs: [7], free: 1, from: '2023-08-07', days: 18, usb: true },
    tell(lab) {
      agentStartsFirst(lab);
      const sixth = lab.pinned(5);
      const put = lab.at(12, '10:44:20');
      sixth.isThereAtFirst = false;
      sixth.busy.push({ from: lab.start, to: lab.end });
      lab.usb(sixth, lab.start, null);
      lab.usb(sixth, put, { connectedAt: put });
      lab.phone(sixth, put, { kind: 'attached', state: 'device' });
      const losses = [lab.lose(lab.pinned(3), lab.at(12, '10:41:50'), { forMs: 4.6 * HOUR })];
      background(lab);
      return {
        at: lab.at(12, '12:10'),
        losses,
        // they were taken out by hand first
        blame: ['hub', 'port', 'person', 'unknown'],
        told: { about: ['hub', 'port', 'phone'], says: /hub|port|cable|power|plug/i },
      };
    },
  },
  {
    name: 'phones that are used remotely connect anew every few minutes, all eight, each at its own time',
    source: 'openstf/stf#445',
    seen: 'While they are used in the browser, the phones drop out and come back every few minutes.',
    cause: 'not found in the thread',
    did: 'nothing is told of that',
    lab: { zone: 'Asia/Shanghai', hubs: [4, 4], from: '2016-10-03', days: 18, usb: true },
    tell(lab) {
      agentStartsFirst(lab);
      const at = lab.at(11, '15:40');
      const losses: ToldLoss[] = [];
      for (const phone of lab.pinnedOf('usb'))
        for (const day of [10, 11]) {
          const from = lab.at(day, '14:00') + lab.random.between(1, 30) * MINUTE;
          const end = from + lab.random.between(1.2, 2) * HOUR;
          for (let next = from; next < end; next += lab.random.between(3, 9) * MINUTE)
            losses.push(lab.lose(phone, next, { forMs: Math.round(lab.random.between(2, 8) * SECOND) }));
        }
      background(lab);
      return {
        at,
        losses: until(at, losses),
        blame: ['hub', 'port', 'link', 'host', 'adb', 'phone', 'unknown'],
        told: {
          about: ['hub', 'port', 'host', 'phone'],
          says: /usb|hub|port|cable|power|adb|controller|kernel/i,
        },
      };
    },
  },
  {
    name: 'thirty phones that are mirrored over Wi-Fi lose their connections often',
    source: 'Genymobile/scrcpy#5732',
    seen: 'One phone after the other drops out while all thirty are mirrored.',
    cause: 'not found: the wireless link and how adb treats it are suspected',
    did: 'tried a server of adb for each phone, without success',
    lab: { zone: 'America/Sao_Paulo', hubs: [], network: 30, from: '2025-01-06', days: 15 },
    tell(lab) {
      agentStartsFirst(lab);
      const at = lab.at(9, '16:20');
      const losses: ToldLoss[] = [];
      const phones = lab.pinnedOf('tcp');
      for (const day of lab.workdays(2, 10))
        for (let left = lab.random.whole(8, 16); left > 0; left -= 1) {
          const phone = lab.random.pick(phones);
          const off = Math.round(lab.at(day, '09:00') + lab.random.between(0, 9) * HOUR);
          const forMs = Math.round(lab.random.between(0.2, 6) * MINUTE);
          if (lab.isFree(phone, off, off + forMs)) losses.push(lab.lose(phone, off, { forMs }));
        }
      background(lab);
      return {
        at,
        losses: until(at, losses),
        blame: ['network', 'link', 'adb', 'host', 'phone', 'unknown'],
        told: {
          about: ['network', 'phone', 'host'],
          says: /wi-?fi|network|adb|usb|signal|access point|wireless/i,
        },
      };
    },
  },
  {
    name: 'since an update of a mirroring program, all phones blink for a second and vanish',
    source: 'koush/vysor.io#927',
    seen: 'Four phones of three makers show for a second when they are plugged in, and are gone again, all alike.',
    cause: 'as its maker takes it: something else on the machine, mostly with an older adb, ends the server',
    did: 'other cables, restarts and a new installation did not help; nobody wrote what did',
    lab: {
      zone: 'America/Mexico_City',
      hubs: [4],
      from: '2021-08-02',
      days: 18,
      models: ['Galaxy J7', 'Redmi 9c', 'Redmi 9', 'Honor Play 3'],
    },
    tell(lab) {
      agentStartsFirst(lab);
      const phones = lab.pinnedOf('usb');
      const at = lab.at(12, '17:05');
      const losses: ToldLoss[] = [];
      let version = 41;
      // each time that they are plugged in
      let shown = lab.at(12, '16:20');
      while (shown < at) {
        const ended = shown + Math.round(lab.random.between(0.9, 1.6) * SECOND);
        const again = Math.round(ended + lab.random.between(90, 400) * SECOND);
        version = version === 41 ? 40 : 41;
        adbRestarts(lab, ended, version);
        const forMs = again - ended - 300;
        losses.push(...lab.loseAll(phones, ended + 50, { spreadMs: 250, forMs, backSpreadMs: 1 }));
        shown = again;
      }
      background(lab, { hasReadings: false });
      return {
        at,
        losses: until(at, losses),
        blame: ['adb', 'host', 'person'],
        told: { about: ['host'], says: /adb|version|program/i },
      };
    },
  },
];
