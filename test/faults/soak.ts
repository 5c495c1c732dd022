/**
 * The faults one after the other at one agent, for as long as wanted, in an order that a seed repeats: all of them
 * once before any comes again. After each nothing may be lost, and at the end the agent may weigh no more than after
 * the warm-up.
 *
 *     node test/faults/soak.ts [--minutes 15] [--seed 1]
 *
 * Ends with 1 when something was lost or has grown, with 2 when its arguments are wrong or the time was too short to
 * judge.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { type Place, worldOf } from './places.ts';
import { play } from './play.ts';
import { shuffles } from './shuffle.ts';
import { isHere } from './surroundings.ts';
import { printFigures, type Weight, weigh, weighing } from './weight.ts';
import { recordingOf, World } from './world.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '15' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  process.stderr.write('soak: --minutes wants a number above 0, --seed a whole number\n');
  process.exit(2);
}

/** The share of the time after which the agent has its weight. */
const WARM_UP = 0.25;
/** With fewer after the warm-up the first and the last third say nothing. */
const LEAST_WEIGHTS = 9;
/** As many as any fault plugs in: who comes later is no growth. */
const RACK = 200;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Those that can be done to one agent again and again, whichever came before. */
const isRepeatable = ({ given, restarts, isFinal }: Fault): boolean =>
  given === undefined && !restarts && !isFinal;

const all = Object.values(faults).flat();
const repeatable = all.filter(isRepeatable);
const table = repeatable.filter(({ needs }) => needs === undefined || isHere(needs));
const wanted = [...new Set(table.flatMap((fault) => fault.in ?? []))] satisfies Place[];

/** All phones of the rack come and go once. */
async function fillRack(world: World): Promise<void> {
  const rack = Array.from({ length: RACK }, (_, index) =>
    world.add({ ...recordingOf('50dc3516'), serial: `RACK${1000 + index}`, devpath: `3-${index + 1}` }),
  );
  for (const phone of rack) phone.plug();
  await world.nothingLost();
  for (const phone of rack) phone.pull();
  await world.nothingLost();
}

/** Prints each fault as it is over, with what the agent weighs then. */
async function soak(world: World, programEndsAt: number): Promise<Weight[]> {
  const weights: Weight[] = [];
  const began = performance.now();
  for (const fault of shuffles(table, seed)) {
    if (performance.now() >= programEndsAt) break;
    try {
      await play(fault, world);
    } catch (error) {
      throw new Error(`"${fault.name}", after ${weights.length} others (seed ${seed})`, { cause: error });
    }
    const weight = await weigh(world);
    weights.push(weight);
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    const megabytes = (weight.residentKb / 1_000).toFixed(1);
    print(`${seconds.padStart(5)}  ${megabytes.padStart(7)}  ${fault.name}`);
  }
  return weights;
}

const programFolder = mkdtempSync(join(tmpdir(), 'hostnode-soak-'));
try {
  const build = fileURLToPath(new URL('../../packaging/bundle.ts', import.meta.url));
  execFileSync(process.execPath, [build, programFolder]);
  await using world = await World.open(worldOf({ in: wanted, given: weighing }), programFolder);
  print(`soak: ${minutes} minutes, seed ${seed}, process ${world.agent.pid}`);
  print(
    `${table.length} of the ${all.length} faults; ${all.length - repeatable.length} need an agent of their own, ` +
      `${repeatable.length - table.length} cannot be done on this machine`,
  );
  await fillRack(world);

  print('\n    s  MB then  fault');
  const weights = await soak(world, performance.now() + minutes * 60_000);
  const missed = table.length - weights.length;
  if (missed > 0) print(`    -        -  ${missed} others: the time was too short`);
  print(
    `\n${weights.length} faults; nothing was lost after any of them, and it is process ${world.agent.pid} still\n`,
  );
  const warm = weights.slice(Math.floor(weights.length * WARM_UP));
  if (warm.length < LEAST_WEIGHTS) {
    print(`verdict: none: ${warm.length} faults after the warm-up, it takes ${LEAST_WEIGHTS}`);
    process.exitCode = 2;
  } else {
    const grown = printFigures(warm, print);
    print(grown.length === 0 ? '\nverdict: level' : `\nverdict: GROWS: ${grown.join(', ')}`);
    if (grown.length > 0) process.exitCode = 1;
  }
} catch (error) {
  const { message, cause } = error as Error;
  process.stderr.write(`soak: ${message}${cause === undefined ? '' : `:\n${String(cause)}`}\n`);
  process.exitCode = 1;
} finally {
  rmSync(programFolder, { recursive: true, force: true });
}
