/**
 * Measures the program: beside what a user would pick instead, and against its goals. Run by `npm run bench`.
 *
 *     node test/bench/bench.ts [--quick] [--markdown] [--only PART]… [--limit SECONDS] [--program FOLDER]
 */
import { parseArgs } from 'node:util';
import { without } from '../support/programs.ts';
import { compare } from './comparison.ts';
import { cloudGoals } from './goals/cloud.ts';
import { fleetGoals } from './goals/fleet.ts';
import { type Goal, goalLine, isMet } from './goals/goal.ts';
import { historyGoals } from './goals/history.ts';
import { hostileGoals } from './goals/hostile.ts';
import { hungGoals } from './goals/hung.ts';
import { inventoryGoals } from './goals/inventory.ts';
import { overviewGoals } from './goals/overview.ts';
import { plugGoals } from './goals/plug.ts';
import { startGoals } from './goals/start.ts';
import { crowdGoals, steadyGoals, workGoals } from './goals/steady.ts';
import { whyGoals } from './goals/why.ts';
import { comparisonText, goalsText, legend, machineText } from './print.ts';
import { openSetting, type Setting } from './setting.ts';

const goalParts: Record<string, (setting: Setting) => Goal[] | Promise<Goal[]>> = {
  fleet: fleetGoals,
  start: startGoals,
  inventory: inventoryGoals,
  plug: plugGoals,
  hung: hungGoals,
  hostile: hostileGoals,
  steady: steadyGoals,
  work: workGoals,
  crowd: crowdGoals,
  history: historyGoals,
  cloud: cloudGoals,
  why: whyGoals,
  overview: overviewGoals,
};
const parts = [...Object.keys(goalParts), 'comparison'];
/** The programs of the machine that a part needs. */
const programs: Record<string, string[]> = {
  inventory: ['adb'],
  cloud: ['curl'],
  overview: ['prometheus', 'prometheus-alertmanager'],
  comparison: ['adb'],
};

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: parts },
    limit: { type: 'string' },
    program: { type: 'string' },
  },
});
const strangers = values.only.filter((part) => !parts.includes(part));
if (strangers.length > 0) throw new Error(`no part ${strangers.join(', ')}; there are ${parts.join(', ')}`);
const limitMs = Number(values.limit ?? (values.quick ? 10 : 15)) * 1000;

const print = (text: string) => process.stdout.write(`${text}\n`);
const progress = (text: string) => process.stderr.write(`${text}\n`);

const lacking = new Map(parts.map((part) => [part, without(programs[part] ?? [])]));
const isWanted = (part: string) => values.only.includes(part) && lacking.get(part)?.length === 0;

await using setting = await openSetting({ isQuick: values.quick, program: values.program }, progress);
print(`${machineText()}\n`);
const goals: Goal[] = [];
for (const [part, measured] of Object.entries(goalParts)) {
  if (!isWanted(part)) continue;
  progress(`measuring: ${part}`);
  const reached = await measured(setting);
  for (const goal of reached) progress(goalLine(goal)); // what follows may fail
  goals.push(...reached);
}
if (goals.length > 0) print(`${goalsText(goals, values.markdown)}\n`);
if (isWanted('comparison')) {
  progress('measuring: comparison');
  const results = await compare(setting, limitMs);
  print(`${comparisonText(results, limitMs, values.markdown)}\n\n${legend}`);
}
for (const [part, missing] of lacking)
  if (values.only.includes(part) && missing.length > 0)
    print(`not measured: ${part}, for want of ${missing.join(', ')}`);
if (!goals.every(isMet)) process.exitCode = 1;
