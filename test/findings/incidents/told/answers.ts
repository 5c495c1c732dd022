/** Incidents from questions that were answered, in forums, and from pages whose writer looked for an answer there. */
import { background, inUse, levels } from '../background.ts';
import { HOUR, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

export const incidents: readonly Incident[] = [
  {
    name: 'a phone falls off the 5 GHz band whenever the router chose a high channel',
    source: 'https://forum.fairphone.com/t/fp2-solving-wi-fi-connectivity-problems-with-5-ghz-networks/65165',
    seen: 'The phone connects on 5 GHz, loses that at random after a while, and comes back on 2.4 GHz, which is disturbed at times. With 5 GHz alone it does not connect at all.',
    cause: 'the channels 116 to 128, which the router takes by itself, do not work on this phone',
    did: 'set the router to a fixed channel between 36 and 112',
    lab: { zone: 'Europe/Berlin', hubs: [], direct: 1, network: 2, from: '2020-09-07', days: 26 },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (let day = 6; day < 25; day += 1)
        for (const time of ['08:10', '13:40', '18:20', '21:30']) {
          if (lab.random.chance(0.4)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 110) * MINUTE;
          const isDisturbed = lab.random.chance(0.15);
          const forMs = isDisturbed
            ? lab.random.between(9, 45) * MINUTE
            : lab.random.between(20, 130) * SECOND;
          losses.push(lab.lose(phone, at, { forMs }));
        }
      background(lab);
      return {
        at: lab.at(24, '23:50'),
        losses,
        blame: ['link', 'network', 'phone'],
        told: {
          about: ['phone', 'network'],
          says: /channel|access point|router|\bband\b|GHz|Wi-?Fi|signal/i,
        },
      };
    },
  },
  {
    name: 'a phone restarts for two hours on a dry day, and then only a button of it is dead',
    source: 'https://forum.fairphone.com/t/how-waterproof-is-the-fp3-ip-rating/63907',
    seen: 'After four months of use the phone is caught in a loop of reboots for about two hours, and nothing stops it. Then it works again, but for the volume button.',
    cause: 'moisture inside: the workshop found it oxidised',
    did: 'sent it in; the repair would have cost nearly as much as a new one',
    lab: {
      zone: 'Europe/Paris',
      hubs: [],
      direct: 2,
      from: '2020-06-08',
      days: 24,
      models: ['Fairphone 3'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const end = lab.at(19, '15:25');
      let at = lab.at(19, '13:20');
      while (at < end) {
        const forMs = lab.random.between(1.2, 6.5) * MINUTE;
        losses.push(lab.reboot(phone, at, { forMs }));
        at += forMs + lab.random.between(55, 110) * SECOND;
      }
      background(lab);
      return {
        at: lab.at(19, '17:00'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          says: /repair|replac|button|moist|water|\bdry\b|out of use|hardware|defect/i,
        },
      };
    },
  },
  {
    name: 'the controller of a robot is gone whenever the robot touches metal, until it stays dead',
    source: 'https://cal1.lr.ggtyler.dev/r/FTC/comments/1hw4vg6/esd_tips_from_team_14423/m5ylvg2/?context=3',
    seen: 'The connection ends the moment the robot touches the walls of the field. After a restart it works until the next touch; after three or four of them it fails for good. So it went with three control hubs.',
    cause: 'static electricity of the wheels, discharged through the control hub',
    did: 'conductive wheels, a grounding strap on bare metal, ferrites, no metal next to the hub',
    cannotShow: 'no record tells of static electricity, nor of what the robot touches',
    lab: {
      zone: 'America/New_York',
      hubs: [],
      direct: 1,
      network: 1,
      from: '2024-12-09',
      days: 28,
      models: ['Control Hub'],
    },
    tell(lab) {
      const [first] = lab.pinnedOf('tcp') as [LabPhone];
      const second = lab.add('tcp', { isThereAtFirst: false });
      second.isPinned = true;
      const losses: ToldLoss[] = [];
      /** Each time somebody restarts it. */
      const touches = (phone: LabPhone, moments: readonly (readonly [number, string])[]) => {
        for (const [day, time] of moments)
          losses.push(lab.reboot(phone, lab.at(day, time), { forMs: lab.random.between(2, 9) * MINUTE }));
      };
      touches(first, [
        [15, '16:22'],
        [15, '17:05'],
        [17, '16:48'],
      ]);
      losses.push(lab.lose(first, lab.at(17, '17:31')));
      lab.phone(second, lab.at(21, '15:40'), { kind: 'attached', state: 'device' });
      touches(second, [
        [21, '16:37'],
        [22, '16:12'],
        [22, '17:26'],
        [24, '16:30'],
      ]);
      losses.push(lab.lose(second, lab.at(24, '17:02')));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(24, '17:45'),
        losses,
        blame: ['phone', 'link', 'port', 'person', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /static|discharge|ground|\bmetal|restart|reboot|power|replac/i,
        },
      };
    },
  },
  {
    name: 'a phone is off in the morning, as a podcast filled its storage overnight',
    source:
      'https://redlib.deleted.directory/r/LineageOS/search?q=flair_name%3A%22Misleading+title%22&restrict_sr=on',
    seen: 'In the morning the phone is off, and when it is started it stays at the boot logo.',
    cause: 'an app had downloaded 40 to 50 old episodes by itself, until no storage was left',
    did: 'deleted a large video in the recovery, then the episodes',
    lab: { zone: 'Europe/Berlin', hubs: [4], free: 1, from: '2018-08-06', days: 22, models: ['Nexus 5X'] },
    tell(lab) {
      const phone = lab.pinned(1);
      const total = 26_000_000_000;
      const [from, full] = [lab.at(18, '01:20'), lab.at(18, '04:20')];
      const usedAt = (at: number) => {
        const part = Math.min(1, Math.max(0, (at - from) / (full - from)));
        return Math.round(total - 2_650_000_000 + part * 2_645_000_000);
      };
      const usual = inUse(lab);
      phone.reading = (at) => ({ levelPercent: 100, ...usual(at), storageUsedBytes: usedAt(at) });
      for (let at = lab.at(10); at < lab.at(18); at += 12 * HOUR)
        lab.facts(phone, at, { storage: { totalBytes: total, usedBytes: usedAt(at) } });
      for (let at = from; at <= full; at += 10 * MINUTE)
        lab.facts(phone, at, { storage: { totalBytes: total, usedBytes: usedAt(at) } });
      const loss = lab.lose(phone, lab.at(18, '04:31'), { forMs: 4 * HOUR, backAs: 'recovery' });
      lab.reboot(phone, lab.at(18, '08:40'), { forMs: 70 * SECOND });
      background(lab);
      return {
        at: lab.at(18, '07:50'),
        losses: [loss],
        blame: ['phone'],
        told: { about: ['phone'], says: /storage|space|delete|clean/i },
      };
    },
  },
  {
    name: 'a tablet empties itself at a hub within eight hours of an update',
    source: 'http://arachnoid.com/usb_power/index.html',
    seen: 'An update came by itself in the middle of the work. Within eight hours the tablet shut itself down, its battery empty, although it is at a USB hub.',
    cause: 'the new system needs more than the port of the hub gives',
    did: 'made a cable that brings the power from a supply of its own',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [4],
      free: 3,
      from: '2013-07-08',
      days: 22,
      models: ['Nexus 7'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const updated = lab.at(17, '09:40');
      const off = lab.at(17, '17:32');
      tablet.reading = levels([
        [lab.start, 97],
        [lab.at(5, '18:00'), 91],
        [lab.at(8, '08:00'), 98],
        [lab.at(14, '19:00'), 92],
        [updated, 94],
        [lab.at(17, '13:00'), 52],
        [off, 1],
        [lab.at(17, '22:30'), 6],
        [lab.at(18, '06:00'), 96],
        [lab.end, 98],
      ]);
      lab.reboot(tablet, updated, { forMs: 4 * MINUTE });
      const loss = lab.lose(tablet, off, { forMs: 4.9 * HOUR });
      lab.rebooted(tablet, off + 4.9 * HOUR + 20 * SECOND, { uptimeSeconds: 70 });
      background(lab);
      return {
        at: lab.at(17, '19:00'),
        losses: [loss],
        blame: ['hub', 'port', 'phone'],
        told: {
          about: ['phone', 'port', 'hub'],
          says: /\bpower|charg|\bmA\b|current|supply|cable/i,
        },
        alsoAbout: ['phone', 'port', 'hub'],
      };
    },
  },
  {
    name: 'a phone spits its plug out until a repairer at a flea market picks the lint out of it',
    source: 'https://chrissturhann.blogspot.com/2020/02/',
    seen: 'For two or three months the plug has been pushed out again and again. At last the phone charges only when something holds the plug in, and every second time not even then.',
    cause: 'dust and lint at the bottom of the socket of the phone',
    did: 'cleaned it with a floss pick, which helped for two charges; then somebody did so with a metal pick',
    lab: { zone: 'America/Los_Angeles', hubs: [], direct: 2, from: '2020-01-10', days: 30, usb: true },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const points: [number, number][] = [[lab.start, 71]];
      for (let day = 1; day < 29; day += 1) {
        const morning = lab.at(day, '07:30');
        // it lies there at night, and its owner has it by day
        lab.lose(phone, morning, { forMs: lab.at(day, '21:30') - morning });
        const isClean = day === 9 || day === 10;
        const isCharged = isClean || day < 14 || lab.random.chance(0.5);
        points.push([morning, isCharged ? 96 : lab.random.whole(24, 40)]);
        points.push([lab.at(day, '21:31'), isCharged ? lab.random.whole(35, 50) : lab.random.whole(6, 14)]);
        if (isClean) continue;
        const slips = isCharged ? lab.random.whole(1, 4) : lab.random.whole(4, 8);
        let at = lab.at(day, '21:40') + lab.random.between(0, 15) * MINUTE;
        for (let slip = 0; slip < slips; slip += 1) {
          const forMs = lab.random.chance(0.6)
            ? lab.random.between(3, 50) * SECOND
            : lab.random.between(4, 35) * MINUTE;
          losses.push(lab.lose(phone, at, { forMs }));
          at += forMs + lab.random.between(3, 25) * MINUTE;
        }
      }
      phone.reading = levels(points);
      background(lab, { isDaily: true });
      return {
        at: lab.at(29, '07:00'),
        losses,
        blame: ['port', 'link', 'phone'],
        told: {
          about: ['port', 'phone'],
          says: /clean|lint|dust|dirt|socket|plug|cable/i,
        },
      };
    },
  },
  {
    name: 'a phone freezes once a week, and one day it does not start any more for its power button',
    source: 'http://cmetcalfe.ca/blog/recovering-data-off-a-bootlooping-nexus5.html',
    seen: 'About once a week the phone, nearly five years old, froze and restarted in use; when propped up, its screen went off and on. Today it was switched on, and restarts without an end.',
    cause: 'the power button is worn, and stays pressed',
    did: 'knocked the button on something hard so that it came loose and the phone booted; bought another phone',
    lab: {
      zone: 'America/Toronto',
      hubs: [],
      direct: 2,
      from: '2018-06-04',
      days: 30,
      models: ['Nexus 5'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [3, '19:42'],
        [10, '12:16'],
        [16, '21:05'],
        [24, '18:33'],
      ] as const)
        losses.push(lab.reboot(phone, lab.at(day, time), { forMs: lab.random.between(35, 70) * SECOND }));
      losses.push(lab.lose(phone, lab.at(28, '08:55')));
      background(lab);
      return {
        at: lab.at(28, '12:30'),
        losses,
        blame: ['phone'],
        told: {
          about: ['phone'],
          says: /button|repair|replac|another phone|hardware|defect|worn/i,
        },
      };
    },
  },
  {
    name: 'a phone needs eight hours for what it was charged in seventy minutes before',
    source: 'https://technsight.com/from-slow-to-go-diagnosing-and-fixing-your-phones-charging-dilemma/',
    seen: 'Charging from 15 to 85 % took 70 minutes, and now it takes 8 hours. With another charger and its cable it takes 70 minutes again; with a new charger at the old cable it does not.',
    cause: 'the cable',
    did: 'bought another cable, of one metre',
    lab: { zone: 'Australia/Sydney', hubs: [], direct: 2, from: '2023-05-01', days: 28, models: ['X Wave'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const points: [number, number][] = [[lab.start, 84]];
      lab.lose(phone, lab.at(0, '06:10'), { forMs: lab.at(0, '22:00') - lab.at(0, '06:10') });
      for (let day = 0; day < 27; day += 1) {
        const plugged = lab.at(day, '22:00');
        const tookMs = day < 13 ? 70 * MINUTE : 8 * HOUR;
        const unplugged = plugged + tookMs + lab.random.between(0, 6) * MINUTE;
        points.push([plugged, lab.random.whole(15, 19)], [plugged + tookMs, 85]);
        lab.lose(phone, unplugged, { forMs: lab.at(day + 1, '22:00') - unplugged });
      }
      phone.reading = levels(points);
      background(lab, { isDaily: true });
      return {
        at: lab.at(25, '23:40'),
        told: { about: ['port', 'phone'], says: /cable|charger|charg/i },
      };
    },
  },
  {
    name: 'headsets fall off the USB of a main board, until its maker has a new BIOS',
    source: 'https://www.pcwelt.de/news/AMD-USB-Fehler-verbindung-bricht-ab-chipsatz-b550-x570-10982051.html',
    seen: 'For weeks owners of boards with one chipset see USB break off: headsets most, which load the port, but keyboards and disks too.',
    cause: 'a fault of the chipset, which the maker has confirmed',
    did: 'settings of the BIOS, another version of it; waited for the one that mends it',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      direct: 3,
      from: '2021-02-01',
      days: 24,
      usb: true,
      controllerId: ['1022', '43ee'],
      models: ['Quest 2', 'Pixel', 'Pixel'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('usb') as [LabPhone, LabPhone, LabPhone];
      const [headset] = phones;
      const losses: ToldLoss[] = [];
      for (let day = 5; day < 22; day += 1)
        for (const time of ['10:15', '16:30', '19:10', '21:00']) {
          if (lab.random.chance(0.35)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 90) * MINUTE;
          const forMs = lab.random.between(2, 20) * SECOND;
          if (lab.random.chance(0.4)) losses.push(...lab.loseAll(phones, at, { spreadMs: 400, forMs }));
          else losses.push(lab.lose(headset, at, { forMs }));
        }
      background(lab);
      return {
        at: lab.at(21, '23:30'),
        losses,
        blame: ['host', 'port'],
        told: {
          about: ['host', 'port', 'hub'],
          says: /BIOS|UEFI|firmware|main ?board|chipset|controller|USB card|update/i,
        },
        alsoAbout: ['host', 'port'],
      };
    },
  },
];
