/** What the daemon costs a host, day in, day out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Daemon } from '../daemon.ts';
import { median } from '../measure.ts';
import { writePast } from '../past.ts';
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

/** 30 phones with a past, one round a minute. */
export async function steadyGoals(setting: Setting): Promise<Goal[]> {
  const phones = 30;
  const { world, isQuick } = setting;
  await world.open({ phones });
  const stateDir = setting.stateDir();
  writePast(stateDir, { phones, days: 90 });
  await using daemon = new Daemon(
    { ...setting, stateDir: () => stateDir },
    { schedule: isQuick ? '*/10 * * * * *' : EVERY_MINUTE },
  );
  await daemon.reported(phones);
  const { residentBytes: startBytes } = daemon.weight;
  await wait(isQuick ? REST_MS.quick : REST_MS.long);
  // from the end of one round to that of another: whole rounds
  const reportsBefore = await nextReport(daemon, setting, phones);
  await world.counted();
  const [before, beganAt] = [daemon.weight, performance.now()];
  const resident: number[] = [];
  while (performance.now() - beganAt < (isQuick ? 20_000 : 120_000)) {
    await wait(LOOK_EVERY_MS);
    resident.push(daemon.weight.residentBytes / MB);
  }
  const rounds = (await nextReport(daemon, setting, phones)) - reportsBefore;
  const [after, tookMs] = [daemon.weight, performance.now() - beganAt];
  const { byKind, ...counted } = await world.counted();
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
      what: 'daemon with 30 phones and 90 days of history, at rest',
      value: median(resident),
      unit: 'MB resident',
      atMost: 90,
      detail: `most of the time; ${rounded(Math.max(...resident))} MB at most, ${rounded(startBytes / MB)} MB at the start`,
    },
  ];
}

/** Waits for it. Returns how many there are then. */
async function nextReport(daemon: Daemon, { world }: Setting, phones: number): Promise<number> {
  await daemon.reported(phones, (await world.reports()).length);
  return (await world.reports()).length;
}

/** 20 phones, and one more that comes and goes all the time: the thread of the history has something to do. */
export async function workGoals(setting: Setting): Promise<Goal[]> {
  const phones = 20;
  const { world, isQuick } = setting;
  await world.open({ phones });
  await using daemon = new Daemon(setting, { schedule: EVERY_MINUTE });
  await daemon.reported(phones);
  const resident: number[] = [];
  const beganAt = performance.now();
  while (performance.now() - beganAt < (isQuick ? 40_000 : 120_000)) {
    await world.plug(phones);
    for (let look = 0; look < 10; look++) {
      await wait(LOOK_EVERY_MS);
      resident.push(daemon.weight.residentBytes / MB);
    }
  }
  return [
    {
      what: 'daemon with 20 phones, in work',
      value: median(resident),
      unit: 'MB resident',
      atMost: 95,
      detail: `one more phone is plugged in and out every 5 s; ${rounded(Math.max(...resident))} MB at most`,
    },
  ];
}

interface Held {
  ownMs: number;
  wallMs: number;
}

/**
 * 500 phones: memory, and how long the event loop is held. A virtual machine charges a thread for what it takes away from it:
 * of a thread that only counts, up to 60 ms at a time. So it is the middle one of several half minutes that counts.
 */
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
    await wait(isQuick ? 35_000 : 155_000); // one or five half minutes
    residentBytes = daemon.weight.residentBytes;
  }
  const { start, steady }: { start: Held; steady: Held[] } = JSON.parse(readFileSync(loopFile, 'utf8'));
  const most = (key: keyof Held) => rounded(Math.max(...steady.map((held) => held[key])));
  return [
    { what: 'daemon with 500 phones', value: residentBytes / MB, unit: 'MB resident', atMost: 160 },
    {
      what: 'event loop held at a time with 500 phones, two rounds a minute',
      value: median(steady.map(({ ownMs }) => ownMs)),
      unit: 'ms',
      atMost: 20,
      detail: `in the middle one of ${steady.length} half minutes, ${most('ownMs')} ms in the worst, ${most('wallMs')} ms with what the machine gave to others; ${rounded(start.ownMs)} ms while the program is loaded and all are asked for the first time`,
    },
  ];
}
