/**
 * The faults one after the other at one agent, for as long as wanted: first each once, then at random. After each
 * nothing may be lost, and at the end the agent may weigh no more than after the warm-up.
 *
 *     node test/faults/soak.ts [--minutes 15] [--seed 1]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Fault, faults } from './faults.ts';
import { play } from './play.ts';
import { isHere } from './surroundings.ts';
import { World } from './world.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '15' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  process.stderr.write('soak: --minutes wants a number above 0, --seed a whole number\n');
  process.exit(2);
}

/** What the agent weighs when it has come to rest after a fault. */
type Weight = World['agent']['weight'];

/** Growth from the first quarter after the warm-up to the last one that is no leak. */
const MOST_GROWTH = { resident: 1.15, descriptors: 3, threads: 1 };

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function* randomNumbers(start: number): Generator<number, never> {
  for (let state = start; ; ) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** Those that can be done to the usual world again and again, whichever came before. */
const repeatable = ({ given, needs, restarts, isFinal }: Fault): boolean =>
  given === undefined && !restarts && !isFinal && (needs === undefined || isHere(needs));

/** Does a fault and returns what the agent weighs after it. */
async function soak(fault: Fault, world: World): Promise<Weight> {
  try {
    await play(fault, world);
  } catch (error) {
    throw new Error(`after "${fault.name}" (seed ${seed})`, { cause: error });
  }
  return world.agent.weight;
}

/** Prints the figures; returns what has grown. */
function judge(weights: Weight[]): string[] {
  const quarter = Math.max(1, Math.floor(weights.length / 4));
  const parts = { first: weights.slice(0, quarter), last: weights.slice(-quarter) };
  const of = (part: Weight[], key: keyof Weight) => median(part.map((weight) => weight[key]));
  const row = (name: string, key: keyof Weight, unit: number, most: (first: number) => number) => {
    const [first, last] = [of(parts.first, key), of(parts.last, key)];
    const peak = Math.max(...weights.map((weight) => weight[key]));
    const isLevel = last <= most(first);
    const figures = [first, last, peak].map((value) => (value / unit).toFixed(0).padStart(8)).join('');
    print(`${name.padEnd(22)}${figures}   ${isLevel ? 'level' : 'GROWS'}`);
    return isLevel ? [] : [name];
  };
  print(
    `${''.padEnd(22)}   first    last    peak   (median of the first and last quarter after the warm-up)`,
  );
  return [
    ...row('resident memory, MB', 'residentKb', 1000, (first) => first * MOST_GROWTH.resident),
    ...row('file descriptors', 'descriptors', 1, (first) => first + MOST_GROWTH.descriptors),
    ...row('threads', 'threads', 1, (first) => first + MOST_GROWTH.threads),
  ];
}

const programFolder = mkdtempSync(join(tmpdir(), 'hostnode-soak-'));
try {
  execFileSync(process.execPath, [
    fileURLToPath(new URL('../../src/build.ts', import.meta.url)),
    programFolder,
  ]);
  const table = Object.values(faults).flat().filter(repeatable);
  const endsAt = performance.now() + minutes * 60_000;
  await using world = await World.open({}, programFolder);
  const { pid } = world.agent;
  print(`soak: ${table.length} faults, ${minutes} minutes, seed ${seed}, agent ${pid}`);

  for (const fault of table) await soak(fault, world);
  const { residentKb, descriptors } = world.agent.weight;
  print(`warm-up: each fault once; ${Math.round(residentKb / 1000)} MB resident, ${descriptors} descriptors`);

  const weights: Weight[] = [];
  const random = randomNumbers(seed);
  while (performance.now() < endsAt || weights.length < 4) {
    const fault = table[Math.floor(random.next().value * table.length)];
    if (fault !== undefined) weights.push(await soak(fault, world));
  }
  print(
    `${table.length + weights.length} faults, nothing lost after any of them; still process ${world.agent.pid}`,
  );
  const grown = judge(weights);
  if (grown.length > 0) process.exitCode = 1;
} catch (error) {
  process.stderr.write(
    `soak: ${error instanceof Error ? `${error.message}: ${String(error.cause)}` : error}\n`,
  );
  process.exitCode = 1;
} finally {
  rmSync(programFolder, { recursive: true, force: true });
}
