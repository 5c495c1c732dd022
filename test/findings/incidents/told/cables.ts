/** Incidents at USB: cables, hubs, controllers, adb. */
import { adbRestarts, background } from '../background.ts';
import { HOUR, type Lab, type LabOptions, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** A host of flutter's device lab: one phone at a port of its own. */
const testbed: LabOptions = {
  zone: 'America/Los_Angeles',
  hubs: [],
  direct: 1,
  known: { slots: false },
};

const awayFrom = (lab: Lab, phone: number, spans: readonly (readonly [number, string, number, string])[]) =>
  spans.map(([day, time, backDay, backTime]) =>
    lab.lose(lab.pinned(phone), lab.at(day, time), { forMs: lab.at(backDay, backTime) - lab.at(day, time) }),
  );

export const incidents: Incident[] = [
  {
    name: 'linux-17 loses its phone on Thursday, Friday and over the weekend',
    source: 'flutter/flutter#166540, #166615, #166693',
    seen: 'The phone of linux-17 was gone on April 3, 4 and 7.',
    cause: 'its cable: plugged in anew, it worked each time',
    did: 're-seated the USB cable each time',
    lab: { ...testbed, from: '2025-03-10', days: 30 },
    tell(lab) {
      const losses = awayFrom(lab, 0, [
        [24, '02:50', 24, '09:25'],
        [25, '13:40', 25, '14:35'],
        [27, '17:05', 28, '09:15'],
      ]);
      background(lab);
      return {
        at: lab.at(28, '11:00'),
        losses,
        blame: ['port'],
        told: { about: ['port', 'phone'], says: /cable/i },
      };
    },
  },
  {
    name: 'linux-17 loses its phone four times within a week of May',
    source: 'flutter/flutter#168611, #168675, #168783, #168950',
    seen: 'The phone of linux-17 was gone on May 9, 12, 14 and 15.',
    cause: 'its cable: plugged in anew, it worked each time',
    did: 're-seated the USB cable each time',
    lab: { ...testbed, from: '2025-04-18', days: 30 },
    tell(lab) {
      const losses = awayFrom(lab, 0, [
        [21, '06:10', 21, '09:40'],
        [23, '11:20', 24, '09:05'],
        [26, '04:30', 26, '10:15'],
        [27, '20:40', 28, '09:05'],
      ]);
      background(lab);
      return {
        at: lab.at(28, '10:00'),
        losses,
        blame: ['port'],
        told: { about: ['port', 'phone'], says: /cable/i },
      };
    },
  },
  {
    name: 'the cable of linux-35 was bad',
    source: 'flutter/flutter#152935',
    seen: 'The phone of the host was gone in the morning.',
    cause: 'a bad cable',
    did: 'replaced the cable',
    lab: { ...testbed, from: '2024-07-15', days: 24 },
    tell(lab) {
      const loss = lab.lose(lab.pinned(0), lab.at(22, '03:15'));
      background(lab);
      return {
        at: lab.at(22, '09:10'),
        losses: [loss],
        blame: ['port', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable|plug/i },
      };
    },
  },
  {
    name: 'a phone is found again with a restart of it a day later',
    source: 'flutter/flutter#163678',
    seen: 'The phones of some hosts were gone; they were back with a restart.',
    cause: 'the phones hung',
    did: 'restarted all phones',
    lab: { ...testbed, from: '2025-02-03', days: 20 },
    tell(lab) {
      const at = lab.at(15, '22:40');
      const loss = lab.reboot(lab.pinned(0), at, {
        forMs: lab.at(17, '10:00') - at,
        reason: 'cold,powerkey',
      });
      background(lab);
      return { at: lab.at(17, '10:30'), losses: [loss], blame: ['phone'] };
    },
  },
  {
    name: 'linux-2 has no phone in the evening',
    source: 'flutter/flutter#119837',
    seen: 'The phone of the host was not available.',
    cause: 'the cable between host and phone',
    did: 'unplugged the cable and plugged it in again',
    lab: { ...testbed, from: '2023-01-16', days: 20 },
    tell(lab) {
      const loss = lab.lose(lab.pinned(0), lab.at(16, '20:30'));
      background(lab);
      return {
        at: lab.at(17, '09:20'),
        losses: [loss],
        blame: ['port', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable|plug/i },
      };
    },
  },
  {
    name: 'more than twenty phones at two hubs drop out until they are plugged anew',
    source: 'DeviceFarmer/stf#299',
    seen: 'Fifty phones at two hubs. From about twenty on phones vanish at random, though they charge, until somebody plugs them anew.',
    cause: 'too many phones for the controller or the hubs',
    did: 'plugged the phones anew, and asked for other hardware',
    lab: { zone: 'Asia/Ho_Chi_Minh', hubs: [16, 16], from: '2021-07-01', days: 22 },
    tell(lab) {
      for (const phone of lab.phones) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      for (let day = 11; day < 21; day += 1)
        for (let left = 5; left > 0; left -= 1) {
          const phone = lab.random.pick(lab.phones);
          const at = lab.at(day) + lab.random.between(0, 24) * HOUR;
          const hour = (at - lab.at(day)) / HOUR;
          const found =
            hour < 9 ? lab.at(day, '09:15') : hour > 18 ? lab.at(day + 1, '09:15') : at + 20 * MINUTE;
          const forMs = found - at + lab.random.between(0, 40) * MINUTE;
          if (lab.isFree(phone, at, at + forMs)) losses.push(lab.lose(phone, at, { forMs }));
        }
      background(lab, { glitches: 0 });
      return {
        at: lab.at(20, '20:00'),
        losses: losses.filter(({ at }) => at < lab.at(20, '20:00')),
        blame: ['hub', 'host', 'room', 'unknown', 'port'],
        alsoAbout: ['hub', 'host', 'room'],
      };
    },
  },
  {
    name: 'two phones of a virtual machine go offline and vanish',
    source: 'openstf/stf#329',
    seen: 'Two phones are connected; adb calls them offline, then they are gone, again and again.',
    cause: 'the hardware: most often too little power',
    did: 'was told to look at the hardware',
    lab: { zone: 'Asia/Kolkata', hubs: [], direct: 2, known: { slots: false }, from: '2016-05-02', days: 20 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, phone] of [lab.pinned(0), lab.pinned(1)].entries())
        for (let at = lab.at(18, `11:0${index}:20`); at < lab.at(18, '12:30'); at += 7 * MINUTE) {
          const lost = at + lab.random.between(0, 4) * MINUTE;
          losses.push(lab.lose(phone, lost, { as: 'offline', forMs: 90 * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(18, '12:40'),
        losses,
        blame: ['port', 'unknown', 'hub', 'host', 'phone'],
        told: { about: ['phone', 'port', 'hub', 'host'], says: /cable|power|plug/i },
        alsoAbout: ['host'],
      };
    },
  },
  {
    name: 'one phone of ten is closed, and the others of its hub vanish',
    source: 'Genymobile/scrcpy#5301',
    seen: 'Forty phones at four hubs. Now and then all phones of one hub disconnect together.',
    cause: 'the hub or its port: too many phones',
    did: 'bought a further USB card',
    lab: { zone: 'Europe/London', hubs: [10, 10, 10, 10], from: '2024-09-02', days: 18 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [13, '11:15'],
        [14, '15:40'],
        [14, '19:10'],
        [15, '10:05'],
      ] as const)
        losses.push(
          ...lab.loseAll(lab.phonesOf(2), lab.at(day, time), {
            spreadMs: 900,
            forMs: 14 * SECOND,
            backSpreadMs: 9 * SECOND,
          }),
        );
      for (const phone of lab.phonesOf(2)) phone.isPinned = true;
      background(lab);
      return {
        at: lab.at(15, '12:00'),
        losses,
        blame: ['hub'],
        told: { about: ['hub'], keys: [lab.hubKey(2)], says: /hub|power/i },
      };
    },
  },
  {
    name: 'a phone of the farm is dead until its USB is reset',
    source: 'zebrunner/mcloud-agent#101',
    seen: 'From time to time a phone cannot be reached, though it is plugged in; containers that start anew do not help.',
    cause: 'the phone or its connection hangs',
    did: 'plugged it anew; then reset USB by a program',
    lab: { zone: 'Europe/Minsk', hubs: [7, 7], free: 1, usb: true, from: '2022-02-07', days: 20 },
    tell(lab) {
      const phone = lab.pinned(4);
      const losses = (
        [
          [10, '14:20', 95],
          [13, '23:10', 620],
          [17, '05:45', 240],
        ] as const
      ).map(([day, time, minutes]) =>
        lab.lose(phone, lab.at(day, time), { as: 'offline', forMs: minutes * MINUTE }),
      );
      background(lab);
      return {
        at: lab.at(17, '09:00'),
        losses,
        blame: ['phone', 'port', 'adb', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /plug|re-?connect|re-?seat|reset/i,
        },
      };
    },
  },
  {
    name: 'a Pixel 2 XL drops out with every cable and at every port',
    source: 'Genymobile/scrcpy#916',
    seen: 'The connection ends at random; other cables and other computers change nothing.',
    cause: 'the phone',
    did: 'tried several cables and computers',
    lab: { zone: 'America/Toronto', hubs: [4], free: 2, from: '2019-10-21', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const [to] = lab.freePorts(lab.start);
      for (const [day, time] of [
        [11, '10:20'],
        [11, '15:02'],
        [12, '11:45'],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: 6 * SECOND }));
      lab.lose(phone, lab.at(12, '13:00'), { forMs: 5 * MINUTE, ...(to && { to }) });
      for (const [day, time] of [
        [13, '09:50'],
        [14, '16:31'],
        [16, '10:12'],
        [17, '14:40'],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: 7 * SECOND }));
      background(lab);
      return {
        at: lab.at(17, '17:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /phone|socket|repair/i },
      };
    },
  },
  {
    name: 'a Pixel XL restarts in a loop and is reached now and then',
    source: 'Genymobile/scrcpy#2950',
    seen: 'After months at the same port the phone shows its logo, restarts, and can be used for some seconds now and then.',
    cause: 'the phone',
    did: 'left it alone for a day',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2022-01-03',
      days: 16,
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (let at = lab.at(12, '03:05'); at < lab.at(12, '05:00'); at += lab.random.between(4, 7) * MINUTE)
        losses.push(lab.reboot(phone, at, { forMs: 75 * SECOND }));
      background(lab);
      return {
        at: lab.at(12, '05:05'),
        losses,
        blame: ['phone', 'port'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /restart|boot|(another|other) (USB )?port/i,
        },
      };
    },
  },
  {
    name: 'each install from a developer’s machine kills the adb server',
    source: 'openstf/stf#631',
    seen: 'Whenever somebody runs adb install, the phones are disconnected: the daemon is started anew.',
    cause: 'an adb of another version',
    did: 'was told to use the same version',
    lab: { zone: 'Europe/Amsterdam', hubs: [7], from: '2017-06-05', days: 18 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const phone of lab.phones) phone.isPinned = true;
      for (const [index, time] of ['10:02', '10:40', '11:15', '13:30', '14:05', '15:50'].entries()) {
        const at = lab.at(16, time);
        lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
        lab.host(at + 2500, { kind: 'adbBack' });
        lab.host(at + 2700, { kind: 'adbReplaced', version: index % 2 === 0 ? 39 : 36 });
        losses.push(...lab.phones.map((phone) => lab.lose(phone, at + 3000, { forMs: 2200 })));
      }
      background(lab);
      return {
        at: lab.at(16, '16:00'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /adb/i },
      };
    },
  },
  {
    name: 'phones vanish from adb until it is restarted, each day',
    source: 'openstf/stf#417',
    seen: 'After some time phones disappear from the list; sometimes a restart of adb brings them back.',
    cause: 'adb, perhaps with the hubs',
    did: 'restarted adb every day',
    lab: { zone: 'Europe/Madrid', hubs: [7], usb: true, from: '2016-08-22', days: 20 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [day, time, which] of [
        [11, '13:20', [1, 4]],
        [14, '10:45', [2]],
        [15, '15:10', [0, 4, 5]],
        [16, '11:30', [3]],
      ] as const) {
        const fixed = lab.at(day, '17:00');
        for (const index of which) {
          const at = lab.at(day, time) + lab.random.between(0, 30) * MINUTE;
          losses.push(lab.lose(lab.pinned(index), at, { forMs: fixed + 4 * SECOND - at, onUsb: {} }));
        }
        adbRestarts(lab, fixed, 41, 2 * SECOND);
      }
      background(lab);
      return {
        at: lab.at(16, '16:00'),
        losses,
        blame: ['adb'],
        told: { about: ['host', 'phone', 'port', 'hub'], says: /adb/i },
      };
    },
  },
  {
    name: 'a phone fails every task until it is restarted by hand',
    source: 'luci/luci-py#287',
    seen: 'A bot of skia fails its tasks for days: its phone does not restart when it is told to.',
    cause: 'the phone hangs',
    did: 'restarted the phone by hand',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2016-11-28',
      days: 16,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.facts(phone, lab.at(12, '04:40'), { isSilent: true });
      background(lab);
      return {
        at: lab.at(14, '10:00'),
        told: { about: ['phone'], says: /restart|plug|power button/i },
      };
    },
  },
  {
    name: 'after three or four tests a phone is gone until it is plugged in',
    source: 'openstf/stf#1069',
    seen: 'Phones at a hub with seven ports; after three or four tests one disconnects and has to be connected by hand.',
    cause: 'most likely the hub',
    did: 'plugged the phone in anew each time',
    lab: { zone: 'Europe/Berlin', hubs: [7], free: 2, direct: 3, from: '2019-07-15', days: 20 },
    tell(lab) {
      const phones = lab.phonesOf(0);
      for (const phone of phones) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      for (const day of [11, 14, 15, 16, 17, 18])
        for (let at = lab.at(day, '09:40'); at < lab.at(day, '17:00'); at += 2.2 * HOUR) {
          const lost = at + lab.random.between(0, 50) * MINUTE;
          const phone = lab.random.pick(phones);
          losses.push(lab.lose(phone, lost, { forMs: lab.random.between(2, 12) * MINUTE }));
        }
      background(lab);
      return {
        at: lab.at(18, '18:00'),
        losses,
        blame: ['hub', 'port', 'phone', 'unknown'],
        told: { about: ['hub', 'port'], says: /hub|cable|power/i },
      };
    },
  },
  {
    name: 'a phone that shares its network is lost every couple of minutes, but not while it lies still',
    source: 'Genymobile/gnirehtet#435',
    seen: 'The tunnel ends every couple of minutes; when the phone lies still for twenty minutes, it holds.',
    cause: 'the cable: it loses contact when it moves',
    did: 'held the phone still, and bought another cable',
    lab: {
      hubs: [],
      direct: 1,
      known: { slots: false },
      zone: 'Asia/Singapore',
      from: '2022-04-04',
      days: 17,
      models: ['ASUS_I005'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, times] of [
        [13, '21:10', 4],
        [14, '20:30', 6],
        [15, '21:05', 5],
      ] as const)
        for (let at = lab.at(day, time), left = times; left > 0; left -= 1) {
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(2, 9) * SECOND }));
          at += lab.random.between(2, 6) * MINUTE;
        }
      background(lab);
      return {
        at: lab.at(15, '22:00'),
        losses,
        blame: ['port'],
        told: { about: ['port', 'phone'], says: /cable/i },
      };
    },
  },
  {
    name: 'a phone leaves USB when it sends a long video, with any cable and at any port',
    source: 'Genymobile/gnirehtet#352',
    seen: 'While it sends a video of fifty seconds adb ends, and the phone asks anew what to use USB for; another port and another cable change nothing.',
    cause: 'the phone sets its USB up anew',
    did: 'tried another port and cable',
    lab: {
      hubs: [4],
      free: 3,
      known: { slots: false },
      zone: 'Europe/Berlin',
      from: '2020-12-14',
      days: 23,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const [to] = lab.freePorts(lab.start);
      for (const [day, time] of [
        [16, '20:12'],
        [17, '21:31'],
        [19, '19:45'],
        [20, '22:04'],
        [21, '13:20'],
        [21, '21:02'],
      ] as const) {
        if (day === 20 && to) lab.lose(phone, lab.at(20, '21:50'), { forMs: 90 * SECOND, to });
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: lab.random.between(2, 5) * SECOND }));
      }
      background(lab);
      return {
        at: lab.at(21, '22:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /phone/i },
      };
    },
  },
  {
    name: 'two phones in turn are lost at the one computer, and hold at another',
    source: 'dorssel/usbipd-win#232',
    seen: 'Attached to the virtual machine the phone is there once, then gone, and rarely comes back; a second phone does the same. At another computer both hold.',
    cause: 'the USB of that computer',
    did: 'used another computer',
    lab: {
      hubs: [],
      direct: 2,
      known: { slots: false },
      zone: 'Asia/Jakarta',
      from: '2022-01-17',
      days: 19,
      models: ['GM1900', 'Pixel'],
    },
    tell(lab) {
      const [first, second] = [lab.pinned(0), lab.pinned(1)];
      const port = first.seats[0]?.port;
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [9, '10:02', 0.1],
        [9, '10:31', 14],
        [9, '15:20', 0.2],
        [10, '11:45', 25],
        [11, '09:30', 0.1],
      ] as const)
        losses.push(lab.lose(first, lab.at(day, time), { forMs: minutes * MINUTE }));
      lab.lose(first, lab.at(12, '09:00'));
      if (port) lab.lose(second, lab.at(12, '09:02'), { forMs: MINUTE, to: port });
      for (const [day, time, minutes] of [
        [12, '09:40', 0.1],
        [12, '14:10', 20],
        [16, '10:25', 0.2],
        [17, '16:02', 0.1],
      ] as const)
        losses.push(lab.lose(second, lab.at(day, time), { forMs: minutes * MINUTE }));
      background(lab);
      return {
        at: lab.at(17, '17:00'),
        losses,
        blame: ['port', 'host'],
        told: { about: ['port', 'host'], says: /port|(another|other|second) (computer|host|PC)/i },
      };
    },
  },
  {
    name: 'since an update of the rules for USB adb finds the phone no more',
    source: 'M0Rf30/android-udev-rules#154',
    seen: 'adb says that there are no devices, since the update of the rules; without these lines it finds the phone.',
    cause: 'the updated udev rules',
    did: 'took the lines out, and reported it',
    lab: {
      hubs: [4],
      free: 3,
      usb: true,
      zone: 'Europe/Vienna',
      from: '2018-10-15',
      days: 17,
      models: ['One X'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '09:10');
      lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
      lab.host(at + 4 * SECOND, { kind: 'adbBack' });
      lab.host(at + 4.1 * SECOND, { kind: 'adbReplaced', version: 39 });
      const loss = lab.lose(phone, at + 4.2 * SECOND, { onUsb: {} });
      background(lab);
      return {
        at: at + 40 * MINUTE,
        losses: [loss],
        blame: ['adb', 'host', 'unknown'],
        told: { about: ['port', 'phone', 'host'], says: /udev|doctor/i },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'the kernel cannot read a phone, at any port, since it was built with OTG',
    source: 'https://forum.kaosx.us/d/793-android-device-on-usb-port-says-unable-to-enumerate-usb-dev',
    seen: 'The kernel finds something at the port and gives it up: unable to enumerate USB device.',
    cause: 'an option of the kernel (CONFIG_USB_OTG)',
    did: 'had the kernel built without it',
    cannotShow: 'nothing that is recorded tells an option of the kernel from a bad cable',
    lab: {
      hubs: [4],
      free: 3,
      usb: true,
      zone: 'Asia/Tehran',
      from: '2015-03-02',
      days: 16,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(14, '10:00');
      const loss = lab.lose(phone, at);
      lab.kernel(at + 8 * HOUR, lab.where(phone, at), 'descriptor');
      lab.kernel(at + 8 * HOUR + 20 * SECOND, lab.where(phone, at), 'enumerate');
      background(lab);
      return {
        at: at + 9 * HOUR,
        losses: [loss],
        blame: ['person', 'port', 'phone', 'unknown'],
        alsoAbout: ['port'],
      };
    },
  },

  {
    name: 'with any cable but one the computer does not see the phone',
    source: 'Genymobile/scrcpy#4498',
    seen: 'With one cable all works; with another one adb finds no device.',
    cause: 'a cable that only charges',
    did: 'was told to take a cable that is not for charging only',
    lab: {
      hubs: [],
      direct: 2,
      known: { slots: false },
      zone: 'America/Sao_Paulo',
      from: '2023-11-20',
      days: 16,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(14, '10:10');
      const loss = lab.lose(phone, at);
      background(lab);
      return {
        at: at + 25 * MINUTE,
        losses: [loss],
        blame: ['person', 'port', 'unknown'],
        told: { about: ['phone', 'port'], says: /cable/i },
      };
    },
  },
  {
    name: 'a phone at the back of the computer comes and goes, with the sound of USB',
    source: 'Genymobile/scrcpy#521',
    seen: 'After a random time the mirror closes; at times the computer plays the sounds of USB, several in a row. Over Wi-Fi it holds.',
    cause: 'the USB connection: cable or port',
    did: 'went over to Wi-Fi',
    lab: {
      hubs: [],
      direct: 1,
      known: { slots: false },
      zone: 'Europe/Istanbul',
      from: '2019-04-15',
      days: 21,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, times] of [
        [14, '19:20', 3],
        [15, '13:40', 1],
        [16, '20:05', 4],
        [18, '21:30', 1],
        [19, '18:10', 3],
        [19, '22:15', 2],
      ] as const)
        for (let at = lab.at(day, time), left = times; left > 0; left -= 1) {
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(2, 6) * SECOND }));
          at += lab.random.between(12, 50) * SECOND;
        }
      background(lab);
      return {
        at: lab.at(19, '23:00'),
        losses,
        blame: ['port', 'unknown'],
        told: { about: ['port', 'phone'], says: /cable/i },
      };
    },
  },
];
