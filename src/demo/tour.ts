/** What happens in the demo while one watches: a phone comes, a phone goes, the cloud refuses one for a while. */
import type { Stage } from './stage.ts';

/** Seconds after the first report, what happens, and how it is told. */
export interface Scene {
  atSeconds: number;
  told: string;
  play(): void;
}

/** Who comes later than the others, and what happens when. */
export function scenesOf({ adb, cloud, phones }: Stage): { latecomer: string; scenes: Scene[] } {
  const [first, second, third] = phones.filter(({ state, devpath }) => state === 'device' && devpath);
  if (!first || !second || !third) throw new RangeError('the demo needs three phones on USB');
  const named = (phone: typeof first) => `${phone.title} (${phone.serial})`;
  const refusal = 'missing required capability: rack position';
  return {
    latecomer: third.serial,
    scenes: [
      { atSeconds: 5, told: `a phone is plugged in: ${named(third)}`, play: () => void adb.plug(third) },
      {
        atSeconds: 10,
        told: `the cloud begins to refuse ${named(second)}`,
        play: () => cloud.refuse(second.serial, refusal),
      },
      { atSeconds: 18, told: `the cable is pulled: ${named(first)}`, play: () => adb.unplug(first.serial) },
      {
        atSeconds: 24,
        told: `the cloud takes ${named(second)} again`,
        play: () => cloud.accept(second.serial),
      },
      { atSeconds: 30, told: `the cable is back: ${named(first)}`, play: () => void adb.plug(first) },
      {
        atSeconds: 36,
        told: 'the adb server drops all connections, as when it is killed and comes back',
        play: () => adb.dropConnections(),
      },
    ],
  };
}
