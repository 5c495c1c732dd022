/** Incidents of adb over the network: routers, addresses, Wi-Fi, televisions, containers, and adb servers. */
import { adbRestarts, background } from '../background.ts';
import { HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** So many moments of a day, none near another. */
const spreadOver = (lab: Lab, day: number, from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => {
    const part = (index + lab.random.between(0.1, 0.8)) / count;
    return lab.at(day) + (from + (to - from) * part) * HOUR;
  });

export const incidents: Incident[] = [
  {
    name: 'a repeater turns a tablet away at times',
    source: 'capcom6/android-sms-gateway#99',
    seen: 'A tablet serves on the local network. Some time after its screen went off it cannot be reached any more. Its Wi-Fi was thought to be switched off with the screen.',
    cause: 'the Wi-Fi repeater rejects clients at times',
    did: 'changed the repeater',
    lab: { zone: 'Europe/Paris', hubs: [], direct: 1, network: 1, from: '2024-07-01', days: 24 },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 8; day < 19; day += 1)
        for (const at of spreadOver(lab, day, 7, 23, 3)) {
          if (lab.random.chance(0.45)) continue;
          losses.push(lab.lose(tablet, at, { forMs: lab.random.between(12, 150) * MINUTE }));
        }
      losses.push(lab.lose(tablet, lab.at(19, '18:20')));
      background(lab);
      return {
        at: lab.at(19, '21:00'),
        losses,
        blame: ['network', 'link'],
        told: {
          about: ['phone', 'network'],
          says: /repeater|extender|access point|router|mesh|signal|reception|Wi-Fi/i,
        },
      };
    },
  },
  {
    name: 'a tool that asks an old adb server uses up the connections of its computer within a day or two',
    source: 'httptoolkit/httptoolkit#910, httptoolkit/httptoolkit-server#163, DeviceFarmer/adbkit#548',
    seen: 'An emulator brings an old adb server. After the tool was open for more than a day, no program of the computer can open a connection: adb cannot be reached, nor the internet.',
    cause:
      'an adb server of before 2018 does not close connections after errors, and the tool, which asks all the time, does not either',
    did: 'was told to update the adb server; the tool was changed to close them',
    lab: { zone: 'Europe/Berlin', hubs: [], direct: 1, network: 1, from: '2026-06-15', days: 23 },
    tell(lab) {
      lab.pinnedOf('tcp');
      const start = lab.at(7, '09:20');
      adbRestarts(lab, start, 36, 4 * SECOND);
      const runsOut = (at: number, forMs?: number): void => {
        lab.host(at, { kind: 'cloudLost', code: 'CLOUD_UNREACHABLE' });
        lab.host(at + 50 * SECOND, { kind: 'adbLost', failureKind: 'unreachable' });
        if (forMs === undefined) return;
        lab.host(at + forMs, { kind: 'adbBack' });
        lab.host(at + forMs + 30 * SECOND, { kind: 'cloudBack' });
      };
      for (const [day, time] of [
        [8, '17:10'],
        [10, '11:35'],
        [13, '15:50'],
        [15, '10:05'],
        [17, '20:25'],
      ] as const)
        runsOut(lab.at(day, time), lab.random.between(9, 55) * MINUTE);
      runsOut(lab.at(19, '14:05'));
      background(lab);
      return {
        at: lab.at(19, '14:45'),
        told: {
          about: ['host', 'network'],
          says: /version|update|old(er)?\b|another program|connections?|sockets?|ports?\b|restart|kill-server/i,
        },
      };
    },
  },
  {
    name: 'an access point does not pass the question for the address on to phones that sleep',
    source: 'arendst/Tasmota#7098, arendst/Tasmota#1553',
    seen: 'Switches and Android devices are on the Wi-Fi of a Mikrotik. Those that nobody talked to for a while cannot be reached from the computer, though their own connections go on. The devices were suspected.',
    cause: 'ARP requests, which are broadcasts, do not reach the clients of the access point reliably',
    did: 'set `multicast-helper` of the access point to `full`, which sends them to each client',
    lab: { zone: 'Europe/London', hubs: [], direct: 1, network: 4, from: '2019-11-20', days: 24 },
    tell(lab) {
      const phones = lab.pinnedOf('tcp').slice(0, 3);
      const losses: ToldLoss[] = [];
      for (const phone of phones)
        for (let day = 9; day < 21; day += 1)
          for (const at of spreadOver(lab, day, 1, 23, 3)) {
            if (lab.random.chance(0.4)) continue;
            losses.push(lab.lose(phone, at, { forMs: lab.random.between(3, 45) * MINUTE }));
          }
      for (const [index, phone] of phones.entries())
        losses.push(lab.lose(phone, lab.at(21, '09:10') + index * 23 * MINUTE));
      background(lab, { glitches: 0 });
      return {
        at: lab.at(21, '11:30'),
        losses,
        blame: ['network', 'link'],
        told: {
          about: ['network', 'phone'],
          says: /access point|router|broadcast|multicast|\bARP\b|Wi-Fi|power sav/i,
        },
      };
    },
  },
  {
    name: 'a phone gets no address any more since its Wi-Fi stays on while it sleeps',
    source: 'https://technopragmatica.blogspot.com/2016_04_01_archive.html',
    seen: 'All at once a phone does not join the Wi-Fi at home: the sign has an exclamation mark. Nothing was changed knowingly. With a fixed address it works.',
    cause:
      'a fault of its Wi-Fi chip, which spoils DHCP when Wi-Fi is kept on during sleep; that had been set by mistake',
    did: 'switched off "Keep Wi-Fi on during sleep"',
    cannotShow: 'no record holds that setting, nor addresses',
    lab: {
      zone: 'America/Toronto',
      hubs: [4],
      models: ['Nexus 4', 'Nexus 5'],
      from: '2016-04-01',
      days: 19,
    },
    tell(lab) {
      const phone = lab.pinned(0);
      lab.facts(phone, lab.at(13, '08:10'), { network: 'UNREACHABLE' });
      background(lab);
      return {
        at: lab.at(15, '19:00'),
        told: {
          about: ['phone', 'network'],
          says: /Wi-Fi|DHCP|address|static|router|sleep/i,
        },
      };
    },
  },
  {
    name: 'whenever the router is reset a tablet gets another address, and stays away until that is entered',
    source: 'home-assistant/core#140531',
    seen: 'Each time the router was reset, a tablet has another address, and the program that watches it cannot reach it.',
    cause: 'the address of the tablet comes from DHCP and is not reserved',
    did: 'entered the new address by hand each time; knows that a reservation in the router would help',
    lab: { zone: 'Europe/Rome', hubs: [], direct: 1, network: 3, from: '2025-02-17', days: 25 },
    tell(lab) {
      const [tablet, ...others] = lab.pinnedOf('tcp') as [LabPhone, ...LabPhone[]];
      const losses: ToldLoss[] = [];
      for (const [day, time, hours] of [
        [7, '19:30', 3.2],
        [12, '08:15', 11.5],
        [17, '21:40', 1.4],
        [22, '07:50', undefined],
      ] as const) {
        const at = lab.at(day, time);
        lab.loseAll(others, at, { spreadMs: 8 * SECOND, forMs: 2.5 * MINUTE, backSpreadMs: 30 * SECOND });
        const away = hours === undefined ? {} : { forMs: hours * HOUR };
        losses.push(lab.lose(tablet, at + lab.random.between(1, 8) * SECOND, away));
      }
      background(lab);
      return {
        at: lab.at(22, '11:00'),
        losses,
        blame: ['network', 'link', 'person'],
        told: {
          about: ['phone', 'network'],
          says: /address|DHCP|reserv|static|fixed|lease|router/i,
        },
      };
    },
  },
  {
    name: 'a tablet changes between its Ethernet and its Wi-Fi, and is known by one address only',
    source: 'cgarwood/homeassistant-fullykiosk#117',
    seen: 'A tablet is on Ethernet and on Wi-Fi, so that one of them works always. It goes away whenever its system changes to Wi-Fi, as it sees fit.',
    cause: 'it is asked for at the address of its Ethernet',
    did: 'asked for a second address to fall back to',
    lab: { zone: 'America/New_York', hubs: [], direct: 1, network: 2, from: '2022-07-25', days: 24 },
    tell(lab) {
      const [tablet] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 6; day < 21; day += 1)
        for (const at of spreadOver(lab, day, 2, 22, 2)) {
          if (lab.random.chance(0.5)) continue;
          losses.push(lab.lose(tablet, at, { forMs: lab.random.between(0.3, 6) * HOUR }));
        }
      losses.push(lab.lose(tablet, lab.at(21, '04:40')));
      background(lab);
      return {
        at: lab.at(21, '10:00'),
        losses,
        blame: ['link', 'phone', 'network'],
        told: {
          about: ['phone', 'network'],
          says: /address|Ethernet|Wi-Fi|DHCP|static|reserv/i,
        },
      };
    },
  },
  {
    name: 'a router sends a phone to and fro between its two bands',
    source: 'gnuton/asuswrt-merlin.ng#936',
    seen: 'A Pixel 9 drops in and out: it changes between 2.4 and 5 GHz all the time while Smart Connect of the router is on. Its signal is at -78 to -86 dBm.',
    cause:
      'the thresholds of the router for changing the band lie so that a phone with this signal belongs to neither',
    did: 'set other thresholds',
    lab: {
      zone: 'Europe/Stockholm',
      hubs: [],
      direct: 1,
      network: 3,
      models: ['Pixel 8', 'Pixel 9', 'Pixel 7'],
      from: '2026-03-05',
      days: 23,
    },
    tell(lab) {
      const [phone] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (let day = 13; day < 21; day += 1)
        for (const at of spreadOver(lab, day, 7, 23, 9)) {
          if (lab.random.chance(0.2)) continue;
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(6, 55) * SECOND }));
        }
      background(lab);
      return {
        at: lab.at(20, '23:20'),
        losses,
        blame: ['network', 'link'],
        told: {
          about: ['phone', 'network'],
          says: /\bbands?\b|GHz|steer|Smart Connect|signal|reception|access point|router|Wi-Fi/i,
        },
      };
    },
  },
  {
    name: 'an Android in a container is of another version now, with the data of the one before',
    source: 'remote-android/redroid-doc#512, remote-android/redroid-doc#84',
    seen: 'The container of one version was stopped, and one of another version started. adb does not connect, then says that it is connected already, and lists it as offline. Its system dies again and again.',
    cause: 'the data partition is that of another version',
    did: 'gave it a new data partition',
    cannotShow: 'nobody records what a container is started with',
    lab: { zone: 'Asia/Shanghai', hubs: [], direct: 1, network: 2, from: '2023-11-06', days: 24 },
    tell(lab) {
      const [container] = lab.pinnedOf('tcp') as [LabPhone];
      const stopped = lab.lose(container, lab.at(19, '10:20'), { forMs: 4 * MINUTE, backAs: 'offline' });
      const losses = [stopped];
      for (const [day, time, forMs] of [
        [19, '11:05', 3 * MINUTE],
        [19, '15:30', 6 * MINUTE],
        [20, '09:50', 2 * MINUTE],
      ] as const)
        losses.push(lab.lose(container, lab.at(day, time), { forMs, backAs: 'offline' }));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(20, '11:00'),
        losses,
        blame: ['phone', 'link', 'host', 'person', 'network', 'adb', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /\bdata\b|factory reset|container|adb disconnect|adb connect|reconnect|restart/i,
        },
      };
    },
  },
  {
    name: 'a television that takes one adb at a time is taken by another computer',
    source: 'home-assistant/home-assistant.io#24861',
    seen: 'While another computer has an adb connection to the television, this one is refused.',
    cause: 'the television lets one computer connect by adb at a time',
    did: 'is told to disconnect the other one, and to restart the television',
    lab: { zone: 'Europe/London', hubs: [], direct: 1, network: 2, from: '2022-10-17', days: 24 },
    tell(lab) {
      const [television] = lab.pinnedOf('tcp') as [LabPhone];
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [9, '19:10', 45],
        [11, '20:35', 110],
        [14, '10:15', 190],
        [17, '21:05', 30],
        [18, '18:40', 75],
      ] as const)
        losses.push(lab.lose(television, lab.at(day, time), { forMs: minutes * MINUTE }));
      losses.push(lab.lose(television, lab.at(21, '18:25')));
      background(lab, { hasReadings: false });
      return {
        at: lab.at(21, '20:00'),
        losses,
        blame: ['adb', 'link', 'network', 'phone', 'person', 'unknown'],
        told: {
          about: ['phone', 'network', 'host'],
          says: /another (computer|program|adb|device|host)|other computer|one (computer|connection)|at a time|adb disconnect|disconnect|restart/i,
        },
      };
    },
  },
];
