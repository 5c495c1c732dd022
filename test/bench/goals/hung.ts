/** What one phone that hangs costs the others. */
import { setTimeout as wait } from 'node:timers/promises';
import { Daemon } from '../daemon.ts';
import type { Setting } from '../setting.ts';
import type { Goal } from './goal.ts';

const PHONES = 10;
const PERIOD_SECONDS = 10;
/** `probe.deadlineSeconds`, the standard. */
const DEADLINE_SECONDS = 30;

export async function hungGoals(setting: Setting): Promise<Goal[]> {
  const first = await firstFactsMs(setting, 0);
  const [withHung, longestGap] = [await firstFactsMs(setting, 1), await longestGapSeconds(setting)];
  return [
    {
      what: 'first facts of nine phones later for a tenth that hangs',
      value: (withHung - first) / 1000,
      unit: 's',
      atMost: 1,
    },
    {
      what: `reports of nine phones, every ${PERIOD_SECONDS} s, later for a tenth that hangs`,
      value: longestGap - PERIOD_SECONDS,
      unit: 's',
      atMost: DEADLINE_SECONDS,
    },
  ];
}

/** From its start until the cloud has the facts of all phones that answer. */
async function firstFactsMs(setting: Setting, hung: number): Promise<number> {
  await setting.world.open({ phones: PHONES, hung });
  const beganAt = performance.now();
  await using daemon = new Daemon(setting, { schedule: `*/${PERIOD_SECONDS} * * * * *` });
  const told = new Set<string>();
  for (let count = 0; told.size < PHONES - hung; ) {
    const report = await daemon.reported(1, count);
    const reports = await setting.world.reports();
    count = reports.indexOf(reports.find(({ atMs }) => atMs === report.atMs) ?? report) + 1;
    for (const { udid, hasFacts } of report.devices) if (hasFacts) told.add(udid);
  }
  return performance.now() - beganAt;
}

async function longestGapSeconds(setting: Setting): Promise<number> {
  const { world, isQuick } = setting;
  await world.open({ phones: PHONES, hung: 1 });
  await using daemon = new Daemon(setting, { schedule: `*/${PERIOD_SECONDS} * * * * *` });
  await daemon.reported(PHONES - 1);
  await wait((isQuick ? 3 : 6) * PERIOD_SECONDS * 1000);
  const times = (await world.reports())
    .filter(({ devices }) => devices.filter(({ hasFacts }) => hasFacts).length >= PHONES - 1)
    .map(({ atMs }) => atMs);
  const gaps = times.slice(1).map((atMs, index) => (atMs - (times[index] ?? atMs)) / 1000);
  return Math.max(...gaps);
}
