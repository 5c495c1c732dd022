/** Ways through the source that a page tells step by step: a numbered list of files, each with a name that it declares. */
import { describe, expect, it } from 'vitest';
import { readText, root, section } from './pages.ts';

/** One line of a numbered list. */
interface Step {
  file: string;
  name: string;
  /** The file that joins it to the step before, where neither imports the other. */
  through?: string | undefined;
}

/** The steps of a section; a line that does not fit fails. */
function stepsOf(page: string, heading: string): Step[] {
  const text = section(page, heading).replace(/\n {3}/g, ' ');
  const lines = text.split('\n').filter((line) => /^\d/.test(line));
  return lines.map((line, index) => {
    const [, number, file = '', name = ''] = /^(\d+)\. `(src\/\S+\.tsx?): (\w+)` \S/.exec(line) ?? [];
    expect(Number(number), line).toBe(index + 1);
    const [, through] = /\(through `(src\/\S+)`\)\.$/.exec(line) ?? [];
    return { file, name, through };
  });
}

/** Does the file declare a function, a method or a constant of this name that is not private? */
const declares = (file: string, name: string): boolean =>
  new RegExp(
    `^(?:export (?:async )?function ${name}\\b|export const ${name}\\b|  (?:async )?${name}\\()`,
    'm',
  ).test(readText(file));

/** Does the one file import the other, types included? */
function imports(file: string, other: string): boolean {
  const found = readText(file).matchAll(/^(?:import|export) (?:[^;]*? from )?'(\.[^']+)';/gm);
  return Array.from(found).some(
    ([, path = '']) => new URL(path, new URL(file, root)).href === new URL(other, root).href,
  );
}

const areJoined = (one: string, other: string): boolean => imports(one, other) || imports(other, one);

/**
 * Follows the way: each file declares what the step names, and is joined to a step before.
 *
 * @param ends the first and the last file
 */
export function followWay(page: string, heading: string, most: number, ends: readonly string[]): void {
  describe(`${page}, ${heading}`, () => {
    const steps = stepsOf(page, heading);

    it(`has ${most} steps at most, from end to end`, () => {
      expect(steps.length).toBeLessThanOrEqual(most);
      expect([steps.at(0)?.file, steps.at(-1)?.file]).toEqual(ends);
    });

    it.each(steps)('names $name of $file', ({ file, name }) => {
      expect(declares(file, name), `${file} declares no ${name}`).toBe(true);
    });

    it.each(steps.slice(1))('joins $file to the steps before', ({ file, through }) => {
      const at = steps.findIndex((step) => step.file === file);
      // a parser returns to the probe that called it: so the step before that one counts too
      const before = steps.slice(Math.max(0, at - 2), at).map((step) => step.file);
      const isJoined = before.some((former) =>
        through === undefined
          ? areJoined(former, file)
          : areJoined(former, through) && areJoined(through, file),
      );
      expect(isJoined, `${file} and ${before.join(', ')} are not joined`).toBe(true);
    });
  });
}
