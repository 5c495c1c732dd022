/** What the rows of the table share: the lab's phones, the messages of the log, what is looked at. */
import assert from 'node:assert/strict';
import { recordingOf, type World } from '../world.ts';

/** POCO F6 (Android 15), Smartron t.phone (8.1), Pixel 5 (11): plugged in from the start. */
export const [poco, smartron, pixel] = ['f12a8ec9', 'RE47644423', '44424FDD7335M7'];

/** Not plugged in from the start. */
export const [xiaomi, samsung] = ['50dc3516', 'R52T40SYNTH'];

export const adbLost = 'cannot reach adb';

export const adbBack = 'the adb server answers again';

export const notTaken = 'the cloud did not store the report';

export const nothing = () => {};

export const messageOf = (line: Record<string, unknown>): string => {
  const { err } = line as { err?: { message?: string } };
  return err?.message ?? '';
};

/** The message is said, with an error that says this. */
export const saysOf = (world: World, msg: string, words: RegExp) =>
  world.says(msg, (line) => words.test(messageOf(line)));

/** It said this once and not in every round. */
export const saidOnce = (world: World, msg: string) => assert.equal(world.said(msg).length, 1, msg);

/** Each trouble of this kind was said once, and not in every round. */
export function saidOnceEach(world: World, msg: string): void {
  const troubles = world.said(msg).map(messageOf);
  assert.deepEqual(troubles, [...new Set(troubles)], 'it was said time and again');
}

/** All phones but this one are true in the cloud, within the time of a round. */
export async function othersAreTrue(world: World, udid: string): Promise<void> {
  for (const phone of world.phones) if (phone.isAttached && phone.udid !== udid) await phone.charge();
  const wrong = () => world.witness.differences().filter((difference) => !difference.startsWith(`${udid}:`));
  await world.until(
    () => wrong().length === 0,
    () => `others suffer: ${wrong().join('\n')}`,
  );
}

/** Another phone of the same make. */
export const another = (world: World, serial: string, devpath: string) =>
  world.add({ ...recordingOf(xiaomi), serial, devpath });

export const many = (world: World, count: number) =>
  Array.from({ length: count }, (_, index) => another(world, `RACK${1000 + index}`, `3-${index + 1}`));

export function pullMany(world: World): void {
  for (const phone of world.phones) if (phone.isAttached && phone.udid.startsWith('RACK')) phone.pull();
}
