/** Incidents of programs that drive phones for tests: device labs, test libraries. */
import { adbRestarts, background } from '../background.ts';
import { HOUR, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: Incident[] = [
  {
    name: 'the only phone of a test machine is gone in the morning because it asks for a security update',
    source: 'flutter/flutter#120818',
    seen: 'The machine has lost its phone; nothing is listed.',
    cause: 'the phone required a security update',
    did: 'let it update, then it was back',
    cannotShow: 'what a phone that has left USB asks for on its screen is not recorded',
    lab: { zone: 'America/Los_Angeles', hubs: [], direct: 1, from: '2023-01-30', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(16, '03:40');
      const loss = lab.lose(phone, at, { forMs: lab.at(16, '11:20') - at });
      lab.rebooted(phone, lab.at(16, '11:20:30'), { reason: 'reboot', uptimeSeconds: 60 });
      background(lab);
      return {
        at: lab.at(16, '09:40'),
        losses: [loss],
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /(?:install|finish|allow|take) .{0,20}updat|screen|look at/i,
        },
      };
    },
  },
  {
    name: 'the only phone of a test machine is gone, and is back once somebody restarted it',
    source: 'flutter/flutter#140251',
    seen: 'The machine has lost its phone; nothing is listed.',
    cause: 'not found; it was the phone, for a restart of it ended the fault',
    did: 'restarted the phone',
    lab: { zone: 'America/Los_Angeles', hubs: [], direct: 1, from: '2023-11-27', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(18, '11:50');
      const loss = lab.lose(phone, at, { forMs: lab.at(18, '14:40') - at });
      lab.rebooted(phone, lab.at(18, '14:40:20'), { uptimeSeconds: 45 });
      background(lab);
      return {
        at: lab.at(18, '14:02'),
        losses: [loss],
        blame: ['phone', 'port', 'link', 'unknown'],
        told: { about: ['phone', 'port'], says: /restart|reboot|power (?:it )?(?:off|on|button)|switch it/i },
      };
    },
  },
  {
    name: 'the editor and the test library each bring an adb, and kill the server of the other',
    source: 'AirtestProject/Airtest#1097',
    seen: 'While the editor shows the log of the phone, a test ends with "adb server version (40) doesn\'t match this client (41); killing...".',
    cause: 'two programs use adb of different versions',
    did: 'let the library use the adb of the editor, anew after each update of the library',
    lab: { zone: 'Asia/Tokyo', hubs: [], direct: 2, from: '2023-01-09', days: 19 },
    tell(lab) {
      for (const day of [14, 15, 16])
        for (const time of ['10:15', '11:30', '13:40', '15:05', '16:50']) {
          const at = lab.at(day, time) + lab.random.between(0, 12) * MINUTE;
          for (const [after, version] of [
            [0, 41],
            [lab.random.between(20, 90) * SECOND, 40],
          ] as const) {
            adbRestarts(lab, Math.round(at + after), version);
          }
        }
      background(lab);
      return {
        at: lab.at(16, '17:10'),
        told: { about: ['host'], says: /versions?\b|same adb|one adb|platform-tools|ANDROID_HOME/i },
      };
    },
  },
  {
    name: 'a phone restarts whenever a test swipes over its screen',
    source: 'xiaocong/uiautomator#197',
    seen: 'A Galaxy Nexus with a freshly flashed Android 4.3 restarts during a swipe, always.',
    cause: 'the version of adb on that computer',
    did: 'used another computer, where it does not happen',
    cannotShow: 'what tests send to a phone is not recorded',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      direct: 2,
      from: '2017-01-30',
      days: 24,
      models: ['Galaxy Nexus', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of [10, 11, 14, 15, 16, 17, 18, 21, 22])
        for (const hour of [9.6, 11.2, 14.1, 16.7])
          losses.push(
            lab.reboot(phone, lab.at(day) + hour * HOUR + lab.random.between(0, 40) * MINUTE, {
              forMs: lab.random.between(35, 55) * SECOND,
            }),
          );
      background(lab);
      return {
        at: lab.at(22, '18:10'),
        losses,
        blame: ['phone', 'adb', 'unknown'],
        alsoAbout: ['phone', 'host'],
      };
    },
  },
];
