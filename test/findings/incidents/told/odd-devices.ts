/**
 * Incidents of Android that is no phone, as its owners report them: televisions and sticks, a watch, a headset, terminals,
 * a treadmill, a board, a tablet at the wall, and whole rows of containers.
 */
import { background, inUse, notReadIn } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, type Reading, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** It has no battery and no thermometer that Android would read. */
const nothing: Reading = () => undefined;

/** On its charger day and night, and full. */
const alwaysFull =
  (decicelsius: number): Reading =>
  (at) => ({
    levelPercent: 100,
    isFull: true,
    temperatureDecicelsius: decicelsius + ((at / MINUTE) % 7),
  });

/** The host meets it only from one moment to another, each time. */
function seenOnlyIn(
  lab: Lab,
  device: LabPhone,
  times: readonly (readonly [from: number, to: number])[],
): void {
  device.isThereAtFirst = false;
  let gone = lab.start;
  for (const [from, to] of times) {
    device.busy.push({ from: gone, to: from });
    lab.phone(device, from, { kind: 'attached', state: 'device' });
    if (to < lab.end) lab.phone(device, to, { kind: 'detached' });
    gone = to;
  }
  if (gone < lab.end) device.busy.push({ from: gone, to: lab.end });
}

/** It answers nothing, though adb lists it, until somebody takes its power away for a moment. */
function freezes(lab: Lab, device: LabPhone, at: number, forMs: number): ToldLoss {
  lab.facts(device, at, { isSilent: true, silentSince: at });
  lab.facts(device, at + forMs, { isSilent: false });
  return lab.reboot(device, at + forMs, { forMs: Math.round(lab.random.between(55, 80) * SECOND) });
}

/** What helps with a device that something on it brings down. */
const BROUGHT_DOWN =
  /\bapps?\b|program|memory|storage|crash|kernel|firmware|system|panic|update|version|\blogs?\b|by itself/i;

const EVENINGS = { hours: [17, 22], isDaily: true } as const;

export const oddDevices: readonly Incident[] = [
  {
    name: 'a television restarts when it is woken in the evening, since its firmware of December',
    source: 'CiNcH83/bravia_atv2#94, CiNcH83/bravia_atv2#95',
    seen: 'Since the new firmware the television shows a picture for some seconds when it is woken after hours of rest, and then restarts to its logo. It does not matter what wakes it; it is not every time. Another owner has it whenever the Wi-Fi of the television is off.',
    cause: 'the firmware; before it there was nothing of this',
    did: 'switched off that other devices wake it, in vain',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2020-12-07',
      days: 29,
      models: ['Pixel 4a', 'BRAVIA X900F', 'Shield TV'],
    },
    tell(lab) {
      const [television, box] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      for (const device of [television, box]) device.reading = nothing;
      const updated = lab.at(13, '04:12');
      lab.reboot(television, updated, { forMs: 170 * SECOND, reason: 'reboot,ota' });
      lab.phone(television, updated + 4 * MINUTE, { kind: 'os', build: '6.7140', buildBefore: '6.6520' });
      lab.reboot(box, lab.at(6, '20:14'), { forMs: 50 * SECOND, reason: 'reboot,userrequested' });
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [13, '18:22'],
        [14, '17:47'],
        [16, '19:05'],
        [18, '18:31'],
        [19, '09:12'],
        [19, '18:03'],
        [21, '20:16'],
        [22, '18:41'],
        [23, '17:58'],
        [25, '18:27'],
        [26, '10:40'],
        [26, '19:33'],
        [27, '18:09'],
      ] as const)
        losses.push(
          lab.reboot(television, lab.at(day, time) + Math.round(lab.random.between(0, 55) * SECOND), {
            forMs: Math.round(lab.random.between(62, 85) * SECOND),
          }),
        );
      background(lab, EVENINGS);
      return {
        at: lab.at(27, '18:40'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [television.udid],
          says: /update|version|firmware|system|build|software|sle(ep|pt)|standby|\bapps?\b|\blogs?\b|crash/i,
        },
      };
    },
  },
  {
    name: 'a television does not find its Wi-Fi again after a cold start',
    source: 'CiNcH83/bravia_atv2#53',
    seen: 'After a restart, or when its plug was pulled, the television tries to join the Wi-Fi, is rejected, and gives up for a while. Somebody has to connect it by hand several times. Out of standby it joins at once. It is so with routers of three makers and in both bands.',
    cause:
      'what the television does with its Wi-Fi while it boots; it came with the new version of its system',
    did: 'connected it by hand, over and over; wrote down what its log says',
    lab: {
      zone: 'Europe/Vienna',
      hubs: [],
      network: 3,
      from: '2019-04-01',
      days: 28,
      models: ['BRAVIA XF90', 'Nokia 7 plus', 'Mi Box S'],
    },
    tell(lab) {
      const television = lab.pinned(0);
      const box = lab.pinned(2);
      for (const device of [television, box]) device.reading = nothing;
      const updated = lab.at(9, '22:40');
      // before that a restart takes a minute and a half
      lab.reboot(television, lab.at(2, '20:05'), { forMs: 88 * SECOND });
      lab.reboot(television, lab.at(6, '11:31'), { forMs: 93 * SECOND });
      lab.reboot(box, lab.at(12, '19:44'), { forMs: 45 * SECOND });
      const losses: ToldLoss[] = [
        lab.reboot(television, updated, { forMs: Math.round(31.5 * MINUTE), reason: 'reboot,ota' }),
      ];
      lab.phone(television, updated + 33 * MINUTE, { kind: 'os', release: '8.0.0', before: '7.0' });
      for (const [day, time, minutes] of [
        [12, '18:20', 17],
        [15, '19:48', 44],
        [19, '09:37', 26],
        [22, '20:15', 38],
        [26, '17:50', 21],
      ] as const) {
        const at = lab.at(day, time);
        const loss = lab.reboot(television, at, { forMs: minutes * MINUTE });
        losses.push(loss);
        // it joined, and is thrown out once more
        if (minutes < 40)
          losses.push(
            lab.lose(television, loss.until + Math.round(lab.random.between(1.5, 6) * MINUTE), {
              forMs: Math.round(lab.random.between(1.5, 4) * MINUTE),
            }),
          );
      }
      background(lab, EVENINGS);
      return {
        at: lab.at(26, '18:50'),
        losses,
        blame: ['phone', 'link', 'network'],
        told: {
          about: ['phone', 'network'],
          says: /Wi-?Fi|router|access point|network|update|version|system/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'a Fire HD 10 in the kitchen restarts each evening at the same minute',
    source: 'jxlarrea/kiosk-satellite#396',
    seen: 'In the evening the tablet at the wall asks for the microphone, as its app has just started. The app starts at 18:34:44 one day and at 18:34:39 the next.',
    cause: 'the tablet restarts on a schedule: two days in a row it is within seconds of the same minute',
    did: 'it was told from the log, and from a tablet that was restarted on purpose; the app asks no more while it starts',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 1,
      network: 2,
      known: { slots: false },
      from: '2026-08-10',
      days: 25,
      models: ['Pixel 9', 'Fire HD 10', 'Fire HD 8'],
    },
    tell(lab) {
      const [kitchen, hall] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      kitchen.reading = alwaysFull(301);
      hall.reading = alwaysFull(294);
      const losses: ToldLoss[] = [];
      for (let day = 9; day < 24; day += 1)
        losses.push(
          lab.reboot(kitchen, lab.at(day, '18:33:50') + Math.round(lab.random.between(0, 6) * SECOND), {
            forMs: Math.round(lab.random.between(36, 46) * SECOND),
            reason: 'reboot',
          }),
        );
      background(lab, EVENINGS);
      return {
        at: lab.at(23, '18:50'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [kitchen.udid],
          says: /schedule|same (time|minute|hour)|every (day|evening)|each (day|evening)|daily|automat|timer|plan/i,
        },
        // they are full all the time
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a Raspberry Pi with Android restarts every four days',
    source: 'procount/pinn#102',
    seen: 'RTAndroid runs well on the board, but after four days it restarts.',
    cause: 'it is an evaluation version of that system, which ends itself after four days',
    did: 'asked for another system in its place, and got it',
    lab: {
      zone: 'Asia/Beirut',
      hubs: [4],
      free: 3,
      network: 1,
      from: '2017-11-06',
      days: 30,
      models: ['Galaxy J7', 'Raspberry Pi 3'],
    },
    tell(lab) {
      const [board] = lab.pinnedOf('tcp') as [LabPhone];
      board.reading = nothing;
      board.isThereAtFirst = false;
      let booted = lab.at(4, '19:22');
      board.busy.push({ from: lab.start, to: booted });
      lab.phone(board, booted, { kind: 'attached', state: 'device' });
      const losses: ToldLoss[] = [];
      while (booted + 96 * HOUR < lab.at(29)) {
        const at = booted + 96 * HOUR + Math.round(lab.random.between(0, 40) * SECOND);
        const loss = lab.reboot(board, at, { forMs: Math.round(lab.random.between(48, 62) * SECOND) });
        losses.push(loss);
        booted = loss.until;
      }
      background(lab);
      return {
        at: lab.at(28, '20:10'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [board.udid],
          says: /schedule|regular|every|by itself|evaluation|system|version|firmware|power|\blogs?\b/i,
        },
      };
    },
  },
  {
    name: 'the second of two TV boxes of one make is taken for the first',
    source: 'home-assistant/core#35325, home-assistant/core#26125',
    seen: 'One box works for months. When the second of the same make and model is connected, the home says that there is such a device already, and leaves it out.',
    cause: 'the maker gave both boxes one serial number',
    did: 'was told to tell them apart by another number, which came a year later',
    lab: {
      zone: 'Europe/Lisbon',
      hubs: [],
      network: 3,
      from: '2020-04-20',
      days: 20,
      models: ['GT1 Mini', 'GT1 Mini', 'Galaxy A50'],
    },
    tell(lab) {
      const [first, second] = [lab.pinned(0), lab.pinned(1)];
      for (const box of [first, second]) box.reading = nothing;
      const connected = lab.at(17, '09:31');
      second.isThereAtFirst = false;
      second.busy.push({ from: lab.start, to: connected });
      lab.facts(first, lab.start, { serialNumber: '1234567890', name: 'GT1 Mini' });
      lab.facts(second, connected, { serialNumber: '1234567890', name: 'GT1 Mini' });
      lab.phone(second, connected, { kind: 'attached', state: 'device' });
      background(lab, EVENINGS);
      return {
        at: lab.at(17, '10:00'),
        told: { about: ['phone'], says: /serial/i },
      };
    },
  },
  {
    name: 'a Galaxy Watch is empty after half a day, since its Wi-Fi stays on',
    source: 'nightscout/AndroidAPS#3086',
    seen: 'One charge of the watch lasted for a day. Since Friday it is gone after twelve hours, down to nothing. Its owner suspects the new build of the watch face, and goes back to the one before.',
    cause: 'its Wi-Fi was on; it is off as a rule',
    did: 'found that the Wi-Fi was on, and took the suspicion back',
    lab: {
      zone: 'Europe/Amsterdam',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2023-11-06',
      days: 24,
      models: ['Pixel 6', 'Galaxy Watch 4'],
    },
    tell(lab) {
      const [watch] = lab.pinnedOf('tcp') as [LabPhone];
      const stays = lab.at(18, '21:40');
      // adb meets it only while its Wi-Fi is on: on some evenings, for a new build
      seenOnlyIn(lab, watch, [
        [lab.at(2, '20:05'), lab.at(2, '20:50')],
        [lab.at(6, '15:20'), lab.at(6, '16:35')],
        [lab.at(11, '20:31'), lab.at(11, '21:14')],
        [lab.at(16, '21:02'), lab.at(16, '21:40')],
        [stays, lab.end],
      ]);
      const losses: ToldLoss[] = [];
      const offs = [lab.at(19, '19:52'), lab.at(20, '20:26'), lab.at(21, '19:31')];
      for (const off of offs) {
        const forMs = Math.round(lab.random.between(35, 70) * MINUTE);
        losses.push(lab.lose(watch, off, { forMs }));
        lab.rebooted(watch, off + forMs + 20 * SECOND, { uptimeSeconds: 85 });
      }
      const charged = new Map(losses.map(({ at, until }) => [at, until]));
      watch.reading = (at) => {
        if (at < stays) return { levelPercent: 57, isFull: false, temperatureDecicelsius: 296 };
        const hour = ((at - lab.start) / HOUR) % 24;
        const off = offs.find((each) => each >= at && each - at < 12.2 * HOUR);
        const last = offs.findLast((each) => each < at);
        const back = last === undefined ? stays : (charged.get(last) ?? stays);
        const isWorn = hour >= 7.75 && hour < 20.5 && at - back > 2 * HOUR;
        const empty = off ?? lab.at(22, '20:05');
        const worn = Math.min(100, Math.max(1, 1 + ((empty - at) / HOUR) * 8.1));
        const onCharger = Math.min(100, (last === undefined ? 64 : 2) + ((at - back) / HOUR) * 55);
        const levelPercent = Math.round(isWorn ? worn : Math.max(0, onCharger));
        return {
          levelPercent,
          isFull: levelPercent === 100,
          temperatureDecicelsius: (isWorn ? 318 : 301) + Math.round((at / MINUTE) % 5),
        };
      };
      background(lab, { isDaily: true });
      return {
        at: lab.at(22, '16:45'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [watch.udid],
          says: /batter|charg|power|empt|drain|Wi-?Fi/i,
        },
        // it comes and goes with its Wi-Fi before
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'some payment terminals are in their recovery in the midst of a payment',
    source: 'stripe/stripe-terminal-react-native#1032',
    seen: 'Everything worked. Of late some of the terminals leave the payment, and show the recovery of Android.',
    cause: 'not the program of the payment: a fault of these devices, which is for their maker',
    did: 'was told to ask the maker',
    lab: {
      zone: 'Europe/London',
      hubs: [7],
      free: 1,
      usb: true,
      from: '2025-08-25',
      days: 23,
      models: ['Swift 2 Pro'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      const inRecovery: { terminal: LabPhone; from: number; to: number }[] = [];
      for (const [which, day, time, minutes] of [
        [1, 15, '11:42', 18],
        [4, 16, '15:07', 41],
        [1, 17, '10:25', 9],
        [2, 18, '14:50', 26],
        [4, 21, '12:18', 14],
        [1, 21, '16:33', 22],
        [2, 22, '11:05', undefined],
      ] as const) {
        const terminal = lab.pinned(which);
        const at = lab.at(day, time) + Math.round(lab.random.between(0, 50) * SECOND);
        const forMs = Math.round(lab.random.between(34, 48) * SECOND);
        losses.push(lab.lose(terminal, at, { forMs, backAs: 'recovery' }));
        inRecovery.push({ terminal, from: at, to: minutes ? at + (minutes + 1) * MINUTE : lab.end });
        // somebody chooses that it starts as usual
        if (minutes)
          lab.reboot(terminal, at + minutes * MINUTE, {
            forMs: Math.round(lab.random.between(45, 60) * SECOND),
            reason: 'reboot',
          });
      }
      for (const { terminal } of inRecovery)
        notReadIn(
          lab,
          terminal,
          inRecovery.filter((each) => each.terminal === terminal).map(({ from, to }) => [from, to]),
        );
      background(lab);
      return {
        at: lab.at(22, '11:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          says: /recovery|maker|flash|firmware|system|update|\bapps?\b|start(s|ed)? (it )?(again|anew|as usual)|restart|reboot/i,
        },
      };
    },
  },
  {
    name: 'a Fire TV Stick freezes or restarts when it plays for some minutes',
    source: 'yuliskov/SmartTube#657, yuliskov/SmartTube#2192',
    seen: 'Since the stick got its new surface, it crashes within minutes of any video in one app, and restarts; at other times its picture freezes, no key does anything, and it has to be taken off its power. With another owner the same stick runs fine.',
    cause: 'the app together with the new system of the stick; not found any closer',
    did: 'took the app off; it was not mended then',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      network: 3,
      from: '2021-05-17',
      days: 30,
      models: ['Fire TV Stick 4K', 'Fire TV Cube', 'Galaxy S9'],
    },
    tell(lab) {
      const [stick, cube] = [lab.pinned(0), lab.pinned(1)];
      for (const device of [stick, cube]) device.reading = nothing;
      const updated = lab.at(12, '03:35');
      for (const [device, at] of [
        [stick, updated],
        [cube, updated + 26 * HOUR],
      ] as const) {
        lab.reboot(device, at, { forMs: 140 * SECOND, reason: 'reboot,ota' });
        lab.phone(device, at + 3 * MINUTE, { kind: 'os', build: '0028233', buildBefore: '0026810' });
      }
      const losses: ToldLoss[] = [];
      for (const [day, time, frozen] of [
        [14, '20:12', 0],
        [14, '20:31', 0],
        [16, '19:55', 12],
        [17, '21:20', 0],
        [19, '13:44', 0],
        [19, '14:02', 7],
        [20, '20:48', 0],
        [22, '21:05', 19],
        [24, '19:38', 0],
        [25, '20:26', 0],
        [26, '16:11', 9],
        [27, '20:02', 0],
        [27, '20:19', 0],
      ] as const) {
        const at = lab.at(day, time) + Math.round(lab.random.between(0, 50) * SECOND);
        const forMs = Math.round(lab.random.between(52, 70) * SECOND);
        losses.push(frozen ? freezes(lab, stick, at, frozen * MINUTE) : lab.reboot(stick, at, { forMs }));
      }
      background(lab, EVENINGS);
      return {
        at: lab.at(27, '20:35'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [stick.udid], says: BROUGHT_DOWN },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'a Quest 3 that was shut down for the night is unauthorized on the next day',
    source: 'KaladinDMP/VR-CyberDeck#57',
    seen: 'A program on the computer put some apps on the headset without trouble. After the headset was shut down, the program sees it, and says that it is unauthorized.',
    cause: 'the headset has to allow adb of this computer again; it was not allowed for good',
    did: 'was told that it is none of the program: to allow adb in the headset',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 2,
      known: { slots: false, usbPath: false, hub: false },
      from: '2026-04-13',
      days: 22,
      models: ['Pixel 8', 'Quest 3'],
    },
    tell(lab) {
      const headset = lab.pinned(1);
      const evenings = [
        [lab.at(15, '19:40'), lab.at(15, '22:05')],
        [lab.at(18, '20:15'), lab.at(18, '22:50')],
        [lab.at(19, '17:30'), lab.at(19, '23:12')],
      ] as const;
      seenOnlyIn(lab, headset, evenings);
      const again = lab.at(20, '10:52');
      lab.phone(headset, again, { kind: 'attached', state: 'unauthorized' });
      const usual = inUse(lab);
      headset.reading = (at) =>
        evenings.some(([from, to]) => at >= from && at < to) ? usual(at) : undefined;
      background(lab, { isDaily: true });
      return {
        at: lab.at(20, '11:15'),
        told: {
          about: ['phone'],
          keys: [headset.udid],
          says: /authori[sz]|allow|prompt|confirm|accept|dialog|debugging|\bkeys?\b/i,
        },
      };
    },
  },
  {
    name: 'a treadmill is offline for the computer whenever the app on the phone rides it',
    source: 'cagnulein/qdomyos-zwift#3476',
    seen: 'The app on the phone steers the treadmill through adb over the network. It gets no answer, while the computer from which it was set up still has its adb connected. The other way round the computer calls the treadmill offline.',
    cause: 'supposed by the maker of the app: such a device lets one adb in at a time',
    did: 'asked whether to end the adb server on the computer',
    cannotShow: 'who else connects to a device is not recorded by the host that loses it',
    lab: {
      zone: 'Europe/Amsterdam',
      hubs: [4],
      free: 2,
      network: 1,
      known: { slots: false },
      from: '2025-05-26',
      days: 24,
      models: ['Galaxy A54', 'Pixel 7a', 'NordicTrack T'],
    },
    tell(lab) {
      const [treadmill] = lab.pinnedOf('tcp') as [LabPhone];
      treadmill.reading = nothing;
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [15, '19:05', 34],
        [16, '07:12', 21],
        [17, '18:48', 47],
        [19, '09:30', 62],
        [20, '18:20', 29],
        [21, '19:16', 41],
        [22, '16:25', 8],
        [22, '17:04', 37],
        [23, '08:55', undefined],
      ] as const)
        losses.push(
          lab.lose(treadmill, lab.at(day, time) + Math.round(lab.random.between(0, 50) * SECOND), {
            as: 'offline',
            ...(minutes && { forMs: minutes * MINUTE }),
          }),
        );
      background(lab);
      return {
        at: lab.at(23, '09:20'),
        losses,
        blame: ['phone', 'link', 'network', 'adb', 'person', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /another|other (adb|computer|host)|second|one (adb|computer|host|connection)|kill-server|reconnect|adb connect|restart|Wi-?Fi|network/i,
        },
      };
    },
  },
  {
    name: 'a container with Android that is restarted from inside is not reached until it is started anew',
    source: 'remote-android/redroid-doc#870',
    seen: 'When Android in a container is restarted by itself, adb does not get into it any more. It has to be run by Docker again.',
    cause: 'a container cannot be restarted from inside',
    did: 'ran it again by Docker, each time',
    cannotShow:
      'a container shows the boot and the uptime of the computer that it runs on, so that no restart of it is seen',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [4],
      free: 1,
      network: 8,
      from: '2025-07-01',
      days: 24,
      models: ['Redmi K70', 'Mate 50', 'Find X6', ...Array.from({ length: 8 }, () => 'redroid')],
    },
    tell(lab) {
      const containers = lab.pinnedOf('tcp');
      for (const container of containers) container.reading = nothing;
      const losses: ToldLoss[] = [];
      for (const [which, day, time, minutes] of [
        [0, 16, '15:20', 35],
        [3, 17, '10:12', 11],
        [0, 17, '16:44', 6],
        [5, 20, '11:31', 148],
        [2, 20, '17:55', 930],
        [6, 21, '14:08', 24],
        [3, 22, '10:40', undefined],
      ] as const)
        losses.push(
          lab.lose(
            containers[which] as LabPhone,
            lab.at(day, time) + Math.round(lab.random.between(0, 50) * SECOND),
            minutes ? { forMs: minutes * MINUTE } : {},
          ),
        );
      background(lab);
      return {
        at: lab.at(22, '11:20'),
        losses,
        blame: ['phone', 'person', 'link', 'network', 'host', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /start(s|ed)? (it )?(again|anew)|restart|reboot|is (it )?(on|running)|switched|adb connect|reconnect|network|address/i,
        },
      };
    },
  },
  {
    name: 'fifty containers with Android answer on one server, and the next ones do not',
    source: 'remote-android/redroid-doc#392',
    seen: 'Containers are started one after another. Fifty of them work: adb gets in, apps run. The one after that is not reached by adb, and the same with each further one. There is memory left.',
    cause: 'a limit of the kernel of the server: so many watchers of files for one user, and no more',
    did: 'read in the log of the container which call was refused, raised the limit, and started more than fifty',
    cannotShow: 'what Android in a container writes to its log, and the limits of a kernel, are not recorded',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      network: 52,
      from: '2023-05-29',
      days: 18,
      models: ['redroid 11'],
    },
    tell(lab) {
      const containers = lab.pinnedOf('tcp');
      for (const container of containers) container.reading = nothing;
      // two dozen of them run from the first day on, the others are added on the day before somebody asks
      for (const [index, container] of containers.entries()) {
        if (index < 24) continue;
        container.isThereAtFirst = false;
        const at = index < 50 ? lab.at(15, '15:10') + (index - 24) * 75 * SECOND : lab.at(16, '09:50');
        container.busy.push({ from: lab.start, to: at });
        if (index < 50) lab.phone(container, at, { kind: 'attached', state: 'device' });
      }
      const [next, oneMore] = [containers[50] as LabPhone, containers[51] as LabPhone];
      for (const [container, from, to] of [
        [next, '09:52', '10:16'],
        [next, '10:20', '10:41'],
        [oneMore, '10:24', '10:38'],
      ] as const) {
        lab.phone(container, lab.at(16, from), { kind: 'attached', state: 'offline' });
        lab.phone(container, lab.at(16, to), { kind: 'detached' });
      }
      lab.phone(next, lab.at(16, '10:47'), { kind: 'attached', state: 'offline' });
      background(lab, { hasReadings: false });
      return {
        at: lab.at(16, '11:25'),
        told: {
          about: ['phone', 'host', 'network'],
          says: /\blogs?\b|start(s|ed)? (it )?(again|anew)|restart|reboot|limit|too many|fewer|host|boot|adb connect|reconnect/i,
        },
      };
    },
  },
];
