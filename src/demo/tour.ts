/** The demo's events: a phone is plugged in, one is unplugged, the cloud rejects one for a while. */
import type { Stage } from './stage.ts';

/** An event, its time after the first report, and its text. */
export interface Scene {
  atSeconds: number;
  text: string;
  play(): void;
}

/** The phone that comes late, and all events. */
export function scenesOf({ adb, cloud, phones }: Stage): { latecomer: string; scenes: Scene[] } {
  const [first, second, third] = phones.filter(({ state, devpath }) => state === 'device' && devpath);
  if (!first || !second || !third) throw new RangeError('the demo needs three phones on USB');
  const named = (phone: typeof first) => `${phone.title} (${phone.serial})`;
  const refusal = 'missing required capability: rack position';
  return {
    latecomer: third.serial,
    scenes: [
      { atSeconds: 5, text: `a phone is plugged in: ${named(third)}`, play: () => void adb.plug(third) },
      {
        atSeconds: 10,
        text: `the cloud starts to reject ${named(second)}`,
        play: () => cloud.refuse(second.serial, refusal),
      },
      { atSeconds: 18, text: `a phone is unplugged: ${named(first)}`, play: () => adb.unplug(first.serial) },
      {
        atSeconds: 24,
        text: `the cloud accepts ${named(second)} again`,
        play: () => cloud.accept(second.serial),
      },
      {
        atSeconds: 30,
        text: `the phone is plugged back in: ${named(first)}`,
        play: () => void adb.plug(first),
      },
      {
        atSeconds: 36,
        text: 'the adb server drops all connections, as if it was killed and started again',
        play: () => adb.dropConnections(),
      },
    ],
  };
}
