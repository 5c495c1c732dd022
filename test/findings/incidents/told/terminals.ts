/** Incidents of terminals and tablets in the field, and of benches on which phones are rooted, looked into or driven by scripts. */
import { MTP } from '../../usb-tree.ts';
import { background, inUse, levels, offAndOn } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One phone at a port of the computer. */
const desk: LabOptions = { hubs: [], direct: 1, known: { slots: false } };

/** What helps with a phone that something on it brings down. */
const BROUGHT_DOWN =
  /\bapps?\b|memory|storage|crash|kernel|firmware|panic|update|\broot|\blogs?\b|bug ?report|by itself/i;

/** Somebody allows the computer at the phone, which tells then since when it runs. */
function allowed(lab: Lab, phone: LabPhone, at: number, since?: number): void {
  lab.phone(phone, Math.round(at), { kind: 'state', state: 'device', before: 'unauthorized' });
  if (since !== undefined)
    lab.rebooted(phone, at + 20 * SECOND, { uptimeSeconds: Math.round((at - since) / SECOND) });
}

export const incidents: readonly Incident[] = [
  {
    name: 'a till is unauthorized after each restart, since the apps of its maker were taken off',
    source: 'dafish7/Sunmi-v2-Firmware-#14',
    seen: 'With all apps of the maker gone, the terminal says unauthorized as soon as it has restarted, and always so.',
    cause:
      'with these apps gone nothing sets a property that the terminal wants to see before it lets adb in',
    did: 'unplugged it, set the property as root on the terminal itself, plugged it in again: after each restart anew',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [4],
      free: 2,
      known: { slots: false },
      from: '2024-08-26',
      days: 22,
      models: ['Sunmi V2'],
    },
    tell(lab) {
      const till = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [16, '18:20', 46],
        [17, '19:05', 9],
        [18, '10:30', 6],
        [19, '17:48', 5],
        [20, '18:15', undefined],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(till, at, { forMs: 58 * SECOND, backAs: 'unauthorized' }));
        if (minutes === undefined) continue;
        const again = lab.random.between(40, 80) * SECOND;
        lab.lose(till, at + minutes * MINUTE, { forMs: again });
        lab.rebooted(till, at + minutes * MINUTE + again + 20 * SECOND, {
          uptimeSeconds: minutes * 60,
        });
      }
      background(lab);
      return {
        at: lab.at(20, '18:40'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: { about: ['phone'], keys: [till.udid], says: /allow|accept|prompt|debugging|trust|\bkeys?\b/i },
      };
    },
  },
  {
    name: 'a till never shows the prompt, whatever is switched off and on',
    source: 'shangmisunmi/SunmiPrinterDemo#8',
    seen: 'The terminal is unauthorized, or offline, and asks nothing. It was connected anew and restarted, debugging and the developer options were switched off and on, adb was ended and started: nothing helps.',
    cause: 'not found; somebody with the same terminal has it five years later',
    did: 'nothing that helped',
    lab: {
      ...desk,
      zone: 'Europe/Kiev',
      direct: 2,
      from: '2018-08-20',
      days: 20,
      models: ['Sunmi V2', 'Galaxy S7'],
    },
    tell(lab) {
      const till = lab.pinned(0);
      till.isThereAtFirst = false;
      till.busy.push({ from: lab.start, to: lab.end });
      lab.phone(till, lab.at(16, '10:40'), { kind: 'attached', state: 'unauthorized' });
      for (const [day, time, seconds, backAs] of [
        [16, '10:55', 12, 'unauthorized'],
        [16, '11:20', 65, 'unauthorized'],
        [16, '12:05', 9, 'offline'],
        [16, '12:30', 20, 'unauthorized'],
        [17, '09:50', 70, 'unauthorized'],
        [17, '10:20', 8, 'unauthorized'],
      ] as const)
        lab.lose(till, lab.at(day, time), { forMs: seconds * SECOND, backAs });
      background(lab);
      return {
        at: lab.at(17, '11:30'),
        told: {
          about: ['phone'],
          keys: [till.udid],
          says: /allow|accept|prompt|revoke|debugging|\bkeys?\b/i,
        },
      };
    },
  },
  {
    name: 'a phone restarts some tens of seconds after a server for hooks was started on it',
    source: 'frida/frida#2371',
    seen: 'Started over adb the server runs for some tens of seconds, then the phone restarts, each time. Another phone has no trouble.',
    cause:
      'something on this phone: it was thought that its storage ran short since it was rooted; for others an update of its runtime',
    did: 'took another phone; others removed that update and restarted',
    lab: {
      ...desk,
      zone: 'Asia/Seoul',
      direct: 2,
      from: '2022-12-14',
      days: 20,
      models: ['Galaxy Wide 4', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [17, '20:12'],
        [17, '20:31'],
        [17, '21:04'],
        [18, '14:20'],
        [18, '14:52'],
        [18, '15:33'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.between(20, 70) * SECOND;
        losses.push(lab.reboot(phone, at, { forMs: lab.random.between(48, 70) * SECOND }));
      }
      background(lab);
      return {
        at: lab.at(18, '16:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: BROUGHT_DOWN },
      };
    },
  },
  {
    name: 'Galaxys lock up while their memory is copied, and stand in a mode that nothing leaves by itself',
    source: 'eurecom-s3/lemon#7',
    seen: 'On several of these phones the copy does not end: the kernel panics, as a processor hangs, and the screen shows “Upload Mode”. Two people see it on phones of two makers of chips.',
    cause: 'the program that reads all of the memory, with the kernel of these phones',
    did: 'reported the logs; the makers of the program patched it for one of the models',
    lab: {
      zone: 'Europe/Paris',
      hubs: [4],
      from: '2026-03-04',
      days: 24,
      models: ['Galaxy A33', 'Galaxy A34', 'Galaxy S10', 'Pixel 6a'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [which, day, time, minutes] of [
        [0, 17, '10:20', 7],
        [1, 17, '11:15', 4],
        [2, 17, '14:30', 11],
        [0, 18, '09:50', 3],
        [1, 18, '10:35', 5],
        [0, 19, '15:10', 6],
        [1, 19, '15:42', 3],
        [2, 19, '16:20', 4],
      ] as const)
        losses.push(
          offAndOn(lab, lab.pinned(which), lab.at(day, time), minutes * MINUTE, 'reboot,kernel_panic'),
        );
      background(lab);
      return {
        at: lab.at(19, '17:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], says: BROUGHT_DOWN },
      };
    },
  },
  {
    name: 'a tablet restarts when a module that copies its memory is loaded, sooner or later by its format',
    source: 'jtsylve/LiME#104',
    seen: 'With one format the tablet restarts a few seconds after the module was loaded, with the other at once. The kernel leaves its last log.',
    cause: 'the kernel crashes in that module',
    did: 'collected the logs of the kernel, and asked',
    lab: {
      ...desk,
      zone: 'Europe/Rome',
      direct: 2,
      usb: true,
      from: '2022-08-12',
      days: 19,
      models: ['Galaxy Tab S6 Lite', 'Pixel'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '16:05'],
        [14, '16:40'],
        [17, '10:12'],
        [17, '10:31'],
        [17, '11:20'],
      ] as const)
        losses.push(
          lab.reboot(tablet, lab.at(day, time) + lab.random.between(0, 6) * SECOND, {
            forMs: lab.random.between(50, 75) * SECOND,
            reason: 'kernel_panic',
          }),
        );
      background(lab);
      return {
        at: lab.at(17, '12:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [tablet.udid], says: BROUGHT_DOWN },
      };
    },
  },
  {
    name: 'a Galaxy takes back what it allowed again and again while it is looked into for spyware',
    source: 'mvt-project/mvt#519',
    seen: 'The phone revokes the permission of the computer all the time, and the run fails. The program runs in a container.',
    cause: 'not found; thought to be what others see: the phone leaves USB in the midst of it, and asks anew',
    did: 'ran its parts one by one; somebody else taps “allow” whenever it comes',
    lab: { ...desk, zone: 'Europe/Rome', from: '2024-07-29', days: 20, models: ['Galaxy S21'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, times] of [
        [16, '10:20', 3],
        [16, '15:05', 4],
        [18, '09:40', 5],
      ] as const) {
        let at = lab.at(day, time);
        for (let left = times; left > 0; left -= 1) {
          const gone = lab.random.between(1.5, 3) * SECOND;
          losses.push(lab.lose(phone, at, { forMs: gone, backAs: 'unauthorized' }));
          const tapped = at + gone + lab.random.between(15, 100) * SECOND;
          if (day !== 18 || left > 1) allowed(lab, phone, tapped);
          at = tapped + lab.random.between(1.5, 6) * MINUTE;
        }
      }
      background(lab);
      return {
        at: lab.at(18, '10:45'),
        losses,
        blame: ['phone', 'person', 'adb', 'host', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /allow|accept|prompt|revoke|\bkeys?\b/i,
        },
      };
    },
  },
  {
    name: 'a phone resets itself the moment it begins to be looked into',
    source: 'mvt-project/mvt#407',
    seen: 'As soon as the program has its adb connection and begins to collect, the phone restarts hard, at once.',
    cause: 'not found; tools that take all of its memory were known to do that, this one is light',
    did: 'was asked to run its parts one by one, to find the one that does it',
    lab: { ...desk, zone: 'Europe/Lisbon', direct: 3, from: '2023-09-25', days: 19 },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses = (
        [
          [16, '11:42'],
          [17, '10:15'],
        ] as const
      ).map(([day, time]) =>
        lab.reboot(phone, lab.at(day, time), { forMs: lab.random.between(35, 60) * SECOND }),
      );
      background(lab);
      return { at: lab.at(17, '11:00'), losses, blame: ['phone', 'unknown'] };
    },
  },
  {
    name: 'a Redmi restarts about ten minutes into each run of a script',
    source: 'clearw5/Auto.js#616',
    seen: 'The program that runs scripts stops now and then; and after some ten minutes of a script the whole phone restarts. Its battery has 34 to 36 °C, little memory is in use, no log has an error.',
    cause: 'not found; a leak of memory was suspected, or heat',
    did: 'looked for a log of the crash, and found none',
    lab: {
      ...desk,
      zone: 'Asia/Shanghai',
      direct: 2,
      from: '2020-07-27',
      days: 18,
      models: ['Redmi 4A', 'Redmi Note 8'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const runs: [number, number][] = [];
      for (const [day, time] of [
        [14, '15:20'],
        [14, '15:48'],
        [15, '10:05'],
        [15, '10:37'],
        [15, '16:12'],
        [16, '14:30'],
        [16, '19:05'],
        [16, '19:31'],
      ] as const) {
        const started = lab.at(day, time);
        const at = started + lab.random.between(8.5, 12) * MINUTE;
        losses.push(lab.reboot(phone, at, { forMs: lab.random.between(40, 60) * SECOND }));
        runs.push([started, at + 4 * MINUTE]);
      }
      const usual = inUse(lab);
      phone.reading = (at) => {
        const run = runs.find(([from, to]) => at >= from && at < to);
        const temperatureDecicelsius = run && Math.min(358, Math.round(338 + (at - run[0]) / (30 * SECOND)));
        return { ...usual(at), ...(temperatureDecicelsius && { temperatureDecicelsius }) };
      };
      background(lab);
      return {
        at: lab.at(16, '20:10'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: BROUGHT_DOWN },
      };
    },
  },
  {
    name: 'a phone switches itself off within ten seconds of its first unlock, over and over, until an app is gone',
    source: 'kkevsekk1/AutoX#603',
    seen: 'After each start, as soon as the screen is unlocked, it goes dark, a wheel turns, and the phone is off. To take root from the app changes nothing.',
    cause: 'an app for scripts that was installed and had root',
    did: 'removed the app within those ten seconds: the next start was well',
    lab: {
      ...desk,
      zone: 'Asia/Shanghai',
      direct: 2,
      usb: true,
      from: '2023-06-05',
      days: 18,
      models: ['Redmi K40 Gaming'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      let at = lab.at(15, '19:40');
      for (let left = 8; left > 0; left -= 1) {
        const forMs = lab.random.between(1.2, 4) * MINUTE;
        losses.push(offAndOn(lab, phone, at, forMs));
        at += forMs + lab.random.between(45, 100) * SECOND;
      }
      const asked = at - 20 * SECOND;
      // the one in which the app is removed
      offAndOn(lab, phone, at, 2 * MINUTE);
      background(lab);
      return {
        at: asked,
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|install|safe mode|boot ?loop|again and again|over and over|crash|by itself|factory/i,
        },
      };
    },
  },
  {
    name: 'a P20 leaves adb an hour or two into each run of tests, and is not connected again',
    source: 'openatx/uiautomator2#494',
    seen: 'One to two hours after a run began adb is disconnected, nothing connects it again, and the rest of the tests fails. A newer version of the tool changed nothing.',
    cause: 'not found; the makers of the tool could not reproduce it',
    did: 'updated the tool in vain',
    cannotShow: 'nobody found out why, and our records do not say when a run of tests begins',
    lab: {
      ...desk,
      zone: 'Asia/Shanghai',
      direct: 3,
      from: '2019-11-18',
      days: 18,
      models: ['Pixel', 'HUAWEI P20'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (const day of [9, 10, 11, 14, 15]) {
        const at = lab.at(day, '18:40') + lab.random.between(1, 2) * HOUR;
        losses.push(
          lab.lose(phone, at, { forMs: lab.at(day + 1, '09:20') + lab.random.between(0, 25) * MINUTE - at }),
        );
      }
      background(lab);
      return {
        at: lab.at(16, '09:00'),
        losses,
        blame: ['phone', 'port', 'link', 'adb', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|plug|port|socket|reconnect|restart|replac|swap/i,
        },
      };
    },
  },
  {
    name: 'the phone of a test machine is offline for five minutes of retries, and for whatever comes next',
    source: 'dotnet/dnceng#2199',
    seen: 'Builds fail: the phone is listed as offline. Thirty retries in five minutes do not change that.',
    cause: 'not told',
    did: 'made it a known error of the builds, and left it to those who look after the machine',
    lab: {
      ...desk,
      zone: 'America/Los_Angeles',
      from: '2024-02-26',
      days: 19,
      models: ['Pixel 5'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [lab.lose(phone, lab.at(17, '03:50'), { as: 'offline' })];
      background(lab);
      return {
        at: lab.at(17, '09:30'),
        losses,
        blame: ['phone', 'port', 'link', 'adb', 'host', 'unknown'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /plug|restart|reboot|cable|reconnect|kill-server/i,
        },
      };
    },
  },
  {
    name: 'with a root manager flashed a phone starts without USB debugging, and without it has it again',
    source: 'topjohnwu/Magisk#946',
    seen: 'Debugging is on; the root manager is flashed; after that debugging is off. The tool that removes it is flashed, and debugging is on.',
    cause:
      'the system of the phone decides about adb in a way of its own, which is upset by what hides the root',
    did: 'removed it again; was told to switch off what hides the root',
    lab: {
      ...desk,
      zone: 'Asia/Kolkata',
      usb: true,
      from: '2018-12-17',
      days: 18,
      models: ['Redmi Note 5 Pro'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [14, '19:10', 52],
        [15, '18:35', 24],
        [16, '11:20', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const forMs = minutes && minutes * MINUTE;
        losses.push(lab.lose(phone, at, forMs ? { forMs } : {}));
        // in its recovery for some minutes, then with its files only
        const started = at + lab.random.between(4, 7) * MINUTE;
        lab.usb(phone, at, null);
        lab.usb(phone, started, { interfaces: [MTP], connectedAt: started });
        if (!forMs) continue;
        lab.usb(phone, at + forMs - 6 * MINUTE, null);
        lab.usb(phone, at + forMs, undefined);
        lab.rebooted(phone, at + forMs + 20 * SECOND, { uptimeSeconds: 55 });
      }
      background(lab);
      return {
        at: lab.at(16, '12:10'),
        losses,
        blame: ['person', 'phone'],
        told: { about: ['phone', 'port'], says: /debugging|developer/i },
      };
    },
  },
  {
    name: 'tablets that lie beside their stations in the cold are suddenly empty',
    source: 'rbumm/Mirasteilas#37',
    seen: 'In a cold night a tablet warns that it must not be charged at that temperature. The other one is at 0 or 1 % all at once. Before that the first one had gone into power saving, and was out in the middle of a training.',
    cause:
      'they run on their batteries when they do not lie in their stations, and the cold interrupts their charging',
    did: 'decided to leave them in their stations, and to work with them there',
    lab: {
      zone: 'Europe/Zurich',
      hubs: [],
      network: 2,
      from: '2021-04-05',
      days: 19,
      models: ['ATLAS tablet', 'CEDES tablet'],
    },
    tell(lab) {
      const [atlas, cedes] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      const [out, back] = [lab.at(15, '14:25'), lab.at(15, '15:40')];
      const night = [lab.at(16, '22:00'), lab.at(17, '08:00')] as const;
      const level = levels([
        [lab.at(13, '08:00'), 100],
        [lab.at(14, '08:00'), 74],
        [out, 1],
        [back, 12],
        [lab.at(16, '18:00'), 96],
        [night[0], 93],
        [lab.end, 70],
      ]);
      atlas.reading = (at) => {
        const isCold = at >= night[0] && at < night[1];
        const reading = level(at);
        return reading && { ...reading, temperatureDecicelsius: isCold ? 10 : 180 };
      };
      cedes.reading = levels(
        [
          [lab.at(15, '17:00'), 98],
          [lab.at(16, '17:00'), 52],
          [lab.at(17, '09:10'), 1],
          [lab.at(17, '09:40'), 4],
          [lab.at(17, '18:00'), 88],
          [lab.end, 97],
        ],
        160,
      );
      const losses = [offAndOn(lab, atlas, out, back - out)];
      background(lab, { isDaily: true });
      return {
        at: lab.at(17, '09:15'),
        losses,
        blame: ['phone', 'person', 'room'],
        told: { about: ['phone'], says: /charg|batter|empty|power/i },
      };
    },
  },
  {
    name: 'tests of a bot time out, as the battery of its phone ran out',
    source: 'flutter/flutter#92915',
    seen: 'It is not rare that tests fail or time out because the battery is empty, although the phone hangs at the bot.',
    cause: 'a battery that ages, an unsteady cable, or a loose socket',
    did: 'asked for a check that takes a bot out of service when the battery is low',
    lab: {
      ...desk,
      zone: 'America/Los_Angeles',
      usb: true,
      from: '2021-10-11',
      days: 23,
      models: ['Moto G4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const [first, back] = [lab.at(16, '02:30'), lab.at(16, '10:40')];
      const second = lab.at(21, '23:50');
      phone.reading = levels([
        [lab.at(12), 98],
        [lab.at(14), 54],
        [first, 1],
        [back, 15],
        [back + 5 * HOUR, 97],
        [lab.at(19), 71],
        [second, 1],
      ]);
      const losses = [offAndOn(lab, phone, first, back - first), lab.lose(phone, second)];
      background(lab);
      return {
        at: lab.at(22, '09:10'),
        losses,
        blame: ['phone', 'port'],
        told: { about: ['phone', 'port'], says: /charg|batter|cable|empty|\bpower\b|\bcurrent\b/i },
      };
    },
  },
];
