/** Incidents that single people asked about in forums, or wrote up after they had found no answer there. */
import { adbRestarts, agentStartsFirst, background, levels, notReadIn } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: readonly Incident[] = [
  {
    name: 'a phone that was always recognised is waited for, since adb is stuck after it was pulled out',
    source: 'https://www.e-learn.cn/qa/answer/121846/488577.html',
    seen: 'For long the development tool found the phone each time. All of a sudden it waits for a device.',
    cause: 'the adb server hangs, as the phone was pulled out in the midst of something',
    did: 'ended the adb process by hand, and started it again',
    lab: { zone: 'Europe/Paris', hubs: [], direct: 1, known: { slots: false }, from: '2016-05-09', days: 16 },
    tell(lab) {
      agentStartsFirst(lab);
      const phone = lab.pinned(0);
      for (const day of lab.workdays(1, 11))
        lab.lose(phone, lab.at(day, '18:10') + lab.random.between(0, 25) * MINUTE, { forMs: 14.6 * HOUR });
      const pulled = lab.at(14, '10:42');
      const ended = pulled + 68 * MINUTE;
      // it is in again soon, which nobody sees before adb runs anew
      lab.lose(phone, pulled, { forMs: ended - pulled + 5 * SECOND });
      lab.host(pulled + 12 * SECOND, { kind: 'adbLost', failureKind: 'silent' });
      adbRestarts(lab, ended);
      notReadIn(lab, phone, [[pulled, ended]]);
      background(lab, { isUpdated: false });
      return {
        at: pulled + 40 * MINUTE,
        told: {
          about: ['host'],
          says: /kill-server|(re)?start|end (it|the)|\bkill|hang|stuck|does not answer/i,
        },
        alsoAbout: ['phone', 'port', 'host'],
      };
    },
  },
  {
    name: 'a box at a cable that its owner made himself is no more to the kernel than faults',
    source: 'https://ttttttg.com/r/RemixOS/comments/yj4gkm/cant_connect_remix_mini_to_pc/',
    seen: 'Three cables were made for the box. With crossed data wires the kernel finds something slow, fails to read its descriptors in four tries, turns its power off and on, and gives up: running and in fastboot alike. With straight wires nothing happens at all.',
    cause: 'not found; the cables, the socket of the box, and its power were thought of',
    did: 'tried both sockets of the box, other settings, other wirings; asked',
    lab: {
      zone: 'Europe/Warsaw',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      models: ['Remix Mini', 'Pixel'],
      from: '2022-10-17',
      days: 17,
    },
    tell(lab) {
      const box = lab.pinned(0);
      box.isThereAtFirst = false;
      box.busy.push({ from: lab.start, to: lab.end });
      lab.usb(box, lab.start, null);
      const where = lab.where(box, lab.start);
      for (const [day, time] of [
        [13, '19:40'],
        [13, '19:52'],
        [13, '20:31'],
        [14, '18:22'],
        [14, '18:40'],
        [15, '17:58'],
        [15, '18:05'],
      ] as const) {
        const at = lab.at(day, time);
        for (let turn = 0; turn < 8; turn += 1) lab.kernel(at + turn * 400, where, 'descriptor');
        lab.kernel(at + 4 * SECOND, where, 'enumerate');
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(15, '18:30'),
        told: {
          about: ['port', 'phone', 'hub'],
          keys: [lab.portKey(box), box.udid],
          says: /cable|wire|plug|socket|another (port|cable)|power|replac/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy restarts each Sunday at three in the morning, as its owner has set it',
    source: 'https://worldofsoftware.org/?p=771492',
    seen: 'Once a week, on Sunday at 3:00, the phone is away for a few minutes.',
    cause: 'the schedule for restarts among its settings',
    did: 'wants it so: the phone is to be fresh, and nobody uses it then',
    lab: {
      zone: 'America/Toronto',
      hubs: [4],
      usb: true,
      free: 1,
      models: ['Galaxy S24', 'Pixel', 'Pixel', 'Pixel'],
      from: '2025-04-28',
      days: 36,
    },
    tell(lab) {
      agentStartsFirst(lab);
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 0; day < lab.days; day += 1)
        if (lab.weekday(day) === 0)
          losses.push(
            lab.reboot(phone, lab.at(day, '03:00') + lab.random.between(1, 50) * SECOND, {
              forMs: lab.random.between(80, 140) * SECOND,
              reason: 'reboot',
            }),
          );
      background(lab);
      return { at: lab.at(34, '10:00'), losses, blame: ['phone', 'person'] };
    },
  },
  {
    name: 'a Galaxy S4 Mini that was well does not start any more after an ordinary restart',
    source: 'https://android.stackexchange.com/questions/213722/how-to-debug-boot-loop',
    seen: 'After it was shut down and started as usual, the phone shows its first picture for 20 seconds, turns black, and begins anew. Its recovery starts, and all works there.',
    cause: 'something in the system of the phone; which part was not known to the one who asked',
    did: 'wiped caches and the system in the recovery and installed it again, without battery, without cards: no change',
    lab: {
      zone: 'Europe/Helsinki',
      hubs: [],
      direct: 2,
      known: { slots: false },
      models: ['Galaxy S4 Mini', 'Pixel'],
      from: '2019-06-10',
      days: 20,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [16, '17:20', 48],
        [16, '19:02', 21],
        [16, '21:15', 37],
        [17, '11:40', 95],
        [17, '14:08', undefined],
      ] as const)
        losses.push(
          lab.lose(phone, lab.at(day, time), {
            ...(minutes && { forMs: minutes * MINUTE, backAs: 'recovery' }),
          }),
        );
      notReadIn(lab, phone, [[lab.at(16, '17:20'), lab.end]]);
      background(lab, { isDaily: true });
      return {
        at: lab.at(17, '15:00'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /recovery|\bboot|flash|wipe|install|reset|system|start/i,
        },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'a Moto G that ran empty does not start for hours, though it is at its charger',
    source: 'https://shreeharshasblogger.blogspot.com/2016/10/motorola-g3-reboot-after-battery-dies.html',
    seen: 'Two weeks of use without trouble; then it was not charged once, and is off. In the evening it is plugged in: after two hours it is still dark. Another charger and a computer change nothing.',
    cause: 'it ran empty, and its bootloader does not start with an empty battery',
    did: 'held power and volume down for six minutes, at the mains, until it started',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [],
      network: 3,
      models: ['Moto G3', 'Pixel', 'Galaxy A10'],
      from: '2016-09-19',
      days: 20,
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const known: [number, number][] = [];
      for (let day = 0; day < 15; day += 1)
        known.push(
          [lab.at(day, '07:30'), 100],
          [lab.at(day, '22:30'), 34 + (day % 4) * 5],
          [lab.at(day + 1, '01:00'), 100],
        );
      const [off, back] = [lab.at(16, '13:25'), lab.at(16, '21:50')];
      known.push([lab.at(15, '07:30'), 100], [lab.at(15, '23:00'), 41], [off, 1], [back, 9], [lab.end, 100]);
      phone.reading = levels(known, 300);
      const loss = lab.lose(phone, off, { forMs: back - off });
      lab.rebooted(phone, back + 30 * SECOND, { uptimeSeconds: 75 });
      background(lab, { isDaily: true });
      return {
        at: lab.at(16, '20:30'),
        losses: [loss],
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /charg|batter|empty|power|button/i,
        },
      };
    },
  },
  {
    name: 'a device with Android 13 closes its adb when it changes its Wi-Fi, and opens it at another port',
    source: 'https://www.codetd.com/en/article/16652190',
    seen: 'Debugging over the network ends whenever the Wi-Fi is turned off or another one is taken. Afterwards the port is another one, so nothing comes back by itself. With Android 11 it was enough to connect.',
    cause: 'Android 13 stops adb with the Wi-Fi it was allowed in, and picks a new port each time',
    did: 'changed the system: a fixed port, and no stop',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [],
      network: 3,
      models: ['Android 13 board', 'Android 11 board', 'Pixel'],
      from: '2023-08-14',
      days: 22,
    },
    tell(lab) {
      const [device] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [15, '10:12', 0.6],
        [15, '14:40', 1.3],
        [16, '09:35', 0.4],
        [16, '16:20', 17.1],
        [17, '11:05', 0.9],
        [18, '10:24', undefined],
      ] as const)
        losses.push(lab.lose(device, lab.at(day, time), { ...(hours && { forMs: hours * HOUR }) }));
      background(lab, { hours: [9, 20] });
      return {
        at: lab.at(18, '11:30'),
        losses,
        blame: ['link', 'network', 'phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'network'],
          keys: [device.udid],
          says: /Wi-?Fi|wireless|adb connect|connect|\bport\b|tcpip|5555|debugging/i,
        },
      };
    },
  },
  {
    name: 'a phone that was charged overnight is dark in the morning, and stays so',
    source:
      'https://forums.androidcentral.com/droid-razr-maxx/551315-droid-razr-maxx-wont-charge-turn-white-light-when-plugged-into-pc-only-why.html',
    seen: 'Well in the evening and charged overnight, the phone is dead in the morning. No keys start it. At the charger its lamp blinks white, at a computer it is lit. Three chargers, hours at a computer, and the car do not help.',
    cause: 'most likely its old battery failed',
    did: 'tried other chargers and cables; was told to have the battery replaced',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      models: ['Droid Razr Maxx', 'Pixel'],
      from: '2015-06-15',
      days: 23,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const day of lab.workdays(1, 21))
        lab.lose(phone, lab.at(day, '07:45') + lab.random.between(0, 20) * MINUTE, { forMs: 13.5 * HOUR });
      const loss = lab.lose(phone, lab.at(21, '04:20'));
      background(lab, { isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(21, '20:00'),
        losses: [loss],
        blame: ['phone', 'port', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /batter|charg|cable|socket|power|button|start|repair|replac/i,
        },
      };
    },
  },
  {
    name: 'an Atrix is there after it is flashed, until it is unplugged for half an hour',
    source: 'https://bettermobileapp.com/article/14208533/Redmi+5+Plus+Slow+charging+on+custom+rom',
    seen: 'Since an update failed on it the phone knows no charger and no computer, but right after another system was installed. It goes on while it stays plugged in; unplugged for up to 30 minutes it is not seen any more. Many systems, and the copy of another phone, were tried.',
    cause: 'not found; it began as an update failed',
    did: 'installed systems over and over, each time good until it was unplugged',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      models: ['Atrix 4G', 'Pixel'],
      from: '2012-04-02',
      days: 22,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [12, '18:05', 3.2],
        [13, '15:40', 22.4],
        [15, '19:10', 4.5],
        [17, '18:30', 26.2],
        [19, '20:15', undefined],
      ] as const) {
        const at = lab.at(day, time);
        losses.push(lab.lose(phone, at, { ...(hours && { forMs: hours * HOUR }) }));
        if (hours) {
          lab.rebooted(phone, at + hours * HOUR + 25 * SECOND, { uptimeSeconds: 90 });
          lab.phone(phone, at + hours * HOUR + 30 * SECOND, { kind: 'os', build: `flash-${day}` });
        }
      }
      background(lab, { isDaily: true, hours: [9, 22] });
      return {
        at: lab.at(20, '12:00'),
        losses,
        blame: ['person', 'port', 'link', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|socket|plug|charg|restart|flash|install|system|replac|repair/i,
        },
      };
    },
  },
];
