/** Incidents of hosts, ports, hubs and what they are fed by: more of those that were told rarely. */
import { background, hostRestarts, inUse } from '../background.ts';
import {
  DAY,
  HOUR,
  type Lab,
  type LabOptions,
  type LabPhone,
  MINUTE,
  SECOND,
  type ToldLoss,
} from '../lab.ts';
import type { Incident } from '../story.ts';

const desk: LabOptions = { hubs: [], direct: 2, known: { slots: false } };

const pinned = (phones: readonly LabPhone[]): readonly LabPhone[] => {
  for (const phone of phones) phone.isPinned = true;
  return phones;
};

/** The host is restarted, or started anew after it hung: then nobody has stopped the agent. */
function startsAnew(
  lab: Lab,
  from: number,
  { forMs = 80 * SECOND, isStopped = true }: { forMs?: number; isStopped?: boolean } = {},
): number {
  if (isStopped) lab.host(from, { kind: 'agentStopped' });
  const at = from + forMs;
  const hostBootedAt = at - 35 * SECOND;
  lab.host(at, { kind: 'agentStarted', version: '1.0.0', hostBootedAt, lastAliveAt: from });
  return at;
}

export const incidents: Incident[] = [
  {
    name: 'the USB controller of a small computer dies some hours after each start, since its firmware is new',
    source: 'raspberrypi/firmware#1323',
    seen: 'After an upgrade of the firmware the hub disappears after several hours: the kernel gives the controller up. A restart, without touching a cable, has all back.',
    cause: 'the USB controller, with the new firmware',
    did: 'restarted the computer; then took other firmware',
    lab: {
      hubs: [4],
      usb: true,
      zone: 'Europe/Vienna',
      from: '2020-01-06',
      days: 18,
      known: { slots: false },
    },
    tell(lab) {
      const phones = pinned(lab.phones);
      const losses = (
        [
          [13, '02:31', [13, '08:40']],
          [14, '03:18', [14, '09:05']],
          [15, '04:02', undefined],
        ] as const
      ).flatMap(([day, time, again]) => {
        const at = lab.at(day, time);
        lab.kernel(at - 200, {}, 'died', '0000:00:14.0');
        const back = again && startsAnew(lab, lab.at(again[0], again[1]));
        return lab.loseAll(phones, at, {
          spreadMs: 300,
          gone: 'hub',
          backSpreadMs: SECOND,
          ...(back && { forMs: back + 2 * SECOND - at }),
        });
      });
      background(lab, { isUpdated: false });
      return {
        at: lab.at(15, '08:30'),
        losses,
        blame: ['host'],
        told: { about: ['host'], says: /(restart|reboot) (it|the (host|computer))|firmware/i },
        alsoAbout: ['hub'],
      };
    },
  },
  {
    name: 'all that hangs at a laptop goes at once, and no cable brings it back, only a restart',
    source: 'pop-os/pop#575',
    seen: 'Since an upgrade of the kernel all USB devices stop at random; plugging them in anew does not help. The laptop does not even switch off by itself.',
    cause: 'the USB controller dies, since the kernel is another one',
    did: 'switched the laptop off by its power button, and started it',
    lab: { hubs: [3], direct: 2, zone: 'America/Denver', from: '2019-05-13', days: 19 },
    tell(lab) {
      const phones = pinned(lab.phones);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [12, '11:42', 25],
        [15, '16:20', 14],
        [17, '10:07', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const back =
          minutes && startsAnew(lab, at + minutes * MINUTE, { forMs: 2 * MINUTE, isStopped: false });
        losses.push(
          ...lab.loseAll(phones, at, {
            spreadMs: 400,
            backSpreadMs: SECOND,
            ...(back && { forMs: back + SECOND - at }),
          }),
        );
      }
      background(lab);
      return {
        at: lab.at(17, '10:40'),
        losses,
        blame: ['host', 'room'],
        told: { about: ['host', 'room'], says: /restart the host|kernel/i },
        alsoAbout: ['hub', 'room', 'host'],
      };
    },
  },
  {
    name: 'after an update of the host nothing at its USB is there any more',
    source: 'home-assistant/operating-system#4627, xbianonpi/xbian#951',
    seen: 'The host was updated and restarted; since then only its own hubs are seen. Plugging anew changes nothing; with the version from before all is back.',
    cause: 'the update of the host',
    did: 'went back to the version from before',
    lab: { hubs: [4], usb: true, zone: 'Europe/Amsterdam', from: '2026-03-23', days: 18 },
    tell(lab) {
      const phones = pinned(lab.phones);
      const at = lab.at(15, '19:40');
      hostRestarts(lab, at);
      const losses = lab.loseAll(phones, at + 81 * SECOND, { spreadMs: 200 });
      background(lab);
      return {
        at: at + 50 * MINUTE,
        losses,
        blame: ['host', 'hub', 'unknown'],
        told: {
          about: ['host', 'hub'],
          says: /update|upgrade|downgrade|roll(ed)? ?back|version|kernel(?! log)|firmware|bootloader|EEPROM/i,
        },
      };
    },
  },
  {
    name: 'a small computer stands still whenever a phone is plugged in at one of its ports',
    source: 'osy/HaC-Mini#249',
    seen: 'When no phone was plugged in for a while, plugging one in freezes the computer; it does not respond at all until it is started anew.',
    cause: 'the Thunderbolt port at which the phone is plugged in, as further tests showed',
    did: 'found that it is that port',
    lab: { ...desk, zone: 'Asia/Shanghai', from: '2020-04-20', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, time] of [
        [11, '20:12'],
        [13, '19:05'],
        [15, '21:30'],
      ] as const) {
        const at = lab.at(day, time);
        lab.lose(phone, at - 6 * HOUR, { forMs: 6 * HOUR });
        startsAnew(lab, at + 3 * SECOND, { forMs: 5 * MINUTE, isStopped: false });
        lab.lose(phone, at + 20 * MINUTE, { forMs: HOUR });
      }
      background(lab, { isUpdated: false });
      return {
        at: lab.at(15, '22:10'),
        told: {
          about: ['host', 'room', 'port'],
          says: /\bport\b|kernel|crash|froze|hung|journalctl/i,
        },
        alsoAbout: ['host', 'room'],
      };
    },
  },
  {
    name: 'a switchable hub vanishes now and then, until somebody plugs it in anew',
    source: 'Yepkit/ykush#24',
    seen: 'The boards that switch devices disappear from the host sometimes, without a word in its log. Plugged in anew they are there.',
    cause: 'the board',
    did: 'plugged it in anew each time',
    lab: { hubs: [3, 4], usb: true, zone: 'Europe/London', from: '2019-10-21', days: 23 },
    tell(lab) {
      const phones = pinned(lab.phonesOf(0));
      const losses: ToldLoss[] = [];
      for (const [day, time, back] of [
        [3, '22:15', [4, '09:10']],
        [9, '05:41', [9, '10:02']],
        [14, '13:27', [14, '13:44']],
        [21, '02:55', undefined],
      ] as const) {
        const at = lab.at(day, time);
        const forMs = back && lab.at(back[0], back[1]) - at;
        losses.push(...lab.loseAll(phones, at, { spreadMs: 150, gone: 'hub', ...(forMs && { forMs }) }));
      }
      background(lab);
      return {
        at: lab.at(21, '09:20'),
        losses,
        blame: ['hub'],
        told: { about: ['hub'], keys: [lab.hubKey(0)], says: /plug|off and on|cable/i },
      };
    },
  },
  {
    name: 'the ports of a computer die one after the other under the same tablet',
    source: 'Genymobile/gnirehtet#492',
    seen: 'One day the port no longer worked; the next port did for a day, and so on, for six ports. In those before nothing is recognized any more.',
    cause: 'a damaged cable or the power supply, as the maintainer thinks',
    did: 'went from port to port',
    lab: {
      hubs: [6],
      free: 5,
      zone: 'America/Chicago',
      from: '2023-03-27',
      days: 22,
      known: { slots: false },
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const ports = lab.freePorts(lab.start);
      const losses = (
        [
          [14, '14:10'],
          [15, '18:02'],
          [16, '21:35'],
          [18, '12:20'],
          [19, '20:44'],
        ] as const
      ).map(([day, time], turn) => {
        const to = ports[turn];
        return lab.lose(tablet, lab.at(day, time), {
          forMs: lab.random.between(8, 40) * MINUTE,
          ...(to && { to }),
        });
      });
      background(lab);
      return {
        at: lab.at(19, '22:10'),
        losses,
        blame: ['phone', 'port', 'person', 'unknown'],
        told: { about: ['phone', 'port'], says: /cable|power/i },
      };
    },
  },
  {
    name: 'a port cuts the power again and again, as the power supply is not the right one',
    source: 'raspberrypi/linux#1075',
    seen: 'What is plugged in there is lost while it is used; the kernel writes `over-current change`.',
    cause: 'a power supply of too few volts and amperes, which had come with the device',
    did: 'used the right power supply',
    lab: { ...desk, usb: true, zone: 'Europe/Lisbon', from: '2015-07-06', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      const where = lab.where(phone, lab.end);
      const losses = (
        [
          [14, '21:10'],
          [14, '22:02'],
          [15, '20:35'],
          [16, '21:48'],
          [16, '22:20'],
        ] as const
      ).map(([day, time]) => {
        const at = lab.at(day, time);
        lab.kernel(at + 200, where, 'overCurrent');
        return lab.lose(phone, at, { forMs: lab.random.between(3, 20) * SECOND });
      });
      background(lab);
      return {
        at: lab.at(16, '22:50'),
        losses,
        blame: ['port'],
        told: {
          about: ['port'],
          keys: [lab.portKey(phone)],
          says: /power supply|powered hub|supply of its own/i,
        },
      };
    },
  },
  {
    name: 'what was replaced by a hungrier one drops out of a small computer every few minutes',
    source: 'raspberrypi/linux#2667',
    seen: 'A new device in place of the old one: regularly it is gone, and back some moments later, for a few minutes. The computer warns of its voltage.',
    cause: 'the power supply does not give what the new device takes',
    did: 'was told to put a hub with a supply of its own between',
    lab: { ...desk, usb: true, zone: 'America/New_York', from: '2018-08-13', days: 17 },
    tell(lab) {
      const phone = lab.pinned(1);
      const losses: ToldLoss[] = [];
      for (let day = 12; day < 16; day += 1)
        for (let at = lab.at(day, '19:40'); at < lab.at(day, '22:20'); ) {
          at += lab.random.between(4, 22) * MINUTE;
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(3, 9) * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(15, '22:50'),
        losses,
        blame: ['port', 'host'],
        told: { about: ['port', 'phone', 'host'], says: /power/i },
      };
    },
  },
  {
    name: 'a phone comes and goes at the USB-C port of a laptop, and is well at the old kind of port',
    source: 'StarLabsLtd/firmware#155',
    seen: 'Since new firmware the phone shows that it charges, and that it does not, over and over, and is never recognized: the kernel cannot enumerate it. At a USB-A port it works.',
    cause: 'the firmware of the USB-C port, which does not agree with the phone on power',
    did: 'used the USB-A port',
    lab: { ...desk, usb: true, zone: 'Europe/Berlin', from: '2024-03-11', days: 17 },
    tell(lab) {
      const phone = lab.pinned(0);
      const where = lab.where(phone, lab.end);
      const at = lab.at(15, '10:13');
      const loss = lab.lose(phone, at);
      for (let turn = 0; turn < 5; turn += 1) {
        lab.kernel(at + turn * MINUTE + 30 * SECOND, where, 'descriptor');
        lab.kernel(at + turn * MINUTE + 45 * SECOND, where, 'enumerate');
      }
      background(lab);
      return {
        at: at + 40 * MINUTE,
        losses: [loss],
        blame: ['port', 'person', 'unknown'],
        told: { about: ['port'], keys: [lab.portKey(phone)], says: /another port|other port/i },
      };
    },
  },
  {
    name: 'a phone that was out for a moment is seen by a virtual machine only after that was restarted',
    source: 'xcp-ng/xcp#503',
    seen: 'When a USB device is unplugged and plugged in again, the virtual machine to which it is passed does not have it any more, until that is restarted.',
    cause: 'the passing of single USB devices to the virtual machine',
    did: 'restarted the virtual machine; was told to pass it a card with USB ports',
    lab: {
      hubs: [],
      direct: 2,
      zone: 'Europe/Paris',
      from: '2021-06-07',
      days: 19,
      known: { slots: false, usbPath: false, hub: false },
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses = (
        [
          [10, '10:20', '11:45'],
          [14, '15:02', '15:50'],
          [17, '09:40', undefined],
        ] as const
      ).map(([day, time, again]) => {
        const at = lab.at(day, time);
        const back = again && startsAnew(lab, lab.at(day, again));
        return lab.lose(phone, at, { ...(back && { forMs: back + 2 * SECOND - at }) });
      });
      background(lab);
      return {
        at: lab.at(17, '10:30'),
        losses,
        blame: ['person', 'host', 'port', 'phone', 'unknown'],
        told: { about: ['phone', 'port', 'host'], says: /restart the host|virtual machine/i },
      };
    },
  },
  {
    name: 'a phone that is passed to a virtual machine leaves it as soon as its debugging is on',
    source: 'QubesOS/qubes-issues#2202, QubesOS/qubes-issues#9654',
    seen: 'Without USB debugging the phone stays in the virtual machine; with it, it is detached at once, each time.',
    cause: 'USB over IP, by which it is passed, and which does not do with such phones',
    did: 'used adb over the network, or passed the whole controller',
    cannotShow: 'of a bad cable adb and USB show the same',
    lab: { ...desk, zone: 'Europe/Berlin', from: '2016-07-11', days: 18 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      let at = lab.at(16, '20:10');
      lab.lose(phone, at - 90 * MINUTE, { forMs: 90 * MINUTE });
      for (let turn = 0; turn < 6; turn += 1) {
        at += 12 * SECOND;
        const isLast = turn === 5;
        losses.push(lab.lose(phone, at, { ...(!isLast && { forMs: 2 * MINUTE }) }));
        at += 2 * MINUTE;
      }
      background(lab);
      return {
        at: at + 10 * MINUTE,
        losses,
        blame: ['host', 'phone', 'person', 'unknown'],
      };
    },
  },
  {
    name: 'after months without trouble a phone goes seconds after each start of its mirror, at one port',
    source: 'Genymobile/scrcpy#883',
    seen: 'It ran for several months. Today it closes after a few seconds, each time.',
    cause: 'the USB port',
    did: 'plugged the phone in at another port',
    lab: { ...desk, usb: true, zone: 'America/Los_Angeles', from: '2019-10-07', days: 20 },
    tell(lab) {
      const phone = lab.pinned(0);
      let at = lab.at(19, '09:05');
      const losses = [0, 1, 2, 3, 4, 5].map(() => {
        at += lab.random.between(4, 11) * MINUTE;
        return lab.lose(phone, at, { forMs: lab.random.between(2, 6) * SECOND });
      });
      background(lab);
      return {
        at: at + 12 * MINUTE,
        losses,
        blame: ['port'],
        told: { about: ['port', 'phone'], says: /\bports?\b|cable/i },
      };
    },
  },
  {
    name: 'the air conditioning of the lab fails, and phones get warm',
    source: 'flutter/flutter#139082',
    seen: 'The room gets warmer; some hosts complain of the temperature of their phones.',
    cause: 'the air conditioning of the room',
    did: 'had it repaired',
    lab: { hubs: [4, 4], zone: 'America/Los_Angeles', from: '2023-11-06', days: 23 },
    tell(lab) {
      const from = lab.at(19, '22:00');
      for (const phone of lab.phones) {
        const cool = inUse(lab);
        phone.reading = (at) => {
          const reading = cool(at);
          const warmer = Math.min(62, Math.max(0, ((at - from) / (8 * HOUR)) * 62));
          return (
            reading && {
              ...reading,
              temperatureDecicelsius: Math.round((reading.temperatureDecicelsius ?? 290) + warmer),
            }
          );
        };
      }
      background(lab);
      return { at: lab.at(21, '11:29'), told: { about: ['room'], says: /cool|\bair/i } };
    },
  },
  {
    name: 'a phone runs empty at a small computer in a car, for all its own supply of five amperes',
    source: 'opencardev/crankshaft#381',
    seen: 'All works, but on long trips the phone is empty in the end. Two other cables and a setting for more current change nothing.',
    cause: 'the USB port of the small computer gives half an ampere',
    did: 'was told to put a hub with a supply of its own between',
    lab: { ...desk, zone: 'Europe/Berlin', from: '2019-08-26', days: 17, models: ['P20 lite', 'Pixel'] },
    tell(lab) {
      const phone = lab.pinned(0);
      const calm = inUse(lab);
      const trips = [11, 14].map((day) => lab.at(day, '13:00'));
      phone.reading = (at) => {
        const trip = trips.find((start) => at >= start && at < start + 9 * HOUR);
        if (trip === undefined) return calm(at);
        const hours = (at - trip) / HOUR;
        return {
          levelPercent: Math.max(1, Math.round(82 - 14 * hours)),
          isFull: false,
          temperatureDecicelsius: 352,
        };
      };
      const losses = trips.map((trip, turn) =>
        lab.lose(phone, trip + 5.9 * HOUR, { ...(turn === 0 && { forMs: DAY }) }),
      );
      background(lab);
      return {
        at: lab.at(14, '19:40'),
        losses,
        blame: ['phone'],
        told: { about: ['phone', 'port'], says: /power supply|charger|powered/i },
      };
    },
  },
  {
    name: 'a computer restarts the hard way when something is unplugged from it',
    source: 'Kimplul/hid-tmff2#22',
    seen: 'Unplugging the device restarts the whole computer, each time.',
    cause: 'the driver of the device in the kernel of the computer',
    did: 'found it in the log of the boot before; the driver was mended',
    lab: { ...desk, zone: 'Europe/Amsterdam', from: '2021-07-05', days: 19 },
    tell(lab) {
      const phone = lab.pinned(0);
      for (const [day, time] of [
        [12, '21:05'],
        [14, '22:31'],
        [17, '20:48'],
      ] as const) {
        const at = lab.at(day, time);
        const back = startsAnew(lab, at + SECOND, { forMs: 95 * SECOND, isStopped: false });
        lab.lose(phone, at, { forMs: back + 3 * HOUR - at });
      }
      background(lab, { isUpdated: false });
      return {
        at: lab.at(17, '21:10'),
        told: { about: ['host', 'room'], says: /kernel|crash/i },
        alsoAbout: ['host', 'room'],
      };
    },
  },
];
