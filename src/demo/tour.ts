/** The demo's events: a phone is plugged in, one is unplugged, the cloud rejects one for a while. */
import type { SimulatedPhone } from './phone.ts';
import type { Stage } from './stage.ts';

/** An event, its time after the first report, and its text. */
export interface Scene {
  atSeconds: number;
  text: string;
  play(): void;
}

/** The phone that comes late, and all events, as far as there are phones on USB for them. */
export function scenesOf({ adb, cloud, phones }: Stage): { latecomer: string | undefined; scenes: Scene[] } {
  const [first, second, third] = phones.filter(({ state, devpath }) => state === 'device' && devpath);
  const refusal = 'missing required capability: rack position';
  const having = (phone: SimulatedPhone | undefined, scene: (phone: SimulatedPhone) => Scene): Scene[] =>
    phone === undefined ? [] : [scene(phone)];
  const scenes = [
    ...having(third, (phone) => ({
      atSeconds: 5,
      text: `a phone is plugged in: ${named(phone)}`,
      play: () => void adb.plug(phone),
    })),
    ...having(second, (phone) => ({
      atSeconds: 10,
      text: `the cloud starts to reject ${named(phone)}`,
      play: () => cloud.refuse(phone.serial, refusal),
    })),
    ...having(first, (phone) => ({
      atSeconds: 18,
      text: `a phone is unplugged: ${named(phone)}`,
      play: () => adb.unplug(phone.serial),
    })),
    ...having(second, (phone) => ({
      atSeconds: 24,
      text: `the cloud accepts ${named(phone)} again`,
      play: () => cloud.accept(phone.serial),
    })),
    ...having(first, (phone) => ({
      atSeconds: 30,
      text: `the phone is plugged back in: ${named(phone)}`,
      play: () => void adb.plug(phone),
    })),
    {
      atSeconds: 36,
      text: 'the adb server drops all connections, as if it was killed and started again',
      play: () => adb.dropConnections(),
    },
  ];
  return { latecomer: third?.serial, scenes };
}

const named = ({ title, serial }: SimulatedPhone): string => `${title} (${serial})`;
