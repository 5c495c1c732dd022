/**
 * Kills the agent at random moments, while phones come and go, notes are written, the configuration is read again and the
 * roster is full of phones that came once; and looks each time at what it has left behind.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { readEvents } from '../../src/history/store/reader.ts';
import { readRoster } from '../../src/roster/store.ts';
import { requestAgent } from '../../src/status/http/client.ts';
import { stateOf } from './surroundings.ts';
import { recordingOf, type World } from './world.ts';

/** How far a life gets before its end is near; the first is over before it has begun. */
const stages = [undefined, 'hostnode starts', 'phone attached', 'round'] as const;
/** And how much longer it lasts at most, ms. */
const LONGEST_REST_MS = 300;

/**
 * Starts and kills it so many times, the first time as it is; now and then a phone is pulled or plugged in, also while
 * nobody looks. At last a phone is pulled that the last agent but one had told of.
 */
export async function killedAtRandom(world: World, times: number): Promise<void> {
  const comesAndGoes = world.phones.at(-1);
  assert.ok(comesAndGoes);
  const noted: string[] = [];
  for (let count = 0; count < times; count += 1) {
    const stage = stages[randomInt(stages.length)];
    await livesOn(world, stage);
    if (stage === 'round' && count % 2 === 0) world.agent.signal('SIGHUP');
    const noting = note(world, comesAndGoes.udid, `note ${count}`);
    await pause(randomInt(LONGEST_REST_MS));
    await world.agent.end('SIGKILL');
    noted.push(...(await noting));
    await stateIsWhole(world);
    haveGuest(world, count);
    if (count % 3 === 0) await (comesAndGoes.isAttached ? comesAndGoes.pull() : comesAndGoes.plug());
    world.start();
  }
  world.adb.unplug('usb:9-1');
  if (!comesAndGoes.isAttached) await comesAndGoes.plug();
  await world.agent.says('round');
  await world.until(
    () => world.witness.differences().length === 0,
    () => world.witness.differences().join('\n'),
  );
  noted.push(...(await note(world, comesAndGoes.udid, 'the last note')));
  await world.agent.end('SIGKILL');
  await stateIsWhole(world);
  await areKept(world, noted);
  await comesAndGoes.pull();
}

/** Another phone than before at one port, of which there were more than the roster holds. */
function haveGuest(world: World, count: number): void {
  const devpath = '9-1';
  if (count > 0) world.adb.unplug(`usb:${devpath}`);
  const serial = `GUEST${count}`;
  world.witness.guests.add(serial);
  world.adb.plug(new SimulatedPhone({ ...recordingOf('9c2ad7e1'), serial, devpath }));
}

/** @returns the note, if the agent said that it is kept */
async function note(world: World, udid: string, text: string): Promise<string[]> {
  const socket = join(stateOf(world), 'hostnode.sock');
  const path = `/notes/${encodeURIComponent(udid)}`;
  const answer = await requestAgent(socket, { method: 'POST', path, body: { text }, timeoutMs: 5_000 }).catch(
    () => undefined,
  );
  return answer?.status === 200 ? [text] : [];
}

/** Each is in the history, once. */
async function areKept({ stateDir }: World, noted: readonly string[]): Promise<void> {
  assert.ok(noted.length > 0, 'no note was kept');
  const events = (await readEvents(stateDir, { kinds: ['note'] })) ?? [];
  const kept = events.flatMap((event) => (event.kind === 'note' ? event.text : []));
  const lost = noted.filter((text) => kept.filter((each) => each === text).length !== 1);
  assert.deepEqual(lost, [], 'notes that were said to be kept are not there once');
}

async function livesOn({ agent }: World, stage: string | undefined): Promise<void> {
  if (stage !== undefined && agent.said(stage).length === 0) await agent.says(stage);
  await pause(randomInt(LONGEST_REST_MS));
}

/** The state can be read; it knows each phone that the cloud was told of, and none with another's facts. */
async function stateIsWhole({ stateDir, cloud, phones, witness }: World): Promise<void> {
  const { value, problem } = await readRoster(stateDir, { mayRename: false });
  assert.equal(problem, undefined);
  const devices = new Map((value?.devices ?? []).map((device) => [device.udid, device]));
  for (const { info } of cloud.devices())
    assert.ok(devices.has(info.udid) || witness.guests.has(info.udid), `${info.udid} was forgotten`);
  for (const { udid, model } of phones) {
    const { serialNumber = udid, model: known = model } = devices.get(udid)?.identity ?? {};
    assert.deepEqual({ udid, serialNumber, known }, { udid, serialNumber: udid, known: model });
  }
}
