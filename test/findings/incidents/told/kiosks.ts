/** Incidents of devices that stay where they are, on power all the time: at walls, behind televisions, in cars. */
import { background, levels, offAndOn } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: readonly Incident[] = [
  {
    name: 'a tablet takes its Wi-Fi password for wrong after a restart of the router, and stays away',
    source: 'jxlarrea/kiosk-satellite#484',
    seen: 'When the router or the access point restarts, the dashboard at the wall does not come back. Everything else does.',
    cause: 'the tablet tries a few times only, and then switches the network off for a "wrong password"',
    did: 'connected it by hand each time',
    lab: { zone: 'America/Chicago', hubs: [], direct: 1, network: 4, from: '2026-08-17', days: 24 },
    tell(lab) {
      const [tablet, ...others] = lab.pinnedOf('tcp') as [LabPhone, ...LabPhone[]];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [7, '04:12', 3.4],
        [12, '19:26', 1.2],
        [16, '04:10', 5.1],
        [21, '04:11', undefined],
      ] as const) {
        const at = lab.at(day, time) + lab.random.between(0, 50) * SECOND;
        const forMs = hours === undefined ? {} : { forMs: hours * HOUR };
        losses.push(lab.lose(tablet, at, forMs));
        lab.loseAll(others, at, { spreadMs: 2 * SECOND, forMs: 96 * SECOND, backSpreadMs: 20 * SECOND });
      }
      background(lab, { isDaily: true, hours: [7, 23] });
      return {
        at: lab.at(21, '08:30'),
        losses,
        blame: ['network', 'link', 'phone'],
        told: {
          about: ['phone', 'network'],
          says: /Wi-?Fi|router|access point|reconnect|password|forget/i,
        },
      };
    },
  },
  {
    name: 'the phone in a car is off after thirty hours without a drive, and its button does not start it',
    source: 'commaai/openpilot#2493',
    seen: 'When the car was not driven for 30 hours, the phone is off. Its button does nothing then; with the ignition it starts.',
    cause: 'to save power the power of its USB port is switched off after that time',
    did: 'changed that in the software: the port keeps its power for this model',
    lab: { zone: 'America/New_York', hubs: [], direct: 1, from: '2020-10-05', days: 30 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [lastDrive, time, nextDrive, start] of [
        [4, '17:40', 7, '07:35'],
        [11, '18:05', 14, '07:42'],
        [18, '17:20', 21, '07:30'],
        [25, '17:55', 28, '07:38'],
      ] as const) {
        const at = lab.at(lastDrive, time) + 30 * HOUR + lab.random.between(5, 70) * SECOND;
        const until = lab.at(nextDrive, start) + lab.random.between(30, 60) * SECOND;
        losses.push(offAndOn(lab, phone, at, until - at));
      }
      background(lab, { hasReadings: false });
      return {
        at: lab.at(27, '11:00'),
        losses,
        blame: ['port', 'phone', 'host'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /switche[sd] (itself |themselves )?off|\boff\b|power|charg/i,
        },
      };
    },
  },
  {
    name: 'a display in the kitchen drops out of the Wi-Fi since its router offers WPA3 beside WPA2',
    source: 'amazon-oss/releases#2',
    seen: 'Each ten to fifteen minutes the display is off the Wi-Fi, until somebody presses its button. Nothing else is.',
    cause: 'it does not stand the mixed encryption of WPA2 and WPA3',
    did: 'set the router back to WPA2 only',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      direct: 1,
      network: 4,
      from: '2026-05-04',
      days: 24,
      models: ['Pixel', 'Echo Show 8', 'Galaxy Tab A7'],
    },
    tell(lab) {
      const [display, ...others] = lab.pinnedOf('tcp') as [LabPhone, ...LabPhone[]];
      const changed = lab.at(17, '20:40');
      const losses: ToldLoss[] = [];
      // the router restarts with its new settings
      lab.loseAll([display, ...others], changed, { forMs: 70 * SECOND, backSpreadMs: 25 * SECOND });
      let at = changed + 13 * MINUTE;
      while (at < lab.at(20, '10:00')) {
        const hour = new Date(at).getHours();
        const isNight = hour >= 23 || hour < 7;
        const forMs = lab.random.between(1, isNight ? 40 : 8) * MINUTE;
        losses.push(lab.lose(display, at, { forMs }));
        at += forMs + lab.random.between(10, 15) * MINUTE;
      }
      background(lab, { isDaily: true, hours: [7, 23], hasReadings: false });
      return {
        at: lab.at(20, '09:30'),
        losses,
        blame: ['link', 'network', 'phone'],
        told: {
          about: ['phone', 'network'],
          says: /Wi-?Fi|router|access point|encryption|WPA|\bband\b/i,
        },
      };
    },
  },
  {
    name: 'a display does not get into the Wi-Fi while fast roaming is on in the mesh',
    source: 'amazon-oss/releases#17',
    seen: 'With fast roaming in the mesh the display does not connect, however often one tries. All others do.',
    cause: 'its Wi-Fi driver refuses the keys of fast roaming (FT-PSK)',
    did: 'switched fast roaming off: it was connected at once',
    lab: {
      zone: 'America/Denver',
      hubs: [],
      network: 5,
      from: '2026-04-06',
      days: 21,
      models: ['Echo Show 8', 'Pixel'],
    },
    tell(lab) {
      const [display, ...others] = lab.pinnedOf('tcp') as [LabPhone, ...LabPhone[]];
      const meshRestarts = (at: number) =>
        lab.loseAll(others, at, { spreadMs: 3 * SECOND, forMs: 45 * SECOND, backSpreadMs: 30 * SECOND });
      const on = lab.at(9, '19:20');
      const off = lab.at(9, '21:35');
      const losses = [lab.lose(display, on, { forMs: off - on + 60 * SECOND })];
      meshRestarts(on);
      meshRestarts(off);
      const onAgain = lab.at(14, '18:50');
      losses.push(lab.lose(display, onAgain));
      meshRestarts(onAgain);
      background(lab, { isDaily: true, hours: [7, 23], hasReadings: false });
      return {
        at: lab.at(15, '10:00'),
        losses,
        blame: ['network', 'link', 'phone'],
        told: {
          about: ['phone', 'network'],
          says: /Wi-?Fi|router|access point|roaming|mesh/i,
        },
      };
    },
  },
  {
    name: 'a phone behind the windshield stops charging at 70 % in the sun',
    source: 'https://community.verizon.com/t5/DROID-Archive/Cooking-your-phone/td-p/81759',
    seen: 'After 25 minutes in the sun the phone no longer charges, at 70 %. Its plug is tight; it is extremely hot.',
    cause: 'too hot: the phone switches charging off',
    did: 'held it before the air conditioning, whereupon it charged; made a shade of cardboard',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 1,
      from: '2010-02-01',
      days: 20,
      models: ['Droid'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const trips = [13, 14, 16].map((day) => lab.at(day, '12:50'));
      const onTrip = (minutes: number): { levelPercent: number; temperatureDecicelsius: number } => {
        if (minutes < 25)
          return { levelPercent: 62 + minutes * 0.32, temperatureDecicelsius: 330 + minutes * 6.4 };
        if (minutes < 100)
          return {
            levelPercent: 70 - (minutes - 25) * 0.12,
            temperatureDecicelsius: 490 + 8 * Math.sin(minutes),
          };
        return { levelPercent: 61 + (minutes - 100) * 0.3, temperatureDecicelsius: 360 };
      };
      phone.reading = (at) => {
        const trip = trips.find((start) => at >= start && at < start + 220 * MINUTE);
        if (trip === undefined) {
          const wave = Math.sin((at - lab.start) / (6 * HOUR));
          return {
            levelPercent: Math.round(90 + 7 * wave),
            isFull: false,
            temperatureDecicelsius: Math.round(280 + 20 * wave),
          };
        }
        const { levelPercent, temperatureDecicelsius } = onTrip((at - trip) / MINUTE);
        return {
          levelPercent: Math.round(levelPercent),
          isFull: false,
          temperatureDecicelsius: Math.round(temperatureDecicelsius),
        };
      };
      background(lab, { isDaily: true });
      return {
        at: lab.at(16, '14:05'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /\bhot\b|heat|\bcool|warm|\bsun|temperature/i,
        },
        alsoAbout: ['port'],
      };
    },
  },
  {
    name: 'a dongle at the television restarts again and again, most of all by its power adapter',
    source: 'http://arjunachith.blogspot.com.es/2013/05/kogan-smart-tv-dongle-restarting.html',
    seen: 'Whenever the dongle is switched on it restarts, as the robot or the word Android shows. Its light is dimmer than before.',
    cause: 'a faulty power adapter, and the firmware',
    did: 'took another adapter, whereupon it became less, and updated the firmware, whereupon it almost ceased',
    lab: {
      zone: 'Australia/Melbourne',
      hubs: [],
      network: 2,
      from: '2013-04-29',
      days: 20,
      models: ['Smart TV Dongle', 'Nexus 7'],
    },
    tell(lab) {
      const dongle = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 11; day < 16; day += 1) {
        let at = lab.at(day, '19:15') + lab.random.between(0, 40) * MINUTE;
        for (let restart = lab.random.whole(7, 15); restart > 0; restart -= 1) {
          const forMs = lab.random.between(35, 60) * SECOND;
          losses.push(lab.lose(dongle, at, { forMs }));
          const upMs = lab.random.between(50, 170) * SECOND;
          lab.rebooted(dongle, at + forMs + 12 * SECOND, { uptimeSeconds: 30 });
          at += forMs + upMs;
        }
      }
      background(lab, { isDaily: true, hours: [17, 23], hasReadings: false });
      return {
        at: lab.at(15, '22:30'),
        losses,
        blame: ['port', 'phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /power|adapter|charger|supply|cable|firmware|update|software/i,
        },
      };
    },
  },
  {
    name: 'a Fire tablet that was put on its charger in the evening is dark in the morning',
    source: 'https://onwrite.biz/freeze101',
    seen: 'At less than 15 % the tablet was put on its charger. In the morning its display is black, and no button helps: it was not charged.',
    cause: 'not found: it did not charge at its charger, and ran empty',
    did: 'charged it slowly at a USB port of a computer',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [],
      network: 2,
      from: '2021-06-07',
      days: 20,
      models: ['Fire HD 8', 'Pixel'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const points: [number, number][] = [];
      for (let day = 0; day < 15; day += 1)
        points.push([lab.at(day, '06:00'), 100], [lab.at(day, '21:00'), lab.random.whole(34, 60)]);
      points.push([lab.at(15, '06:00'), 100], [lab.at(15, '21:40'), 14], [lab.at(16, '02:30'), 1]);
      tablet.reading = levels(points, 285);
      const loss = lab.lose(tablet, lab.at(16, '02:31'));
      background(lab, { isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(16, '08:30'),
        losses: [loss],
        blame: ['phone', 'port', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /batter|charg|\bempty\b|cable|power/i,
        },
      };
    },
  },
  {
    name: 'a tablet beside a steamer finds liquid in its socket, and does not charge',
    source: 'https://blog.oisiso.com/2023/02/fire_liquid.html',
    seen: 'The battery ran empty. At the cable the tablet says that there is liquid in its socket; it was never wet. Hours later it says so again.',
    cause: 'most likely the steam of the cooker beside it',
    did: 'pulled the cable and waited; then suspected the steam',
    cannotShow: 'moisture in a socket is not recorded',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [],
      network: 2,
      from: '2023-02-06',
      days: 18,
      models: ['Fire HD 10', 'Pixel'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const points: [number, number][] = [];
      for (let day = 0; day < 13; day += 1)
        points.push([lab.at(day, '07:00'), 100], [lab.at(day, '21:30'), lab.random.whole(28, 55)]);
      points.push([lab.at(13, '07:00'), 100], [lab.at(13, '19:40'), 1], [lab.at(13, '22:50'), 3]);
      points.push([lab.at(13, '23:06'), 1], [lab.at(14, '08:00'), 6], [lab.at(14, '12:00'), 100]);
      tablet.reading = levels(points, 280);
      const first = lab.at(13, '19:41');
      const second = lab.at(13, '23:07');
      const losses = [
        offAndOn(lab, tablet, first, lab.at(13, '22:50') - first),
        offAndOn(lab, tablet, second, lab.at(14, '08:05') - second),
      ];
      background(lab, { isDaily: true, hours: [8, 22] });
      return {
        at: lab.at(13, '23:40'),
        losses,
        blame: ['phone', 'port', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /moist|\bwet\b|\bdry|liquid|water|socket|charg|batter|\bempty\b/i,
        },
      };
    },
  },
];
