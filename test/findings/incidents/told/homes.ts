/** Incidents of people with a phone, a headset or a television of their own. */
import { background, inUse } from '../background.ts';
import { HOUR, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const desk: LabOptions = { hubs: [], direct: 2, known: { slots: false } };

export const incidents: Incident[] = [
  {
    name: 'a phone goes offline at random, whatever cable and port it has',
    source: 'Genymobile/scrcpy#4627',
    seen: 'Now and then the phone is offline; other cables and ports do not help.',
    cause: 'not found: the phone, or adb',
    did: '`adb reconnect offline`',
    lab: {
      hubs: [4],
      free: 2,
      from: '2024-01-08',
      days: 22,
      models: ['Galaxy A20e'],
      known: { slots: false },
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const ports = [undefined, ...lab.freePorts(lab.start)];
      for (const [turn, day] of [11, 14, 17].entries()) {
        const to = ports[turn];
        if (to) lab.lose(phone, lab.at(day, '09:02'), { forMs: MINUTE, to });
        for (const time of ['11:20', '16:45'])
          losses.push(
            lab.lose(phone, lab.at(day + 1, time), {
              as: 'offline',
              forMs: lab.random.between(3, 50) * MINUTE,
            }),
          );
      }
      background(lab);
      return {
        at: lab.at(18, '18:30'),
        losses,
        blame: ['phone', 'adb', 'unknown'],
        told: { about: ['phone', 'host'], says: /restart|reconnect|adb/i },
      };
    },
  },
  {
    name: 'the first unlocking of the day drops the connection once',
    source: 'Genymobile/scrcpy#2995',
    seen: 'The phone is plugged in and unlocked, and adb loses it for a moment; afterwards all is well.',
    cause: 'it changes its USB mode when it is unlocked',
    did: 'started the program again',
    lab: { ...desk, zone: 'Europe/Rome', from: '2022-01-17', days: 19, models: ['Redmi Note 8 Pro'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of [14, 15, 16, 17]) {
        const at = lab.at(day, '09:05') + lab.random.between(0, 80) * MINUTE;
        lab.lose(phone, at - 15 * HOUR, { forMs: 15 * HOUR - 20 * SECOND });
        losses.push(lab.lose(phone, at, { forMs: 1400 }));
      }
      background(lab);
      return { at: lab.at(17, '12:00'), losses, blame: ['person', 'phone', 'unknown'] };
    },
  },
  {
    name: 'a television forgets wireless debugging with each restart',
    source: 'home-assistant/core#148359',
    seen: 'Since Android 14 wireless debugging is off after each restart of the television, and its port is another one.',
    cause: 'a restart switches wireless debugging off',
    did: 'switched it on again by hand',
    lab: { zone: 'Australia/Sydney', hubs: [4], free: 2, network: 2, from: '2025-09-29', days: 24 },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = [14, 17, 20].map((day) =>
        lab.lose(television, lab.at(day, '03:00') + lab.random.between(0, 60) * MINUTE, {
          forMs: lab.random.between(15, 17) * HOUR,
        }),
      );
      losses.push(lab.lose(television, lab.at(22, '03:24')));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '10:00'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [television.udid], says: /debugging|connect/i },
      };
    },
  },
  {
    name: 'a phone on Wi-Fi is reached for a day or two, then under another address only',
    source: 'Genymobile/scrcpy#3425',
    seen: 'After one or two days nothing reaches the phone at its address; with another one it works.',
    cause: 'not found: the phone, its firewall or the router',
    did: 'gave it another address at the router, each time',
    lab: {
      zone: 'Asia/Dhaka',
      hubs: [4],
      free: 3,
      network: 2,
      from: '2022-07-18',
      days: 22,
      models: ['Redmi Note 10 Pro'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = [
        [12, '23:10'],
        [14, '13:40'],
        [16, '02:20'],
        [17, '20:05'],
        [19, '11:30'],
      ].map(([day, time]) =>
        lab.lose(phone, lab.at(Number(day), String(time)), { forMs: lab.random.between(2, 9) * HOUR }),
      );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '12:00'),
        losses,
        blame: ['link', 'phone', 'network', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /Wi-Fi|network|address/i },
      };
    },
  },
  {
    name: 'a Fire TV answers or does not, by turns',
    source: 'dwaan/homebridge-adb#29',
    seen: 'It works well, and at random it does not respond: the device is not found, also right after a connect.',
    cause: 'not found: the television, or its network',
    did: 'restarted adb and connected again',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      free: 3,
      network: 2,
      from: '2021-01-04',
      days: 23,
      models: ['Fire TV'],
    },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 13; day < 22; day += 1)
        for (const from of [8, 15])
          if (lab.random.chance(0.7))
            losses.push(
              lab.lose(television, lab.at(day) + lab.random.between(from, from + 5) * HOUR, {
                forMs: lab.random.between(4, 55) * MINUTE,
              }),
            );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '09:08'),
        losses,
        blame: ['link', 'phone', 'network', 'unknown'],
        told: { about: ['phone', 'network'], says: /Wi-Fi|network|connect/i },
      };
    },
  },
  {
    name: 'a television is lost a while after it was switched off, wake on LAN or not',
    source: 'dwaan/homebridge-adb#73',
    seen: 'A while after the television was switched off it is disconnected; wake on LAN is on.',
    cause: 'it sleeps',
    did: 'connected it again by hand',
    lab: { zone: 'Asia/Riyadh', hubs: [4], free: 3, network: 2, from: '2022-01-31', days: 23 },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 11; day < 21; day += 1) {
        const at = lab.at(day, '23:30') + lab.random.between(0, 100) * MINUTE;
        losses.push(lab.lose(television, at, { forMs: lab.random.between(14, 18) * HOUR }));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '20:00'),
        losses,
        blame: ['link', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [television.udid], says: /Wi-Fi|sleep|network/i },
      };
    },
  },
  {
    name: 'a phone drops its connection from 98 % on',
    source: 'andreknieriem/open-headunit#355',
    seen: 'At 98 to 100 % the connection is lost often; below it is stable.',
    cause: 'the phone ends charging, and with it the connection for a moment',
    did: 'asked for a change',
    lab: { ...desk, zone: 'Europe/Istanbul', from: '2026-03-16', days: 23 },
    tell(lab) {
      const phone = lab.pinned(0);
      const full = [13, 15, 16, 18, 20].map(
        (day) => lab.at(day, '10:30') + lab.random.between(0, 360) * MINUTE,
      );
      phone.reading = (at) => {
        const since = full.findLast((each) => each <= at) ?? lab.start;
        const next = full.find((each) => each > at) ?? at + 9 * HOUR;
        const left = Math.max(50, 100 - Math.floor((next - at) / (7 * MINUTE)));
        const levelPercent = at - since < 2 * HOUR ? 100 : Math.min(97, left);
        return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: 322 };
      };
      const losses = full.flatMap((at) =>
        [4, 21, 47].map((minutes) =>
          lab.lose(phone, at + minutes * MINUTE, { forMs: lab.random.between(3, 9) * SECOND }),
        ),
      );
      background(lab);
      return {
        at: lab.at(20, '20:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone', 'port'], says: /full|charg|batter/i },
      };
    },
  },
  {
    name: 'a phone is lost after half a minute, and the internet that it gives too',
    source: 'Genymobile/scrcpy#1699',
    seen: 'The mirror ends after about thirty seconds, and the network by USB with it.',
    cause: 'the USB port',
    did: 'used another port',
    lab: { ...desk, zone: 'Europe/Paris', from: '2020-08-10', days: 16 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let at = lab.at(14, '20:10'), left = 9; left > 0; left -= 1) {
        losses.push(lab.lose(phone, at, { forMs: lab.random.between(3, 8) * SECOND }));
        at += lab.random.between(32, 190) * SECOND;
      }
      background(lab);
      return {
        at: lab.at(14, '20:35'),
        losses,
        blame: ['port'],
        told: { about: ['port', 'phone'], says: /port/i },
      };
    },
  },
  {
    name: 'the socket of a phone is worn: it is lost when it is touched',
    source: 'Genymobile/scrcpy#2271',
    seen: 'Ten to twenty seconds after the screen is used the phone is lost, then offline.',
    cause: 'the USB socket of the phone: not if the cable is not moved',
    did: 'did not move the cable',
    lab: { ...desk, zone: 'Europe/Moscow', from: '2021-04-05', days: 17, models: ['Redmi 3S'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '19:02'],
        [14, '20:40'],
        [15, '18:31'],
      ] as const)
        for (let at = lab.at(day, time), left = 4; left > 0; left -= 1) {
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(2, 40) * SECOND }));
          at += lab.random.between(1, 12) * MINUTE;
        }
      background(lab);
      return {
        at: lab.at(15, '19:30'),
        losses,
        blame: ['phone', 'port', 'unknown'],
        told: { about: ['phone', 'port'], says: /cable|socket/i },
      };
    },
  },
  {
    name: 'of two phones one is lost after a while, at whatever port',
    source: 'Genymobile/scrcpy#1534',
    seen: 'The S10 stays; the A20s is lost at random after a while, at another port too.',
    cause: 'not found: its cable, or the phone',
    did: 'changed the port, which did not help',
    lab: {
      hubs: [4],
      free: 2,
      zone: 'America/Sao_Paulo',
      from: '2020-06-01',
      days: 23,
      models: ['Galaxy A20s', 'Galaxy S10'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const [to] = lab.freePorts(lab.start);
      for (const day of [11, 12, 15, 18, 19, 20]) {
        if (day === 18 && to) lab.lose(phone, lab.at(18, '09:10'), { forMs: 2 * MINUTE, to });
        losses.push(
          lab.lose(phone, lab.at(day, '10:30') + lab.random.between(0, 360) * MINUTE, {
            forMs: lab.random.between(2, 12) * SECOND,
          }),
        );
      }
      background(lab);
      return {
        at: lab.at(20, '18:00'),
        losses,
        blame: ['phone', 'port', 'adb', 'unknown'],
        told: { about: ['phone', 'port'], says: /cable|socket|repair/i },
      };
    },
  },
  {
    name: 'a headset on a cable of five metres is lost at random',
    source: 'WiVRn/WiVRn#799',
    seen: 'The headset disconnects and comes back; at times it comes back under another product number, and not in adb.',
    cause: 'a cable of 16 feet: with one of 13 it stays',
    did: 'used a shorter cable',
    lab: {
      ...desk,
      zone: 'America/Denver',
      from: '2026-05-18',
      days: 20,
      usb: true,
      models: ['Quest 3', 'Pixel'],
    },
    tell(lab) {
      const headset = lab.pinned(0);
      const losses = [9, 11, 12, 13, 15, 16, 17].map((day) =>
        lab.lose(headset, lab.at(day, '19:00') + lab.random.between(0, 170) * MINUTE, {
          forMs: lab.random.between(2, 7) * SECOND,
        }),
      );
      const last = lab.at(18, '20:11');
      losses.push(lab.lose(headset, last));
      lab.usb(headset, last + 4 * SECOND, { productId: '5013', connectedAt: last + 3 * SECOND });
      background(lab);
      return {
        at: lab.at(18, '20:40'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable/i },
      };
    },
  },
  {
    name: 'a phone leaves USB whenever it suspends',
    source: 'GloDroidCommunity/pine64-pinephone#36',
    seen: 'When the phone suspends it leaves USB, and the host tries in vain to read it.',
    cause: 'its system switches USB off while it sleeps',
    did: 'asked',
    cannotShow: 'nothing that is recorded tells a phone that sleeps from a loose contact',
    lab: { ...desk, zone: 'America/Chicago', from: '2024-04-01', days: 19 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of [14, 15, 16, 17])
        for (const time of ['10:20', '12:10', '15:35'])
          losses.push(
            lab.lose(phone, lab.at(day, time) + lab.random.between(0, 30) * MINUTE, {
              forMs: lab.random.between(12, 70) * MINUTE,
            }),
          );
      background(lab);
      return { at: lab.at(17, '18:00'), losses, blame: ['phone', 'port', 'unknown'] };
    },
  },
  {
    name: 'a phone is lost twice each time its screen is switched off',
    source: 'koush/vysor.io#476',
    seen: 'With the screen the connection goes, twice, then it stays until the screen is switched off again.',
    cause: 'not found: the phone changes its USB when its screen goes off',
    did: 'asked',
    cannotShow: 'nothing that is recorded tells the screen from a loose contact',
    lab: { ...desk, zone: 'America/New_York', from: '2020-04-13', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.reading = inUse(lab);
      const losses: ToldLoss[] = [];
      for (const day of [14, 15, 17, 18])
        for (const time of ['11:00', '16:00']) {
          const at = lab.at(day, time) + lab.random.between(0, 110) * MINUTE;
          losses.push(lab.lose(phone, at, { forMs: 2 * SECOND }));
          losses.push(lab.lose(phone, at + 25 * SECOND, { forMs: 2 * SECOND }));
        }
      background(lab);
      return { at: lab.at(18, '19:00'), losses, blame: ['phone', 'port', 'unknown'] };
    },
  },
  {
    name: 'a phone only charges after a while, until the computer is restarted',
    source: 'Genymobile/gnirehtet#185',
    seen: 'After some use the computer does not see the phone at all, which only charges; other cables do not help.',
    cause: 'not found: the phone, as the maintainer thinks',
    did: 'restarted the computer each time; wiped the phone in vain',
    lab: { ...desk, zone: 'America/Phoenix', from: '2019-03-25', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        [13, '16:20'],
        [15, '19:02'],
        [16, '22:14'],
        [17, '20:40'],
      ].map(([day, time]) => {
        const at = lab.at(Number(day), String(time));
        const forMs = Math.round(lab.random.between(20, 70) * MINUTE);
        lab.host(at + forMs - 90 * SECOND, { kind: 'agentStopped' });
        lab.host(at + forMs - 20 * SECOND, {
          kind: 'agentStarted',
          version: '1.0.0',
          hostBootedAt: at + forMs - 60 * SECOND,
          lastAliveAt: at + forMs - 90 * SECOND,
        });
        return lab.lose(phone, at, { forMs });
      });
      background(lab);
      return { at: lab.at(18, '12:00'), losses, blame: ['phone', 'port', 'host', 'unknown'] };
    },
  },
  {
    name: 'a phone needs sudo, as its node belongs to the group for sound',
    source: 'M0Rf30/android-udev-rules#150',
    seen: 'USB shows the phone, adb lists nothing: its node belongs to the group audio.',
    cause: 'a udev rule of another package',
    did: 'added the user to that group',
    lab: {
      ...desk,
      zone: 'Europe/London',
      from: '2018-07-23',
      days: 14,
      usb: true,
      models: ['6010D', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      const at = lab.at(12, '10:40');
      lab.usb(phone, lab.start, null);
      lab.usb(phone, at, { connectedAt: at });
      background(lab);
      return {
        at: at + 20 * MINUTE,
        told: { about: ['port', 'phone', 'host'], says: /udev|rights|permission|group|allowed/i },
      };
    },
  },
  {
    name: 'a laptop switches a port off when a phone wants too much of it',
    source: 'M0Rf30/android-udev-rules#310',
    seen: 'The phone is not seen at all: the laptop shuts the port down to protect it.',
    cause: 'the phone draws more than the port gives, or the cable is bad',
    did: 'was told to use the cable of its maker, and to charge it first',
    lab: {
      ...desk,
      zone: 'Europe/Ljubljana',
      from: '2024-01-22',
      days: 20,
      usb: true,
      models: ['Galaxy S24', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const where = lab.where(phone, lab.end);
      const losses = [
        [16, '19:10'],
        [17, '20:22'],
        [18, '18:47'],
      ].map(([day, time]) => {
        const at = lab.at(Number(day), String(time));
        lab.kernel(at + 300, where, 'overCurrent');
        return lab.lose(phone, at, { forMs: lab.random.between(4, 30) * MINUTE });
      });
      background(lab);
      return {
        at: lab.at(18, '20:00'),
        losses,
        blame: ['port'],
        told: { about: ['port', 'phone'], says: /cable|over-current/i },
      };
    },
  },
  {
    name: 'a phone with an empty battery tries to start, and goes off again',
    source: 'topjohnwu/Magisk#9530',
    seen: 'The battery runs empty; plugged in, the phone starts, has not enough power and goes off, until it is charged.',
    cause: 'the battery is empty',
    did: 'let it charge',
    lab: { hubs: [4], free: 2, zone: 'America/Chicago', from: '2025-11-10', days: 19, models: ['V60'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const empty = lab.at(17, '09:20');
      phone.reading = (at) => ({
        levelPercent: Math.max(1, Math.min(90, Math.round(((empty - at) / HOUR) * 9))),
        isFull: false,
        temperatureDecicelsius: 312,
      });
      const losses = [lab.lose(phone, empty, { forMs: 20 * MINUTE })];
      for (let at = empty + 21 * MINUTE, left = 4; left > 0; left -= 1) {
        losses.push(lab.reboot(phone, at, { forMs: 3 * MINUTE, reason: 'cold,charger' }));
        at += 5 * MINUTE;
      }
      losses.push(lab.lose(phone, empty + 50 * MINUTE));
      background(lab);
      return {
        at: empty + 80 * MINUTE,
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /batter|charg/i },
      };
    },
  },
  {
    name: 'a phone loses USB when it is turned, and has it back sometimes only',
    source: 'VanceVagell/kv4p-ht#348',
    seen: 'To rotate the phone resets its USB, and it only comes back up sometimes.',
    cause: 'the phone sets its USB up anew when its screen turns',
    did: 'asked',
    lab: { ...desk, zone: 'America/Los_Angeles', from: '2025-09-22', days: 21 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [
        [16, '11:10', 3],
        [16, '11:32', 140],
        [17, '14:05', 4],
        [18, '10:20', 3],
        [18, '10:41', 600],
      ].map(([day, time, seconds]) =>
        lab.lose(phone, lab.at(Number(day), String(time)), { forMs: Number(seconds) * SECOND }),
      );
      background(lab);
      return { at: lab.at(18, '12:00'), losses, blame: ['phone', 'port', 'unknown'] };
    },
  },
  {
    name: 'an old tablet on the wall is off the network every few days, until it is restarted',
    source: 'jxlarrea/kiosk-satellite#308',
    seen: 'After a few days the Fire 7 cannot be reached, though it shows its Wi-Fi as connected; with a restart it can.',
    cause: 'the Wi-Fi of the tablet hangs',
    did: 'restarted the tablet, each time; thought of a nightly restart',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      network: 3,
      from: '2026-08-01',
      days: 24,
      models: ['Fire 7', 'Tab A9', 'Lenovo M10'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = (
        [
          [5, '04:20', 9],
          [9, '15:10', 5],
          [13, '23:40', 8],
          [17, '02:15', 6],
          [21, '11:30', 7],
        ] as const
      ).map(([day, time, hours]) => {
        const at = lab.at(day, time);
        const forMs = hours * HOUR + lab.random.between(0, 40) * MINUTE;
        return lab.reboot(tablet, at, { forMs, reason: 'reboot' });
      });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(22, '09:00'),
        losses,
        blame: ['phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [tablet.udid], says: /Wi-Fi|restart|network|update/i },
      };
    },
  },
  {
    name: 'after each restart of the phone adb is refused on the network',
    source: 'Genymobile/scrcpy#2664, #4567',
    seen: 'When the phone was restarted, no connection can be made to its port; once it was connected by USB it works again.',
    cause: 'a restart ends adb on the network',
    did: 'connected the phone by USB, and switched adb to the network anew',
    lab: {
      zone: 'America/New_York',
      hubs: [4],
      free: 3,
      network: 1,
      from: '2021-09-06',
      days: 20,
      models: ['SM-A115F'],
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses = (
        [
          [11, '08:10', 10],
          [14, '22:30', 11],
          [17, '12:05', 7],
        ] as const
      ).map(([day, time, hours]) => {
        const loss = lab.lose(phone, lab.at(day, time), { forMs: hours * HOUR });
        lab.rebooted(phone, loss.until + 20 * SECOND, {
          reason: 'reboot,userrequested',
          uptimeSeconds: hours * 3600 - 30,
        });
        return loss;
      });
      losses.push(lab.lose(phone, lab.at(19, '09:00')));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '11:00'),
        losses,
        blame: ['person', 'phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /connect/i },
      };
    },
  },
  {
    name: 'a box that was switched off is still listed as device, and every command hangs',
    source: 'nmeum/android-tools#28',
    seen: 'After reboot -p the box is off, adb goes on to list it as device, and what is asked of it does not come back.',
    cause: 'the box is off, and adb does not notice',
    did: 'asked',
    lab: {
      zone: 'Europe/Moscow',
      hubs: [4],
      free: 3,
      network: 1,
      from: '2021-04-19',
      days: 17,
      models: ['x86 box'],
    },
    tell(lab) {
      const [box] = lab.pinnedOf('tcp') as [LabPhone];
      lab.facts(box, lab.at(15, '14:00'), { isSilent: true, silentSince: lab.at(15, '14:00') });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(15, '16:00'),
        told: { about: ['phone'], keys: [box.udid], says: /is on|switched|restart|on the network/i },
      };
    },
  },
  {
    name: 'a phone has to be restarted each morning before the computer sees it',
    source: 'Genymobile/scrcpy#6878',
    seen: 'Unplugged in the evening and plugged in anew the phone only charges; when it is restarted at the cable, adb has it.',
    cause: 'the phone does not set its USB up again',
    did: 'restarted the phone each time',
    lab: { ...desk, zone: 'America/Chicago', from: '2026-05-11', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of [7, 8, 9, 10, 11, 14, 15, 16]) {
        const at = lab.at(day, '17:20') + lab.random.between(0, 60) * MINUTE;
        const next = lab.isWorkday(day + 1) ? day + 1 : day + 3;
        if (next === 17) losses.push(lab.lose(phone, at));
        else {
          const forMs = lab.at(next, '08:50') + lab.random.between(0, 30) * MINUTE - at;
          losses.push(lab.reboot(phone, at, { forMs, reason: 'reboot,userrequested' }));
        }
      }
      background(lab);
      return {
        at: lab.at(17, '08:45'),
        losses,
        blame: ['person', 'phone', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /restart|power button/i },
      };
    },
  },
  {
    name: 'a laptop is taken from its dock, and does not find the phone there when it is back',
    source: 'koush/vysor.io#146',
    seen: 'Once the laptop was out of its dock, the phone at the dock is detected, and no connection is made; a restart of the phone does not help, one of the laptop does.',
    cause: 'adb, or what runs beside it, on the laptop',
    did: 'restarted the laptop',
    lab: {
      zone: 'America/Denver',
      hubs: [4],
      free: 3,
      usb: true,
      from: '2016-04-18',
      days: 17,
      models: ['HTC M8'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '11:30');
      const back = lab.at(16, '13:05');
      const loss = lab.lose(phone, at, { gone: 'hub' });
      lab.usb(phone, back, { connectedAt: back });
      background(lab);
      return {
        at: lab.at(16, '13:40'),
        losses: [loss],
        blame: ['hub', 'person', 'adb', 'unknown'],
        told: { about: ['port', 'phone', 'host'], says: /adb|(restart|reboot) the (host|computer|laptop)/i },
        alsoAbout: ['port', 'hub'],
      };
    },
  },
  {
    name: 'a virtual machine takes the phone from adb every couple of minutes',
    source: 'gasolin/foxbox#34',
    seen: 'Without the machine all is well; with it adb loses the phone after a couple of minutes, and mostly does not see it again until it is killed.',
    cause: 'the virtual machine takes the phone by its USB filter',
    did: 'killed adb; worked around it',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4],
      free: 3,
      usb: true,
      from: '2014-09-01',
      days: 12,
      models: ['Flame'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [10, '10:14', 6],
        [10, '10:26', 3],
        [10, '10:41', 9],
        [11, '09:32', 4],
        [11, '09:50', 12],
        [11, '10:20', 5],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: minutes * MINUTE, onUsb: {} }));
      background(lab);
      return {
        at: lab.at(11, '10:40'),
        losses,
        blame: ['adb'],
        told: { about: ['host', 'phone'], says: /program|adb server/i },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'to switch tethering on or off ends the connection each time',
    source: 'Genymobile/scrcpy#1234',
    seen: 'When tethering is enabled or disabled on the phone, it is disconnected.',
    cause: 'the phone changes its USB mode, as somebody asked it to',
    did: 'started the program again',
    lab: { ...desk, zone: 'America/Sao_Paulo', from: '2020-03-02', days: 22 },
    tell(lab) {
      const phone = lab.pinned(0);
      const modes = ['ff/42/01', 'e0/01/03,0a/00/00,ff/42/01'];
      const losses = (
        [
          [15, '09:20'],
          [15, '11:45'],
          [16, '09:15'],
          [16, '17:40'],
          [17, '10:02'],
          [17, '12:30'],
          [20, '09:31'],
          [20, '15:12'],
        ] as const
      ).map(([day, time], index) => {
        const loss = lab.lose(phone, lab.at(day, time), { forMs: 1600 });
        const [interfacesBefore = '', interfaces = ''] = index % 2 === 0 ? modes : modes.toReversed();
        lab.phone(phone, loss.at + 1500, {
          ...{ kind: 'usb', gone: 'nothing', interfaces, interfacesBefore },
          ...{ speedMbps: 480, configuration: 1, speedMbpsBefore: 480, configurationBefore: 1 },
        });
        return loss;
      });
      background(lab);
      return { at: lab.at(20, '18:00'), losses, blame: ['person', 'phone', 'unknown'] };
    },
  },

  {
    name: 'adb reboot leaves a phone in its charging screen',
    source: 'sonyxperiadev/bug_tracker#11',
    seen: 'adb reboot restarts the phone, and it shows its charging screen in place of Android.',
    cause: 'its boot loader takes the restart for a charger',
    did: 'switched it on by hand; a later build mended it',
    lab: {
      hubs: [4],
      free: 1,
      zone: 'Europe/Stockholm',
      from: '2017-10-09',
      days: 19,
      models: ['Xperia X Compact'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [14, '10:05', 1.2],
        [15, '22:30', 10.8],
        [16, '13:15', 2.1],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.reboot(phone, at, { forMs: hours * HOUR, reason: 'cold,powerkey' }));
      }
      losses.push(lab.lose(phone, lab.at(17, '11:40')));
      background(lab);
      return {
        at: lab.at(17, '13:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /power button|switch|restart/i },
      };
    },
  },
  {
    name: 'a frozen phone is offline until its power button is held',
    source: 'iptux/android_device_xiaomi_mione_plus#30',
    seen: 'When the phone does not react to anything, adb lists it as offline.',
    cause: 'the phone hangs',
    did: 'restarted it by its button',
    lab: { ...desk, zone: 'Asia/Shanghai', from: '2014-09-01', days: 18, models: ['MI-ONE Plus'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [10, '23:20', 9.6],
        [15, '14:05', 1.5],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { as: 'offline', forMs: hours * HOUR }));
        lab.rebooted(phone, at + hours * HOUR + 20 * SECOND, { uptimeSeconds: 45 });
      }
      losses.push(lab.lose(phone, lab.at(17, '10:12'), { as: 'offline' }));
      background(lab);
      return {
        at: lab.at(17, '11:30'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /power button|restart/i },
      };
    },
  },
];
