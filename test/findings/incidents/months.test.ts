/** How quiet the months are in which nothing is wrong. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { months } from './all.ts';
import { FLOORS, isOfPart, parts, shownOf } from './floors.ts';
import { type QuietVerdict, quietVerdictOn } from './verdict.ts';

describe.each(parts)('the months that are %s', (part) => {
  const quiet: QuietVerdict[] = [];
  const floor = FLOORS[part];
  const shown = shownOf(part);

  it('are judged as the agent judges', { timeout: 1_500_000 }, async () => {
    quiet.length = 0; // of a first try
    for (const month of months.filter(isOfPart(part))) {
      quiet.push(quietVerdictOn(month));
      await setImmediate(); // whoever reports the test's life has a turn
    }
    expect(quiet.length).toBeGreaterThan(15);
  });

  it('have no false finding in a quiet month, but those of before', ({ task }) => {
    const findings = quiet.flatMap(({ name, found }) => found.map((each) => ({ name, ...each })));
    const loud = findings.filter(({ severity }) => severity !== 'minor');
    const minor = findings.filter(({ severity }) => severity === 'minor');
    const monthsWith = new Set(loud.map(({ name }) => name)).size;
    task.meta.findingScores = [
      `quiet months ${part}: ${loud.length} false findings above minor in ${monthsWith} of ${quiet.length}, ${minor.length} minor ones`,
    ];
    const lines = (some: typeof findings) =>
      shown(some.map(({ name, code, title }) => `${name}: ${code}, ${title}`)).join('\n');
    expect.soft(loud.length, lines(loud)).toBeLessThanOrEqual(floor.loud);
    // one that was above minor, and is minor now, is no worse
    const before = floor.loud + floor.minor;
    expect(findings.length, lines(minor)).toBeLessThanOrEqual(before);
  });
});
