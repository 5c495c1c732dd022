/** Incidents of hosts, boards and benches: what a controller, a hub, a container or a script did to all that hung on it. */
import { adbRestarts, background, hostRestarts } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

const CONTROLLER = '0000:00:14.0';

/** The first so many phones; they are left alone by ordinary life. */
const pinned = (lab: Lab, count: number): LabPhone[] =>
  Array.from({ length: count }, (_, index) => lab.pinned(index));

/** Somebody restarts the host; all that was lost before comes back once it has booted. */
function rebootHost(lab: Lab, at: number): number {
  lab.host(at, { kind: 'agentStopped' });
  lab.host(at + 70 * SECOND, {
    kind: 'agentStarted',
    version: '1.0.0',
    hostBootedAt: at + 35 * SECOND,
    lastAliveAt: at,
  });
  return at + 72 * SECOND;
}

/** The controller dies with all that hangs on it, until somebody restarts the host. */
function dies(lab: Lab, phones: readonly LabPhone[], at: number, restartedAt: number): ToldLoss[] {
  lab.kernel(at, {}, 'died', CONTROLLER);
  const back = rebootHost(lab, restartedAt);
  return phones.map((phone, index) =>
    lab.lose(phone, at + 150 + index * 90, { forMs: back - at + index * 400, gone: 'controller' }),
  );
}

export const incidents: Incident[] = [
  {
    name: 'adb of a lab host no longer answers once a day until it is killed',
    source: 'flutter/flutter#43930',
    seen: 'At least once a day `adb devices -l` does not come back on the agents; on 5 November it hung from 18:18 to 18:34. Usually `adb kill-server` mends it.',
    cause: 'the adb server hangs; killing it before each listing made that worse',
    did: 'gave adb a time limit and retries; later removed the `adb kill-server`',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 2,
      from: '2019-10-21',
      days: 20,
      models: ['Moto G4'],
    },
    tell(lab) {
      for (const [day, time, minutes] of [
        [9, '03:12', 74],
        [10, '16:40', 22],
        [11, '09:05', 41],
        [12, '22:31', 96],
        [13, '14:17', 18],
        [14, '01:50', 133],
        [14, '19:22', 25],
        [15, '18:18', 16],
        [16, '06:44', 87],
      ] as const) {
        const at = lab.at(day, time);
        lab.host(at, { kind: 'adbLost', failureKind: 'silent' });
        lab.host(at + minutes * MINUTE, { kind: 'adbBack' });
        lab.host(at + minutes * MINUTE + 300, { kind: 'adbReplaced', version: 41 });
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(16, '12:00'),
        told: { about: ['host'], says: /kill-server|restart|ends by itself|hang/i },
      };
    },
  },
  {
    name: 'two lab phones are unauthorized after adb was started anew',
    source: 'iree-org/iree#7944',
    seen: '"daemon not running; starting now", then both phones are unauthorized. `adb kill-server` brings both back; for another phone it did not.',
    cause: 'adb was started anew and the phones did not know its key',
    did: 'killed adb once more; had somebody look at the settings of the phones',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4],
      free: 2,
      from: '2021-12-06',
      days: 18,
      models: ['Pixel 6', 'Pixel 4'],
    },
    tell(lab) {
      const phones = pinned(lab, 2);
      const at = lab.at(15, '21:10');
      lab.host(at, { kind: 'adbLost', failureKind: 'absent' });
      lab.host(at + 4 * SECOND, { kind: 'adbBack' });
      lab.host(at + 4200, { kind: 'adbReplaced', version: 41 });
      for (const [index, phone] of phones.entries())
        lab.lose(phone, at + 5 * SECOND + index * 200, { as: 'unauthorized', forMs: 14 * HOUR });
      background(lab);
      return {
        at: lab.at(16, '09:00'),
        told: {
          about: ['phone', 'host'],
          keys: phones.map(({ udid }) => udid),
          says: /authori[sz]|prompt|key|allow/i,
        },
      };
    },
  },
  {
    name: 'the controller dies whenever a device on the hub resets itself',
    source: 'qualcomm-linux/kernel#295',
    seen: 'All that hangs on the hub is gone when the service of one device is restarted, which resets itself without notice; only a restart of the board brings it back.',
    cause: 'the xHCI controller hangs when a device leaves in the middle of a transfer',
    did: 'restarted the board',
    lab: { zone: 'Europe/Rome', hubs: [7], usb: true, from: '2026-02-02', days: 18 },
    tell(lab) {
      const phones = pinned(lab, 7);
      const [resetting, ...others] = phones as [LabPhone, ...LabPhone[]];
      const losses = [
        [12, '10:22'],
        [15, '15:41'],
        [17, '11:03'],
      ].flatMap(([day, time]) => {
        const at = lab.at(Number(day), String(time));
        const restartedAt = at + 9 * MINUTE;
        lab.lose(resetting, at, { forMs: restartedAt - at + 75 * SECOND });
        return dies(lab, others, at + 5 * SECOND, restartedAt);
      });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '11:08'),
        losses,
        blame: ['host'],
        told: { about: ['host'], says: /controller|restart the host|driver/i },
      };
    },
  },
  {
    name: 'a USB controller dies seconds after one device is plugged in',
    source: 'hardkernel/linux#402',
    seen: 'Seven seconds after a certain device is plugged in, the controller does not respond and everything on it is gone; on both boards.',
    cause: 'this device crashes the xHCI controller of the board',
    did: 'tried other kernels; reported it',
    lab: { zone: 'America/Chicago', hubs: [4], direct: 2, usb: true, from: '2020-09-01', days: 18 },
    tell(lab) {
      const phones = pinned(lab, 6);
      const [last, ...others] = phones as [LabPhone, ...LabPhone[]];
      const afterMs = 7 * SECOND;
      const taken = lab.at(15, '13:00');
      const again = lab.at(16, '10:40');
      lab.lose(last, taken, { forMs: again - taken });
      const died = again + afterMs;
      dies(lab, others, died, again + 14 * MINUTE);
      const second = lab.at(17, '14:05');
      // it is unplugged until somebody tries once more
      lab.lose(last, died + 100, { forMs: second - afterMs - died - 100, gone: 'controller' });
      const losses = dies(lab, phones, second, second + 3 * HOUR);
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '14:40'),
        losses,
        blame: ['host'],
        told: { about: ['host'], says: /controller|restart the host|driver/i },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'the USB devices of a NUC are lost at random intervals until it restarts',
    source: 'home-assistant/operating-system#3075',
    seen: 'Once in a while all USB devices are gone at once; the kernel cannot read one of them, resets it again and again, and says the controller is dead. A restart brings all back.',
    cause: 'a device on an extension cable does not answer, and the controller dies of it',
    did: 'restarted the system each time',
    lab: { zone: 'Europe/Amsterdam', hubs: [], direct: 3, usb: true, from: '2023-12-20', days: 28 },
    tell(lab) {
      const phones = pinned(lab, 3);
      const [stuck] = phones as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [6, '02:20', 7],
        [17, '19:45', 2],
        [26, '08:53', 4],
      ] as const) {
        const at = lab.at(day, time);
        const where = lab.where(stuck, at);
        lab.kernel(at, where, 'reset');
        for (const after of [15, 31, 47, 63]) lab.kernel(at + after * SECOND, where, 'descriptor');
        losses.push(...dies(lab, phones, at + 85 * SECOND, at + hours * HOUR));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(26, '10:10'),
        losses,
        blame: ['host', 'port'],
        told: { about: ['host', 'port'], says: /controller|restart the host|cable|driver/i },
      };
    },
  },
  {
    name: 'after some restarts of a board nothing on USB is there',
    source: 'balena-os/balena-odroid#130',
    seen: 'At every few restarts USB is broken: "Timeout while waiting for setup device command", "device not accepting address"; all that hangs on that controller is missing until the next restart.',
    cause: 'the controller of the board does not start rightly after a warm restart',
    did: 'restarted again',
    lab: { zone: 'Europe/Berlin', hubs: [4], usb: true, from: '2019-12-02', days: 24 },
    tell(lab) {
      const phones = pinned(lab, 4);
      for (const [day, time] of [
        [5, '06:00'],
        [11, '06:00'],
        [14, '10:30'],
      ] as const)
        hostRestarts(lab, lab.at(day, time));
      const at = lab.at(22, '06:00');
      const started = rebootHost(lab, at);
      for (const seconds of [1, 6, 17, 28])
        lab.kernel(
          started + seconds * SECOND,
          { devpath: '1-1', usbPath: 'pci-0000:00:14.0-usb-0:1' },
          'descriptor',
        );
      const losses = phones.map((phone) =>
        lab.lose(phone, started - SECOND, { forMs: 9 * HOUR, onUsb: {}, gone: 'hub' }),
      );
      for (const phone of phones) lab.usb(phone, started - SECOND, null);
      background(lab, { hasReadings: false, isUpdated: false });
      return {
        at: lab.at(22, '09:15'),
        losses,
        blame: ['host', 'hub', 'unknown', 'room'],
        told: {
          about: ['host', 'hub', 'room', 'port'],
          says: /restart the host|controller|driver|off and on/i,
        },
      };
    },
  },
  {
    name: 'after the computer slept a phone passed into its virtual machine is listed and does not answer',
    source: 'dorssel/usbipd-win#1366',
    seen: 'After sleep the machine in WSL still lists the device; whoever opens it hangs. Unplugging it does not help; attached once more it is there twice, and the second one works.',
    cause: 'Windows detached it in its sleep, and the virtual machine did not notice',
    did: 'restarted the virtual machine',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2026-03-16',
      days: 18,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const woke = lab.at(17, '08:40');
      lab.host(woke, { kind: 'hostSlept', forMs: 10 * HOUR });
      lab.facts(phone, woke + MINUTE, { isSilent: true, silentSince: woke + MINUTE });
      background(lab);
      return {
        at: lab.at(17, '10:30'),
        told: {
          about: ['phone', 'host'],
          says: /virtual machine|sle(ep|pt)|woke|(restart|reboot) the (host|computer|machine)|attach it (again|anew)/i,
        },
      };
    },
  },
  {
    name: 'a phone that is reset is gone for the adb in a container, and USB shows it',
    source: 'moby/moby#19763',
    seen: 'The container was given /dev/bus/usb as it was when it was started. A device that is reset gets another number; inside, the old node is still there and the new one never comes.',
    cause: 'a container that was given devices does not see those made later',
    did: 'asked; mounted /dev as a volume',
    lab: { zone: 'America/Los_Angeles', hubs: [4], usb: true, from: '2016-01-11', days: 18 },
    tell(lab) {
      const phones = pinned(lab, 4);
      const losses: ToldLoss[] = [];
      for (const [index, day, time] of [
        [1, 14, '11:20'],
        [3, 15, '16:02'],
        [0, 16, '09:45'],
      ] as const) {
        const at = lab.at(day, time);
        const phone = phones[index] as LabPhone;
        losses.push(lab.lose(phone, at, { onUsb: { connectedAt: at + SECOND }, gone: 'phone' }));
      }
      background(lab);
      return {
        at: lab.at(16, '15:00'),
        losses,
        blame: ['adb', 'unknown', 'person', 'port', 'phone'],
        told: { about: ['phone', 'host', 'port'], says: /container|\/dev|rights|may not|adb server/i },
      };
    },
  },
  {
    name: 'all devices behind a hub come anew whenever the host wakes up',
    source: 'armada-os/armada#442',
    seen: 'A rule had USB devices sleep when idle, hubs too. On each resume what hangs on the hub is enumerated anew and freezes for about a second.',
    cause: 'the hub sleeps and cuts its ports',
    did: 'removed the rule',
    lab: { zone: 'Europe/Vienna', hubs: [4], direct: 1, usb: true, from: '2026-08-31', days: 16 },
    tell(lab) {
      const phones = pinned(lab, 5).slice(0, 4);
      const losses: ToldLoss[] = [];
      for (let day = 9; day < 16; day += 1)
        for (const time of ['08:20', '13:05', '19:40']) {
          if (lab.random.chance(0.2)) continue;
          const woke = lab.at(day, time) + lab.random.between(0, 25) * MINUTE;
          lab.host(woke, { kind: 'hostSlept', forMs: lab.random.between(0.6, 7) * HOUR });
          losses.push(
            ...lab.loseAll(phones, woke + 800, { spreadMs: 300, forMs: 1.1 * SECOND, backSpreadMs: 500 }),
          );
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(15, '21:00'),
        losses: losses.filter(({ at }) => at < lab.at(15, '21:00')),
        blame: ['host', 'hub'],
      };
    },
  },
  {
    name: 'phones that are plugged in while the hub of the board is idle never show',
    source: 'home-assistant/operating-system#4669',
    seen: 'What is plugged in when the board starts is there; what is plugged into an idle hub later is not seen until the next restart.',
    cause: 'the hub suspends itself when nothing is on it, and the USB of the board does not wake it',
    did: 'disabled autosuspend on this board',
    cannotShow: 'USB shows nothing of what is plugged in again',
    lab: { zone: 'Europe/Prague', hubs: [4], usb: true, from: '2026-04-06', days: 20 },
    tell(lab) {
      const phones = pinned(lab, 4);
      const restartedAt = lab.at(18, '16:30');
      const back = rebootHost(lab, restartedAt);
      const losses = phones.map((phone, index) => {
        const at = lab.at(17, '10:00') + index * 95 * MINUTE;
        return lab.lose(phone, at, { forMs: back - at + index * SECOND });
      });
      background(lab, { isUpdated: false });
      return {
        at: lab.at(18, '11:00'),
        losses,
        blame: ['hub', 'host', 'unknown'],
        told: { about: ['hub', 'host', 'port', 'phone'], says: /hub|restart the host/i },
      };
    },
  },
  {
    name: 'a hub whose ports a test switches resets itself now and then',
    source: 'mvp/uhubctl#562',
    seen: 'A test bench switches the ports of a 7-port hub one by one. That mostly works; at times the hub resets and powers all its ports anew when one was meant.',
    cause: 'kernels before 6 try to power a port that was switched off behind their back',
    did: 'were told to use a newer kernel',
    lab: { zone: 'America/Edmonton', hubs: [7], direct: 1, usb: true, from: '2024-04-01', days: 24 },
    tell(lab) {
      const phones = pinned(lab, 7);
      const losses: ToldLoss[] = [];
      const resets = [12, 14, 17, 18, 21].map(
        (day) => lab.at(day, '10:00') + lab.random.between(0, 8) * HOUR,
      );
      for (let day = 4; day < 22; day += 1) {
        if (!lab.isWorkday(day)) continue;
        for (const [index, phone] of phones.entries())
          for (const hour of [0, 4, 9, 13]) {
            const at =
              lab.at(day, '08:00') + hour * HOUR + index * 7 * MINUTE + lab.random.between(0, 90) * SECOND;
            const isReset = resets.some((each) => Math.abs(each - at) < 3 * MINUTE);
            if (!isReset) lab.lose(phone, at, { forMs: lab.random.between(9, 14) * SECOND });
          }
      }
      for (const at of resets)
        losses.push(...lab.loseAll(phones, at, { spreadMs: 400, forMs: 2 * SECOND, gone: 'hub' }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '23:30'),
        losses,
        blame: ['hub'],
        told: { about: ['hub'], keys: [lab.hubKey(0)], says: /hub/i },
      };
    },
  },
  {
    name: 'a port of a hub no longer starts after it was switched off and on for weeks',
    source: 'mvp/uhubctl#323',
    seen: 'A script switches one port of a 10-port hub off and on each day. One day the port stays off, whatever is commanded; with the power of the hub taken away for a moment it is there again.',
    cause: 'the hub hung with that port off',
    did: 'took the power from the hub and gave it back',
    lab: { zone: 'Europe/Zurich', hubs: [10], usb: true, from: '2021-02-10', days: 27 },
    tell(lab) {
      const phone = pinned(lab, 3)[2] as LabPhone;
      for (let day = 1; day < 26; day += 1) lab.lose(phone, lab.at(day, '05:30'), { forMs: 20 * MINUTE });
      const loss = lab.lose(phone, lab.at(26, '05:30'));
      background(lab);
      return {
        at: lab.at(26, '09:10'),
        losses: [loss],
        blame: ['port', 'hub', 'person', 'unknown'],
        told: { about: ['port', 'hub', 'phone'], says: /hub.*\b(power|off and on)|another port|other port/i },
      };
    },
  },
  {
    name: 'a board cannot be read after some thirty power cycles until the host restarts',
    source: 'ARMmbed/DAPLink#105',
    seen: 'A rig cuts and gives back the power of a board again and again. After around 30 times the kernel cannot read its descriptor and gives up; it stays so until the host restarts.',
    cause: 'the board or the host hangs after a power cycle',
    did: 'restarted the host',
    lab: { zone: 'Europe/Helsinki', hubs: [4], usb: true, from: '2016-05-02', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const first = lab.at(17, '12:40');
      for (let cycle = 0; cycle < 30; cycle += 1)
        lab.lose(phone, first + cycle * 95 * SECOND, { forMs: 6.4 * SECOND });
      const at = first + 30 * 95 * SECOND;
      const where = lab.where(phone, at);
      for (const seconds of [6, 6.2, 6.4, 6.8, 7.3]) lab.kernel(at + seconds * SECOND, where, 'descriptor');
      lab.kernel(at + 7.8 * SECOND, where, 'enumerate');
      const loss = lab.lose(phone, at);
      background(lab);
      return {
        at: at + 2 * HOUR,
        losses: [loss],
        blame: ['port', 'phone', 'person'],
        told: {
          about: ['port', 'phone'],
          keys: [lab.portKey(phone), phone.udid],
          says: /restart the (host|phone)|power/i,
        },
      };
    },
  },
  {
    name: 'the third port is bad on the new hub as on the old one',
    source: 'kazunori279/xls32-fpga-synth#51',
    seen: 'Of three devices the one at port 3 drops; swapped at both ends it is the port. With another hub port 3 is bad again within minutes: 21 resets in three minutes without an answer. At the free port 1 all three work.',
    cause: 'the port',
    did: 'moved the cable to another port',
    lab: { zone: 'Asia/Tokyo', hubs: [4], usb: true, free: 1, from: '2026-08-10', days: 17 },
    tell(lab) {
      const phone = pinned(lab, 3)[2] as LabPhone;
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [13, '15:20'],
        [13, '17:44'],
        [14, '03:10'],
        [14, '05:02'],
        [14, '09:31'],
        [14, '22:16'],
        [15, '01:37'],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { forMs: lab.random.between(2, 9) * SECOND }));
      const at = lab.at(15, '05:14');
      const where = lab.where(phone, at);
      for (let reset = 0; reset < 21; reset += 1) lab.kernel(at + reset * 8.5 * SECOND, where, 'descriptor');
      losses.push(lab.lose(phone, at));
      background(lab);
      return {
        at: lab.at(15, '05:40'),
        losses,
        blame: ['port'],
        told: { about: ['port'], keys: [lab.portKey(phone)], says: /port/i },
      };
    },
  },
  {
    name: 'the plug between hub and host shakes loose while the rig moves',
    source: 'CMU-Robotics-Club/RoboBuggy#418',
    seen: 'On the days when the rig is driven, all that hangs on the hub goes and comes back in moments: the cable between hub and host moves in its socket.',
    cause: 'the plug between hub and host',
    did: 'replaced the connector, and glued all loose ones',
    lab: { zone: 'America/New_York', hubs: [4], usb: true, from: '2016-03-21', days: 28 },
    tell(lab) {
      const phones = pinned(lab, 4);
      const losses: ToldLoss[] = [];
      for (const day of [19, 20, 26, 27])
        for (let left = 5; left > 0; left -= 1) {
          const at = lab.at(day, '06:00') + (left * 28 + lab.random.between(0, 20)) * MINUTE;
          losses.push(
            ...lab.loseAll(phones, at, {
              spreadMs: 150,
              forMs: lab.random.between(1.5, 8) * SECOND,
              backSpreadMs: 900,
              gone: 'hub',
            }),
          );
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(27, '11:00'),
        losses,
        blame: ['hub'],
        told: { about: ['hub'], keys: [lab.hubKey(0)], says: /cable|plug|connector/i },
      };
    },
  },
  {
    name: 'a device on a long cable hangs every few days until it is unplugged',
    source: 'Koenkk/zigbee2mqtt#5665',
    seen: 'The device no longer answers and is reset by software in vain; unplugged and plugged in again it works for some days. With new firmware and a shorter cable it did not come back.',
    cause: 'a long USB cable, or its firmware',
    did: 'updated its firmware and took a shorter cable',
    lab: { zone: 'Europe/Amsterdam', hubs: [4], from: '2020-12-21', days: 27 },
    tell(lab) {
      const phone = lab.pinned(2);
      const losses: ToldLoss[] = [];
      for (const [day, time, back] of [
        [4, '23:40', '08:10'],
        [11, '14:22', '18:05'],
        [17, '03:15', '07:50'],
        [21, '19:30', '22:05'],
        [25, '02:41', '05:59'],
      ] as const) {
        const at = lab.at(day, time);
        const end = lab.at(day, back);
        losses.push(lab.lose(phone, at, { as: 'offline', forMs: (end < at ? end + DAY : end) - at }));
      }
      background(lab);
      return {
        at: lab.at(25, '09:00'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: { about: ['port', 'phone'], keys: [lab.portKey(phone), phone.udid], says: /cable/i },
      };
    },
  },
  {
    name: 'in the dry winter hubs switch ports off when somebody sits down at the desk',
    source: 'https://softsolder.com/2009/01/28/usb-disconnects-nobody-moves-nobody-gets-hurt/',
    seen: '"port 1 disabled by hub (EMI?), re-enabling": now and then a device leaves for a moment, often when a person touches something at the desk.',
    cause: 'static electricity',
    did: 'grounded the metal parts at the desk, and led the USB cable away from the rest',
    lab: { zone: 'America/New_York', hubs: [4], direct: 1, usb: true, from: '2009-01-05', days: 24 },
    tell(lab) {
      const [phone] = pinned(lab, 1) as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [10, '19:32'],
        [12, '10:05'],
        [15, '14:40'],
        [17, '20:11'],
        [19, '09:57'],
        [21, '16:25'],
        [22, '18:48'],
      ] as const) {
        const at = lab.at(day, time);
        lab.kernel(at, lab.where(phone, at), 'emi');
        losses.push(lab.lose(phone, at, { forMs: lab.random.between(0.6, 2) * SECOND }));
      }
      background(lab);
      return {
        at: lab.at(23, '08:00'),
        losses,
        blame: ['port', 'hub', 'person'],
        told: { about: ['port', 'hub'], says: /cable|static|ground|shield|EMI/i },
      };
    },
  },
  {
    name: 'after a spark nothing works at any USB port of the mainboard',
    source: 'https://mcdougallshome.net/2008/03/08/usb-woes-static-woes/',
    seen: 'Somebody touched a USB cable, a spark jumped, and all devices at all eight ports quit at once, for good. A restart did not help.',
    cause: 'the USB of the mainboard was burnt',
    did: 'bought a USB card and two hubs',
    lab: { zone: 'America/Denver', hubs: [4, 4], direct: 2, usb: true, from: '2008-02-18', days: 21 },
    tell(lab) {
      const phones = pinned(lab, 10);
      const at = lab.at(19, '19:26');
      const losses = lab.loseAll(phones, at, { spreadMs: 300, gone: 'controller' });
      hostRestarts(lab, lab.at(19, '19:50'));
      background(lab, { hasReadings: false, isUpdated: false });
      return {
        at: lab.at(19, '21:30'),
        losses,
        blame: ['host'],
        told: { about: ['host'], says: /USB card|controller/i },
      };
    },
  },
  {
    name: 'a small computer cannot feed what is plugged into it: the kernel takes the cable for bad',
    source: 'raspberrypi/linux#4116',
    seen: 'The device leaves and comes back; at times "Cannot enable. Maybe the USB cable is bad?", a power cycle of the port, and "unable to enumerate". With a power supply of its own it never leaves.',
    cause: 'the USB of the Raspberry Pi gives too little power',
    did: 'powered the device from its own supply',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 1,
      usb: true,
      known: { slots: false },
      from: '2021-01-18',
      days: 18,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, seconds] of [
        [13, '18:20', 4],
        [14, '19:05', 3],
        [14, '21:33', 95],
        [15, '17:50', 5],
        [15, '20:14', 160],
        [16, '18:41', 4],
        [16, '19:58', 7],
      ] as const) {
        const at = lab.at(day, time);
        if (seconds > 60) {
          const where = lab.where(phone, at);
          for (const after of [1, 2, 3.2, 4.1]) lab.kernel(at + after * SECOND, where, 'cable');
          lab.kernel(at + 4.2 * SECOND, where, 'enumerate');
        }
        losses.push(lab.lose(phone, at, { forMs: seconds * SECOND }));
      }
      background(lab, { taken: 0 });
      return {
        at: lab.at(16, '22:00'),
        losses,
        blame: ['port', 'host', 'hub'],
        told: { about: ['port', 'hub', 'host'], says: /power|supply|charg/i },
      };
    },
  },
  {
    name: 'all four ports of a small computer stop after a while with over-current',
    source: 'raspberrypi/rpi-eeprom#680',
    seen: 'The lights of what is plugged in are on, and nothing is listed at any of the four ports. After a firmware update all work for a while, then stop. Over-current is reported.',
    cause: 'what is plugged in draws more than the four ports may give together',
    did: 'were told to use a powered hub',
    lab: { zone: 'Asia/Tashkent', hubs: [4], free: 1, usb: true, from: '2025-03-01', days: 18 },
    tell(lab) {
      const phones = pinned(lab, 3);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [13, '14:20', 3],
        [15, '11:48', 22],
        [16, '20:30', undefined],
      ] as const) {
        const at = lab.at(day, time);
        for (const phone of phones) {
          lab.kernel(at, lab.where(phone, at), 'overCurrent');
          losses.push(
            lab.lose(phone, at + 300, { gone: 'controller', ...(hours && { forMs: hours * HOUR }) }),
          );
        }
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(17, '10:00'),
        losses,
        blame: ['port', 'hub', 'host'],
        told: { about: ['port', 'hub', 'host'], says: /over-?current|supply|powered/i },
      };
    },
  },
  {
    name: 'a battery-backed host switches itself off minutes after a phone was plugged in',
    source: 'PiSupply/PiJuice#838',
    seen: 'On its battery board the host is off some eight minutes after the phone is plugged in, idle or not; without the phone it stays on. From a wall outlet it runs.',
    cause: 'the board cannot give the current for host and phone together',
    did: 'were told that the battery cannot do that',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      known: { slots: false },
      from: '2022-02-07',
      days: 16,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, time] of [
        [12, '10:15'],
        [12, '16:40'],
        [13, '11:02'],
        [14, '09:30'],
        [14, '15:21'],
      ] as const) {
        const at = lab.at(day, time);
        lab.lose(phone, at - 30 * MINUTE, { forMs: 30 * MINUTE });
        lab.host(at + 42 * MINUTE, {
          kind: 'agentStarted',
          version: '1.0.0',
          hostBootedAt: at + 41 * MINUTE,
          lastAliveAt: at + 8 * MINUTE,
        });
      }
      background(lab, { taken: 0, isUpdated: false });
      return {
        at: lab.at(14, '17:00'),
        told: { about: ['room', 'host'], says: /power|supply|outlet|strip|crash/i },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'an unpowered hub drops whatever hangs on it',
    source: 'SHWotever/SimHub#1017',
    seen: 'Several things hang on a hub without a supply; at random now this one, now that one leaves. Those that are plugged into the computer stay.',
    cause: 'the hub gets too little power',
    did: 'took a hub with a supply of its own',
    lab: { zone: 'America/Chicago', hubs: [4], direct: 2, from: '2022-01-10', days: 25 },
    tell(lab) {
      const phones = pinned(lab, 6).slice(0, 4);
      const losses: ToldLoss[] = [];
      for (let day = 14; day < 25; day += 1)
        for (let left = lab.random.poisson(1.6); left > 0; left -= 1) {
          const phone = lab.random.pick(phones);
          const at = lab.at(day, '18:00') + lab.random.between(0, 5) * HOUR;
          const forMs = lab.random.between(2, 8) * SECOND;
          if (lab.isFree(phone, at, at + MINUTE)) losses.push(lab.lose(phone, at, { forMs }));
        }
      background(lab);
      return {
        at: lab.at(24, '23:30'),
        losses,
        blame: ['hub', 'port'],
        told: { about: ['hub'], keys: [lab.hubKey(0)], says: /power supply|supply/i },
      };
    },
  },
  {
    name: 'a board is not there after each restart of adb until it is restarted itself',
    source: 'arduino/arduino-deb-images#10',
    seen: '`adb shell`, `adb kill-server`, `adb shell`: the board cannot be reached any more until it, or its adbd, is restarted. USB shows it all the time.',
    cause: 'its adbd does not take a second connection over USB',
    did: 'patched its adbd; before, restarted the board',
    lab: { zone: 'Europe/Rome', hubs: [4], usb: true, from: '2025-11-10', days: 20 },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [8, '14:34', 3],
        [10, '10:12', 1.4],
        [14, '16:50', 17],
        [16, '11:25', 2],
        [18, '09:40', undefined],
      ] as const) {
        const at = lab.at(day, time);
        adbRestarts(lab, at, 41);
        losses.push(
          lab.lose(phone, at + 4 * SECOND, {
            as: 'offline',
            onUsb: {},
            ...(hours !== undefined && { forMs: hours * HOUR }),
          }),
        );
      }
      background(lab);
      return {
        at: lab.at(18, '13:00'),
        losses,
        blame: ['adb', 'phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /power button|restart(s|ed)? it\b|restart the phone/i,
        },
      };
    },
  },
  {
    name: 'a hub throws its devices off many times a minute',
    source: 'ublue-os/bazzite#2463',
    seen: 'All that hangs on the hub leaves and comes back many times a minute, and everything stutters. With a different hub nothing leaves.',
    cause: 'the hub',
    did: 'took a different hub',
    lab: { zone: 'America/Denver', hubs: [4], direct: 1, usb: true, from: '2026-01-26', days: 22 },
    tell(lab) {
      const phones = pinned(lab, 5).slice(0, 4);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [17, '09:10'],
        [18, '20:40'],
        [19, '13:25'],
        [20, '10:05'],
      ] as const)
        for (let burst = 0; burst < 8; burst += 1)
          losses.push(
            ...lab.loseAll(phones, lab.at(day, time) + burst * 14 * SECOND, {
              spreadMs: 120,
              forMs: 2.2 * SECOND,
              backSpreadMs: 600,
              gone: 'hub',
            }),
          );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '12:00'),
        losses,
        blame: ['hub'],
        told: {
          about: ['hub'],
          keys: [lab.hubKey(0)],
          says: /another hub|other hub|different hub|replace it/i,
        },
      };
    },
  },
  {
    name: 'a phone on the network is offline for an old adb since its security update',
    source: 'AirtestProject/AirtestIDE#984',
    seen: 'Since the July update of Android 11 `adb connect` gives offline, always; by the adb of another terminal it works.',
    cause: 'the adb that the tool brings is too old for the phone',
    did: 'replaced it with the newest adb',
    lab: { zone: 'Asia/Shanghai', hubs: [4], network: 1, from: '2021-07-12', days: 18 },
    tell(lab) {
      const phone = lab.phones.find(({ connection }) => connection === 'tcp') as LabPhone;
      phone.isPinned = true;
      const at = lab.at(16, '14:00');
      lab.lose(phone, at, { forMs: 3 * MINUTE, backAs: 'offline' });
      lab.phone(phone, at - MINUTE, { kind: 'os', build: '7439876', buildBefore: '7284422' });
      background(lab);
      return {
        at: lab.at(17, '11:00'),
        told: {
          about: ['phone', 'host'],
          keys: [phone.udid],
          says: /(version|new|another|other|up-to-date|update).{0,30}adb|adb.{0,30}(version|new|update)/i,
        },
      };
    },
  },
  {
    name: 'a CI emulator stays offline although adb was restarted',
    source: 'dotnet/xharness#1636',
    seen: 'The emulator is offline for the whole time of a job; adb is restarted and it still is. It works once the emulator itself was restarted.',
    cause: 'the emulator hangs',
    did: 'had it restarted when adb had been restarted in vain',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      emulators: 3,
      from: '2026-06-29',
      days: 18,
      known: { slots: false },
    },
    tell(lab) {
      const emulator = lab.pinned(1);
      const at = lab.at(17, '09:14');
      const loss = lab.lose(emulator, at, { as: 'offline' });
      adbRestarts(lab, at + 5 * MINUTE, 41);
      background(lab);
      return {
        at: lab.at(17, '11:30'),
        losses: [loss],
        blame: ['phone', 'unknown'],
        told: { about: ['phone'], keys: [emulator.udid], says: /restart|start it anew/i },
      };
    },
  },
  {
    name: 'a CI restarts its phone before each run',
    source: 'brave/brave-browser#41880',
    seen: 'The phone restarts several times a day, at any hour, and is not as the tests expect it: the script for CI has `su -c reboot` before each run.',
    cause: 'the script of the CI',
    did: 'moved the set-up of the phone into the tests',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      from: '2024-10-14',
      days: 17,
      models: ['Pixel 4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 9; day < 16; day += 1)
        for (const [hour, minutes] of [
          [4, 12],
          [9, 40],
          [13, 5],
          [17, 31],
          [22, 54],
        ] as const)
          if (lab.random.chance(0.85))
            losses.push(
              lab.reboot(phone, lab.at(day) + hour * HOUR + (minutes + lab.random.between(0, 40)) * MINUTE, {
                forMs: lab.random.between(32, 48) * SECOND,
                reason: 'reboot',
              }),
            );
      background(lab);
      return { at: lab.at(16, '12:00'), losses, blame: ['person'] };
    },
  },
  {
    name: 'phones of a test lab that are always full swell',
    source: 'https://acroname.com/blog/how-we-built-mobile-device-lab-eggplantio',
    seen: 'Phones must hang on USB for the tests, so they are always charged to the brim. After months batteries swell.',
    cause: 'charging all the time',
    did: 'took hubs that end the charging, and watched the current',
    lab: { zone: 'America/Denver', hubs: [10], from: '2020-05-25', days: 28 },
    tell(lab) {
      const phones = pinned(lab, 3);
      for (const [index, phone] of phones.entries())
        phone.reading = (at) => ({
          levelPercent: 100,
          isFull: true,
          temperatureDecicelsius: 325 + index * 8 + (Math.round(at / (10 * MINUTE)) % 7),
        });
      background(lab);
      return {
        at: lab.at(27, '10:00'),
        told: { about: ['phone', 'host'], keys: phones.map(({ udid }) => udid), says: /charg|full|bulge/i },
      };
    },
  },
  {
    name: 'a phone goes offline now and then while a script runs, at the front of the computer',
    source: 'AirtestProject/AirtestIDE#255',
    seen: 'While scripts run, or when the cable is changed, the phone is offline at times. All of these come from its adbd, which dies by an unsteady voltage or interference.',
    cause: 'cable, port or hub',
    did: 'were told to take a better cable, the ports at the back, and a better hub',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2018-10-15',
      days: 20,
      models: ['Redmi 5 Plus', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [10, '15:20', 4],
        [11, '10:41', 2],
        [11, '17:05', 11],
        [14, '14:32', 6],
        [15, '11:18', 3],
        [17, '16:47', 9],
      ] as const)
        losses.push(lab.lose(phone, lab.at(day, time), { as: 'offline', forMs: minutes * MINUTE }));
      background(lab);
      return {
        at: lab.at(17, '18:00'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: {
          about: ['port', 'phone'],
          keys: [lab.portKey(phone), phone.udid],
          says: /cable|(another|other|rear|back) port|at the back|\bhub/i,
        },
      };
    },
  },
  {
    name: 'one port of the host lets what is plugged in there go and come back',
    source: 'jdrch/Hardware#342',
    seen: 'At the rear bottom right port the device leaves and comes back from time to time.',
    cause: 'the port',
    did: 'wrote it down',
    lab: { zone: 'America/Chicago', hubs: [], direct: 3, usb: true, from: '2024-02-05', days: 22 },
    tell(lab) {
      const phone = pinned(lab, 3)[1] as LabPhone;
      const losses: ToldLoss[] = [];
      for (let left = 9; left > 0; left -= 1) {
        const at = lab.at(12) + lab.random.between(0, 9) * DAY;
        const forMs = lab.random.between(1, 6) * SECOND;
        if (lab.isFree(phone, at, at + MINUTE)) losses.push(lab.lose(phone, at, { forMs }));
      }
      background(lab);
      return {
        at: lab.at(21, '12:00'),
        losses,
        blame: ['port'],
        told: { about: ['port'], keys: [lab.portKey(phone)], says: /another port|other port|port/i },
      };
    },
  },
  {
    name: 'a new host in the rack falls asleep whenever nobody is at it',
    source: 'tuist/tuist#13017',
    seen: 'A Mac mini that was just enrolled sleeps after a minute without work; in a rack that looks like a dead one, until somebody switches it off and on.',
    cause: 'the host may sleep when it is idle',
    did: 'switched sleep off in what is installed first',
    lab: { zone: 'Europe/Berlin', hubs: [4], from: '2026-08-24', days: 16 },
    tell(lab) {
      const phones = pinned(lab, 4);
      const losses: ToldLoss[] = [];
      for (let day = 8; day < 15; day += 1)
        for (const [time, hours] of [
          ['08:50', 13],
          ['12:40', 0.8],
          ['15:30', 1.2],
        ] as const) {
          const woke = lab.at(day, time) + lab.random.between(0, 30) * MINUTE;
          lab.host(woke, { kind: 'hostSlept', forMs: hours * HOUR });
          losses.push(...lab.loseAll(phones, woke + SECOND, { spreadMs: 500, forMs: 2 * SECOND }));
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(15, '09:00'),
        losses,
        blame: ['host'],
        told: { about: ['host'], says: /sleep/i },
      };
    },
  },
];
