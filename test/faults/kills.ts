/** Kills the agent at random moments, and looks each time at what it has left behind. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readRoster } from '../../src/roster/store.ts';
import type { World } from './world.ts';

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
  for (let count = 0; count < times; count += 1) {
    await livesOn(world, stages[randomInt(stages.length)]);
    await world.agent.end('SIGKILL');
    await stateIsWhole(world);
    if (count % 3 === 0) await (comesAndGoes.isAttached ? comesAndGoes.pull() : comesAndGoes.plug());
    world.start();
  }
  if (!comesAndGoes.isAttached) await comesAndGoes.plug();
  await world.agent.says('round');
  await world.until(
    () => world.witness.differences().length === 0,
    () => world.witness.differences().join('\n'),
  );
  await world.agent.end('SIGKILL');
  await stateIsWhole(world);
  await comesAndGoes.pull();
}

async function livesOn({ agent }: World, stage: string | undefined): Promise<void> {
  if (stage !== undefined && agent.said(stage).length === 0) await agent.says(stage);
  await pause(randomInt(LONGEST_REST_MS));
}

/** The state can be read; it knows each phone that the cloud was told of, and none with another's facts. */
async function stateIsWhole({ stateDir, cloud, phones }: World): Promise<void> {
  const { value, problem } = await readRoster(stateDir, { mayRename: false });
  assert.equal(problem, undefined);
  const devices = new Map((value?.devices ?? []).map((device) => [device.udid, device]));
  for (const { info } of cloud.devices()) assert.ok(devices.has(info.udid), `${info.udid} was forgotten`);
  for (const { udid, model } of phones) {
    const { serialNumber = udid, model: known = model } = devices.get(udid)?.identity ?? {};
    assert.deepEqual({ udid, serialNumber, known }, { udid, serialNumber: udid, known: model });
  }
}
