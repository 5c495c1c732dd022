/** What an agent weighs, from outside and from inside, and whether it has grown. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Held } from './inside.ts';
import type { Given, World } from './world.ts';

export type Weight = Held & World['agent']['weight'];

const heldFile = ({ folder }: World): string => join(folder, 'held.json');

/** A world whose agent can be weighed. */
export const weighing: Given = {
  node: [
    '--expose-gc',
    '--disable-warning=ExperimentalWarning',
    '--import',
    fileURLToPath(new URL('inside.ts', import.meta.url)),
  ],
  env: (world) => ({ HELD: heldFile(world) }),
};

/** Weighs it once its next round is over: what the fault has left behind is then gone or stays. */
export async function weigh(world: World): Promise<Weight> {
  const { agent } = world;
  const file = heldFile(world);
  await agent.says('round', agent.mark);
  rmSync(file, { force: true });
  agent.signal('SIGUSR2');
  await world.until(() => existsSync(file), 'it does not say what it holds');
  return { ...agent.weight, ...(JSON.parse(readFileSync(file, 'utf8')) as Held) };
}

interface Row {
  name: string;
  key: keyof Weight;
  /** One of what is printed, in what is measured. */
  unit: number;
  /** What it may have grown to at most. */
  most(before: number): number;
}

const more = (share: number, least: number) => (before: number) => before * share + least;

const rows: readonly Row[] = [
  { name: 'resident memory, MB', key: 'residentKb', unit: 1_000, most: more(1.15, 5_000) },
  { name: 'heap after collection, MB', key: 'heapBytes', unit: 1_000_000, most: more(1.05, 1_000_000) },
  { name: 'file descriptors', key: 'descriptors', unit: 1, most: more(1, 3) },
  { name: 'handles and requests', key: 'resources', unit: 1, most: more(1, 5) },
  { name: 'listeners of the process', key: 'listeners', unit: 1, most: more(1, 0) },
  { name: 'socket objects', key: 'sockets', unit: 1, most: more(1, 5) },
  { name: 'abort signals', key: 'abortSignals', unit: 1, most: more(1, 20) },
  { name: 'threads', key: 'threads', unit: 1, most: more(1, 1) },
];

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/**
 * Prints the medians of the first and of the last third.
 *
 * @param weights after the warm-up, in the order in which they were taken
 * @returns what has grown
 */
export function printFigures(weights: readonly Weight[], print: (line: string) => void): string[] {
  const third = Math.max(1, Math.floor(weights.length / 3));
  const [first, last] = [weights.slice(0, third), weights.slice(-third)];
  print(`${''.padEnd(26)}${['warm', 'end', 'change', 'peak'].map((word) => word.padStart(9)).join('')}`);
  return rows.flatMap(({ name, key, unit, most }) => {
    const of = (part: readonly Weight[]) => median(part.map((weight) => weight[key]));
    const [warm, end, peak] = [of(first), of(last), Math.max(...weights.map((weight) => weight[key]))];
    const isLevel = end <= most(warm);
    const figures = [warm, end, end - warm, peak].map((value) => (value / unit).toFixed(unit > 1 ? 1 : 0));
    const cells = figures.map((figure) => figure.padStart(9)).join('');
    print(`${name.padEnd(26)}${cells}   ${isLevel ? 'level' : 'GROWS'}`);
    return isLevel ? [] : [name];
  });
}
