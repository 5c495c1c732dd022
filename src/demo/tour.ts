/** The demo's events: a phone is plugged in, one is unplugged, the cloud rejects one for a while. */
import type { SimulatedPhone } from './phone.ts';
import type { Stage } from './stage.ts';

/** An event, its time after the first report, and its text. */
export interface Scene {
  atSeconds: number;
  text: string;
  play(): void;
}

const REFUSAL = 'missing required capability: rack position';

/** The phone that comes late, and all events, as far as there are phones on USB for them. */
export function scenesOf({ adb, cloud, phones }: Stage): { latecomer: string | undefined; scenes: Scene[] } {
  const [first, second, third] = phones.filter(({ state, devpath }) => state === 'device' && devpath);
  const scenes: Scene[] = [];
  const at = (
    atSeconds: number,
    phone: SimulatedPhone | undefined,
    text: string,
    play: (serial: string) => void,
  ) => {
    const named = phone && `${phone.title} (${phone.serial})`;
    if (named) scenes.push({ atSeconds, text: text.replace('…', named), play: () => play(phone.serial) });
  };
  at(5, third, 'a phone is plugged in: …', () => third && adb.plug(third));
  at(10, second, 'the cloud starts to reject …', (serial) => cloud.refuse(serial, REFUSAL));
  at(18, first, 'a phone is unplugged: …', (serial) => adb.unplug(serial));
  at(24, second, 'the cloud accepts … again', (serial) => cloud.accept(serial));
  at(30, first, 'the phone is plugged back in: …', () => first && adb.plug(first));
  const text = 'the adb server drops all connections, as if it was killed and started again';
  scenes.push({ atSeconds: 36, text, play: () => adb.dropConnections() });
  return { latecomer: third?.serial, scenes };
}
