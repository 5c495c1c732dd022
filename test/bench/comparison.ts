/** One table: each contestant reads all phones once, for more and more phones and a slower and slower adb server. */
import { type Contestant, contestants } from './contestants.ts';
import { measureOften, type Taken } from './measure.ts';
import type { Setting } from './setting.ts';
import type { WorldOptions } from './world.ts';

export interface Result extends Required<Pick<WorldOptions, 'phones' | 'delayMs' | 'hung'>> {
  contestant: string;
  /** Absent when it had not ended within the limit. */
  taken?: Taken;
  /** Of one phone. */
  requests: number;
  connections: number;
}

type Case = Pick<Result, 'phones' | 'delayMs' | 'hung'>;

/** A phone that hangs is given up by hostnode after 30 s: a run with one may take so long at least, ms. */
const HUNG_LIMIT_MS = 40_000;
/** A program that ends sooner than this is run three times, ms. */
const OFTEN_BELOW_MS = 3_000;

function casesOf({ isQuick }: Setting): Case[] {
  const phones = isQuick ? [1, 10] : [1, 10, 50, 200];
  const delays = isQuick ? [0, 5] : [0, 5, 50];
  const healthy = phones.flatMap((count) => delays.map((delayMs) => ({ phones: count, delayMs, hung: 0 })));
  return isQuick ? healthy : [...healthy, { phones: 10, delayMs: 5, hung: 1 }];
}

/** @returns ms */
export const limitOf = ({ hung }: Pick<Case, 'hung'>, limitMs: number): number =>
  hung > 0 ? Math.max(limitMs, HUNG_LIMIT_MS) : limitMs;

/** @param limitMs of one run; what is sure to take longer is not run at all */
export async function compare(setting: Setting, limitMs: number): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of casesOf(setting)) {
    for (const contestant of contestants) {
      const isHopeless = results.some(
        (before) =>
          before.contestant === contestant.name &&
          before.taken === undefined &&
          before.hung <= one.hung &&
          before.phones <= one.phones &&
          before.delayMs <= one.delayMs,
      );
      results.push(await runCase(setting, contestant, one, isHopeless ? 0 : limitOf(one, limitMs)));
      setting.say(
        `  ${contestant.name}, ${one.phones} phones, ${one.delayMs} ms${one.hung ? ', one hung' : ''}`,
      );
    }
  }
  return results;
}

async function runCase(
  setting: Setting,
  contestant: Contestant,
  { phones, delayMs, hung }: Case,
  limitMs: number,
): Promise<Result> {
  const result = { contestant: contestant.name, phones, delayMs, hung, requests: 0, connections: 0 };
  if (limitMs === 0) return result;
  const { world, env, stateDir, isQuick } = setting;
  await world.open({ phones, delayMs, hung });
  const run = {
    command: contestant.command(setting),
    env: { ...env, ...world.env(stateDir()), BENCH_ADB_PORT: String(world.adbPort) },
    limitMs,
    // a phone that hangs is said by the exit code
    mayFail: hung > 0,
  };
  const first = await measureOften(run, 1);
  const counted = await world.counted();
  const isShort = first !== undefined && first.wallMs < OFTEN_BELOW_MS && !isQuick;
  const taken = isShort ? await measureOften(run, 3) : first;
  return {
    ...result,
    ...(taken && { taken }),
    requests: counted.requests / phones,
    connections: counted.connections / phones,
  };
}
