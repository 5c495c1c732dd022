/** How long a person waits for `hostnode why` and `hostnode verdict`, with a full history. */
import { setTimeout as wait } from 'node:timers/promises';
import { exitCode } from '../../../src/base/exit-code.ts';
import { Daemon, never } from '../daemon.ts';
import { measure, median } from '../measure.ts';
import { writePast } from '../past.ts';
import type { Setting } from '../setting.ts';
import { type Goal, rounded } from './goal.ts';

const PHONES = 60;
const ROUNDS = 15;
const LIMIT_MS = 20_000;
/** The thread of the history ends after 15 s. */
const SLEEP_MS = 40_000;

/** Those of the past: seven bays a shelf. */
const slots = Array.from({ length: PHONES }, (_, phone) => ({
  name: `rack 1, shelf ${1 + Math.floor(phone / 7)}, bay ${1 + (phone % 7)}`,
  paths: [`1-${phone + 1}`],
}));

/** 60 phones, each with a past of 90 days. */
export async function whyGoals(setting: Setting): Promise<Goal[]> {
  const { hostnode, world, isQuick } = setting;
  const env = { ...setting.env, HOSTNODE_SLOTS: JSON.stringify(slots) };
  await world.open({ phones: PHONES });
  const stateDir = setting.stateDir();
  const events = writePast(stateDir, { phones: PHONES, days: isQuick ? 30 : 90 });
  await using daemon = new Daemon({ ...setting, env, stateDir: () => stateDir }, { schedule: never });
  await daemon.reported(PHONES);
  const commands = {
    node: [process.execPath, '-e', '0'],
    phone: [...hostnode, 'why', 'BENCH7'],
    shelf: [...hostnode, 'why', 'rack 1, shelf 2'],
    verdict: [...hostnode, 'verdict', 'BENCH7', '--from', '2d', '--to', '1d'],
  };
  const wallMs = {
    node: [] as number[],
    phone: [] as number[],
    shelf: [] as number[],
    verdict: [] as number[],
    asleep: [] as number[],
  };
  const all = { ...env, ...world.env(stateDir) };
  for (let round = 0; round <= (isQuick ? 5 : ROUNDS); round++) {
    for (const name of ['node', 'phone', 'shelf', 'verdict'] as const) {
      // it was lost eight times that day
      const right = name === 'verdict' ? exitCode.lab : exitCode.ok;
      const taken = await measure({ command: commands[name], env: all, limitMs: LIMIT_MS, right });
      if (taken && round > 0) wallMs[name].push(taken.wallMs);
    }
  }
  for (let round = 0; round < (isQuick ? 1 : 5); round++) {
    await wait(SLEEP_MS);
    const taken = await measure({ command: commands.phone, env: all, limitMs: LIMIT_MS });
    if (taken) wallMs.asleep.push(taken.wallMs);
  }
  const node = median(wallMs.node);
  const goal = (name: Exclude<keyof typeof wallMs, 'node'>, what: string): Goal => ({
    what,
    value: median(wallMs[name]) - node,
    unit: 'ms beyond node -e 0',
    atMost: 150,
    detail: `${events} events in the history, ${rounded(median(wallMs[name]))} ms, node ${rounded(node)} ms`,
  });
  return [
    goal('phone', 'hostnode why, one phone of 60'),
    goal('shelf', 'hostnode why, a shelf of 7 phones'),
    goal('verdict', 'hostnode verdict, a day of one phone of 60'),
    goal('asleep', 'hostnode why, one phone of 60, after the thread of the history has ended'),
  ];
}
