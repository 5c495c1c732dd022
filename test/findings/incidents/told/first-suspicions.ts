/** Incidents whose first suspicion was wrong: a cable, an app, an update was blamed, and the cause was found to be another. */
import { adbRestarts, background, hostRestarts } from '../background.ts';
import { HOUR, type Lab, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Some moments of each of these days, between two hours. */
const momentsOf = (
  lab: Lab,
  days: readonly number[],
  { from, to, aDay }: { from: number; to: number; aDay: number },
): number[] =>
  days.flatMap((day) =>
    Array.from(
      { length: aDay },
      (_, index) =>
        lab.at(day) + (from + ((to - from) * (index + lab.random.between(0.1, 0.9))) / aDay) * HOUR,
    ),
  );

export const incidents: Incident[] = [
  {
    name: 'adb does not list a Samsung, while the phone of a friend works there at once',
    source: 'Genymobile/scrcpy#5840',
    seen: 'All steps were followed, and no adb device is found; a Xiaomi at the same computer works perfectly. A newer program does not help.',
    cause: 'Auto Blocker of the Samsung; the program was suspected',
    did: 'switched Auto Blocker off in the security settings',
    lab: {
      zone: 'Europe/Madrid',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      models: ['Galaxy S23', 'Xiaomi 11T'],
      from: '2025-01-27',
      days: 20,
    },
    tell(lab) {
      const [samsung] = [lab.pinned(0), lab.pinned(1)];
      const at = lab.at(15, '10:20');
      const loss = lab.lose(samsung, at, { onUsb: { interfaces: [{ kind: '06/01/01', endpoints: 3 }] } });
      background(lab);
      return {
        at: lab.at(17, '12:00'),
        losses: [loss],
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [samsung.udid], says: /Auto Blocker|USB debugging/i },
      };
    },
  },
  {
    name: 'of two equal tablets the newer one is lost while it is written to',
    source: 'ubports/ubports-installer#627',
    seen: 'Two Nexus 7 of 2013. One takes the installation; the other fails each time. The Android it was sold with was suspected.',
    cause: 'it is disconnected meanwhile: the cable sits loosely, its USB port is to be mended',
    did: 'went to fix the USB port',
    lab: {
      zone: 'America/Vancouver',
      hubs: [4],
      free: 2,
      models: ['Nexus 7'],
      from: '2019-01-07',
      days: 21,
    },
    tell(lab) {
      const [, tablet] = [lab.pinned(0), lab.pinned(1)];
      const losses = momentsOf(lab, [14, 15, 16, 17], { from: 10, to: 18, aDay: 4 }).map((at) =>
        lab.lose(tablet, at, { forMs: lab.random.between(3, 90) * SECOND }),
      );
      background(lab);
      return {
        at: lab.at(17, '19:00'),
        losses,
        blame: ['port', 'link', 'phone'],
        told: { about: ['phone', 'port'], says: /cable|socket|port\b/i },
      };
    },
  },
  {
    name: 'since its update a phone gets no address on the Wi-Fi',
    source: 'GrapheneOS/os-issue-tracker#2090, #1748',
    seen: 'The day after an update the phone has no IPv4 address; with a fixed one it connects and disconnects all the time. All other devices work. The update was suspected.',
    cause: 'the table of the router is full of the random addresses that the phone had before',
    did: 'was told to clear the DHCP table of the router, or to have the phone keep one MAC address for the network',
    cannotShow: 'no record holds addresses, or what the router answers',
    lab: { zone: 'Europe/Berlin', hubs: [4], models: ['Pixel 6a', 'Pixel'], from: '2023-03-20', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.phone(phone, lab.at(16, '20:10'), { kind: 'os', release: '13', before: '13' });
      lab.facts(phone, lab.at(16, '20:30'), { network: 'UNREACHABLE' });
      background(lab);
      return {
        at: lab.at(17, '12:00'),
        told: { about: ['phone', 'network'], says: /router|DHCP|MAC|address/i },
      };
    },
  },
  {
    name: 'some phones believe now and then that there is no internet',
    source: 'DigitaleGesellschaft/DNS-Resolver#20',
    seen: 'For some days several phones of one router say at times that they have no connection. Private DNS of the phones was suspected, which is not set; then the router, where nothing was changed.',
    cause: 'the DNS service says of the name by which Android checks its connection that it does not exist',
    did: 'took another DNS service in the router',
    lab: { zone: 'Europe/Zurich', hubs: [7], from: '2021-03-29', days: 22 },
    tell(lab) {
      const phones = [0, 2, 3, 5].map((index) => lab.pinned(index));
      for (const at of momentsOf(lab, [17, 18, 19], { from: 8, to: 20, aDay: 3 })) {
        for (const phone of phones) {
          const from = at + lab.random.between(0, 6) * MINUTE;
          lab.facts(phone, from, { network: 'UNREACHABLE' });
          lab.facts(phone, from + lab.random.between(20, 50) * MINUTE, { network: 'REACHABLE' });
        }
      }
      for (const phone of phones) lab.facts(phone, lab.at(20, '09:40'), { network: 'UNREACHABLE' });
      background(lab);
      return {
        at: lab.at(20, '11:00'),
        told: { about: ['network'], says: /DNS|router/i },
      };
    },
  },
  {
    name: 'a program for the screen is said to throw the phones out, since another program brought its adb',
    source: 'koush/vysor.io#299',
    seen: 'After Android Studio was installed, each phone is found and lost again some seconds later, when the adb of the SDK takes the place of the other. The viewer was suspected.',
    cause: 'two programs, each with an adb of its own version',
    did: 'found the two adb; others removed one of the programs',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2018-05-07',
      days: 20,
    },
    tell(lab) {
      const phones = [lab.pinned(0), lab.pinned(1)];
      const losses: ToldLoss[] = [];
      for (const [index, at] of momentsOf(lab, [15, 16, 17], { from: 9, to: 18, aDay: 5 }).entries()) {
        adbRestarts(lab, at, index % 2 === 0 ? 39 : 40);
        losses.push(
          ...lab.loseAll(phones, at + 3300, { spreadMs: 200, forMs: 3 * SECOND, backSpreadMs: SECOND }),
        );
      }
      background(lab);
      return {
        at: lab.at(17, '19:00'),
        losses,
        blame: ['adb'],
        told: { about: ['host'], says: /adb/i },
      };
    },
  },
  {
    name: 'a hub flickers after a command to its ports, and its plug was out of the socket',
    source: 'hevz/hubpower#2',
    seen: 'After a command that switches a port off, all ports of that hub go on and off once a second; the ports of the board are fine. The program was suspected.',
    cause: 'the supply of the hub was not plugged in',
    did: 'plugged it in',
    lab: { zone: 'America/New_York', hubs: [4], direct: 2, from: '2015-08-10', days: 20 },
    tell(lab) {
      const phones = lab.phonesOf(0);
      for (const phone of phones) phone.isPinned = true;
      const losses = lab.loseAll(phones, lab.at(17, '14:05'), { spreadMs: 900 });
      background(lab);
      return {
        at: lab.at(17, '14:30'),
        losses,
        blame: ['hub', 'person'],
        told: { about: ['hub'], says: /power|supply|plug/i },
      };
    },
  },
  {
    name: 'since a firmware of the board a device there is reset now and then',
    source: 'raspberrypi/firmware#816',
    seen: 'Since an update of the board the kernel resets a device sporadically, and what uses it stalls. The kernel was suspected.',
    cause: 'a firmware that came with the kernel changed the settings of the USB port',
    did: 'went back to the version before',
    cannotShow: 'no record holds which kernel or firmware the host runs',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2017-05-08',
      days: 20,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      hostRestarts(lab, lab.at(11, '19:30'));
      const losses: ToldLoss[] = [];
      for (const at of momentsOf(lab, [12, 13, 14, 15, 16, 17, 18], { from: 1, to: 23, aDay: 2 })) {
        lab.kernel(at - 200, lab.where(phone, at), 'reset');
        losses.push(lab.lose(phone, at, { forMs: lab.random.between(2, 4) * SECOND }));
      }
      background(lab);
      return {
        at: lab.at(18, '23:30'),
        losses,
        blame: ['host', 'unknown'],
        told: { about: ['host'], says: /kernel|firmware|update/i },
      };
    },
  },
  {
    name: 'a phone restarts while games run, more often on its battery',
    source: 'fakemanoan/LineageOS-Releases#25',
    seen: 'The screen goes blank and the phone starts anew, at no certain time, mostly under load, more often without the charger. The system was suspected.',
    cause: 'an old, exhausted battery, as far as was found',
    did: 'went to check the battery',
    lab: { zone: 'Asia/Karachi', hubs: [4], models: ['Galaxy S6', 'Pixel'], from: '2023-03-06', days: 30 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = momentsOf(lab, [11, 14, 17, 19, 22, 24, 26, 28], { from: 11, to: 22, aDay: 1 }).map(
        (at) => lab.reboot(phone, at, { forMs: 55 * SECOND }),
      );
      for (const at of momentsOf(lab, [16, 21, 25], { from: 9, to: 10, aDay: 1 })) {
        const forMs = lab.random.between(20, 60) * MINUTE;
        lab.lose(phone, at, { forMs });
        lab.rebooted(phone, at + forMs + 20 * SECOND, { uptimeSeconds: 400 });
      }
      background(lab);
      return {
        at: lab.at(29, '09:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /battery/i },
      };
    },
  },
  {
    name: 'a phone runs down at the computer on some days, with three cables',
    source: 'M1cha/android_device_xiaomi_aries#15',
    seen: 'At 23 % it was plugged into the computer, and later it had 14 %. It does not always happen. Three cables: one works nearly always, one half of the time, one seldom; at a wall charger it is the same. After a restart it charges.',
    cause: 'its system does not always see that it is to charge',
    did: 'restarted it',
    lab: {
      zone: 'Europe/Moscow',
      hubs: [],
      direct: 2,
      models: ['Mi 2S', 'Pixel'],
      from: '2013-11-11',
      days: 22,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const bad = [12, 14, 15, 17, 18];
      for (const day of bad.slice(0, -1)) lab.reboot(phone, lab.at(day, '18:05'), { reason: 'reboot' });
      const spans = bad.map((day) => ({ from: lab.at(day, '09:00'), to: lab.at(day, '18:00') }));
      phone.reading = (at) => {
        const span = spans.find(({ from, to }) => at >= from && at < to);
        const since = spans.findLast(({ to }) => at >= to)?.to ?? lab.start;
        const levelPercent = Math.round(
          span ? 60 - ((at - span.from) / HOUR) * 5.2 : Math.min(100, 20 + ((at - since) / HOUR) * 25),
        );
        return { levelPercent, isFull: levelPercent === 100, temperatureDecicelsius: 285 };
      };
      background(lab);
      return {
        at: lab.at(18, '17:50'),
        told: { about: ['phone', 'port'], says: /cable|restart|reboot/i },
      };
    },
  },
  {
    name: 'a phone has Wi-Fi without internet at times, by a DNS of its own and by the access point',
    source: 'AdguardTeam/AdGuardDNS#520',
    seen: 'Again and again the phone says “connected without Internet”. Its private DNS was suspected, then the band of 5 GHz, then WPA3 of the access point, and in the end its private DNS again.',
    cause: 'its private DNS; perhaps also WPA3 at the access point',
    did: 'switched WPA3 off, then looked at the private DNS',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4],
      models: ['Galaxy', 'Pixel'],
      from: '2023-01-16',
      days: 22,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const at of momentsOf(lab, [14, 15, 16, 17, 18], { from: 8, to: 21, aDay: 2 })) {
        lab.facts(phone, at, { network: 'UNREACHABLE' });
        lab.facts(phone, at + lab.random.between(30, 120) * MINUTE, { network: 'REACHABLE' });
      }
      lab.facts(phone, lab.at(19, '08:40'), { network: 'UNREACHABLE' });
      background(lab);
      return {
        at: lab.at(19, '11:30'),
        told: { about: ['phone'], keys: [phone.udid], says: /DNS|WPA|access point|Wi-Fi/i },
      };
    },
  },
  {
    name: 'a phone leaves a Wi-Fi that has no internet when its mobile data comes back',
    source: 'andreknieriem/open-headunit#205',
    seen: 'On a Wi-Fi without internet the connection dies whenever mobile data is there again. A bug of the program was suspected, and a change for it written.',
    cause: 'the setting “Switch between networks” of the phone',
    did: 'switched that setting off',
    lab: {
      zone: 'America/Bogota',
      hubs: [4],
      network: 2,
      models: ['Xiaomi', 'Pixel'],
      from: '2026-02-23',
      days: 22,
    },
    tell(lab) {
      const [phone, other] = lab.phones.filter(({ connection }) => connection === 'tcp');
      if (!phone || !other) throw new RangeError('no phone');
      for (const each of [phone, other]) each.isPinned = true;
      const losses = momentsOf(lab, [14, 15, 16, 17, 18], { from: 8, to: 19, aDay: 3 }).map((at) =>
        lab.lose(phone, at, { forMs: lab.random.between(1, 25) * MINUTE }),
      );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '20:00'),
        losses,
        blame: ['link', 'phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /Wi-Fi|mobile data/i },
      };
    },
  },
  {
    name: 'after an update a phone has no Wi-Fi until the network was forgotten',
    source: 'GrapheneOS/os-issue-tracker#3507',
    seen: 'It worked for a year. Since the last update it has no Wi-Fi, with and without VPN; mobile data work. The update was suspected.',
    cause: 'what the phone had stored of the network',
    did: 'forgot the network, and reset the network of the phone in its settings',
    lab: {
      zone: 'Australia/Melbourne',
      hubs: [4],
      models: ['Pixel 4a', 'Pixel'],
      from: '2024-04-22',
      days: 20,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.reboot(phone, lab.at(16, '07:20'), { forMs: 70 * SECOND, reason: 'reboot,ota' });
      lab.facts(phone, lab.at(16, '07:25'), { network: 'UNREACHABLE' });
      background(lab);
      return {
        at: lab.at(17, '10:30'),
        told: { about: ['phone'], keys: [phone.udid], says: /forget|reset|Wi-Fi/i },
      };
    },
  },
  {
    name: 'a phone on the network refuses adb, though its address is the same',
    source: 'dengzii/WiFiADB#12',
    seen: 'Connection refused. Another address was suspected: it is the same.',
    cause: 'the phone has closed port 5555, as it does when it restarts',
    did: 'connected it anew by USB, with another program',
    lab: { zone: 'Asia/Tehran', hubs: [4], network: 2, from: '2020-07-06', days: 20 },
    tell(lab) {
      const [phone, other] = lab.phones.filter(({ connection }) => connection === 'tcp');
      if (!phone || !other) throw new RangeError('no phone');
      for (const each of [phone, other]) each.isPinned = true;
      const loss = lab.lose(phone, lab.at(13, '22:40'));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(14, '11:30'),
        losses: [loss],
        blame: ['phone', 'link', 'unknown'],
        told: { about: ['phone'], keys: [phone.udid], says: /5555|tcpip|USB|connect/i },
      };
    },
  },
  {
    name: 'at the ports of a board a device breaks off, with each cable and supply; behind a hub it does not',
    source: 'raspberrypi/linux#4597',
    seen: 'The connection breaks off at random. Neither a shorter cable nor another supply of 3 A helps; with an external hub in between it works.',
    cause: 'not found: the ports of the board',
    did: 'put a hub in between',
    lab: { zone: 'Europe/Berlin', hubs: [4], direct: 1, from: '2021-09-13', days: 22 },
    tell(lab) {
      const phone = lab.phones.find((each) => lab.portOf(each, lab.start)?.chain === '9');
      if (!phone) throw new RangeError('no phone');
      phone.isPinned = true;
      const losses = momentsOf(lab, [14, 15, 16, 17, 18], { from: 9, to: 18, aDay: 3 }).map((at) =>
        lab.lose(phone, at, { forMs: lab.random.between(3, 60) * SECOND }),
      );
      background(lab);
      return {
        at: lab.at(18, '19:00'),
        losses,
        blame: ['port', 'link', 'host', 'unknown'],
        told: { about: ['port', 'host'], says: /hub|another port/i },
      };
    },
  },
];
