/** Incidents of power and batteries, of hubs and controllers. */
import { adbRestarts, background, hostRestarts, inUse } from '../background.ts';
import { HOUR, type Lab, type LabOptions, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';
import { draining } from './device-labs.ts';

const single: LabOptions = { zone: 'America/Los_Angeles', hubs: [], direct: 1, known: { slots: false } };

/** On its charger day and night, at 100 %. */
function keptFull(lab: Lab, indexes: readonly number[]): void {
  for (const index of indexes) {
    const phone = lab.phones[index];
    if (phone === undefined) continue;
    const reading = inUse(lab);
    phone.reading = (at) => ({ ...reading(at), levelPercent: 100, isFull: true });
  }
}

/** The host and its hubs lose their power, without a word; the agent is back with the host. */
function powerCut(lab: Lab, cut: number, back: number): void {
  const startedAt = back + 65 * SECOND;
  lab.host(startedAt, {
    kind: 'agentStarted',
    version: '1.0.0',
    hostBootedAt: back,
    lastAliveAt: cut - 20 * SECOND,
  });
  for (const phone of lab.phones) phone.busy.push({ from: cut - HOUR, to: startedAt + HOUR });
}

export const incidents: Incident[] = [
  {
    name: 'nine of twelve phones are missing for days after a power outage',
    source: 'flutter/flutter#192742',
    seen: 'There was a power outage on Saturday; on Monday most phones have no connection.',
    cause: 'the power outage: the phones do not connect by themselves afterwards',
    did: 're-seated all phones on Monday',
    lab: { zone: 'America/Los_Angeles', from: '2026-08-24', days: 23, hubs: [4, 4, 4] },
    tell(lab) {
      const [cut, back] = [lab.at(19, '10:00'), lab.at(19, '13:10')];
      powerCut(lab, cut, back);
      const losses = lab.phones
        .filter((_, index) => index % 4 !== 3)
        .map((phone) => lab.lose(phone, back + 66 * SECOND));
      background(lab);
      return {
        at: lab.at(21, '09:30'),
        losses,
        blame: ['room', 'host', 'unknown'],
        told: { about: ['room', 'host', 'port', 'phone'], says: /power(?! button)|plug|seat/i },
      };
    },
  },
  {
    name: 'a phone is not back on Monday after a power outage on Sunday',
    source: 'flutter/flutter#189375',
    seen: 'All hosts have lost their phones since the outage of Sunday.',
    cause: 'the power outage',
    did: 're-seated the USB cables of all phones',
    lab: { ...single, from: '2026-06-22', days: 23 },
    tell(lab) {
      const [cut, back] = [lab.at(20, '15:00'), lab.at(20, '18:20')];
      powerCut(lab, cut, back);
      const loss = lab.lose(lab.pinned(0), back + 66 * SECOND);
      background(lab);
      return {
        at: lab.at(21, '09:30'),
        losses: [loss],
        blame: ['room', 'host', 'unknown'],
        told: { about: ['room', 'host'], says: /power/i },
      };
    },
  },
  {
    name: 'the hosts do not come back by themselves from a test of the power supply',
    source: 'flutter/flutter#192696',
    seen: 'After a planned power cut the hosts are offline, some for 15 hours.',
    cause: 'the power was off, and the hosts did not start by themselves',
    did: 'started them by hand',
    lab: { zone: 'America/Los_Angeles', from: '2026-08-31', days: 14, hubs: [4] },
    tell(lab) {
      powerCut(lab, lab.at(12, '02:00'), lab.at(12, '17:10'));
      background(lab);
      return { at: lab.at(12, '17:30'), told: { about: ['room', 'host'], says: /power/i } };
    },
  },
  {
    name: 'batteries expand and push the displays off',
    source: 'flutter/flutter#192707',
    seen: 'Three phones were found with expanded batteries.',
    cause: 'phones that are kept full on their chargers',
    did: 'took them out of service, and replaced them',
    lab: { ...single, from: '2026-07-04', days: 70, models: ['Pixel 7 Pro'] },
    tell(lab) {
      keptFull(lab, [0]);
      background(lab, { taken: 0, restarts: 0 });
      return { at: lab.at(69, '12:00'), told: { about: ['phone'], says: /batter|charg|full/i } };
    },
  },
  {
    name: 'phones that are plugged in for long all have swollen batteries',
    source: 'AirtestProject/Airtest#654',
    seen: 'The phones are connected to the computer for regression tests all the time; after a while all batteries bulge.',
    cause: 'the phones are kept full',
    did: 'asked how to avoid it',
    lab: { zone: 'Asia/Shanghai', from: '2019-10-16', days: 70, hubs: [7], free: 1 },
    tell(lab) {
      keptFull(lab, [0, 1, 2, 3, 4, 5]);
      background(lab, { taken: 0.2, restarts: 0.5 });
      return {
        at: lab.at(69, '12:00'),
        told: { about: ['phone', 'room', 'host'], says: /batter|charg|full/i },
      };
    },
  },
  {
    name: 'one more Samsung with a swollen battery at 100 %',
    source: 'zebrunner/mcloud-device#150',
    seen: 'A phone of the farm swells; it reads 100 %, full, 30.9 °C, healthy.',
    cause: 'it is kept full',
    did: 'looked for a way to see it',
    lab: { zone: 'Europe/Minsk', from: '2023-08-10', hubs: [7], models: ['Galaxy S9', 'Pixel 5'] },
    tell(lab) {
      const resting = inUse(lab);
      lab.pinned(2).reading = (at) => ({
        levelPercent: 100,
        isFull: true,
        temperatureDecicelsius: 309 + Math.round(((resting(at)?.temperatureDecicelsius ?? 290) - 290) / 4),
      });
      background(lab);
      const keys = [lab.pinned(2).udid];
      return { at: lab.at(29, '12:00'), told: { about: ['phone'], keys, says: /batter|charg|full/i } };
    },
  },
  {
    name: 'the battery of linux-30 is too warm',
    source: 'flutter/flutter#147755',
    seen: 'The health check of the host complains of the temperature of the battery.',
    cause: 'something on the phone keeps it hot',
    did: 'power-cycled the phone',
    lab: { ...single, from: '2024-04-15', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const resting = inUse(lab);
      phone.reading = (at) =>
        at < lab.at(17, '08:00')
          ? resting(at)
          : { levelPercent: 100, isFull: true, temperatureDecicelsius: 462 + Math.round((at / MINUTE) % 9) };
      background(lab);
      return { at: lab.at(17, '16:52'), told: { about: ['phone'], says: /cool|hot|°C/i } };
    },
  },
  {
    name: 'linux-12 is lost until somebody restarts the phone two days later',
    source: 'flutter/flutter#150451',
    seen: 'The host lost its phone on June 18.',
    cause: 'the phone hung: a restart of it brought it back',
    did: 'restarted the phone on June 20',
    lab: { ...single, from: '2024-06-03', days: 19 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(15, '05:10');
      const loss = lab.reboot(phone, at, { forMs: lab.at(17, '10:20') - at, reason: 'reboot' });
      background(lab);
      return { at: lab.at(17, '11:00'), losses: [loss], blame: ['phone', 'unknown'] };
    },
  },
  {
    name: 'win-5 is lost over the weekend and re-seated on Wednesday',
    source: 'flutter/flutter#184979',
    seen: 'On Monday the phone is gone.',
    cause: 'its connection: seated anew, it was back without a restart',
    did: 're-seated its USB cable',
    lab: { ...single, from: '2026-03-30', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const loss = lab.lose(phone, lab.at(13, '23:30'));
      background(lab);
      return {
        at: lab.at(14, '09:00'),
        losses: [loss],
        blame: ['port', 'phone', 'unknown'],
        told: { about: ['phone', 'port'], says: /plug|cable|seat/i },
      };
    },
  },
  {
    name: 'a phone hangs at its boot screen for hours',
    source: 'flutter/flutter#101935',
    seen: 'adb lists the phone, and it does not get past its boot screen.',
    cause: 'it hangs while it boots',
    did: 'held the power button',
    lab: { ...single, from: '2022-04-04', days: 14, models: ['Moto G4'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(10, '02:00');
      lab.lose(phone, at, { forMs: 50 * SECOND });
      lab.facts(phone, at + 60 * SECOND, { bootCompleted: false, uptimeSeconds: 12_000 });
      background(lab);
      return { at: lab.at(10, '09:30'), told: { about: ['phone'], says: /power button|hold/i } };
    },
  },
  {
    name: 'a phone has not answered for days, and adb calls it device',
    source: 'flutter/flutter#134555',
    seen: 'The phone is listed, and no command comes back.',
    cause: 'the phone hangs',
    did: 'restarted the phone',
    lab: { ...single, from: '2023-08-28', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.facts(phone, lab.at(14, '04:00'), { isSilent: true });
      background(lab);
      return { at: lab.at(16, '09:00'), told: { about: ['phone'], says: /restart|reboot|power/i } };
    },
  },
  {
    name: 'adb loses both phones of a Mac mini every day, and a restart of adb finds them',
    source: 'shazam/fork#96',
    seen: 'Every day adb has no devices; with a restart of the server both are there.',
    cause: 'the adb server loses them',
    did: 'restarts adb when it has no devices',
    lab: { zone: 'Europe/London', from: '2016-08-29', days: 12, hubs: [4], free: 2, usb: true },
    tell(lab) {
      const phones = lab.phones;
      for (const phone of phones) phone.isPinned = true;
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [6, '04:12'],
        [7, '19:40'],
        [8, '11:31'],
        [9, '22:05'],
        [10, '07:50'],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(
          ...lab.loseAll(phones, at, { spreadMs: 300, forMs: 35 * MINUTE, backSpreadMs: 400, onUsb: {} }),
        );
        adbRestarts(lab, at + 35 * MINUTE - 4 * SECOND, 36);
      }
      background(lab);
      return {
        at: lab.at(10, '09:00'),
        losses,
        blame: ['adb'],
        told: { about: ['host', 'phone'], says: /adb/i },
      };
    },
  },
  {
    name: 'a controller with 32 slots takes no further phones',
    source: 'openstf/stf#966',
    seen: 'Of many phones only about thirty are recognized: the controller supports 32 devices.',
    cause: 'the USB controller has 32 slots, hubs take of these',
    did: 'bought a card with more controllers',
    lab: {
      zone: 'Asia/Jerusalem',
      from: '2018-10-01',
      days: 14,
      hubs: [10, 10],
      usb: true,
      controllerId: ['1912', '0014'],
    },
    tell(lab) {
      background(lab, { taken: 0, restarts: 0, glitches: 0 });
      return {
        at: lab.at(12, '12:00'),
        told: { about: ['hub', 'host'], says: /controller/i },
        alsoAbout: ['hub'],
      };
    },
  },
  {
    name: 'phones of a rack vanish now and then, and a restart brings each back',
    source: 'https://jollydroid.com/2019/04/23/reboot-yoga',
    seen: 'Phones of a pool of fifty disappear from time to time; every morning those without tests are restarted.',
    cause: 'bugs of phone, hub, driver and adb together: only a restart of the phone restores it',
    did: 'restarted each such phone; then had a watchdog on the phone do it',
    lab: { zone: 'Asia/Bangkok', from: '2019-03-18', days: 26, hubs: [10], free: 1 },
    tell(lab) {
      const losses = (
        [
          [2, '16:40'],
          [6, '01:20'],
          [7, '21:05'],
          [10, '13:30'],
          [14, '04:20'],
          [16, '19:15'],
          [20, '06:20'],
          [22, '11:50'],
        ] as const
      ).map(([day, time], index) => {
        const phone = lab.pinned(index);
        const at = lab.at(day, time);
        const morning = time < '09' ? day : day + 1;
        const back = lab.at(morning, `09:${20 + index}`);
        lab.rebooted(phone, back + 20 * SECOND, { reason: 'reboot', uptimeSeconds: 45 });
        return lab.lose(phone, at, { forMs: back - at });
      });
      background(lab);
      return {
        at: lab.at(24, '12:00'),
        losses,
        blame: ['phone', 'hub', 'host', 'adb', 'unknown'],
        alsoAbout: ['phone', 'hub', 'host'],
      };
    },
  },
  {
    name: 'six phones of a hub stay away from time to time',
    source: 'openstf/stf#78',
    seen: 'Sometimes six phones can be plugged in without a problem, sometimes the same six do not stay.',
    cause: 'hardware: hub or power, as the maintainers say',
    did: 'was told that it is a hardware issue',
    lab: { zone: 'Europe/Paris', from: '2015-08-24', days: 20, hubs: [7], free: 1 },
    tell(lab) {
      const phones = lab.phonesOf(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [12, '10:20'],
        [15, '14:10'],
        [16, '11:45'],
        [18, '16:05'],
      ] as const) {
        const some = phones.slice(day % 3, (day % 3) + 4);
        for (const phone of phones) phone.isPinned = true;
        losses.push(...lab.loseAll(some, lab.at(day, time), { spreadMs: 1200, forMs: 100 * SECOND }));
      }
      background(lab);
      return {
        at: lab.at(18, '17:00'),
        losses,
        blame: ['hub'],
        told: { about: ['hub'], says: /hub|power/i },
      };
    },
  },
  {
    name: 'phones behind a hub go stale and need a replug',
    source: 'isonic1/appium-mobile-grid#2',
    seen: 'Real devices at the hub lose their connection; only unplugging and plugging the cable helps.',
    cause: 'the connections at the hub go stale',
    did: 'cycles the power of the hub before each run',
    lab: { zone: 'America/Los_Angeles', from: '2016-10-31', days: 24, hubs: [7], free: 1, direct: 3 },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, phone] of lab.phonesOf(0).entries()) {
        phone.isPinned = true;
        for (const day of [9, 14, 18, 21].map((each) => each + (index % 3)))
          losses.push(
            lab.lose(phone, lab.at(day, '06:00') + lab.random.between(0, 160) * MINUTE, {
              as: 'offline',
              forMs: lab.random.between(2, 4) * HOUR,
            }),
          );
      }
      background(lab, { glitches: 0 });
      return {
        at: lab.at(23, '12:00'),
        losses,
        blame: ['hub'],
        told: { about: ['hub'], says: /hub|power/i },
      };
    },
  },
  {
    name: 'an old phone on a laptop’s port discharges while it is used',
    source: 'flutter/flutter#97120',
    seen: 'Although they are connected, some phones do not charge fast enough to run tests.',
    cause: 'old batteries and ports that give little',
    did: 'quarantine phones below a level',
    lab: { ...single, from: '2022-01-10', days: 16 },
    tell(lab) {
      const phone = lab.pinned(0);
      phone.reading = draining(lab, lab.at(10, '06:00'), 1.3);
      background(lab);
      return { at: lab.at(13, '05:00'), told: { about: ['phone'], says: /batter|charg/i } };
    },
  },
  {
    name: 'the eighth phone is on USB and adb lists seven',
    source: 'sch3m4/pyadb#16',
    seen: 'Of eight phones adb lists seven on Linux, on Windows all eight. The kernel: not enough host controller resources, can’t set config #1, error -12.',
    cause: 'the xHCI controller has no resources for one more phone: it stays without a configuration',
    did: 'had the ports driven by EHCI in place of xHCI',
    lab: {
      zone: 'Europe/Kiev',
      from: '2019-05-13',
      days: 14,
      hubs: [10],
      free: 2,
      usb: true,
      controllerId: ['8086', '9d2f'],
    },
    tell(lab) {
      const phone = lab.pinned(7);
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: lab.end });
      const at = lab.at(11, '10:10');
      lab.usb(phone, lab.start, null);
      lab.usb(phone, at, { interfaces: [], connectedAt: at });
      background(lab);
      return {
        at: at + 30 * MINUTE,
        told: { about: ['port', 'phone', 'hub', 'host'], says: /controller|endpoint|configur/i },
      };
    },
  },
  {
    name: 'mac-4 finds its phone again after a restart of the machine',
    source: 'flutter/flutter#142724, #143089, #143345',
    seen: 'The host lost its phone; a day later it is there again.',
    cause: 'the host: a restart of the machine brought the phone back, nobody touched it',
    did: 'restarted the machine',
    lab: { ...single, from: '2024-01-15', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '21:10');
      const restarted = lab.at(18, '09:12');
      hostRestarts(lab, restarted);
      const loss = lab.lose(phone, at, { forMs: restarted + 82 * SECOND - at });
      background(lab);
      return {
        at: restarted + 30 * MINUTE,
        losses: [loss],
        blame: ['host', 'adb', 'unknown', 'port', 'phone'],
      };
    },
  },
  {
    name: 'a tablet with a charger at its adapter runs empty within some hours',
    source: 'feelfreelinux/octo4a#254',
    seen: 'The server on the tablet is gone: its battery had died, with the charger plugged into its OTG adapter.',
    cause: 'the tablet does not charge while it is a host',
    did: 'gave up, after hours of searching',
    lab: {
      zone: 'America/Denver',
      hubs: [],
      network: 2,
      from: '2022-07-18',
      days: 16,
      models: ['Nexus 7', 'Pixel'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const begin = lab.at(14, '11:00');
      const died = lab.at(14, '14:10');
      const reading = inUse(lab);
      tablet.reading = (at) => ({
        ...reading(at),
        ...(at > begin && {
          levelPercent: Math.max(1, Math.round(96 * ((died - at) / (died - begin)))),
          isFull: false,
        }),
      });
      const loss = lab.lose(tablet, died);
      background(lab);
      return {
        at: lab.at(14, '16:00'),
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone'], keys: [tablet.udid], says: /batter|charg/i },
      };
    },
  },
  {
    name: 'a phone panics shortly after it was connected to the computer',
    source: 'GrapheneOS/os-issue-tracker#4029',
    seen: 'A kernel panic after the phone was connected by USB, three or four times in half a year.',
    cause: 'the kernel of the phone',
    did: 'reported the log',
    lab: {
      hubs: [4],
      free: 2,
      zone: 'Europe/Prague',
      from: '2024-09-02',
      days: 20,
      models: ['Pixel 7a'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.lose(phone, lab.at(17, '18:10'), { forMs: 14.5 * HOUR });
      const loss = lab.reboot(phone, lab.at(18, '08:40:25'), { forMs: 48 * SECOND, reason: 'kernel_panic' });
      background(lab);
      return {
        at: lab.at(18, '10:00'),
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /panic|crash/i },
      };
    },
  },
  {
    name: 'a Samsung phone is a modem on USB, and adb never has it',
    source:
      'https://blog.vacs.fr/index.php?post/2010/12/24/How-to-repair-the-USB-not-detected-problem-on-Android-Samsung-phones',
    seen: 'Plugging does nothing on the phone, restarts do not help; the kernel shows it with ttyACM, and adb does not list it.',
    cause: 'a setting of the phone gives its USB to the modem',
    did: 'set USB back to the phone in its hidden menu',
    lab: {
      hubs: [4],
      free: 2,
      usb: true,
      zone: 'Europe/Paris',
      from: '2010-12-06',
      days: 18,
      models: ['GT-I5500'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(15, '09:12');
      const loss = lab.lose(phone, lab.at(14, '18:30'));
      const modem = [
        { kind: '02/02/01', endpoints: 1 },
        { kind: '0a/00/00', endpoints: 2 },
      ];
      lab.usb(phone, at, { vendorId: '04e8', productId: '681c', interfaces: modem, connectedAt: at });
      background(lab);
      return {
        at: lab.at(15, '11:00'),
        losses: [loss],
        blame: ['person', 'phone', 'unknown'],
        told: { about: ['port', 'phone'], says: /USB (mode|debugging|setting)|settings/i },
        alsoAbout: ['port'],
      };
    },
  },

  {
    name: 'a port gives a phone so little that it discharges while it is used',
    source: 'andreknieriem/open-headunit#308',
    seen: 'With the cable all works, and the phone loses charge as long as it is used there.',
    cause: 'the USB port gives little power',
    did: 'wanted to go over to a wireless adapter',
    lab: { ...single, zone: 'Europe/Amsterdam', from: '2026-03-09', days: 21 },
    tell(lab) {
      const phone = lab.pinned(0);
      const trips = [14, 15, 16, 17, 18].map((day) => lab.at(day, '08:00'));
      phone.reading = (at) => {
        const since = trips.findLast((each) => each <= at);
        const hours = since === undefined ? 24 : (at - since) / HOUR;
        const levelPercent = Math.round(hours < 9 ? 92 - hours * 9.4 : Math.min(92, 8 + (hours - 9) * 30));
        return { levelPercent: Math.max(5, levelPercent), isFull: false, temperatureDecicelsius: 318 };
      };
      background(lab);
      return {
        at: lab.at(18, '16:50'),
        told: { about: ['phone', 'port'], says: /power|charg/i },
      };
    },
  },
];
