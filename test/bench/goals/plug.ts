/** How soon the cloud hears of a phone that was plugged in. */
import { setTimeout as wait } from 'node:timers/promises';
import { Daemon, never } from '../daemon.ts';
import { median } from '../measure.ts';
import type { Setting } from '../setting.ts';
import type { Goal } from './goal.ts';

const ATTACHED = 50;
const PLUGS = 20;

export async function plugGoals(setting: Setting): Promise<Goal[]> {
  const { world, isQuick } = setting;
  await world.open({ phones: ATTACHED });
  await using daemon = new Daemon(setting, { schedule: never });
  await daemon.reported(ATTACHED);
  const tookMs: number[] = [];
  for (let plug = 0; plug < (isQuick ? 5 : PLUGS); plug++) {
    await wait(200);
    tookMs.push(await world.plug(ATTACHED + plug));
  }
  const what = `from plug to PUT with ${ATTACHED} phones attached`;
  return [
    { what: `${what}, median`, value: median(tookMs), unit: 'ms', atMost: 700 },
    { what: `${what}, longest`, value: Math.max(...tookMs), unit: 'ms', atMost: 1_000 },
  ];
}
