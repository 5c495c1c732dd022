/** A room that is warm, and what only looks so. */
import { ordinaryLife } from '../ordinary-life.ts';
import { climate, type Reading, read, restingIn } from '../readings.ts';
import { DAY, HOUR, MINUTE, type SceneLab, type ScenePhone } from '../scene.ts';
import type { Story } from '../story.ts';

/** All phones at rest in one room, but for what `change` says. */
function live(
  lab: SceneLab,
  room: (at: number) => number,
  change: (phone: ScenePhone, reading: Reading) => Reading = (_, reading) => reading,
): void {
  for (const phone of lab.phones) read(lab, phone, change(phone, restingIn(lab, room)), true);
}

/** So much warmer, tenths of °C, while it is so. */
const warmer =
  (reading: Reading, above: number, isSo: (at: number) => boolean): Reading =>
  (at) => {
    const what = reading(at);
    const { temperatureDecicelsius = 0 } = what ?? {};
    return what && isSo(at)
      ? { ...what, temperatureDecicelsius: Math.round(temperatureDecicelsius + above) }
      : what;
  };

export const stories: Story[] = [
  {
    name: 'a room whose cooling has failed',
    tell(lab) {
      const since = lab.now - lab.random.between(45, 600) * MINUTE;
      const above = lab.random.between(55, 100);
      const room = climate(lab);
      live(lab, (at) => room(at) + (at >= since ? above : 0));
      lab.expect('ROOM_WARM');
      ordinaryLife(lab, { taken: 0.3 });
    },
  },
  {
    name: 'a room that warms slowly since the morning',
    tell(lab) {
      const hours = lab.random.between(3, 8);
      const room = climate(lab, { swing: 10 });
      live(lab, (at) => room(at) + Math.max(0, 80 * (1 - (lab.now - at) / (hours * HOUR))));
      lab.expect('ROOM_WARM');
      ordinaryLife(lab, { taken: 0.3 });
    },
  },
  {
    name: 'a summer in which each afternoon is as warm',
    tell(lab) {
      live(lab, climate(lab, { swing: lab.random.between(60, 90), base: 240 }));
      ordinaryLife(lab);
    },
  },
  {
    name: 'an evening on which all phones charge',
    tell(lab) {
      const since = lab.now - lab.random.between(40, 90) * MINUTE;
      live(lab, climate(lab), (_, resting) => {
        const from = lab.random.between(15, 60);
        const warm = warmer(resting, lab.random.between(50, 90), (at) => at >= since);
        // used since the morning, then put on their chargers
        const level = (at: number) => (at < since ? from : Math.min(99, from + (at - since) / (3 * MINUTE)));
        return (at) => ({
          ...warm(at),
          ...(at >= since - 6 * HOUR && { isFull: false, levelPercent: level(at) }),
        });
      });
      ordinaryLife(lab);
    },
  },
  {
    name: 'a test run on some of the phones',
    tell(lab) {
      const part = lab.random.between(0.05, 0.5);
      const since = lab.now - lab.random.between(1, 10) * HOUR;
      live(lab, climate(lab), (_, resting) =>
        lab.random.chance(part) ? warmer(resting, lab.random.between(50, 120), (at) => at >= since) : resting,
      );
      ordinaryLife(lab);
    },
  },
  {
    name: 'a test run on all phones, every night',
    tell(lab) {
      // not at the same minute each night
      const late = Array.from({ length: 9 }, () => lab.random.between(0, 20) * MINUTE);
      const begin = lab.random.between(0, 3) * HOUR;
      const isRunning = (at: number) => {
        const day = Math.floor((lab.now - at + begin) / DAY);
        return (lab.now - at + begin - (late[day] ?? 0)) % DAY < 3 * HOUR;
      };
      const room = climate(lab, { base: 210 });
      live(lab, room, (_, resting) => warmer(resting, lab.random.between(50, 90), isRunning));
      ordinaryLife(lab);
    },
  },
  {
    name: 'a window that was open for some minutes of the summer',
    tell(lab) {
      const room = climate(lab);
      live(lab, (at) => room(at) + (at > lab.now - 12 * MINUTE ? 60 : 0));
      ordinaryLife(lab);
    },
  },
  {
    name: 'days that are a little warmer than last week',
    tell(lab) {
      const room = climate(lab, { swing: 10 });
      live(lab, (at) => room(at) + (at > lab.now - DAY ? 15 : 0));
      ordinaryLife(lab);
    },
  },
  {
    name: 'a host that has known its phones for two days, the second one warm',
    tell(lab) {
      const room = climate(lab);
      live(
        lab,
        (at) => room(at) + (at > lab.now - 10 * HOUR ? 70 : 0),
        (_, resting) => (at) => (at > lab.now - 2 * DAY ? resting(at) : undefined),
      );
      ordinaryLife(lab);
    },
  },
  {
    name: 'a few warm phones among many of which nothing is known',
    tell(lab) {
      const room = climate(lab);
      const [few, others] = [lab.phones.slice(0, 6), lab.phones.slice(6)];
      for (const phone of few)
        read(
          lab,
          phone,
          warmer(restingIn(lab, room), 70, (at) => at > lab.now - 3 * HOUR),
        );
      for (const phone of others) phone.picture.battery = { isPresent: true, temperatureDecicelsius: 300 };
      ordinaryLife(lab);
    },
  },
  {
    name: 'a warm room after the clock was set forward by a day',
    tell(lab) {
      const room = climate(lab);
      lab.stepClock(lab.now - 3 * DAY, DAY);
      live(lab, room, (_, resting) => (at) => {
        const isLost = at > lab.now - 4 * DAY && at < lab.now - 3 * DAY;
        return isLost ? undefined : resting(at);
      });
      ordinaryLife(lab, { glitches: 0 });
    },
  },
];
