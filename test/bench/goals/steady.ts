/** What the daemon costs a host, day in, day out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Daemon } from '../daemon.ts';
import { median } from '../measure.ts';
import type { Setting } from '../setting.ts';
import { type Goal, rounded } from './goal.ts';

const MB = 1024 * 1024;
const EVERY_MINUTE = '* * * * *';
const TWICE_A_MINUTE = '*/30 * * * * *';
/** Asked and reported again. */
const SETTLE_MS = 5_000;
/** What the start brought is judged for the last time, and the thread of the history has ended. */
const REST_MS = { long: 100_000, quick: 30_000 };
const LOOK_EVERY_MS = 500;

/** 30 phones, one round a minute. */
export async function steadyGoals(setting: Setting): Promise<Goal[]> {
  const phones = 30;
  const { world, isQuick } = setting;
  await world.open({ phones });
  await using daemon = new Daemon(setting, { schedule: isQuick ? '*/10 * * * * *' : EVERY_MINUTE });
  await daemon.reported(phones);
  const { residentBytes: startBytes } = daemon.weight;
  await wait(isQuick ? REST_MS.quick : REST_MS.long);
  await world.counted();
  const reportsBefore = (await world.reports()).length;
  const [before, beganAt] = [daemon.weight, performance.now()];
  const resident: number[] = [];
  while (performance.now() - beganAt < (isQuick ? 20_000 : 120_000)) {
    await wait(LOOK_EVERY_MS);
    resident.push(daemon.weight.residentBytes / MB);
  }
  const [after, tookMs] = [daemon.weight, performance.now() - beganAt];
  const { byKind, ...counted } = await world.counted();
  const rounds = (await world.reports()).slice(reportsBefore).length;
  const conversations = Object.values(counted.conversations).reduce((sum, count) => sum + count, 0);
  const [ofPhones, ofHost] = [false, true].map((isOfHost) =>
    Object.entries(byKind)
      .filter(([kind]) => /^host:(devices|devices-l|track-devices|version)$/.test(kind) === isOfHost)
      .reduce((sum, [, count]) => sum + count, 0),
  ) as [number, number];
  return [
    {
      what: 'shell conversations a phone a round',
      value: conversations / phones / rounds,
      unit: 'of each',
      atLeast: 1,
      atMost: 1,
      detail: `${rounds} rounds`,
    },
    {
      what: 'adb requests a phone a round',
      value: ofPhones / phones / rounds,
      unit: 'of each',
      atLeast: 2,
      atMost: 2,
    },
    {
      // the list in its two forms at every look, and with each round whether it is still the same adb server
      what: 'adb requests for the list of all phones a minute',
      value: ofHost / (tookMs / 60_000),
      unit: 'however many phones',
      atMost: isQuick ? 40 : 20,
      detail: Object.entries(byKind)
        .map(([kind, count]) => `${kind} ${count}`)
        .join(', '),
    },
    {
      what: 'daemon with 30 phones, a round a minute',
      value: ((after.cpuMs - before.cpuMs) / tookMs) * 100,
      unit: '% of one core',
      atMost: isQuick ? 6 : 1,
    },
    {
      what: 'daemon with 30 phones, at rest',
      value: median(resident),
      unit: 'MB resident',
      atMost: 90,
      detail: `most of the time; ${rounded(Math.max(...resident))} MB at most, ${rounded(startBytes / MB)} MB at the start`,
    },
  ];
}

/** 500 phones: memory, and how long the event loop is held. */
export async function crowdGoals(setting: Setting): Promise<Goal[]> {
  const phones = 500;
  const { world, stateDir, isQuick } = setting;
  const loopFile = join(stateDir(), 'loop');
  await world.open({ phones });
  let residentBytes = 0;
  {
    await using daemon = new Daemon(setting, { schedule: TWICE_A_MINUTE, loopFile });
    await daemon.reported(phones);
    await wait(SETTLE_MS);
    daemon.startIsOver();
    await wait(isQuick ? 35_000 : 120_000);
    residentBytes = daemon.weight.residentBytes;
  }
  const { start, steady } = JSON.parse(readFileSync(loopFile, 'utf8'));
  return [
    { what: 'daemon with 500 phones', value: residentBytes / MB, unit: 'MB resident', atMost: 160 },
    {
      what: 'event loop held at a time with 500 phones, two rounds a minute',
      value: steady.ownMs,
      unit: 'ms',
      atMost: 30,
      detail: `${rounded(steady.wallMs)} ms with what the machine gave to others; ${rounded(start.ownMs)} ms while the program is loaded and all are asked for the first time`,
    },
  ];
}
