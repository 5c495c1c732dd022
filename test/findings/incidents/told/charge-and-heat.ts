/**
 * Incidents of what feeds a phone, and of what makes it hot: batteries that ran out, that no longer charge or that swelled,
 * plugs that a program switches, sockets that are worn, and phones that their own heat switches off. Readings tell most of
 * it hours or days before a phone is lost, and often no phone is lost at all.
 */
import { FASTBOOT } from '../../usb-tree.ts';
import { background, inUse, levels, offAndOn } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

type Point = readonly [at: number, percent: number];

/** At home people are there each day. */
const HOME = { isDaily: true, hours: [8, 22] } as const;

/** What is said of one that grows too hot. */
const HOT = /\bhot\b|\bheat|\bwarm|temperature|\bcool|°C|ventilat/i;

const hourOfDay = (lab: Lab, at: number): number => ((at - lab.start) / HOUR) % 24;

/** A phone that comes only then. */
function comes(lab: Lab, phone: LabPhone, at: number): void {
  phone.isThereAtFirst = false;
  phone.busy.push({ from: lab.start, to: at });
  lab.phone(phone, at, { kind: 'attached', state: 'device' });
}

/** Its temperature goes straight from one moment to the next in these times, and is the usual one else. */
function heats(lab: Lab, phone: LabPhone, times: readonly (readonly Point[])[]): void {
  const usual = phone.reading ?? inUse(lab);
  phone.reading = (at) => {
    const points = times.find((each) => at >= (each[0]?.[0] ?? 0) && at <= (each.at(-1)?.[0] ?? 0));
    const reading = usual(at);
    if (points === undefined || reading === undefined) return reading;
    const { levelPercent } = levels(points)(at) ?? {};
    return { ...reading, ...(levelPercent !== undefined && { temperatureDecicelsius: levelPercent }) };
  };
}

/** A person wakes and sees that it is off. */
const whenSeen = (lab: Lab, at: number, wakes: number): number =>
  hourOfDay(lab, at) < wakes ? at + (wakes - hourOfDay(lab, at)) * HOUR : at;

/** A program switches its plug on at 20 %, and off when it is full. From a day on it misses that at times. */
function switchedByProgram(lab: Lab, tablet: LabPhone, missesFrom: number): ToldLoss[] {
  const { random } = lab;
  const points: Point[] = [];
  const losses: ToldLoss[] = [];
  let at = lab.start - random.between(0, 6) * HOUR;
  while (at < lab.end) {
    points.push([at, 100]);
    const low = at + random.between(9.5, 12) * HOUR;
    let plugged = low;
    if (low > missesFrom && random.chance(0.22)) {
      const empty = low + random.between(2, 2.8) * HOUR;
      const back = whenSeen(lab, empty + random.between(1, 6) * HOUR, 7.5 + random.between(0, 1));
      points.push([low, 20], [empty, 1], [back, 4]);
      losses.push(offAndOn(lab, tablet, empty, back - empty));
      plugged = back;
    } else points.push([low, 20]);
    at = plugged + random.between(4, 5) * HOUR;
  }
  tablet.reading = levels(points, 300);
  return losses;
}

export const chargeAndHeat: readonly Incident[] = [
  {
    name: 'tablets at the wall run empty, since the program that switches their plugs no longer learns their level',
    source: 'home-assistant/core#64199',
    seen: 'A program switches the charger of each wall tablet on at 20 % and off when it is full. Since an update it learns the level only now and then: its history jumps from 100 to 10 and to 0, and tablets switch themselves off with an empty battery.',
    cause: 'the program no longer gets each level, so that it misses when a plug is to be switched on',
    did: 'reported it, and started the tablets by hand; nothing was found',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 1,
      network: 5,
      from: '2021-12-27',
      days: 23,
      models: ['Pixel 3a', 'Fire 7', 'Fire 7', 'Fire 7', 'Fire 7', 'Shield'],
    },
    tell(lab) {
      const at = lab.at(20, '11:00');
      const losses = [1, 2, 3, 4].flatMap((index) =>
        switchedByProgram(lab, lab.pinned(index), lab.at(10, '09:00')),
      );
      background(lab, HOME);
      return {
        at,
        losses: losses.filter((loss) => loss.at < at),
        blame: ['phone', 'person'],
        told: { about: ['phone'], says: /charg|batter|\bempty|\bpower|\bplug/i },
      };
    },
  },
  {
    name: 'two phones that share their mobile network switch themselves off after 25 minutes, too hot',
    source: 'GrapheneOS/os-issue-tracker#2001',
    seen: 'As a hotspot on 5G each of two phones of one model warns after ten minutes that it grows warm, and switches itself off a quarter of an hour later, in a room of 21 °C. Started again it says that it was switched off because of heat.',
    cause:
      'sharing 5G over Wi-Fi makes these phones hotter than they bear; with the system of their maker they bear it',
    did: 'let them use LTE only, which helps; sharing over a cable has no such trouble',
    lab: {
      hubs: [],
      direct: 3,
      usb: true,
      known: { slots: false },
      from: '2023-02-13',
      days: 25,
      models: ['Pixel 6a', 'Pixel 6a', 'Pixel 4a'],
    },
    tell(lab) {
      const { random } = lab;
      const phones = [lab.pinned(0), lab.pinned(1)] as const;
      const times: [Point[][], Point[][]] = [[], []];
      const losses: ToldLoss[] = [];
      for (const [which, day, time] of [
        [0, 17, '10:20'],
        [0, 18, '14:05'],
        [0, 20, '09:40'],
        [1, 21, '11:10'],
        [1, 21, '16:30'],
        [0, 22, '10:15'],
        [1, 22, '14:40'],
      ] as const) {
        const from = lab.at(day, time);
        const off = from + random.between(24, 27) * MINUTE;
        const forMs = random.between(6, 25) * MINUTE;
        times[which].push([
          [from, 285],
          [from + 10 * MINUTE, 420],
          [off, 515],
          [off + forMs, 380],
          [off + forMs + 40 * MINUTE, 290],
        ]);
        losses.push(offAndOn(lab, phones[which], off, forMs, 'shutdown,thermal'));
      }
      for (const which of [0, 1] as const) heats(lab, phones[which], times[which]);
      background(lab);
      return {
        at: lab.at(22, '16:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: phones.map(({ udid }) => udid), says: HOT },
      };
    },
  },
  {
    name: 'a phone restarts over and over at 2 percent, as each start takes more than the charger gives',
    source:
      'https://thesageandmuse.com/2026/01/18/the-4000mv-mirage-my-all-night-deep-dive-into-a-dying-pixel-battery/',
    seen: 'The phone restarts suddenly, and again. At a charger of 100 W its battery falls to 3 %, to 2 %, and it is dark. Each start takes more than it gets.',
    cause: 'the battery is worn: its voltage breaks down under the load of a start',
    did: 'kept it in fastboot, where it needs little, until it had charged, and read its voltage there from a laptop',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2026-01-01',
      days: 20,
      models: ['Pixel 6 Pro', 'Pixel 4a'],
    },
    tell(lab) {
      const { random } = lab;
      const pixel = lab.pinned(0);
      const day = 16;
      for (const each of lab.everyDay().slice(0, day))
        if (random.chance(0.4))
          lab.lose(pixel, lab.at(each, '08:40') + random.between(0, 3) * HOUR, {
            forMs: random.between(2, 8) * HOUR,
          });
      const usual = inUse(lab);
      const sinks = levels(
        [
          [lab.at(day, '09:00'), 100],
          [lab.at(day, '15:00'), 41],
          [lab.at(day, '18:10'), 17],
          [lab.at(day, '19:35'), 3],
          [lab.at(day, '20:20'), 2],
        ],
        330,
      );
      pixel.reading = (at) => (at < lab.at(day, '09:00') ? usual(at) : sinks(at));
      const losses: ToldLoss[] = [];
      for (const [time, seconds] of [
        ['18:14', 52],
        ['19:38', 58],
        ['19:43', 61],
        ['19:49', 55],
        ['19:54', 70],
        ['20:02', 64],
        ['20:09', 73],
      ] as const)
        losses.push(lab.reboot(pixel, lab.at(day, time), { forMs: seconds * SECOND }));
      losses.push(lab.lose(pixel, lab.at(day, '20:17')));
      lab.usb(pixel, lab.at(day, '22:40'), { interfaces: [FASTBOOT] });
      background(lab, HOME);
      return {
        at: lab.at(day, '23:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone', 'port'],
          keys: [pixel.udid, lab.portKey(pixel)],
          says: /batter|charg|\bempty|\bpower\b/i,
        },
      };
    },
  },
  {
    name: 'a new phone grows hot while it charges fast, switches itself off and never starts again',
    source: 'https://forum.fairphone.com/t/bricked-from-charging-wont-turn-on/121102',
    seen: 'A day old, at 20 %, it was plugged in at the desk, charged fast to about half, and was within an hour extremely hot and off. Cooled down it does not start; plugged in it grows hot again, later it does nothing at all.',
    cause: 'a fault of this phone: what it charged with went into heat near its camera',
    did: 'unplugged it, cooled it at the window and with ice, and plugged it in again; turned to its maker',
    lab: {
      zone: 'Europe/London',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2025-07-07',
      days: 16,
      models: ['Fairphone 6', 'Pixel 7'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      comes(lab, phone, lab.at(12, '14:05'));
      lab.lose(phone, lab.at(12, '16:30'), { forMs: lab.at(13, '10:10') - lab.at(12, '16:30') });
      phone.reading = levels(
        [
          [lab.at(12, '14:05'), 52],
          [lab.at(12, '16:30'), 88],
          [lab.at(13, '10:09'), 20],
          [lab.at(13, '10:58'), 52],
        ],
        300,
      );
      heats(lab, phone, [
        [
          [lab.at(13, '10:10'), 305],
          [lab.at(13, '10:35'), 395],
          [lab.at(13, '11:00'), 490],
        ],
      ]);
      const losses = [lab.lose(phone, lab.at(13, '10:58'))];
      background(lab, HOME);
      return {
        at: lab.at(13, '14:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /\bhot\b|\bheat|\bwarm|temperature|\bcool|°C|charg|batter/i,
        },
      };
    },
  },
  {
    name: 'a phone whose battery ran out stays at the sign of charging until somebody holds its buttons',
    source: 'phhusson/treble_experimentations#2486',
    seen: 'After a game has emptied its battery and it is plugged in, it shows that it charges, and stays there: it charges, yet its button does nothing.',
    cause:
      'the system that was put on it never leaves the mode in which an empty phone charges; not answered',
    did: 'unplugged it, and forced a restart with power and volume down, then held volume up',
    lab: {
      hubs: [],
      direct: 1,
      network: 1,
      from: '2022-11-21',
      days: 21,
      models: ['Pixel 3a', 'GSI phone'],
    },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(1);
      const points: Point[] = [[lab.start, 90]];
      const losses: ToldLoss[] = [];
      const emptied = new Map([
        [13, [21.6, 17]],
        [16, [20.2, 2.9]],
        [18, [19.5, 2.2]],
      ]);
      for (const day of lab.everyDay().slice(0, 19)) {
        const midnight = lab.at(day);
        points.push([midnight + 8 * HOUR, 100], [midnight + 18 * HOUR, random.whole(45, 65)]);
        const [hour, hours] = emptied.get(day) ?? [];
        if (hour === undefined || hours === undefined) {
          points.push([midnight + 22.5 * HOUR, random.whole(25, 40)]);
          continue;
        }
        const empty = midnight + hour * HOUR;
        const back = empty + hours * HOUR;
        points.push([empty, 0], [back, hours > 10 ? 100 : 84]);
        losses.push(offAndOn(lab, phone, empty, hours * HOUR));
      }
      points.push([lab.at(19, '08:00'), 100], [lab.end, 60]);
      phone.reading = levels(
        points.toSorted(([one], [other]) => one - other),
        310,
      );
      background(lab, HOME);
      return {
        at: lab.at(18, '22:15'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /batter|charg|\bempty|\bpower|\bbutton|\bhold/i,
        },
      };
    },
  },
  {
    name: 'a phone that ran empty overnight starts its system over and over in the morning',
    source: 'GrapheneOS/os-issue-tracker#5984',
    seen: 'It ran empty at night and was put on the charger. In the morning its lock screen shows for two or three seconds, then its system starts anew, without the sign of its maker. After several forced restarts it is as before.',
    cause: 'not found: something in its system crashes, after it ran empty and was charged',
    did: 'forced restarts until one went well, and sent the logs to the makers of its system',
    lab: {
      zone: 'Europe/Moscow',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2025-07-21',
      days: 20,
      models: ['Pixel 6', 'Pixel 9'],
    },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(1);
      const points: Point[] = [[lab.start, 60]];
      for (const day of lab.everyDay().slice(0, 17))
        points.push(
          [lab.at(day, '01:00'), 60],
          [lab.at(day, '03:30'), 100],
          [lab.at(day, '08:30'), 100],
          [lab.at(day, '23:30'), random.whole(35, 65)],
        );
      const day = 18;
      points.push(
        [lab.at(17, '08:30'), 100],
        [lab.at(day, '00:10'), 16],
        [lab.at(day, '02:38'), 1],
        [lab.at(day, '04:53'), 9],
        [lab.at(day, '09:40'), 100],
      );
      phone.reading = levels(points, 300);
      const losses = [
        offAndOn(lab, phone, lab.at(day, '02:38'), 135 * MINUTE),
        // its system starts anew while the phone runs on, then it is forced to restart, several times
        lab.lose(phone, lab.at(day, '09:46'), { forMs: 27 * SECOND }),
        lab.lose(phone, lab.at(day, '09:47:20'), { forMs: 31 * SECOND }),
        lab.lose(phone, lab.at(day, '09:49'), { forMs: 29 * SECOND }),
        offAndOn(lab, phone, lab.at(day, '09:56'), 26 * MINUTE),
      ];
      background(lab, HOME);
      return {
        at: lab.at(day, '10:45'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /batter|charg|\bempty|system|crash|boot ?loop|(again|over) and (again|over)|firmware|\blogs?\b|bug ?report/i,
        },
      };
    },
  },
  {
    name: 'a phone whose charging an app limits does not charge on some nights, though it is plugged in',
    source: 'sriharshaarangi/BatteryChargeLimit#214',
    seen: 'An app ends its charging at a level. Since some time it does not begin again: its owner comes home with 50 %, plugs it in, and wakes with 25 %, though the switch in the kernel says that it may charge.',
    cause: 'the switch in the kernel is not obeyed: only written off and on again it works',
    did: 'a script that writes it off and on again',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2021-04-28',
      days: 23,
      models: ['Pixel 3', 'Pixel 2'],
    },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const points: Point[] = [[lab.start, 80]];
      const bad = new Set([11, 14, 16, 18, 19, 20]);
      for (const day of lab.everyDay()) {
        const leaves = lab.at(day, lab.isWorkday(day) ? '08:05' : '10:30') + random.between(0, 25) * MINUTE;
        const home = lab.at(day, '18:20') + random.between(0, 50) * MINUTE;
        const level = random.whole(46, 56);
        points.push([leaves, bad.has(day - 1) ? random.whole(24, 29) : 79], [home, level]);
        if (!bad.has(day)) points.push([home + (80 - level) * 3 * MINUTE, 80]);
        lab.lose(phone, leaves, { forMs: home - leaves });
      }
      phone.reading = levels(points, 285);
      background(lab, HOME);
      return {
        at: lab.at(21, '07:30'),
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /charg|batter|\bpower|\blimit/i,
        },
      };
    },
  },
  {
    name: 'a phone never charges above 28 percent, and is off within minutes when it is unplugged',
    source: 'https://forum.fairphone.com/t/battery-does-not-charge-over-28/10734/6?u=therob',
    seen: 'However long it is plugged in, its level stays at 28 %. Unplugged it is off within five minutes.',
    cause: 'its battery is swollen, so much that its cover no longer closes',
    did: 'was told to use that battery no more, and to get a new one',
    lab: {
      zone: 'America/Sao_Paulo',
      hubs: [],
      direct: 2,
      known: { slots: false },
      from: '2015-12-14',
      days: 24,
      models: ['Fairphone', 'Nexus 5'],
    },
    tell(lab) {
      const { random } = lab;
      const phone = lab.pinned(0);
      const from = lab.at(12, '11:00');
      const points: Point[] = [[lab.start, 70]];
      const losses: ToldLoss[] = [];
      for (const day of lab.everyDay().slice(0, 12)) {
        const taken = lab.at(day, '10:00') + random.between(0, 3) * HOUR;
        const back = taken + random.between(3, 8) * HOUR;
        points.push([taken - HOUR, 100], [taken, 100], [back, random.whole(30, 60)]);
        points.push([back + 3 * HOUR, 100]);
        lab.lose(phone, taken, { forMs: back - taken });
      }
      points.push([from, 96]);
      // put back to how it came, and started anew
      lab.lose(phone, from, { forMs: 35 * MINUTE });
      lab.rebooted(phone, from + 35 * MINUTE + 20 * SECOND, { uptimeSeconds: 29 * 60 });
      points.push([from + 36 * MINUTE, 12], [from + 2 * HOUR, 28]);
      for (const [day, time, minutes] of [
        [12, '19:30', 34],
        [13, '08:15', 95],
        [14, '09:40', 18],
        [16, '13:05', 240],
        [17, '20:20', 22],
        [19, '09:10', 130],
      ] as const) {
        const at = lab.at(day, time);
        const back = at + minutes * MINUTE;
        points.push([at, 28], [back, 2], [back + 100 * MINUTE, 28]);
        losses.push(offAndOn(lab, phone, at, minutes * MINUTE));
      }
      points.push([lab.end, 28]);
      phone.reading = levels(points, 300);
      background(lab, HOME);
      return {
        at: lab.at(20, '09:00'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /batter|swollen|\bswell|bulg|charg/i,
        },
      };
    },
  },
  {
    name: 'two tablets at the wall die two days after their cameras watch for people',
    source: 'thecowan/wallpanel-android#169',
    seen: 'Two cheap tablets, one of them new, hang plugged in at the wall. With a screensaver, and with their camera switched on to see whether somebody comes, each of them burned out after two days.',
    cause:
      'they overheat, as somebody else found too; the maker of the app thinks of the power supply, or of the screen that is always on',
    did: 'asked for tablets that bear it; the maker of the app charges his with what came with them',
    lab: {
      zone: 'America/Argentina/Buenos_Aires',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2020-03-16',
      days: 21,
      models: ['Moto G7', 'Tablet 7', 'Tablet 10'],
    },
    tell(lab) {
      const [first, second] = [lab.pinned(1), lab.pinned(2)];
      comes(lab, second, lab.at(17, '19:30'));
      const watched = new Map([
        [first, lab.at(12, '18:00')],
        [second, lab.at(17, '20:10')],
      ]);
      for (const [tablet, from] of watched)
        tablet.reading = (at) => {
          const wave = 12 * Math.cos((2 * Math.PI * (hourOfDay(lab, at) - 16)) / 24);
          const grown =
            at < from ? 0 : Math.min(1, (at - from) / (3 * HOUR)) * (120 + (20 * (at - from)) / DAY);
          return { levelPercent: 100, isFull: true, temperatureDecicelsius: Math.round(322 + wave + grown) };
        };
      const losses = [lab.lose(first, lab.at(14, '15:40')), lab.lose(second, lab.at(19, '17:10'))];
      background(lab, HOME);
      return {
        at: lab.at(19, '20:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [first.udid, second.udid], says: HOT },
      };
    },
  },
  {
    name: 'the battery of a tablet that always stands on a wireless charger swells',
    source: 'https://hendigi.com/?p=60113',
    seen: 'It shows the clock and the weather on its stand, which charges it without a cable, day and night; a few times a week it is taken off to watch a film. After a year and four months its case is bent.',
    cause: 'its battery is swollen: it was always full, and kept warm by the stand',
    did: 'thinks that the stand did it, and how a tablet there is used: always charging, and always showing something',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2022-08-15',
      days: 30,
      models: ['Pixel 4a', 'Fire HD 8 Plus', 'Fire TV Stick'],
    },
    tell(lab) {
      const { random } = lab;
      const tablet = lab.pinned(1);
      const films = lab
        .everyDay()
        .filter(() => random.chance(0.35))
        .map((day) => lab.at(day, '20:30') + random.between(0, 60) * MINUTE);
      tablet.reading = (at) => {
        const film = films.findLast((from) => from <= at) ?? Number.NEGATIVE_INFINITY;
        const [watched, left] = [Math.min(at - film, 2.2 * HOUR), at - film - 2.2 * HOUR];
        const used = Math.max(0, 11 * (watched / HOUR) - Math.max(0, 12 * (left / HOUR)));
        const levelPercent = Math.round(100 - (Number.isFinite(film) ? used : 0));
        const wave = 14 * Math.cos((2 * Math.PI * (hourOfDay(lab, at) - 15)) / 24);
        return {
          levelPercent,
          isFull: levelPercent === 100,
          temperatureDecicelsius: Math.round((levelPercent === 100 ? 368 : 345) + wave),
        };
      };
      background(lab, HOME);
      return {
        at: lab.at(29, '20:00'),
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /batter|swollen|\bswell|bulg|charg|\bfull\b|\bwarm/i,
        },
      };
    },
  },
  {
    name: 'a tablet charges only while its cable is held up, and is emptier each day',
    source: 'https://narrowboat-waiouru.blogspot.com/2021/07/what-to-do-with-tablet.html',
    seen: 'The tablet no longer charges to the end. It charges only while the plug of its cable is held a little upward; held there with tape it still charges slowly.',
    cause: 'the contacts in its USB socket are worn',
    did: 'held the cable up with tape, and bought a new tablet',
    lab: {
      zone: 'Australia/Perth',
      hubs: [],
      direct: 2,
      usb: true,
      known: { slots: false },
      from: '2021-06-28',
      days: 23,
      models: ['Galaxy Tab A', 'Galaxy S9'],
    },
    tell(lab) {
      const { random } = lab;
      const tablet = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const points: Point[] = [[lab.start, 92]];
      let level = 96;
      for (const day of lab.everyDay().slice(0, 21)) {
        const isWorn = day >= 13;
        points.push([lab.at(day, '07:30'), level]);
        if (!isWorn) points.push([lab.at(day, '20:30'), random.whole(60, 80)], [lab.at(day, '23:40'), 96]);
        else {
          level -= random.whole(13, 17);
          points.push([lab.at(day, '21:00'), Math.max(12, level)]);
          level += random.whole(4, 8);
        }
        for (let left = isWorn ? random.whole(5, 9) : 0; left > 0; left -= 1) {
          const at = lab.at(day, '08:00') + random.between(0, 13) * HOUR;
          const forMs = random.chance(0.6) ? random.between(2, 25) * SECOND : random.between(1, 15) * MINUTE;
          if (lab.isFree(tablet, at - MINUTE, at + forMs + MINUTE))
            losses.push(lab.lose(tablet, at, { forMs }));
        }
      }
      points.push([lab.end, level]);
      tablet.reading = levels(points, 285);
      background(lab, HOME);
      return {
        at: lab.at(20, '21:30'),
        losses,
        blame: ['port', 'link', 'phone'],
        told: {
          about: ['phone', 'port'],
          keys: [tablet.udid, lab.portKey(tablet)],
          says: /\bcable|socket|\bplug|\bport\b|contact|connector|charg/i,
        },
      };
    },
  },
  {
    name: 'the tablet in the dash of a truck keeps awake all night, until the battery of the truck is empty',
    source: 'https://blog.donbowman.ca/2017/11/23/laugh-at-my-self-inflicted-misfortune-hack-edition/',
    seen: 'A tablet without a battery of its own is fed by that of the truck, and sleeps when the key is out. One night it did not: in the morning the truck does not start, and its battery is at 9 V.',
    cause: 'in the Wi-Fi of the garage an app updated itself, and kept the tablet awake',
    did: 'found out what had kept it awake, when the truck did not start',
    cannotShow:
      'The battery of the truck, and what draws on it, is not recorded; a tablet that is there at night is nothing bad.',
    lab: {
      zone: 'America/Toronto',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2017-11-03',
      days: 21,
      models: ['Pixel', 'Nexus 7'],
    },
    tell(lab) {
      const { random } = lab;
      const tablet = lab.pinned(1);
      tablet.reading = () => undefined;
      // in the garage for some minutes when the truck comes, and before it goes
      let gone = lab.at(0, '00:02');
      for (const day of lab.everyDay().slice(0, 20)) {
        const isDriven = lab.isWorkday(day);
        const goes = lab.at(day, isDriven ? '08:05' : '11:10') + random.between(0, 30) * MINUTE;
        const comesBack = goes + random.between(7, 9.3) * HOUR;
        lab.lose(tablet, gone, { forMs: goes - gone });
        const left = goes + random.between(2, 5) * MINUTE;
        lab.lose(tablet, left, { forMs: comesBack - left });
        gone = comesBack + random.between(12, 19) * MINUTE;
      }
      const losses = [lab.lose(tablet, lab.at(20, '05:34'))];
      background(lab, HOME);
      return {
        at: lab.at(20, '10:40'),
        losses,
        blame: ['phone', 'person', 'link', 'unknown'],
      };
    },
  },
];
