/** The adb server, the host and its power: what takes the phones of several hubs, and what only looks like it. */
import type { FindingCode, Severity } from '../../../src/diagnosis/finding.ts';
import { ordinaryLife, restartAdb, restartHost } from '../ordinary-life.ts';
import type { Hub } from '../room.ts';
import { DAY, HOUR, MINUTE, type SceneLab, SECOND } from '../scene.ts';
import type { Story } from '../story.ts';

/** All phones that sit in these hubs then go, wherever they are now; call it after ordinary life. */
function lose(lab: SceneLab, hubs: readonly Hub[], at: number, awayMs?: number): void {
  const ports = hubs.flatMap((hub) => hub.ports);
  const phones = lab.usbPhones.filter((phone) => ports.includes(lab.portOf(phone, at)));
  lab.loseTogether(phones, at, { spreadMs: 1500, ...(awayMs !== undefined && { awayMs }) });
}

const hoursAgo = (lab: SceneLab, from: number, to: number): number =>
  Math.round(lab.now - lab.random.between(from, to) * HOUR);

/** Two or three hubs with phones, never all. */
function hubsOfAStrip(lab: SceneLab): Hub[] {
  const hubs = lab.random.shuffled(lab.hubs.filter((hub) => lab.phonesOf(hub).length >= 3));
  return hubs.length > 2 ? hubs.slice(0, hubs.length > 3 ? lab.random.whole(2, 3) : 2) : [];
}

/** All hubs of a controller that has several with phones; none where there is no such controller. */
function hubsOfAController(lab: SceneLab): Hub[] {
  const byController = Map.groupBy(lab.hubs, ({ controller }) => controller);
  const [hubs = []] = lab.random.shuffled(
    [...byController.values()].filter(
      (each) => each.filter((hub) => lab.phonesOf(hub).length > 1).length > 1,
    ),
  );
  return hubs;
}

/** Surely where nobody was there to switch it off; else by what USB showed. */
function expectOutage(lab: SceneLab, code: FindingCode, at: number, severity?: Severity): void {
  if (lab.isFarFromWork(at)) lab.expect(code, undefined, severity);
  else lab.expected.push({ code, isOptional: true });
}

const hostStarts = (lab: SceneLab, at: number, bootedAt: number, lastAliveAt: number) =>
  lab.host(at, { kind: 'agentStarted', version: '0.9.0', hostBootedAt: bootedAt, lastAliveAt });

const sleep = (lab: SceneLab, wokeAt: number, hours: number) =>
  lab.host(wokeAt, { kind: 'hostSlept', forMs: Math.round(hours * HOUR) });

export const stories: Story[] = [
  {
    name: 'two versions of adb kill each other’s server all day',
    tell(lab) {
      const times = lab.times(lab.random.whole(6, 40), 20 * HOUR, { untilMs: 0, apartMs: 8 * MINUTE });
      for (const at of times) restartAdb(lab, at);
      lab.expect('ADB_RESTARTING');
      ordinaryLife(lab);
    },
  },
  {
    name: 'the adb server crashes five times in an afternoon, seen only by its replacement',
    tell(lab) {
      for (const at of lab.times(lab.random.whole(5, 7), 4 * HOUR, { untilMs: 0 }))
        lab.host(at, { kind: 'adbReplaced', version: 41 });
      lab.expect('ADB_RESTARTING');
      ordinaryLife(lab);
    },
  },
  {
    name: 'the USB controller lets all its hubs go at once',
    tell(lab) {
      const hubs = hubsOfAController(lab);
      if (hubs.length > 0) {
        ordinaryLife(lab, { taken: 0.5 });
        const at = hoursAgo(lab, 0.2, 20);
        lose(lab, hubs, at, Math.round(lab.random.between(5, 90) * SECOND));
        expectOutage(lab, 'HOST_LOST_PHONES', at);
      }
    },
  },
  {
    name: 'a power strip with some hubs is switched off for a while',
    tell(lab) {
      const hubs = hubsOfAStrip(lab);
      ordinaryLife(lab, { taken: 0.5 });
      if (isWholeController(lab, hubs)) return;
      const at = hoursAgo(lab, 1, 20);
      lose(lab, hubs, at, Math.round(lab.random.between(0.2, 30) * MINUTE));
      if (hubs.length > 0) expectOutage(lab, 'POWER_CUT', at);
    },
  },
  {
    name: 'a power strip with some hubs is off',
    tell(lab) {
      const hubs = hubsOfAStrip(lab);
      ordinaryLife(lab, { taken: 0.5 });
      if (isWholeController(lab, hubs)) return;
      const at = hoursAgo(lab, 0.1, 10);
      lose(lab, hubs, at);
      if (hubs.length > 0) expectOutage(lab, 'POWER_CUT', at, 'critical');
    },
  },
  {
    name: 'a power strip came back a moment ago',
    tell(lab) {
      const hubs = hubsOfAStrip(lab);
      ordinaryLife(lab, { taken: 0.5 });
      if (isWholeController(lab, hubs)) return;
      const at = hoursAgo(lab, 0.5, 6);
      lose(lab, hubs, at, Math.round(lab.now - at - lab.random.between(0.5, 20) * MINUTE));
      if (hubs.length > 0) expectOutage(lab, 'POWER_CUT', at, 'critical');
    },
  },
  {
    name: 'a power strip was off at night, and all is back in the morning',
    tell(lab) {
      const hubs = hubsOfAStrip(lab);
      ordinaryLife(lab, { taken: 0.2 });
      if (isWholeController(lab, hubs)) return;
      const at = hoursAgo(lab, 4, 9);
      lose(lab, hubs, at, Math.round(lab.random.between(0.2, 90) * MINUTE));
      if (hubs.length > 0) expectOutage(lab, 'POWER_CUT', at, 'minor');
    },
  },
  {
    name: 'the USB controller let all its hubs go at night, and all are back in the morning',
    tell(lab) {
      const hubs = hubsOfAController(lab);
      ordinaryLife(lab, { taken: 0.2 });
      if (hubs.length === 0) return;
      const at = hoursAgo(lab, 4, 9);
      lose(lab, hubs, at, Math.round(lab.random.between(5, 90) * SECOND));
      expectOutage(lab, 'HOST_LOST_PHONES', at, 'minor');
    },
  },
  {
    name: 'the USB controller lets all its hubs go again and again',
    tell(lab) {
      const hubs = hubsOfAController(lab);
      ordinaryLife(lab, { taken: 0.2 });
      if (hubs.length === 0) return;
      const times = lab.times(lab.random.whole(3, 5), 12 * DAY, { untilMs: DAY, apartMs: 6 * HOUR });
      for (const at of times) lose(lab, hubs, at, Math.round(lab.random.between(5, 90) * SECOND));
      const last = hoursAgo(lab, 26, 200);
      lose(lab, hubs, last, 20 * SECOND);
      const isAlarm = [...times, last].some((at) => lab.isFarFromWork(at));
      lab.expect('HOST_LOST_PHONES', undefined, isAlarm ? 'major' : undefined);
    },
  },
  {
    name: 'the host lost its power and started again',
    tell(lab) {
      const at = hoursAgo(lab, 0.5, 20);
      hostStarts(lab, at, at - 50 * SECOND, at - Math.round(lab.random.between(2, 40)) * MINUTE);
      for (const phone of lab.phones.filter(() => lab.random.chance(0.2)))
        lab.lose(phone, at + 500, { awayMs: 4 * SECOND });
      lab.expect('POWER_CUT');
      ordinaryLife(lab, { glitches: 0.05 });
    },
  },
  // what only looks like it
  {
    name: 'a power strip was off, and somebody wrote what it was',
    tell(lab) {
      const hubs = hubsOfAStrip(lab);
      ordinaryLife(lab, { taken: 0.2 });
      const [hub] = hubs;
      if (hub === undefined) return;
      const at = hoursAgo(lab, 2, 12);
      lose(lab, hubs, at, Math.round(lab.random.between(0.2, 30) * MINUTE));
      const where = lab.random.chance(0.5) ? {} : { slot: hub.ports[0]?.slot.replace(/,[^,]*$/, '') ?? '' };
      const isOfHost = Object.keys(where).length === 0 || !lab.known.slots;
      lab.note(at + HOUR, isOfHost ? {} : where, 'the cleaner unplugged the strip');
    },
  },
  {
    name: 'a power strip was off two days ago',
    tell(lab) {
      const hubs = hubsOfAStrip(lab);
      ordinaryLife(lab, { taken: 0.2 });
      lose(lab, hubs, hoursAgo(lab, 25, 60), Math.round(lab.random.between(0.2, 30) * MINUTE));
    },
  },
  {
    name: 'the host falls asleep whenever nobody is at it',
    tell(lab) {
      for (const days of [3.2, 2.2, 1.2, 0.2]) sleep(lab, lab.now - days * DAY, lab.random.between(11, 14));
      for (const at of lab.times(lab.random.whole(0, 6), 3 * DAY, { apartMs: HOUR }))
        sleep(lab, at, lab.random.between(0.2, 1));
      lab.expect('HOST_SLEEPS');
      ordinaryLife(lab);
    },
  },
  {
    name: 'the host is a laptop that people shut and open at work',
    tell(lab) {
      for (let days = 29; days > 0; days -= 1)
        for (const hour of [10, 13]) sleep(lab, lab.clock(days, hour), lab.random.between(0.1, 1.5));
      ordinaryLife(lab);
    },
  },
  {
    name: 'the host slept for a weekend',
    tell(lab) {
      sleep(lab, lab.clock(1, 8), lab.random.between(50, 62));
      ordinaryLife(lab);
    },
  },
  {
    name: 'an engineer restarts adb three times in an hour',
    tell(lab) {
      for (const at of lab.times(3, HOUR, { untilMs: 0 })) restartAdb(lab, at);
      ordinaryLife(lab, { glitches: 0.05 });
    },
  },
  {
    name: 'adb is restarted each night',
    tell(lab) {
      for (let days = 29; days > 0; days -= 1) restartAdb(lab, lab.clock(days, 3));
      ordinaryLife(lab);
    },
  },
  {
    name: 'an adb server is restarted and lists its phones late',
    tell(lab) {
      const at = hoursAgo(lab, 0.1, 20);
      lab.host(at, { kind: 'adbLost', failureKind: 'closed' });
      lab.host(at + 2 * SECOND, { kind: 'adbBack' });
      lab.loseTogether(lab.phones, at + 3 * SECOND, { spreadMs: 100, awayMs: 10 * SECOND });
      ordinaryLife(lab);
    },
  },
  {
    name: 'the host is restarted as planned, three times in a week',
    tell(lab) {
      for (const at of lab.times(3, 7 * DAY, { apartMs: HOUR })) restartHost(lab, at);
      ordinaryLife(lab);
    },
  },
  {
    name: 'the agent is killed and starts again, the host does not',
    tell(lab) {
      for (const at of lab.times(4, 9 * DAY)) hostStarts(lab, at, lab.start - DAY, at - 5 * SECOND);
      ordinaryLife(lab);
    },
  },
];

const isWholeController = (lab: SceneLab, hubs: readonly Hub[]): boolean => {
  const [first] = hubs;
  const ofOne = hubs.every(({ controller }) => controller === first?.controller);
  const withPhones = lab.hubs.filter(
    (hub) => hub.controller === first?.controller && lab.phonesOf(hub).length > 0,
  );
  return ofOne && withPhones.length === hubs.length;
};
