/** What ten phones that flood cost everybody else, and an adb server that lists more phones than there can be. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Daemon } from '../daemon.ts';
import type { Setting } from '../setting.ts';
import type { WorldOptions } from '../world.ts';
import type { Goal } from './goal.ts';

const PHONES = 10;
const PERIOD_SECONDS = 2;
const SCHEDULE = `*/${PERIOD_SECONDS} * * * * *`;
const LOOK_EVERY_MS = 20;
const LISTED = 100_000;
const MS = 'ms';
const ANSWER_MS = 250;

export async function hostileGoals(setting: Setting): Promise<Goal[]> {
  const quiet = await withThese(setting, {});
  const flood = await withThese(setting, { flooding: PHONES });
  const beside = (one: { answerMs: number }) => `${Math.round(one.answerMs)} ms without`;
  return [
    {
      what: 'longest answer of /healthz while ten phones flood',
      value: flood.answerMs,
      unit: MS,
      atMost: ANSWER_MS,
      detail: beside(quiet),
    },
    {
      what: `reports, every ${PERIOD_SECONDS} s, later while ten phones flood`,
      value: flood.gapMs - PERIOD_SECONDS * 1000,
      unit: MS,
      atMost: 1000,
    },
    { what: 'a new phone read while ten phones flood', value: flood.plugMs / 1000, unit: 's', atMost: 5 },
    {
      what: `longest answer of /healthz while adb lists ${LISTED} phones, others each time`,
      value: await longestAnswerOf(setting, { phones: 0, listed: LISTED }),
      unit: MS,
      atMost: ANSWER_MS,
    },
  ];
}

async function longestAnswerOf({ ...setting }: Setting, these: WorldOptions): Promise<number> {
  await setting.world.open(these);
  const stateDir = setting.stateDir();
  await using _daemon = new Daemon({ ...setting, stateDir: () => stateDir }, { schedule: SCHEDULE });
  const socketPath = join(stateDir, 'hostnode.sock');
  while (!existsSync(socketPath)) await wait(LOOK_EVERY_MS);
  return await longestAnswer(socketPath, setting.isQuick);
}

/** Asks again and again. @returns ms */
async function longestAnswer(socketPath: string, isQuick: boolean): Promise<number> {
  const until = performance.now() + (isQuick ? 10_000 : 30_000);
  let longestMs = 0;
  while (performance.now() < until) {
    const askedAt = performance.now();
    await healthOf(socketPath);
    longestMs = Math.max(longestMs, performance.now() - askedAt);
    await wait(LOOK_EVERY_MS);
  }
  return longestMs;
}

/** Ten phones as they should be, and these. */
async function withThese({ ...setting }: Setting, these: Partial<WorldOptions>) {
  const { world, isQuick } = setting;
  await world.open({ phones: PHONES, ...these });
  const stateDir = setting.stateDir();
  await using daemon = new Daemon({ ...setting, stateDir: () => stateDir }, { schedule: SCHEDULE });
  await daemon.reported(PHONES);
  const before = (await world.reports()).length;
  const plugged = world.plug(PHONES);
  const answerMs = await longestAnswer(join(stateDir, 'hostnode.sock'), isQuick);
  const times = (await world.reports()).slice(before).map(({ atMs }) => atMs);
  const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs));
  return { answerMs, gapMs: Math.max(...gaps), plugMs: await plugged };
}

async function healthOf(socketPath: string): Promise<void> {
  const asked = request({ socketPath, path: '/healthz' }).end();
  const [answer] = await once(asked, 'response');
  await once(answer.resume(), 'end');
}
