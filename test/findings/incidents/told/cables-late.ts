/** Phones and tablets on USB: cables, sockets, batteries, chargers and their hosts. */
import { background, hostRestarts, inUse } from '../background.ts';
import { DAY, HOUR, type Lab, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** It comes and goes from one moment to another. */
function flaps(
  lab: Lab,
  phone: LabPhone,
  { from, to, away, there }: { from: number; to: number; away: [number, number]; there: [number, number] },
): ToldLoss[] {
  const losses: ToldLoss[] = [];
  for (let at = from; at < to; ) {
    const forMs = lab.random.between(...away) * SECOND;
    losses.push(lab.lose(phone, at, { forMs }));
    at += forMs + lab.random.between(...there) * SECOND;
  }
  return losses;
}

export const incidents: readonly Incident[] = [
  {
    name: 'linux-5 has booted and cannot enable the port of its phone',
    source: 'flutter/flutter#120452',
    seen: 'The host has no phone. Its kernel wrote seconds after the boot: Cannot enable, maybe the USB cable is bad; unable to enumerate USB device.',
    cause: 'not found: phone, cable and port did not get together at this boot',
    did: 'restarted the host, then the phone was found at the same port',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2023-01-23',
      days: 20,
      hubs: [],
      direct: 1,
      usb: true,
      models: ['Moto G4'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(18, '03:20');
      const booted = at + 45 * SECOND;
      lab.host(at, { kind: 'agentStopped' });
      lab.host(booted + 9 * SECOND, {
        kind: 'agentStarted',
        version: '1.0.0',
        hostBootedAt: booted,
        lastAliveAt: at,
      });
      const again = lab.at(18, '10:40');
      const lostAt = booted + 9.5 * SECOND;
      const loss = lab.lose(phone, lostAt, { forMs: again + 100 * SECOND - lostAt });
      const where = lab.where(phone, at);
      for (const seconds of [12.9, 13.9, 14.9, 15.9, 16.9, 17.9])
        lab.kernel(booted + seconds * SECOND, where, 'cable');
      lab.kernel(booted + 15.95 * SECOND, where, 'enumerate');
      lab.kernel(booted + 18.8 * SECOND, where, 'enumerate');
      hostRestarts(lab, again);
      background(lab, { isUpdated: false });
      return {
        at: lab.at(18, '09:25'),
        losses: [loss],
        blame: ['link', 'port', 'host', 'phone'],
        told: {
          about: ['port', 'phone', 'host'],
          says: /(restart|reboot).{0,40}(host|machine|computer)|cable/i,
        },
      };
    },
  },
  {
    name: 'linux-17 and one of its neighbours lose their phones until the cables are reseated',
    source: 'flutter/flutter#164042, flutter/flutter#164514, flutter/flutter#164637, flutter/flutter#164823',
    seen: 'On February 24, March 5 and March 7 the phone of linux-17 is lost, each time on a day on which another host loses its phone too.',
    cause: 'the cables do not sit well',
    did: 'reseated the USB cables',
    lab: { zone: 'America/Los_Angeles', from: '2025-02-03', days: 34, hubs: [], direct: 5 },
    tell(lab) {
      const [own, of56, of57, of58] = [0, 1, 2, 3].map((index) => lab.pinned(index)) as [
        LabPhone,
        LabPhone,
        LabPhone,
        LabPhone,
      ];
      const lost = (phone: LabPhone, from: number, to?: number) =>
        lab.lose(phone, from, to === undefined ? {} : { forMs: to - from });
      const losses = [
        lost(of58, lab.at(20, '21:47'), lab.at(21, '11:32')),
        lost(own, lab.at(21, '05:13'), lab.at(21, '11:28')),
        lost(of56, lab.at(28, '13:55'), lab.at(29, '10:06')),
        lost(of57, lab.at(29, '23:18'), lab.at(30, '12:41')),
        lost(own, lab.at(30, '07:34'), lab.at(30, '12:37')),
        lost(of56, lab.at(31, '22:09')),
        lost(own, lab.at(32, '04:51')),
      ];
      background(lab, { taken: 0.2 });
      return {
        at: lab.at(32, '10:15'),
        losses,
        blame: ['link', 'port', 'phone'],
        told: { about: ['port', 'phone'], says: /re-?seat|re-?plug|plug|cable/i },
      };
    },
  },
  {
    name: 'a tablet is charged and not charged in turn every few seconds',
    source: 'cawilliamson/treble_restlessos#105',
    seen: 'As soon as the cable is in, charging begins and ends every few seconds without an end. Cable and charger are fine.',
    cause: 'dirt in the USB port of the tablet',
    did: 'found the dirt; the new system was not to blame',
    lab: {
      zone: 'Europe/Rome',
      from: '2026-06-01',
      days: 28,
      hubs: [4],
      free: 1,
      models: ['Redmi Pad', 'Pixel'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const from = lab.at(26, '12:41');
      const use = inUse(lab);
      tablet.reading = (at) => ({
        ...use(at),
        ...(at > from && { levelPercent: 61, isFull: false }),
      });
      const losses = flaps(lab, tablet, {
        from,
        to: lab.at(26, '13:18'),
        away: [1.5, 4],
        there: [3, 9],
      });
      background(lab);
      return {
        at: lab.at(26, '13:20'),
        losses,
        blame: ['phone', 'link'],
        told: { about: ['phone', 'port'], says: /clean|dirt|dust|lint|socket|contacts/i },
      };
    },
  },
  {
    name: 'a phone in the mode for charging is not charged once the desktop has started',
    source: 'feren-OS/Bug-Reporting-Center#106',
    seen: 'The phone is charged until the login shows, then no more, until it is set to file transfer; back in "charge only" it ends again.',
    cause: 'the power saver of the host (TLP) suspends the phone’s USB',
    did: 'took the phone out of autosuspend',
    cannotShow: 'what a power saver of the host does to a port is not recorded',
    lab: { zone: 'Europe/Athens', from: '2019-12-30', days: 20, hubs: [], direct: 1 },
    tell(lab) {
      const phone = lab.pinned(0);
      const from = lab.at(12, '21:00');
      const use = inUse(lab);
      // set to file transfer for an hour and a half each evening
      phone.reading = (at) => {
        if (at < from) return use(at);
        const hours = ((at - from) % DAY) / HOUR;
        const levelPercent = Math.round(hours < 22.5 ? 78 - 2 * hours : 33 + 30 * (hours - 22.5));
        return { levelPercent, isFull: false, temperatureDecicelsius: 262 };
      };
      for (let day = 13; day < 19; day += 1)
        for (const time of ['19:30', '21:00'])
          lab.lose(phone, lab.at(day, time), { forMs: lab.random.between(1, 3) * SECOND });
      background(lab);
      return {
        at: lab.at(17, '18:30'),
        told: {
          about: ['phone', 'port', 'host'],
          says: /suspend|power.?sav|TLP|file transfer|MTP|not charg/i,
        },
      };
    },
  },
  {
    name: 'a limit of charging stops it at the top and never begins it again',
    source: 'sriharshaarangi/BatteryChargeLimit#48, sriharshaarangi/BatteryChargeLimit#38',
    seen: 'It is charged up to the limit once. Below the minimum it goes on draining though plugged in, also without the app.',
    cause: 'the kernel of the Nexus 6 does not begin to charge again when the app allows it',
    did: 'switched the app off and restarted the phone: it is charged then',
    lab: {
      zone: 'America/New_York',
      from: '2017-08-21',
      days: 27,
      hubs: [4],
      free: 1,
      models: ['Nexus 6', 'Nexus 5'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const restarts = [
        lab.at(14, '10:00'),
        lab.at(16, '09:30'),
        lab.at(18, '08:40'),
        lab.at(20, '10:15'),
        lab.at(22, '09:30'),
      ];
      const use = inUse(lab);
      phone.reading = (at) => {
        const since = restarts.findLast((each) => each <= at);
        if (since === undefined) return use(at);
        const hours = (at - since) / HOUR;
        const level = hours < 2 ? 14 + 33 * hours : 80 - 1.5 * (hours - 2);
        return {
          levelPercent: Math.max(3, Math.round(level)),
          isFull: false,
          temperatureDecicelsius: hours < 2 ? 338 : 285,
        };
      };
      for (const at of restarts) lab.reboot(phone, at, { forMs: 65 * SECOND });
      background(lab);
      return {
        at: lab.at(24, '11:00'),
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restart|reboot|charg\w* (limit|control|protection)|limit\w* .{0,20}charg/i,
        },
      };
    },
  },
  {
    name: 'the charger of a Poco comes and goes until the phone is restarted',
    source: 'PixelExperience/android-issues#5922',
    seen: 'Charging begins, and after some time it ends and begins again and again, untouched. Charger, cable and jack are fine.',
    cause: 'the system of the phone: after a restart it does not happen',
    did: 'restarted the phone each time',
    lab: {
      zone: 'Asia/Karachi',
      from: '2024-01-01',
      days: 23,
      hubs: [4],
      free: 1,
      models: ['POCO M2 Pro', 'Pixel'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, time, minutes] of [
        [11, '10:25', 38],
        [13, '19:10', 22],
        [15, '09:05', 55],
        [18, '14:45', 31],
        [19, '21:20', 17],
      ] as const) {
        const from = lab.at(day, time);
        const to = from + minutes * MINUTE;
        losses.push(...flaps(lab, phone, { from, to, away: [1.5, 6], there: [12, 60] }));
        lab.reboot(phone, to + 10 * SECOND, { forMs: 42 * SECOND, reason: 'reboot,userrequested' });
      }
      losses.push(
        ...flaps(lab, phone, {
          from: lab.at(21, '11:02'),
          to: lab.at(21, '11:39'),
          away: [1.5, 6],
          there: [12, 60],
        }),
      );
      background(lab);
      return {
        at: lab.at(21, '11:40'),
        losses,
        blame: ['phone'],
        told: { about: ['phone', 'port'], says: /restart|reboot/i },
      };
    },
  },
  {
    name: 'a phone leaves USB while data is sent to it, and the next try works',
    source: 'whatwg/usb#223',
    seen: 'Sending data to the phone from a browser ends in a transfer error, often and not always, and the phone is disconnected then.',
    cause: 'the hardware, or the phone resets itself; by the end something in the computer',
    did: 'restarted the computer, then it was gone',
    lab: { zone: 'Asia/Shanghai', from: '2022-07-25', days: 25, hubs: [], direct: 2 },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (let day = 7; day < 24; day += 1) {
        if (!lab.isWorkday(day)) continue;
        for (const time of ['10:10', '11:30', '14:20', '15:40', '16:50']) {
          if (lab.random.chance(0.4)) continue;
          const at = lab.at(day, time) + lab.random.between(0, 25) * MINUTE;
          losses.push(lab.lose(phone, at, { forMs: lab.random.between(2, 9) * SECOND }));
        }
      }
      hostRestarts(lab, lab.at(23, '18:05'));
      background(lab);
      return {
        at: lab.at(23, '17:30'),
        losses,
        blame: ['phone', 'link', 'port', 'host'],
        told: {
          about: ['phone', 'port', 'host'],
          says: /(restart|reboot).{0,40}(host|computer|machine|phone)|kernel|hardware|cable|another port/i,
        },
      };
    },
  },
  {
    name: 'of 30 runs on mac-31 29 do not find the phone',
    source: 'flutter/flutter#189274',
    seen: 'Nearly every run on this host fails, as the expected phone is not found.',
    cause: 'the phones of this model are not stable',
    did: 'reset the phone to its factory settings; planned to replace all of them',
    lab: {
      zone: 'America/Los_Angeles',
      from: '2026-06-15',
      days: 27,
      hubs: [],
      direct: 1,
      models: ['Mokey'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      const from = lab.at(24, '22:40');
      for (let run = 0; run < 30; run += 1) {
        if (run === 13) continue;
        const at = from + run * 28 * MINUTE + lab.random.between(1, 9) * MINUTE;
        losses.push(lab.lose(phone, at, { forMs: lab.random.between(0.4, 9) * MINUTE }));
      }
      const reset = lab.at(25, '15:10');
      lab.reboot(phone, reset, { forMs: 25 * MINUTE });
      background(lab);
      return {
        at: lab.at(25, '13:10'),
        losses,
        blame: ['phone'],
        told: { about: ['phone', 'port'], says: /factory|wipe|erase|replace|another phone|hardware/i },
      };
    },
  },
];
