/** Incidents of what phones do by themselves, as their owners told it in forums, in blogs and to those who make their systems. */
import { background, inUse, levels, offAndOn } from '../background.ts';
import { HOUR, type Lab, type LabOptions, type LabPhone, MINUTE, SECOND, type ToldLoss } from '../lab.ts';
import type { Incident } from '../story.ts';

/** Somebody’s own phone, at a port of the computer itself. */
const own = (options: LabOptions): LabOptions => ({
  hubs: [],
  direct: 1,
  known: { slots: false },
  ...options,
});

/** How a phone of Qualcomm shows itself when nothing of its storage starts: it has no serial number then. */
const EDL = {
  vendorId: '05c6',
  productId: '9008',
  product: 'QUSB_BULK_CID:0404_SN:10887B22',
  serial: '',
  interfaces: [{ kind: 'ff/ff/ff', endpoints: 2 }],
};

/** It restarts over and over, and is there for some seconds in between. @returns also when it is there for the last time */
function loops(
  lab: Lab,
  phone: LabPhone,
  from: number,
  { times, upMs, awayMs }: { times: number; upMs: number; awayMs: number },
): { losses: ToldLoss[]; end: number } {
  const losses: ToldLoss[] = [];
  let at = from;
  for (let left = times; left > 0; left -= 1) {
    const forMs = Math.round(awayMs * lab.random.between(0.85, 1.2));
    const up = Math.round(upMs * lab.random.between(0.7, 1.3));
    losses.push(lab.lose(phone, at, { forMs }));
    if (lab.random.chance(0.6)) lab.rebooted(phone, at + forMs + up / 2, { uptimeSeconds: 25 });
    at += forMs + up;
  }
  return { losses, end: at };
}

export const phoneMakers: readonly Incident[] = [
  {
    name: 'an Honor 9 with a foreign Android is lost some hours after each start, until it is started anew',
    source: 'phhusson/treble_experimentations#2396',
    seen: 'With a generic image of Android 12 adb lists nothing, whatever the USB mode. Started anew it works for some hours, the next day no more. A MediaPad M5 Pro does the same with each image of 12.',
    cause: 'the adbd of that image: it waits in vain for its USB function to be bound, over and over',
    did: 'restarted the phone each time',
    lab: own({ zone: 'Europe/Vienna', from: '2022-07-07', days: 22, models: ['Honor 9'] }),
    tell(lab) {
      const phone = lab.pinned(0);
      const flashed = lab.at(14, '18:40');
      lab.lose(phone, flashed, { forMs: 55 * MINUTE });
      lab.rebooted(phone, flashed + 56 * MINUTE, { reason: 'reboot', uptimeSeconds: 95 });
      lab.phone(phone, flashed + 56 * MINUTE + SECOND, { kind: 'os', release: '12', before: '9' });
      const losses: ToldLoss[] = [];
      for (const [day, gone, until, again] of [
        [14, '22:48', 15, '17:32'],
        [15, '21:05', 16, '10:20'],
        [16, '13:41', 16, '15:02'],
        [16, '20:37', 17, '09:48'],
        [17, '12:55', 18, '18:10'],
        [18, '22:16', 19, '17:25'],
        [19, '20:58', 20, '18:05'],
      ] as const) {
        const at = lab.at(day, gone);
        losses.push(offAndOn(lab, phone, at, lab.at(until, again) - at, 'reboot,userrequested'));
      }
      const last = lab.lose(phone, lab.at(20, '21:44'));
      background(lab, { isDaily: true });
      return {
        at: lab.at(21, '08:10'),
        losses: [...losses, last],
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restart|reboot|\bstarts?\b|updat|version|build|flash|USB debugging|\badbd?\b|hang/i,
        },
      };
    },
  },
  {
    name: 'a Mate 30 only charges at the computer since it was set back to the system before',
    source:
      'ProfessorJTJ/HISuite-Proxy#86, ProfessorJTJ/HISuite-Proxy#106, ProfessorJTJ/HISuite-Proxy#82, ProfessorJTJ/HISuite-Proxy#101',
    seen: 'After the way back from EMUI 11 to 10.1 there is no choice of a USB mode any more: the phone says that it charges, and the computer sees nothing. It charges slowly too. Others have it with a Mate 30 Pro, a P30 Pro and a P40 Pro.',
    cause: 'the way back switches off what USB does beyond charging, until a new enough system is on it',
    did: 'updated it over Wi-Fi, step by step; with the second HarmonyOS it was back on USB',
    lab: own({
      zone: 'Asia/Shanghai',
      direct: 2,
      from: '2021-08-02',
      days: 20,
      models: ['Mate 30 5G', 'P20'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const begun = lab.at(15, '20:12');
      // it is on adb once more while the program prepares it
      lab.lose(phone, begun, { forMs: 2 * MINUTE });
      const gone = begun + 9 * MINUTE;
      const cured = lab.at(17, '22:31');
      const losses = [lab.lose(phone, gone, { forMs: cured - gone })];
      lab.rebooted(phone, cured + 30 * SECOND, { reason: 'reboot', uptimeSeconds: 260 });
      lab.phone(phone, cured + 31 * SECOND, { kind: 'os', build: '2.0.0.166', buildBefore: '11.0.0.185' });
      background(lab, { isDaily: true });
      return {
        at: lab.at(16, '21:00'),
        losses,
        blame: ['phone', 'person', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /updat|system|version|USB (mode|debugging|setting)|file transfer|cable|charg|\bplug|look/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a Redmi 9T restarts by itself into its mode for emergencies, and starts again once its battery is empty',
    source: 'bkerler/edl#553',
    seen: 'The phone just restarted. From then on its screen is black, and USB shows the download mode of its chip; started anew it comes back in that mode.',
    cause: 'not found: four days later, when the battery had run empty and was charged, it started as ever',
    did: 'tried to read and to reset it with a tool for that mode, in vain; let its battery run empty',
    lab: {
      zone: 'America/Bogota',
      hubs: [4],
      free: 2,
      usb: true,
      from: '2024-05-15',
      days: 21,
      models: ['Redmi 9T', 'Moto G9'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const at = lab.at(15, '18:24');
      const back = lab.at(19, '09:15');
      const losses = [
        lab.lose(phone, at, { forMs: back - at, onUsb: { ...EDL, connectedAt: at + 4 * SECOND } }),
      ];
      for (const [day, time] of [
        [15, '18:51'],
        [15, '19:20'],
        [15, '20:07'],
        [16, '08:32'],
      ] as const) {
        const held = lab.at(day, time);
        lab.usb(phone, held, null);
        lab.usb(phone, held + 5 * SECOND, { ...EDL, connectedAt: held + 5 * SECOND });
      }
      lab.usb(phone, lab.at(18, '02:40'), null);
      lab.rebooted(phone, back + 25 * SECOND, { uptimeSeconds: 48 });
      const usual = inUse(lab);
      const charging = levels([
        [back, 6],
        [back + 3 * HOUR, 100],
      ]);
      phone.reading = (now) => (now < back || now > back + 3 * HOUR ? usual(now) : charging(now));
      background(lab);
      return {
        at: lab.at(16, '10:00'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone', 'port'],
          says: /\bEDL\b|9008|emergency|boot ?loader|download|flash|\bmode\b|power (button|key)|restart|reboot|\bstarts?\b|batter/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'a Galaxy Nexus grows as hot as a pan while it charges, as its socket is dirty and bent',
    source: 'https://casaprocida.blogspot.com/2014/07/cellulare-puzza-e-si-scalda-durante-la.html',
    seen: 'The phone of a daughter suddenly scalds and smells of fire when it charges. It is hottest at its USB socket; the cable is hot too.',
    cause: 'dirt in its USB socket, and the tongue in there bent, after many plugs each day',
    did: 'blew the dirt out and bent the tongue back with a small screwdriver: since then it charges as it should',
    lab: own({
      zone: 'Europe/Rome',
      direct: 2,
      from: '2014-06-30',
      days: 19,
      models: ['Galaxy Nexus', 'Optimus L5'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      const nights: [number, number][] = [];
      for (let day = 0; day < 14; day += 1)
        nights.push([lab.at(day, '20:45') + (day % 4) * 9 * MINUTE, lab.at(day + 1, '07:25')]);
      const hot: [number, number][] = [
        [lab.at(14, '18:20'), lab.at(14, '19:05')],
        [lab.at(14, '21:10'), lab.at(14, '21:50')],
        [lab.at(15, '16:35'), lab.at(15, '17:20')],
        [lab.at(15, '20:30'), lab.at(15, '21:40')],
      ];
      const cured: [number, number][] = [
        [lab.at(15, '22:25'), lab.at(16, '07:30')],
        [lab.at(16, '20:50'), lab.at(17, '07:20')],
        [lab.at(17, '21:15'), lab.end],
      ];
      const plugged = [...nights, ...hot, ...cured];
      phone.isThereAtFirst = false;
      phone.busy.push({ from: lab.start, to: plugged[0]?.[0] ?? lab.start });
      lab.phone(phone, plugged[0]?.[0] ?? lab.start, { kind: 'attached', state: 'device' });
      for (const [index, [, until]] of plugged.entries()) {
        const next = plugged[index + 1]?.[0];
        if (next !== undefined) lab.lose(phone, until, { forMs: next - until });
      }
      phone.reading = (at) => {
        const [from] = plugged.findLast(([begun]) => begun <= at) ?? [at];
        const minutes = (at - from) / MINUTE;
        const isHot = hot.some(([begun]) => begun === from);
        const levelPercent = isHot
          ? Math.round(34 - minutes / 9)
          : Math.min(100, Math.round(28 + minutes / 2.1));
        const warm = isHot
          ? Math.min(188, minutes * 4.3)
          : Math.min(38, minutes) * (levelPercent < 100 ? 1 : 0.4);
        return {
          levelPercent,
          isFull: levelPercent === 100,
          temperatureDecicelsius: Math.round(306 + warm + (minutes % 7)),
        };
      };
      background(lab, { isDaily: true, hours: [17, 22] });
      return {
        at: lab.at(15, '21:35'),
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /\bhot|\bheat|warm|temperature|\bcool|°C|socket|\bport\b|charg|cable/i,
        },
        alsoAbout: ['phone', 'port'],
      };
    },
  },
  {
    name: 'the Wi-Fi of a MediaPad ends a quarter of an hour after each connect, and stays off while it sleeps',
    source: 'phhusson/treble_experimentations#560',
    seen: 'The tablet loses its Wi-Fi 15 minutes and 30 seconds after it was connected. In use it connects again at once; asleep it stays away, although its Wi-Fi is set to stay on.',
    cause: 'its address in the network is not renewed: its log tells of a lost configuration',
    did: 'searched for a setting that would keep it on; none helped',
    lab: {
      zone: 'Europe/Berlin',
      hubs: [],
      network: 3,
      from: '2019-05-27',
      days: 18,
      models: ['MediaPad M5', 'Nokia 6.1', 'Moto Z3'],
    },
    tell(lab) {
      const tablet = lab.pinned(0);
      const flashed = lab.at(11, '16:10');
      lab.lose(tablet, flashed, { forMs: 48 * MINUTE });
      lab.rebooted(tablet, flashed + 49 * MINUTE, { reason: 'reboot', uptimeSeconds: 80 });
      lab.phone(tablet, flashed + 49 * MINUTE + SECOND, { kind: 'os', release: '9', before: '8.0.0' });
      // used from … for so many minutes; then it sleeps
      const uses = (
        [
          [11, '16:58', 64],
          [11, '20:31', 41],
          [12, '07:12', 25],
          [12, '19:40', 96],
          [13, '10:05', 55],
          [13, '18:22', 133],
          [14, '07:08', 19],
          [14, '20:14', 71],
          [15, '07:15', 30],
          [15, '14:20', 34],
        ] as const
      ).map(([day, time, minutes]) => [lab.at(day, time), minutes * MINUTE] as const);
      const losses: ToldLoss[] = [];
      const lease = 15 * MINUTE + 30 * SECOND;
      for (const [index, [from, forMs]] of uses.entries()) {
        const next = uses[index + 1]?.[0];
        let at = from + lease;
        while (at < from + forMs) {
          const away = Math.round(lab.random.between(6, 14) * SECOND);
          losses.push(lab.lose(tablet, at, { forMs: away }));
          at += away + lease;
        }
        losses.push(lab.lose(tablet, at, next === undefined ? {} : { forMs: next - at }));
      }
      background(lab, { isDaily: true });
      return {
        at: lab.at(15, '15:20'),
        losses,
        blame: ['link', 'network', 'phone', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /Wi-?Fi|network|DHCP|lease|\bIP\b|address|sleep|asleep|router|access point|screen|awake|power sav|batter/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'an app of Samsung updates itself in the night, and all phones of one age loop until they are reset',
    source:
      'http://www.notebookcheck.net/Users-are-advised-to-act-quickly-Software-update-paralyzes-Samsung-Galaxy-smartphones-threatens-loss-of-data-and-account-access.897503.0.html',
    seen: 'Galaxy S10, S10e, S10+, Note 10 and some more restart without end, and cannot be used. Newer ones are well.',
    cause: 'a new version of the SmartThings Framework, which updates itself, on Android 12',
    did: 'erased them in their recovery; turned the updates of apps off',
    lab: {
      zone: 'Europe/Vienna',
      hubs: [4, 4, 4, 4],
      usb: true,
      hasTwoControllers: true,
      from: '2024-09-16',
      days: 18,
      models: [
        'Galaxy S10',
        'Galaxy A52',
        'Galaxy S22',
        'Galaxy Note 10+',
        'Galaxy S10e',
        'Galaxy A33',
        'Galaxy S23',
        'Galaxy S10+',
      ],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [index, day, time, times] of [
        [3, 16, '18:53', 6],
        [0, 16, '19:55', 4],
        [12, 16, '22:08', 7],
        [7, 17, '00:31', 5],
        [8, 17, '02:14', 3],
        [15, 17, '03:47', 6],
        [4, 17, '05:20', 5],
      ] as const) {
        const phone = lab.pinned(index);
        const from = lab.at(day, time) + lab.random.between(0, 50) * SECOND;
        const looped = loops(lab, phone, from, { times, upMs: 17 * SECOND, awayMs: 62 * SECOND });
        losses.push(...looped.losses);
        const again = lab.at(17, '10:30') + index * 7 * MINUTE;
        losses.push(lab.lose(phone, looped.end, { forMs: again - looped.end }));
        lab.rebooted(phone, again + 20 * SECOND, { reason: 'reboot,factory_reset', uptimeSeconds: 600 });
      }
      background(lab);
      return {
        at: lab.at(17, '08:50'),
        losses,
        blame: ['phone', 'unknown'],
        told: {
          about: ['phone'],
          says: /restart|reboot|\bboot|\bloop|updat|\breset|recovery|erase|crash|\bstarts?\b/i,
        },
        alsoAbout: ['phone'],
      };
    },
  },
  {
    name: 'an update for the sake of their batteries leaves some Pixel 4a of a big lab empty by the afternoon',
    source:
      'https://allyoucantech.com/google-pixel-4a-battery-performance-update-causes-extensive-problems-and-uncertainty',
    seen: 'Since an update that came by itself some Pixel 4a last for two hours where they lasted for a day, and charge slowly; others, with the same update, are as before.',
    cause:
      'the update nearly halves what batteries with the cells of one maker hold, and how fast they charge; those of the other maker it leaves alone',
    did: 'had the choice of another battery, of money, or of a discount, as the maker offers',
    lab: {
      zone: 'America/Los_Angeles',
      hubs: [10, 10, 10, 10],
      from: '2024-12-23',
      days: 27,
      models: ['Pixel 4a', 'Pixel 6', 'Galaxy A53', 'Moto G Power', 'Pixel 7'],
    },
    tell(lab) {
      const losses: ToldLoss[] = [];
      for (const [turn, index] of [0, 5, 10, 15, 20, 25, 30, 35].entries()) {
        const phone = lab.pinned(index);
        const updated = lab.at(16 + (turn % 3), '03:10') + turn * 17 * MINUTE;
        lab.reboot(phone, updated, { forMs: 70 * SECOND, reason: 'reboot,ota' });
        lab.phone(phone, updated + 2 * MINUTE, {
          kind: 'os',
          build: '12787030',
          buildBefore: '11019406',
        });
        if (turn % 8 === 1 || turn % 8 === 4 || turn % 8 === 6) continue;
        const points: [number, number][] = [[updated, 100]];
        for (let day = 16 + (turn % 3); day < lab.days; day += 1) {
          if (!lab.isWorkday(day)) continue;
          points.push([lab.at(day, '09:00'), 100]);
          if (lab.random.chance(0.65)) {
            const off = lab.at(day, '13:20') + Math.round(lab.random.between(0, 150) * MINUTE);
            const forMs = Math.round(lab.random.between(40, 85) * MINUTE);
            losses.push(offAndOn(lab, phone, off, forMs, 'shutdown,battery'));
            points.push([off, 1], [off + forMs, 4], [lab.at(day, '18:40'), 9]);
          } else points.push([lab.at(day, '17:30'), 17]);
          points.push([lab.at(day + 1, '03:30'), 100]);
        }
        const usual = inUse(lab);
        const weak = levels(points, 312);
        phone.reading = (at) => (at < updated ? usual(at) : weak(at));
      }
      background(lab);
      const asked = lab.at(24, '15:50');
      return {
        at: asked,
        losses: losses.filter(({ at }) => at < asked),
        blame: ['phone', 'port', 'link', 'hub'],
        told: {
          about: ['phone', 'port', 'hub'],
          says: /batter|charg|\bempty|\bpower|\bcurrent\b|updat/i,
        },
        alsoAbout: ['phone', 'port', 'hub'],
      };
    },
  },
  {
    name: 'a Poco F1 restarts at random since four updates of its system, most of all on a charger',
    source: 'crdroidandroid/issue_tracker#56',
    seen: 'With the weekly builds of the last four weeks the phone restarts now and then. Installed from scratch it does so on the same day, on its charger. A Poco X3 Pro does it too.',
    cause: 'the builds of those weeks',
    did: 'installed the next build, with which it no longer happens',
    lab: {
      zone: 'Asia/Kolkata',
      hubs: [4],
      free: 1,
      from: '2022-11-07',
      days: 34,
      models: ['Poco F1', 'Redmi Note 10', 'Nokia 7 plus'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      let before = '20221027';
      for (const [day, build] of [
        [4, '20221110'],
        [11, '20221117'],
        [18, '20221124'],
        [25, '20221201'],
      ] as const) {
        const at = lab.at(day, '20:15') + day * 53 * SECOND;
        lab.reboot(phone, at, { forMs: 95 * SECOND, reason: 'reboot,recovery' });
        lab.phone(phone, at + 3 * MINUTE, { kind: 'os', build, buildBefore: before });
        before = build;
      }
      const erased = lab.at(30, '19:30');
      lab.lose(phone, erased, { forMs: 38 * MINUTE });
      lab.rebooted(phone, erased + 39 * MINUTE, { reason: 'reboot,recovery', uptimeSeconds: 410 });
      for (const [day, time] of [
        [7, '23:52'],
        [9, '14:18'],
        [10, '02:07'],
        [12, '16:33'],
        [14, '05:41'],
        [15, '21:20'],
        [17, '01:16'],
        [18, '11:44'],
        [19, '22:59'],
        [21, '03:30'],
        [22, '13:02'],
        [23, '20:48'],
        [24, '04:25'],
        [26, '09:57'],
        [27, '23:11'],
        [28, '15:36'],
        [29, '02:54'],
        [29, '18:03'],
        [30, '23:06'],
        [31, '04:47'],
        [31, '10:22'],
      ] as const)
        losses.push(
          lab.reboot(phone, lab.at(day, time) + lab.random.between(0, 50) * SECOND, {
            forMs: Math.round(lab.random.between(44, 68) * SECOND),
          }),
        );
      background(lab);
      return {
        at: lab.at(31, '11:00'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /updat|build|version|restart|reboot|crash|\blogs?\b/i,
        },
      };
    },
  },
  {
    name: 'phones with a new kernel freeze or restart when their cable is pulled and plugged in quickly',
    source: 'liyafe1997/kernel_xiaomi_sm8250_mod#8',
    seen: 'Pulled and plugged in again within a moment, a Mi 10 and a Mi 10 Pro freeze or restart. A Redmi K30S and a Redmi K30 Pro, with the same kernel, do not.',
    cause: 'a fault of that kernel on some models',
    did: 'mended it in a build of the same month',
    lab: {
      zone: 'Asia/Shanghai',
      hubs: [7],
      free: 3,
      usb: true,
      from: '2024-09-16',
      days: 23,
      models: ['Mi 10', 'Redmi K30S', 'Mi 10 Pro', 'Redmi K30 Pro'],
    },
    tell(lab) {
      const phones = lab.pinnedOf('usb');
      for (const [index, phone] of phones.entries())
        lab.reboot(phone, lab.at(13, '16:05') + index * 6 * MINUTE, { reason: 'reboot' });
      const losses: ToldLoss[] = [];
      for (const [index, day, time, ends] of [
        [0, 14, '10:22', 'restarts'],
        [1, 14, '10:31', 'stays'],
        [2, 14, '15:47', 'freezes'],
        [3, 15, '11:15', 'stays'],
        [0, 15, '14:36', 'freezes'],
        [0, 16, '17:08', 'restarts'],
        [2, 17, '09:54', 'restarts'],
        [1, 17, '10:05', 'stays'],
        [3, 18, '13:40', 'stays'],
        [2, 18, '16:12', 'restarts'],
        [0, 21, '10:48', 'restarts'],
        [1, 21, '10:59', 'stays'],
        [2, 21, '11:17', 'restarts'],
      ] as const) {
        const phone = phones[index] as LabPhone;
        const pulled = lab.at(day, time);
        lab.lose(phone, pulled, { forMs: 1.6 * SECOND });
        lab.lose(phone, pulled + 3.4 * SECOND, { forMs: 1.2 * SECOND });
        if (ends === 'stays') continue;
        const at = pulled + (ends === 'restarts' ? 9 : 130) * SECOND;
        if (ends === 'freezes') {
          const hung = pulled + 8 * SECOND;
          lab.facts(phone, hung + 20 * SECOND, { isSilent: true, silentSince: hung });
          lab.facts(phone, at, { isSilent: false });
        }
        losses.push(lab.reboot(phone, at, { forMs: lab.random.between(41, 56) * SECOND }));
      }
      background(lab, { isDaily: true });
      const [first, , third] = phones as [LabPhone, LabPhone, LabPhone];
      return {
        at: lab.at(21, '11:40'),
        losses,
        blame: ['phone', 'person'],
        told: {
          about: ['phone'],
          keys: [first.udid, third.udid],
          says: /kernel|panic|crash|updat|hang|freez|froze|restart|reboot|driver|\blogs?\b/i,
        },
        alsoAbout: ['phone', 'port', 'hub'],
      };
    },
  },
  {
    name: 'a phone turns its debugging over Wi-Fi off whenever it comes into another network',
    source: 'MuntashirAkon/AppManager#1596',
    seen: 'After a while, after a change of the Wi-Fi or something else, what works over adb no longer does, and tries for long before it says so.',
    cause: 'the phone itself turns off debugging over Wi-Fi when its network changes',
    did: 'turned it on again in the developer options each time, and wished for a shortcut',
    lab: {
      zone: 'Europe/Amsterdam',
      hubs: [],
      network: 2,
      from: '2025-03-24',
      days: 23,
      models: ['Galaxy A55', 'Galaxy Tab S9'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const losses: ToldLoss[] = [];
      for (const [day, leaves, until, again] of [
        [1, '08:02', 1, '18:40'],
        [3, '08:05', 4, '20:12'],
        [7, '07:58', 8, '19:31'],
        [9, '08:10', 9, '21:05'],
        [10, '08:03', 13, '11:20'],
        [14, '08:01', 15, '18:55'],
        [16, '08:07', 16, '19:48'],
        [17, '08:00', 20, '10:34'],
      ] as const) {
        const at = lab.at(day, leaves);
        losses.push(lab.lose(phone, at, { forMs: lab.at(until, again) - at }));
      }
      losses.push(lab.lose(phone, lab.at(21, '08:04')));
      background(lab, { isDaily: true, hours: [17, 22] });
      return {
        at: lab.at(21, '20:30'),
        losses,
        blame: ['person', 'phone', 'link', 'network', 'unknown'],
        told: {
          about: ['phone', 'network'],
          says: /debugging|Wi-?Fi|adb (connect|pair)|\bpair|reconnect|connect (it )?again|network/i,
        },
        alsoAbout: ['phone', 'network'],
      };
    },
  },
  {
    name: 'the adb of a Pixel 6a crashes every few hours since it was turned on',
    source: 'GrapheneOS/os-issue-tracker#3537, GrapheneOS/os-issue-tracker#2768',
    seen: 'Since adb was activated the phone has told several times that its adbd crashed, once three and a half hours after it had started; with a Pixel 7a also when no computer was there.',
    cause: 'the adbd of that build: it ends itself over a handle for debuggers that is closed already',
    did: 'reported it with its log; somebody found the cause and mended it later',
    cannotShow:
      'only the log of the phone tells of a crash of its adbd: on the host the phone is gone for a moment, as with a loose plug',
    lab: own({
      zone: 'Europe/Rome',
      usb: true,
      direct: 2,
      from: '2024-05-01',
      days: 20,
      models: ['Pixel 6a', 'Pixel 4a'],
    }),
    tell(lab) {
      const phone = lab.pinned(0);
      phone.isThereAtFirst = false;
      const first = lab.at(14, '19:28');
      phone.busy.push({ from: lab.start, to: first });
      lab.usb(phone, lab.start, null);
      lab.usb(phone, first, undefined);
      lab.phone(phone, first, { kind: 'attached', state: 'device' });
      const usual = inUse(lab);
      phone.reading = (at) => (at < first ? undefined : usual(at));
      const losses: ToldLoss[] = [];
      for (const [day, time] of [
        [14, '22:57:34'],
        [15, '09:11:02'],
        [15, '12:40:36'],
        [15, '20:22:18'],
        [16, '03:51:52'],
        [16, '14:08:27'],
        [16, '18:33:40'],
        [17, '01:02:14'],
        [17, '08:46:55'],
      ] as const)
        losses.push(
          lab.lose(phone, lab.at(day, time), { forMs: Math.round(lab.random.between(1.2, 3.5) * SECOND) }),
        );
      background(lab, { isDaily: true });
      return {
        at: lab.at(17, '09:30'),
        losses,
        blame: ['phone', 'port', 'link', 'unknown'],
        told: {
          about: ['phone', 'port'],
          keys: [phone.udid, lab.portKey(phone)],
          says: /cable|\bplug|\bport\b|socket|loose|contact|\badbd?\b|updat|restart|\blogs?\b|crash/i,
        },
      };
    },
  },
  {
    name: 'a Nexus 5X that lies on a desk begins to loop, and an erase helps for some hours only',
    source: 'https://hnpn914.hatenablog.com/entry/nexus-5x-bootloop',
    seen: 'It restarted all of a sudden, and from then on froze in its first animation and restarted, again and again. Erased, it starts at times, and loops again later.',
    cause: 'its board, as with many of this model',
    did: 'sent it in: the maker put in another board for free',
    lab: {
      zone: 'Asia/Tokyo',
      hubs: [4],
      free: 1,
      usb: true,
      from: '2018-02-05',
      days: 22,
      models: ['Nexus 5X', 'Xperia Z5', 'AQUOS R'],
    },
    tell(lab) {
      const phone = lab.pinned(0);
      const begun = loops(lab, phone, lab.at(17, '11:24'), {
        times: 31,
        upMs: 18 * SECOND,
        awayMs: 71 * SECOND,
      });
      const erased = lab.at(17, '15:05');
      const away = lab.lose(phone, begun.end, { forMs: erased - begun.end });
      lab.rebooted(phone, erased + 20 * SECOND, { reason: 'reboot', uptimeSeconds: 780 });
      const again = loops(lab, phone, lab.at(17, '18:47'), {
        times: 22,
        upMs: 18 * SECOND,
        awayMs: 74 * SECOND,
      });
      const last = lab.lose(phone, again.end);
      background(lab);
      return {
        at: lab.at(18, '09:40'),
        losses: [...begun.losses, away, ...again.losses, last],
        blame: ['phone', 'person', 'unknown'],
        told: {
          about: ['phone'],
          keys: [phone.udid],
          says: /restart|reboot|\bloop|\bboot|\bstarts?\b|hardware|replac|repair|\breset|erase|batter|power/i,
        },
      };
    },
  },
];
