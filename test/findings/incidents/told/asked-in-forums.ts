/** Incidents that people asked about, or wrote up, in forums and on pages of their own rather than in an issue tracker. */
import { background, levels } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: Incident[] = [
  {
    name: 'plugs slip out of the socket of a phone at the least touch',
    source: 'https://arnowelzel.de/en/putative-defective-microusb-port',
    seen: 'For a while plugs have become very loose in the phone: the slightest movement lets them slip out. It is charged nearly each day for two years.',
    cause: 'dust at the bottom of the socket: the plug does not go in fully',
    did: 'took the dust out with a pin and compressed air',
    lab: { zone: 'Europe/Berlin', hubs: [4], free: 1, from: '2015-03-02', days: 28, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const day of lab.workdays(6, 26)) {
        const times = day < 13 ? 1 : day < 20 ? 2 : 4;
        for (let turn = 0; turn < times; turn += 1) {
          if (lab.random.chance(0.2)) continue;
          const at = lab.at(day, '09:10') + turn * 130 * MINUTE + lab.random.between(0, 100) * MINUTE;
          const isSeen = lab.random.chance(0.6);
          const forMs = isSeen ? lab.random.between(2, 50) * SECOND : lab.random.between(3, 25) * MINUTE;
          losses.push(lab.lose(phone, at, { forMs }));
        }
      }
      background(lab);
      return {
        at: lab.at(25, '18:30'),
        losses,
        blame: ['port', 'person'],
        told: {
          about: ['port', 'phone'],
          keys: [lab.portKey(phone), phone.udid],
          says: /socket|clean|dust|lint|dirt|debris|loose|plug|cable/i,
        },
      };
    },
  },
  {
    name: 'a tablet needs three days until it is full',
    source: 'https://blog.paranoidprofessor.com/index.php/2017/02/26/high-quality-usb-cables',
    seen: 'It takes up to three days to charge the tablet for some hours of use. At times one hears the connection go and come many times in an evening.',
    cause: 'the cable: pressed upwards it charges, pressed downwards it does not',
    did: 'changed the cable',
    lab: { zone: 'Europe/Berlin', hubs: [], direct: 3, from: '2017-01-30', days: 27, models: ['Nexus 10'] },
    tell(lab) {
      const tablet = lab.pinned(0);
      const known: [number, number][] = [];
      for (let day = 0; day < 9; day += 1)
        known.push([lab.at(day, '00:00'), 100], [lab.at(day, '19:00'), 100], [lab.at(day, '22:00'), 62]);
      const losses: ToldLoss[] = [];
      for (let day = 9; day < 27; day += 3) {
        lab.lose(tablet, lab.at(day, '17:30'), { forMs: 4.5 * HOUR });
        known.push([lab.at(day, '17:30'), day === 9 ? 100 : 93], [lab.at(day, '22:00'), 12]);
        for (const evening of [day, day + 1, day + 2])
          for (let turn = lab.random.whole(4, 8); turn > 0; turn -= 1) {
            const at = lab.at(evening, '22:05') + turn * 11 * MINUTE + lab.random.between(0, 6) * MINUTE;
            losses.push(lab.lose(tablet, at, { forMs: lab.random.between(1, 90) * SECOND }));
          }
      }
      known.push([lab.at(27, '17:30'), 93]);
      tablet.reading = levels(known, 265);
      background(lab);
      const at = lab.at(26, '09:00');
      return {
        at,
        losses: losses.filter((loss) => loss.at < at),
        blame: ['port'],
        told: {
          about: ['port', 'phone'],
          keys: [lab.portKey(tablet), tablet.udid],
          says: /cable|plug|socket|contact/i,
        },
      };
    },
  },
  {
    name: 'a bent contact in its socket takes a phone off USB, and the port of the laptop with it',
    source: 'https://andre.carto.net/2020/probleme-mit-sony-xa2-h3113-usb-c-anschluss-und-stecker',
    seen: 'After more than a year the phone passes no data any more, and at the laptop it paralyses the USB port. It still charges at the mains. Another cable does not help.',
    cause: 'the plug has torn a contact of the USB-C socket out of its tongue and bent it down',
    did: 'took the board with the socket out',
    lab: { zone: 'Europe/Zurich', hubs: [], direct: 3, from: '2020-01-13', days: 21, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const day of lab.workdays(2, 15)) {
        const hours = lab.weekday(day) === 5 ? 62.5 : 14.5;
        const forMs = hours * HOUR + lab.random.between(0, 30) * MINUTE;
        lab.lose(phone, lab.at(day, '17:45'), { forMs });
      }
      const gone = lab.at(15, '17:45');
      const loss = lab.lose(phone, gone);
      const where = lab.where(phone, gone);
      for (const [day, time] of [
        [16, '08:20'],
        [16, '08:23'],
        [16, '13:10'],
        [17, '08:35'],
        [17, '08:41'],
      ] as const)
        for (const [index, fault] of (
          ['descriptor', 'descriptor', 'descriptor', 'enumerate'] as const
        ).entries())
          lab.kernel(lab.at(day, time) + index * 5 * SECOND, where, fault);
      background(lab);
      return {
        at: lab.at(17, '09:30'),
        losses: [loss],
        blame: ['person', 'port', 'phone'],
        told: {
          about: ['port', 'phone'],
          keys: [lab.portKey(phone), phone.udid],
          says: /socket|connector|contact|cable|plug|repair/i,
        },
      };
    },
  },
  {
    name: 'a lent tablet at its charger runs empty and does not come back',
    source: 'https://georg-sieber.de/?page=blog-tablet',
    seen: 'The tablet does not charge any more, and its battery goes down to nothing.',
    cause: 'a contact in its micro-USB socket is bent and does not touch the plug',
    did: 'soldered in a new socket; it stayed at 1 % for hours then',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2021-02-01',
      days: 22,
      models: ['Pixel', 'Alcatel 1T'],
    },
    tell(lab) {
      const tablet = lab.pinned(1);
      const known: [number, number][] = [];
      for (let day = 0; day < 17; day += 1)
        known.push([lab.at(day, '08:00'), 100], [lab.at(day, '18:00'), 74], [lab.at(day, '21:00'), 100]);
      known.push([lab.at(17, '08:00'), 100], [lab.at(18, '16:40'), 1]);
      tablet.reading = levels(known, 255);
      const loss = lab.lose(tablet, lab.at(18, '16:45'));
      background(lab);
      return {
        at: lab.at(19, '10:00'),
        losses: [loss],
        blame: ['phone', 'port'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /charg|battery|empty|socket|plug|cable/i,
        },
      };
    },
  },
  {
    name: 'a phone shuts off when it is not plugged in, at last several times a day',
    source: 'https://paulstechtalk.com/category/htc/page/2',
    seen: 'For two months the phone has shut down at random; since yesterday it does so again and again while it is unplugged.',
    cause: 'the battery has less in it than the phone believes',
    did: 'put it on the charger each time; blamed the battery',
    lab: {
      zone: 'America/Chicago',
      hubs: [],
      direct: 1,
      network: 2,
      from: '2012-08-06',
      days: 27,
      models: ['Pixel', 'HTC Inspire'],
    },
    tell(lab) {
      const phone = lab.pinned(1);
      const known: [number, number][] = [];
      const losses: ToldLoss[] = [];
      const shutsOff = (at: number, level: number, forMs: number) => {
        losses.push(lab.lose(phone, at, { forMs }));
        lab.rebooted(phone, at + forMs + 25 * SECOND, { uptimeSeconds: 70 });
        known.push([at, level], [at + forMs, 7]);
      };
      for (let day = 0; day < 24; day += 1) {
        known.push([lab.at(day, '07:00'), 100]);
        const isOff = day % 4 === 2;
        if (isOff) {
          const at = lab.at(day, '13:00') + lab.random.between(0, 180) * MINUTE;
          shutsOff(at, lab.random.whole(45, 60), lab.random.between(10, 70) * MINUTE);
        } else known.push([lab.at(day, '18:00'), 40]);
        known.push([lab.at(day, '21:30'), 100]);
      }
      for (const day of [24, 25]) {
        known.push([lab.at(day, '07:00'), 100]);
        for (const time of ['09:20', '12:40', '16:10', '19:30']) {
          const at = lab.at(day, time) + lab.random.between(0, 50) * MINUTE;
          const forMs = lab.random.between(4, 25) * MINUTE;
          shutsOff(at, lab.random.whole(50, 72), forMs);
          known.push([at + forMs + 80 * MINUTE, 88]);
        }
      }
      phone.reading = levels(known, 295);
      background(lab);
      return {
        at: lab.at(25, '22:00'),
        losses,
        blame: ['phone'],
        told: { about: ['phone'], keys: [phone.udid], says: /battery/i },
      };
    },
  },
  {
    name: 'a tablet on a wall is off the network in the morning until somebody lights its screen',
    source: 'thecowan/wallpanel-android#134',
    seen: 'Some nights the tablet is lost: no ping for 40 minutes and more, although its Wi-Fi is set to be always on. As soon as its screen is lit it is back within seconds.',
    cause: 'the battery optimisation of Android puts it to sleep',
    did: 'changed the settings of the battery optimisation; for days it stays connected',
    lab: { zone: 'Europe/London', hubs: [], direct: 1, network: 3, from: '2019-09-23', days: 28 },
    tell(lab) {
      const tablet = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (let day = 7; day < 27; day += 1) {
        if (lab.random.chance(0.4)) continue;
        const at = lab.at(day, '02:10') + lab.random.between(0, 240) * MINUTE;
        const isLit = lab.at(day, '07:00') + lab.random.between(0, 70) * MINUTE;
        losses.push(lab.lose(tablet, at, { forMs: isLit - at }));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(27, '10:00'),
        losses,
        blame: ['link', 'phone'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /optimi[sz]|sleep|doze|power[- ]?sav|battery sav|awake|screen/i,
        },
      };
    },
  },
  {
    name: 'a module starts the adb of a phone anew all the time, and each connection has to be allowed',
    source: 'mrh929/magisk-wifiadb#33',
    seen: 'Whenever a computer connects to the phone over Wi-Fi, the phone asks for the fingerprint of its key again.',
    cause: 'a module on the phone starts adbd anew each second',
    did: 'had the module set its port once and for all, and look only each five seconds',
    lab: { zone: 'Europe/Moscow', hubs: [], direct: 1, network: 2, from: '2026-03-16', days: 25 },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (let day = 10; day < 24; day += 1)
        for (const time of ['09:30', '12:20', '16:00', '20:10']) {
          if (lab.random.chance(0.3)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 100) * MINUTE;
          const forMs = lab.random.between(1, 20) * SECOND;
          const allowed = at + forMs + lab.random.between(0.3, 12) * MINUTE;
          losses.push(lab.lose(phone, at, { forMs, backAs: 'unauthorized' }));
          lab.phone(phone, Math.round(allowed), { kind: 'state', state: 'device', before: 'unauthorized' });
          phone.busy.push({ from: at, to: allowed });
        }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(23, '22:30'),
        losses,
        blame: ['phone', 'link', 'adb'],
        told: {
          about: ['phone', 'host'],
          says: /\bkeys?\b|allow|authori[sz]|adbd|module|debugging/i,
        },
        alsoAbout: ['network'],
      };
    },
  },
  {
    name: 'a tablet without a battery in a car starts anew with each start of the engine',
    source:
      'https://databasedevelop.com/article/12480463/Nexus+7+in+dash+install+in+European+Toyota+Avensis+T25+2008',
    seen: 'The battery was taken out of the tablet, which a converter feeds now. Whenever the engine is started, the tablet reboots and needs 40 seconds.',
    cause: 'the ignition cuts the power for two or three seconds, and there is no battery to bridge it',
    did: 'lived with it',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2013-09-30',
      days: 22,
      models: ['Pixel', 'Nexus 7'],
    },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      const starts = (at: number) =>
        losses.push(lab.reboot(tablet, at, { forMs: lab.random.between(40, 52) * SECOND }));
      for (const day of lab.workdays(4, 21)) {
        starts(lab.at(day, '07:35') + lab.random.between(0, 25) * MINUTE);
        starts(lab.at(day, '17:20') + lab.random.between(0, 50) * MINUTE);
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(18, '20:00'),
        losses: losses.filter(({ at }) => at < lab.at(18, '20:00')),
        blame: ['phone', 'room'],
        told: {
          about: ['phone'],
          keys: [tablet.udid],
          says: /power|suppl|battery|voltage/i,
        },
      };
    },
  },
];
