import assert from 'node:assert/strict';
import type { Fault } from './fault.ts';
import type { World } from './world.ts';
import { wrongsOf } from './wrongs.ts';

/** What comes in masses is not kept, nor takes fresh memory: an agent needs at most this beyond what it needed before, MB. */
const MOST_AT_ONCE_MB = 50;
/** Reports a second on the long run, where one a second is due: its changes and its further attempts with it. */
const MOST_REPORTS_A_SECOND = 4;
/** And so many more at once: a report in parts, a phone after the other that comes to rest. */
const MOST_AT_ONCE = 30;

/** Does the fault, watches, ends it, and sees that nothing was lost and nobody harmed. */
export async function play({ fault, observed, mend, never, restarts }: Fault, world: World): Promise<void> {
  const { pid } = world.agent;
  world.begin();
  await fault(world);
  await observed(world);
  await mend(world);
  await world.nothingLost();
  await never?.(world);
  const { swelling, knocks, elapsedSeconds } = world;
  assert.ok(world.agent.isRunning, 'it has ended');
  if (!restarts) {
    assert.equal(world.agent.pid, pid, 'it is another process');
    assert.ok(swelling < MOST_AT_ONCE_MB, `it needed ${Math.round(swelling)} MB more`);
  }
  const most = MOST_AT_ONCE + MOST_REPORTS_A_SECOND * elapsedSeconds;
  assert.ok(knocks <= most, `the cloud was asked ${knocks} times in ${Math.round(elapsedSeconds)} s`);
  assert.deepEqual(await wrongsOf(world), []);
}
