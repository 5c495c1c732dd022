import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeSpans, readText, root, rows, section } from './pages.ts';

it('docs/architecture.md names folders that are there, and every folder of src', () => {
  const named = rows(section('docs/architecture.md', '## Folders')).flatMap(([folders = '']) =>
    codeSpans(folders),
  );
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  const folders = readdirSync(new URL('src/', root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}/`);
  expect(folders.filter((folder) => !named.includes(folder))).toEqual([]);
});

/** One line of a numbered list. */
interface Step {
  file: string;
  name: string;
  /** The file that joins it to the step before, where neither imports the other. */
  through?: string | undefined;
}

/** The steps of a section of docs/architecture.md; a line that does not fit fails. */
function stepsOf(heading: string): Step[] {
  const text = section('docs/architecture.md', heading).replace(/\n {3}/g, ' ');
  const lines = text.split('\n').filter((line) => /^\d/.test(line));
  return lines.map((line, index) => {
    const [, number, file = '', name = ''] = /^(\d+)\. `(src\/\S+\.ts): (\w+)` \S/.exec(line) ?? [];
    expect(Number(number), line).toBe(index + 1);
    const [, through] = /\(through `(src\/\S+)`\)\.$/.exec(line) ?? [];
    return { file, name, through };
  });
}

/** Does the file declare a function, a method or a constant of this name that is not private? */
const declares = (file: string, name: string): boolean =>
  new RegExp(
    `^(?:export (?:async )?function ${name}\\b|export const ${name} =|  (?:async )?${name}\\()`,
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

describe.each([
  ['### The way of a battery level', 8, ['src/adb/adbkit.ts', 'src/cloud/agent-client.ts']],
  ['### The way of a refused device', 4, ['src/cloud/delivery.ts', 'src/agent/device-outcomes.ts']],
  ['### The way of an event', 10, ['src/diagnosis/events/watcher.ts', 'src/diagnosis/causes.ts']],
])('docs/architecture.md, %s', (heading, most, ends) => {
  const steps = stepsOf(heading);

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
