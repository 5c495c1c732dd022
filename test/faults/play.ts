import assert from 'node:assert/strict';
import type { Fault } from './faults.ts';
import type { World } from './world.ts';
import { wrongsOf } from './wrongs.ts';

/** Does the fault, watches, ends it, and sees that nothing was lost and nobody harmed. */
export async function play({ fault, observed, mend, never }: Fault, world: World): Promise<void> {
  world.begin();
  await fault(world);
  await observed(world);
  await mend(world);
  await world.nothingLost();
  await never?.(world);
  assert.deepEqual(await wrongsOf(world), []);
}
