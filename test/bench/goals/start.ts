/** How long a command takes to start, beside Node with an empty program. */
import { measure, median } from '../measure.ts';
import type { Setting } from '../setting.ts';
import { type Goal, rounded } from './goal.ts';

const ROUNDS = 15;
const LIMIT_MS = 20_000;

export async function startGoals({ hostnode, world, env, stateDir, isQuick }: Setting): Promise<Goal[]> {
  await world.open({ phones: 1 });
  const commands = {
    node: [process.execPath, '-e', '0'],
    version: [...hostnode, '--version'],
    inventory: [...hostnode, 'inventory', '--json'],
  };
  const wallMs = { node: [] as number[], version: [] as number[], inventory: [] as number[] };
  const all = { ...env, ...world.env(stateDir()) };
  // in turn, so that whatever else the machine does falls on all; the first round fills the caches
  for (let round = 0; round <= (isQuick ? 5 : ROUNDS); round++) {
    for (const name of ['node', 'version', 'inventory'] as const) {
      const taken = await measure({ command: commands[name], env: all, limitMs: LIMIT_MS });
      if (taken && round > 0) wallMs[name].push(taken.wallMs);
    }
  }
  const node = median(wallMs.node);
  const goal = (name: 'version' | 'inventory', what: string, atMost: number): Goal => ({
    what,
    value: median(wallMs[name]) / node,
    unit: '× node -e 0',
    atMost,
    detail: `${rounded(median(wallMs[name]))} ms, node ${rounded(node)} ms`,
  });
  return [
    goal('version', 'hostnode --version', 2),
    goal('inventory', 'hostnode inventory --json, one phone', 4.6),
  ];
}
