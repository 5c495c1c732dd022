/**
 * Incidents that people wrote up in their own blogs, or in the forums of those who build robots, root phones and run farms of
 * them at home. Nobody there had a tool that watches: they had one phone or tablet that hung, restarted, ran empty or was no
 * longer seen, a screwdriver, and at the end mostly something small that wears out, or an update.
 */
import { type Port, whereOf } from '../../room.ts';
import { FASTBOOT } from '../../usb-tree.ts';
import { agentStartsFirst, background, hostRestarts, levels, notReadIn, offAndOn } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

type Point = readonly [at: number, value: number];

/** At home, people are there each day. */
const HOME = { isDaily: true, hours: [7, 22] } as const;

const desk = (more: LabOptions): LabOptions => ({ hubs: [], known: { slots: false }, usb: true, ...more });

/** How the kernel shows a Galaxy in its download mode: a modem. */
const MODEM = [
  { kind: '02/02/01', endpoints: 1 },
  { kind: '0a/00/00', endpoints: 2 },
];
/** A recovery that lends its storage to the computer. */
const DISK = [{ kind: '08/06/50', endpoints: 2 }];

/** It answers nothing from a moment on, though adb still lists it, until somebody holds its button. */
function hangs(lab: Lab, phone: LabPhone, at: number, forMs: number): ToldLoss {
  lab.facts(phone, at, { isSilent: true, silentSince: at });
  lab.facts(phone, at + forMs, { isSilent: false });
  return lab.reboot(phone, at + forMs, { forMs: lab.random.between(50, 75) * SECOND });
}

export const hobbyPosts: readonly Incident[] = [
  {
    name: 'a phone cannot stop restarting for minutes at a time, until the switch under its power button is replaced',
    source: 'http://blog.electronsmith.com/?p=675',
    seen: 'For weeks it switches off by chance, tries to start, and is off again four seconds later, over and over. Playing with the power button for a while ends that, and a few hours later it begins again.',
    cause: 'the switch under the power button',
    did: 'cleaned the switch with alcohol, which helped for a week, then soldered in a new one',
    lab: desk({
      zone: 'America/Chicago',
      direct: 2,
      from: '2016-01-11',
      days: 23,
      models: ['Phone', 'Tablet'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [6, '18:42', 9],
        [6, '21:50', 16],
        [8, '08:15', 6],
        [9, '19:20', 22],
        [10, '12:05', 11],
        [10, '16:40', 8],
        [12, '20:10', 31],
        [13, '09:35', 14],
        // a week after it was cleaned
        [19, '10:25', 8],
        [19, '14:50', 19],
        [20, '09:30', 12],
      ] as const) {
        const at = lab.at(day, time) + lab.random.whole(0, 50) * SECOND;
        losses.push(offAndOn(lab, phone, at, minutes * MINUTE));
      }
      offAndOn(lab, phone, lab.at(13, '15:05'), 75 * MINUTE);
      background(lab, HOME);
      return {
        at: lab.at(20, '11:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /button|hardware|repair|defect|again and again|over and over|by itself|boot ?loop|switch(es|ed)? (itself )?off|batter/i,
        },
      };
    },
  },
  {
    name: 'a Nexus 6P is off in the afternoon with 17 to 52 percent left, and goes on from there when it is started',
    source: 'http://www.sheeldz.co.uk/blog/2017/5/8/an-android-upgrade-3-part-i-the-end-of-the-nexus-6p',
    seen: 'It is fine through the day, and somewhere between 60 and 15 percent it just switches itself off, as if it were empty. Started again at the charger it shows what it showed last, and charges.',
    cause: 'its battery',
    did: 'bought another phone',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 1,
      network: 1,
      known: { slots: false },
      from: '2017-04-17',
      days: 22,
      models: ['Nexus 7', 'Nexus 6P'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const ends = new Map<number, readonly [time: string, percent: number, minutes: number]>([
        [8, ['17:25', 24, 18]],
        [10, ['16:05', 38, 41]],
        [12, ['18:40', 17, 12]],
        [13, ['15:10', 52, 66]],
        [15, ['17:50', 26, 25]],
        [16, ['16:45', 31, 9]],
        [18, ['14:30', 47, 34]],
        [19, ['17:15', 25, 20]],
      ]);
      const losses: ToldLoss[] = [];
      const points: Point[] = [[lab.start, 100]];
      for (const day of lab.everyDay()) {
        points.push([lab.at(day, '06:50'), 100]);
        const end = ends.get(day);
        if (end === undefined) {
          points.push([lab.at(day, '22:20'), lab.random.whole(21, 40)], [lab.at(day, '23:59'), 88]);
          continue;
        }
        const [time, percent, minutes] = end;
        const off = lab.at(day, time);
        const on = off + minutes * MINUTE;
        points.push([off, percent], [on, percent], [on + 2.5 * HOUR, 100]);
        losses.push(offAndOn(lab, phone, off, on - off));
      }
      phone.reading = levels(points, 300);
      background(lab, HOME);
      return {
        at: lab.at(19, '18:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /batter|\bcell\b|charge/i },
      };
    },
  },
  {
    name: 'a Galaxy Note 4 hangs, cannot read its storage at the next start, and installs an update for ever in the evening',
    source: 'https://databaseusers.com/article/13881047/Phone+stuck+in+update+mode+after+mmc+error',
    seen: 'In the morning the phone reacted to nothing, was restarted, and showed that it could not read its storage (mmc). The battery was taken out for the day. In the evening it goes to its recovery at each start: “Installing system update…”. Its download mode works.',
    cause: 'its storage chip, whose contact on the board fails: known of this model',
    did: 'was told to take out the battery, and that nothing but a repair helps for long',
    lab: desk({
      zone: 'America/New_York',
      direct: 2,
      from: '2019-02-04',
      days: 20,
      models: ['Galaxy Note 4', 'Pixel 2'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const hung = lab.at(17, '07:46');
      const restarted = lab.at(17, '08:04');
      lab.facts(phone, hung, { isSilent: true, silentSince: hung });
      lab.facts(phone, restarted, { isSilent: false });
      const loss = lab.lose(phone, restarted);
      // the picture of its download mode says what is wrong, until the battery is taken out
      lab.usb(phone, restarted + 25 * SECOND, { interfaces: MODEM, connectedAt: restarted + 25 * SECOND });
      lab.usb(phone, restarted + 5 * MINUTE, null);
      const evening = lab.at(17, '19:31');
      lab.usb(phone, evening, { interfaces: MODEM, connectedAt: evening });
      notReadIn(lab, phone, [[hung, lab.end]]);
      background(lab);
      return {
        at: evening + 14 * MINUTE,
        losses: [loss],
        blame: ['phone', 'person'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /download|recovery|bootloader|\bboots?\b|does not start|firmware|flash|another mode|without adb|storage|hardware/i,
        },
      };
    },
  },
  {
    name: 'a Nexus 4 locks up several times a day since it was updated to Lollipop',
    source: 'https://kalafut.net/posts/2015-01-20-lollipop-pos/',
    seen: 'Two years it was snappy. Since the update it is slow, and locks up at random, several times each day, so that it has to be forced to restart.',
    cause: 'the new version of Android on this phone',
    did: 'waited for the next version, with no wish to install another system',
    lab: desk({
      zone: 'America/Denver',
      direct: 2,
      from: '2014-12-29',
      days: 24,
      models: ['Nexus 4', 'Nexus 7'],
    }),
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const updated = lab.at(9, '20:35');
      lab.reboot(phone, updated, { forMs: 11 * MINUTE });
      lab.phone(phone, updated + 12 * MINUTE, {
        kind: 'os',
        release: '5.0.1',
        before: '4.4.4',
        build: '1602158',
        buildBefore: '1227136',
      });
      const losses: ToldLoss[] = [];
      const silent: [number, number][] = [];
      for (let day = 10; day < 22; day += 1)
        for (const hour of random.shuffled([8, 11, 14, 17, 20]).slice(0, random.whole(2, 4)).sort()) {
          const at = Math.round(lab.at(day) + (hour + random.between(0, 1)) * HOUR);
          const forMs = Math.round(random.between(6, 55) * MINUTE);
          losses.push(hangs(lab, phone, at, forMs));
          silent.push([at, at + forMs]);
        }
      notReadIn(lab, phone, silent);
      background(lab, HOME);
      return {
        at: lab.at(22, '07:30'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /freez|frozen|\bhangs?\b|hung|update|software|\bsystem\b|version/i,
        },
      };
    },
  },
  {
    name: 'a Galaxy Nexus restarts several times a day again, and one morning stands at its logo',
    source: 'https://wpblog.ericbuist.com/2014/08/01/bumpy-android-upgrade/',
    seen: 'In spring it restarted like crazy until it was reset. Now it restarts again, several times a day. One Thursday morning it stands at the logo, and does so again after its battery was taken out and put back.',
    cause: 'not found for sure: what is stored on it, or its version of Android',
    did: 'upgraded it to another version of Android',
    lab: desk({
      zone: 'America/Toronto',
      direct: 2,
      from: '2014-07-07',
      days: 20,
      models: ['Galaxy Nexus', 'Nexus 7'],
    }),
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, ...times] of [
        [14, '09:12', '15:40', '21:03'],
        [15, '07:25', '07:28', '12:51', '18:16'],
        [16, '08:44', '13:07', '19:35', '22:10'],
      ] as const)
        for (const time of times)
          losses.push(
            lab.reboot(phone, lab.at(day, time) + random.whole(0, 50) * SECOND, {
              forMs: random.between(45, 65) * SECOND,
            }),
          );
      losses.push(lab.lose(phone, lab.at(17, '04:21')));
      background(lab, HOME);
      return {
        at: lab.at(17, '08:10'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bapps?\b|memory|storage|crash|kernel|firmware|software|\bsystem\b|update|\blogs?\b|bug ?report|by itself|boot ?loop|reset/i,
        },
      };
    },
  },
  {
    name: 'a Transformer Prime sleeps so deeply since an update that only a pin in its reset hole wakes it',
    source: 'https://katrich.wordpress.com/2012/04/04/more-transformer-prime/',
    seen: 'An update of the firmware came on Monday. Since then the tablet, left alone, at times does not wake any more, and has to be poked with a pin.',
    cause: 'the update; others had the same',
    did: 'saved everything, reset it to its factory state, and has not seen it since',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 1,
      network: 1,
      known: { slots: false },
      from: '2012-03-19',
      days: 19,
      models: ['Galaxy S II', 'Transformer Prime'],
    },
    tell(lab) {
      const tablet = lab.pinned(1);
      const updated = lab.at(14, '10:20');
      lab.reboot(tablet, updated, { forMs: 6 * MINUTE });
      lab.phone(tablet, updated + 7 * MINUTE, {
        kind: 'os',
        release: '4.0.3',
        before: '4.0.3',
        build: 'US_epad-9.4.2.21',
        buildBefore: 'US_epad-9.4.2.15',
      });
      const losses: ToldLoss[] = [];
      for (const [day, from, minutes] of [
        [14, '15:40', 55],
        [14, '23:25', 493],
        [15, '13:10', 41],
        [15, '20:45', 26],
        [16, '01:32', 345],
      ] as const) {
        const at = lab.at(day, from) + lab.random.whole(0, 50) * SECOND;
        losses.push(offAndOn(lab, tablet, at, minutes * MINUTE));
      }
      losses.push(lab.lose(tablet, lab.at(16, '12:38')));
      background(lab, HOME);
      return {
        at: lab.at(16, '13:35'),
        losses,
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /freez|frozen|\bhangs?\b|hung|sleep|firmware|update|software|\bsystem\b|\bbuild\b|reset|crash|by itself/i,
        },
      };
    },
  },
  {
    name: 'a Nexus 7 no longer charges, as the second of its thin cables burnt out at a strong charger',
    source: 'https://kasson.com/bleeding_edge/the-bleeding-edge/burnt-out-usb-cables',
    seen: 'With its charger of 2 A and an ordinary cable it charged for some weeks, then no longer. Another cable mended that; weeks later it does not charge again, and once more a new cable mends it.',
    cause: 'the cables: most are not made for 2 A, and burn out',
    did: 'threw the cable away, and bought one for 2 A',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [],
      direct: 1,
      network: 1,
      known: { slots: false },
      from: '2012-12-31',
      days: 29,
      models: ['Galaxy Nexus', 'Nexus 7'],
    },
    tell(lab) {
      const tablet = lab.pinned(1);
      const points: Point[] = [];
      let level = 97;
      const burnt = new Set([5, 26]);
      for (const day of lab.everyDay()) {
        points.push([lab.at(day, '07:30'), level]);
        const used = burnt.has(day - 1) ? 38 : lab.random.whole(38, 52);
        level = Math.max(6, level - used);
        points.push([lab.at(day, '22:40'), level]);
        // plugged in for the night; a burnt cable gives nothing, and standby takes a little
        level = burnt.has(day) ? Math.max(5, level - 4) : 100;
        if (level === 100) points.push([lab.at(day + 1, '01:50'), 100]);
      }
      tablet.reading = levels(points, 285);
      for (const [day, status] of [
        [5, 'DISCHARGING'],
        [6, 'CHARGING'],
        [26, 'DISCHARGING'],
      ] as const)
        lab.facts(tablet, lab.at(day, '22:45'), { battery: { isPresent: true, status } });
      background(lab, HOME);
      return {
        at: lab.at(27, '21:40'),
        told: { about: ['phone'], keys: [tablet.udid], says: /charg|cable|batter|\bplug|power/i },
      };
    },
  },
  {
    name: 'a Nexus 7 that ran empty stands at its logo, and fastboot can format nothing on it',
    source: 'https://stderr.info/2015/03/24/asus-nexus-7-dead/',
    seen: 'Taken along and forgotten with its Wi-Fi on, it ran empty. Charged again it comes no further than the logo; recovery neither. In fastboot each command that formats or clears something waits for ever.',
    cause: 'not found for sure: most likely its storage is dead',
    did: 'tried recovery, then fastboot and a factory image from a computer, in vain',
    lab: desk({
      zone: 'America/Chicago',
      direct: 2,
      from: '2015-03-09',
      days: 18,
      models: ['Nexus 7', 'Moto X'],
    }),
    tell(lab) {
      const tablet = lab.pinned(0);
      const taken = lab.lose(tablet, lab.at(11, '17:48'));
      const fastboot = lab.at(15, '14:22');
      lab.usb(tablet, fastboot, { interfaces: [FASTBOOT], connectedAt: fastboot });
      background(lab);
      return {
        at: fastboot + 50 * MINUTE,
        losses: [taken],
        blame: ['person', 'phone', 'port', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [tablet.udid, lab.portKey(tablet)],
          says: /fastboot|bootloader|recovery|\bboots?\b|does not start|flash|another mode|without adb/i,
        },
      };
    },
  },
  {
    name: 'a farm at an ordinary PC takes 42 phones and not one more, at whichever hub',
    source: 'https://www.igmatrix.com/pt/blog/usb-phone-farm-limits',
    seen: 'USB should take 127 devices. With a board for consumers there is an end at about forty phones; more are plugged in, and are not there.',
    cause: 'the controller of the board and its firmware: seldom the system',
    did: 'a board for servers with more controllers, or the ports of USB 2 only; hubs with power of their own, at different controllers, three in a row at most',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [10, 10, 10, 10, 10],
      usb: true,
      controllerId: ['8086', 'a2af'],
      from: '2025-08-04',
      days: 20,
      models: ['Galaxy A03', 'Moto E7', 'Redmi 9A'],
    },
    tell(lab) {
      const late = lab.phones.slice(42);
      let at = lab.at(15, '14:05');
      for (const phone of late) {
        phone.isPinned = true;
        phone.isThereAtFirst = false;
        phone.busy.push({ from: lab.start, to: lab.end });
        lab.usb(phone, lab.start, null);
        const where = lab.where(phone, at);
        // plugged in, and once more on the next morning
        for (const moment of [at, at + 19.2 * HOUR]) {
          lab.kernel(moment, where, 'resources');
          lab.kernel(moment + 300, where, 'config');
          lab.usb(phone, moment, { interfaces: [], connectedAt: Math.round(moment) });
        }
        at += lab.random.whole(40, 110) * SECOND;
      }
      background(lab);
      return {
        at: lab.at(16, '10:30'),
        told: {
          about: ['port', 'phone', 'hub', 'host'],
          says: /controller|too many|resources|endpoint|\bboard\b|\bcard\b|\blimit/i,
        },
      };
    },
  },
  {
    name: 'a TouchPad with Android restarts as soon as its Bluetooth comes up, and so at each start',
    source: 'http://choblog.cf/author/chobbs/page/18/',
    seen: 'For years it was stable. When Bluetooth was switched on it restarted at once, and does so again at each start. Clearing its caches changes nothing.',
    cause: 'what it has stored about Bluetooth is corrupt',
    did: 'in its recovery, which has no adb but lends its storage, installed a script that deletes these files',
    lab: desk({
      zone: 'Europe/London',
      direct: 2,
      from: '2015-05-04',
      days: 21,
      models: ['TouchPad', 'Moto G'],
    }),
    tell(lab) {
      const { random } = lab;
      const tablet = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const loop = (from: number, times: number): number => {
        let at = from;
        for (let left = times; left > 0; left -= 1) {
          const gone = random.between(46, 58) * SECOND;
          losses.push(lab.lose(tablet, at, { forMs: gone }));
          lab.rebooted(tablet, at + gone + 8 * SECOND, { uptimeSeconds: 27 });
          at += gone + random.between(18, 32) * SECOND;
        }
        return at;
      };
      const first = Math.round(loop(lab.at(17, '20:15'), 16));
      const asked = first - 5 * SECOND;
      const recovery = 38 * MINUTE;
      const shown = lab.lose(tablet, first, { forMs: recovery });
      lab.usb(tablet, first + 2 * MINUTE, { interfaces: DISK, connectedAt: first + 2 * MINUTE });
      lab.usb(tablet, first + recovery - MINUTE, undefined);
      const second = loop(shown.until + 25 * SECOND, 5);
      const script = lab.at(18, '21:40') - second;
      lab.lose(tablet, second, { forMs: script });
      lab.rebooted(tablet, second + script + 30 * SECOND, { uptimeSeconds: 65 });
      background(lab, HOME);
      return {
        at: asked,
        losses: losses.filter((loss) => loss.at < asked),
        blame: ['phone'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /\bapps?\b|software|\bsystem\b|crash|kernel|safe mode|boot ?loop|again and again|over and over|by itself|reset|\blogs?\b/i,
        },
      };
    },
  },
  {
    name: 'a PC no longer knows an Atrix 2 at nine of its ten ports, and at the tenth one time in five',
    source: 'http://heygar.blogspot.com/2012/02/smartphone-usb-connectivity-issues.html',
    seen: 'On a Monday the computer quits to see the phone that hangs at it all day. It is moved from port to port: one of ten works in a fifth of all cases. At another computer it is there at once, with the same cable.',
    cause: 'the USB of this computer, not the phone; what exactly it was could not be read',
    did: 'installed the software of the hubs anew and restarted several times, in vain, and mended it in the end',
    cannotShow:
      'that it is the computer is known from another computer, where all is well at once: its agent is not ours, and here no other phone is at these ports',
    lab: {
      zone: 'America/Denver',
      hubs: [4, 4, 2],
      free: 9,
      network: 1,
      known: { slots: false },
      usb: true,
      from: '2012-01-30',
      days: 26,
      models: ['Atrix 2', 'Nexus S'],
    },
    tell(lab) {
      const { random } = lab;
      agentStartsFirst(lab);
      const phone = lab.pinned(0);
      const ports = lab.freePorts(lab.start);
      const lucky = ports[5] as Port;
      const all = [lab.portOf(phone, lab.start) as Port, ...ports];
      const fails = (from: number, to: number): void => {
        let at = from;
        for (const port of random.shuffled(all)) {
          at += random.whole(70, 260) * SECOND;
          if (at > to) return;
          const where = whereOf(port, lab.known);
          lab.kernel(at, where, 'descriptor');
          if (port !== lucky) lab.kernel(at + 14 * SECOND, where, 'enumerate');
        }
      };
      const losses: ToldLoss[] = [];
      for (const [day, time, back] of [
        [21, '09:10', [21, '10:05']],
        [21, '10:12', [21, '13:40']],
        [21, '14:05', [22, '10:30']],
        [22, '10:34', [22, '15:50']],
        [22, '16:01', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const until = back && lab.at(back[0], back[1]);
        const forMs = until && until - at;
        losses.push(lab.lose(phone, at, forMs ? { forMs, to: lucky } : {}));
        fails(at, until ?? lab.end);
      }
      hostRestarts(lab, lab.at(22, '11:20'));
      hostRestarts(lab, lab.at(22, '16:40'));
      background(lab);
      return {
        at: lab.at(23, '09:30'),
        losses,
        blame: ['host', 'port', 'hub', 'link', 'phone', 'unknown'],
        told: {
          about: ['port', 'hub', 'host', 'phone'],
          says: /cable|\bports?\b|controller|computer|\bhost\b|\bhub\b|elsewhere|another/i,
        },
      };
    },
  },
  {
    name: 'a phone on a robot is well in practice, and is lost whenever another robot hits it in a match',
    source: 'https://www.chiefdelphi.com/t/ftc-phone-system-blues/155843',
    seen: 'On the practice field everything works. In the matches of the championship everything dies. A programmer says that new phones are needed; so far it was always the connections.',
    cause:
      'as others say: its USB cable, worn by a season, which loosens when the robot is hit; with others the socket of these phones is worn too',
    did: 'was told to replace the cable, for a few dollars, and looks for the holders that were printed for it a year ago',
    lab: desk({
      zone: 'America/Chicago',
      direct: 2,
      from: '2017-01-23',
      days: 20,
      models: ['ZTE Speed', 'ZTE Speed'],
    }),
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      // a match takes two and a half minutes; earlier in the season it was hit less
      for (const [day, time, hits] of [
        [5, '11:20', 1],
        [5, '14:05', 2],
        [12, '10:48', 1],
        [19, '10:12', 3],
        [19, '11:05', 4],
        [19, '11:50', 2],
        [19, '13:40', 4],
        [19, '14:25', 5],
      ] as const) {
        const started = lab.at(day, time);
        for (let hit = 0; hit < hits; hit += 1) {
          const at = started + (hit * 28 + random.between(4, 22)) * SECOND;
          losses.push(lab.lose(phone, at, { forMs: Math.round(random.between(0.9, 5) * SECOND) }));
        }
      }
      background(lab, { weekdays: new Set([2, 4, 6]), hours: [10, 20] });
      return {
        at: lab.at(19, '14:50'),
        losses,
        blame: ['port', 'link'],
        told: {
          about: ['port', 'phone'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|\bplug|connector|socket|loose|contact/i,
        },
      };
    },
  },
];
