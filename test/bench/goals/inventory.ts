/** How long all phones take, beside one of them, and beside what a user would pick instead. */
import { deviceFarm, ours } from '../contestants.ts';
import { measure, median } from '../measure.ts';
import type { Setting } from '../setting.ts';
import type { WorldOptions } from '../world.ts';
import { type Goal, rounded } from './goal.ts';

const LIMIT_MS = 60_000;
const ROUNDS = 5;
const RACE_ROUNDS = 21;
/** One of each says more of what else the machine did than of the racers. */
const QUICK_RACE_ROUNDS = 7;
/** Phones of different makers think for so long, ms. */
const THINKING_MS = [300, 600, 1_000];
const SLOWEST_MS = Math.max(...THINKING_MS);

export async function inventoryGoals(setting: Setting): Promise<Goal[]> {
  const rounds = setting.isQuick ? 1 : ROUNDS;
  await walls(setting, ours.command(setting), { phones: 3 }, 1); // fills the compile cache
  const start = await walls(setting, ours.command(setting), { phones: 0 }, rounds);
  const single = await walls(
    setting,
    ours.command(setting),
    { phones: 1, answerAfterMs: [SLOWEST_MS] },
    rounds,
  );
  const many = { phones: 30, answerAfterMs: THINKING_MS };
  const whole = await walls(setting, ours.command(setting), many, rounds);
  const racers = [deviceFarm, ours].map((racer) => racer.command(setting));
  const raceRounds = setting.isQuick ? QUICK_RACE_ROUNDS : RACE_ROUNDS;
  const [farmStart = 0, sameStart = 0] = await race(setting, racers, { phones: 0, delayMs: 5 }, raceRounds);
  const [farm = 0, same = 0] = await race(setting, racers, { phones: 20, delayMs: 5 }, raceRounds);
  return [
    {
      what: 'inventory of 30 phones, without its start',
      value: (whole - start) / (single - start),
      unit: '× the slowest phone alone',
      atMost: 1.3,
      detail: `${rounded(whole)} ms, one phone ${rounded(single)} ms, start ${rounded(start)} ms`,
    },
    {
      what: 'inventory of 20 phones at 5 ms a request, without their starts',
      value: (farm - farmStart) / (same - sameStart),
      unit: '× as fast as appium-device-farm',
      atLeast: 10,
      detail: `${rounded(same)} ms, ${rounded(sameStart)} ms without phones; the other ${rounded(farm)} and ${rounded(farmStart)} ms: ${rounded(farm / same)} × with their starts`,
    },
  ];
}

/** The median time of a program in such a world, ms; no phones is that of its start. */
async function walls(
  setting: Setting,
  command: string[],
  options: WorldOptions,
  rounds: number,
): Promise<number> {
  const [wall = Number.NaN] = await race(setting, [command], options, rounds);
  return wall;
}

/** The same of several programs, in turn, so that whatever else the machine does falls on all. */
async function race(
  { world, env, stateDir }: Setting,
  commands: string[][],
  options: WorldOptions,
  rounds: number,
): Promise<number[]> {
  const taken = commands.map((): number[] => []);
  await world.open(options);
  const all = { ...env, ...world.env(stateDir()), BENCH_ADB_PORT: String(world.adbPort) };
  for (let round = 0; round < rounds; round++) {
    for (const [index, command] of commands.entries()) {
      const one = await measure({ command, env: all, limitMs: LIMIT_MS });
      taken[index]?.push(one?.wallMs ?? Number.POSITIVE_INFINITY);
    }
  }
  return taken.map(median);
}
