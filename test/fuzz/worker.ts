/** Runs targets in a thread of its own, which can be ended when an input hangs. */
import { parentPort, workerData } from 'node:worker_threads';
import * as fc from 'fast-check';
import { type Finding, type Order, type Outcome, progressOf, type Target } from './target.ts';
import { targets } from './targets/index.ts';

const { cells } = progressOf(workerData.memory);
/** For how long a found input is made smaller, ms. */
const SHRINK_MS = 15_000;
const MOST_RUNS = 1_000_000_000;

async function run({ target: name, seed, path, forMs }: Order): Promise<Outcome> {
  const target = targets.find((each) => each.name === name);
  if (target === undefined) throw new Error(`no target ${name}`);
  Atomics.store(cells, 0, 0);
  Atomics.store(cells, 1, 0);
  const close = await target.open?.();
  try {
    return await search(target, seed, path, forMs);
  } finally {
    await close?.();
  }
}

async function search(
  target: Target,
  seed: number,
  path: string | undefined,
  forMs: number,
): Promise<Outcome> {
  let inHand: unknown;
  const property = fc.asyncProperty(target.inputs, async (input) => {
    Atomics.add(cells, 0, 1);
    inHand = target.check(input);
    await inHand;
  });
  try {
    return await find(target, property, seed, path, forMs);
  } finally {
    await Promise.allSettled([inHand]); // one that the end of the time has overtaken
  }
}

async function find(
  target: Target,
  property: fc.IAsyncProperty<[unknown]>,
  seed: number,
  path: string | undefined,
  forMs: number,
): Promise<Outcome> {
  const limits = { seed, markInterruptAsFailure: false };
  const first = await fc.check(property, {
    ...limits,
    ...(path === undefined ? { interruptAfterTimeLimit: forMs } : { path }),
    numRuns: path === undefined ? MOST_RUNS : 1,
    endOnFailure: true,
  });
  const runs = Atomics.load(cells, 0);
  if (!first.failed || first.counterexamplePath === null) return { runs };
  if (path !== undefined) return { runs, finding: findingOf(target, first) };
  Atomics.store(cells, 1, 1);
  const smaller = await fc.check(property, {
    ...limits,
    path: first.counterexamplePath,
    numRuns: 1,
    interruptAfterTimeLimit: SHRINK_MS,
  });
  return { runs, finding: findingOf(target, smaller.failed ? smaller : first) };
}

function findingOf(
  { name }: Target,
  { seed, counterexamplePath, counterexample, errorInstance }: fc.RunDetails<[unknown]>,
): Finding {
  const what =
    errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance);
  return {
    target: name,
    seed,
    path: counterexamplePath ?? '',
    what,
    input: fc.stringify(counterexample?.[0]),
  };
}

/** The input of a run that never came to its end: made again, and not given to the target. */
function inputOf({ target: name, seed, path }: Order): string {
  const target = targets.find((each) => each.name === name);
  if (target === undefined || path === undefined) return '';
  const made: unknown[] = [];
  fc.check(
    fc.property(target.inputs, (input) => void made.push(input)),
    { seed, path, numRuns: 1 },
  );
  return fc.stringify(made[0]);
}

type Message = { id: number } & ({ run: Order } | { show: Order });

parentPort?.on('message', async (message: Message) => {
  const outcome = 'run' in message ? await run(message.run) : inputOf(message.show);
  parentPort?.postMessage({ id: message.id, outcome });
});
