/** One test for each fault of a part of the table. */
import { describe, expect, inject, it } from 'vitest';
import type { Fault } from './fault.ts';
import { worldOf } from './places.ts';
import { play } from './play.ts';
import { isHere } from './surroundings.ts';
import { World } from './world.ts';

export function describeFaults(part: string, faults: readonly Fault[]): void {
  describe(`nothing is lost and nobody harmed: ${part}`, { concurrent: true }, () => {
    for (const fault of faults) {
      const { name, needs } = fault;
      if (needs === undefined || isHere(needs)) {
        it(name, ({ onTestFinished }) => run(fault, onTestFinished));
      } else if (process.env.CI) {
        it(`${name}: has its tools`, () => expect.fail(`this machine cannot do "${needs}"`));
      } else {
        process.stderr.write(`skipped: ${name} (this machine cannot do "${needs}")\n`);
        it.skip(name);
      }
    }
  });
}

async function run(fault: Fault, onTestFinished: (end: () => Promise<void>) => void): Promise<void> {
  const world = await World.open(worldOf(fault), inject('programFolder'));
  onTestFinished(() => world[Symbol.asyncDispose]());
  await play(fault, world);
}
