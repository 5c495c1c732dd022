import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { recordings } from '../../src/demo/phones/index.ts';
import { outputOf } from '../../src/demo/recording.ts';
import { sections } from '../../src/facts/index.ts';
import { KIB, type Section } from '../../src/facts/section.ts';

const corpus = fileURLToPath(new URL('../fixtures/corpus/', import.meta.url));

/** What each section's commands print, whole: folders of the corpus, or files in one. */
const dumps: Record<string, readonly string[]> = {
  boot: ['getprop', 'uptime'],
  identity: ['getprop'],
  battery: ['battery'],
  wear: [],
  storage: ['df'],
  memory: ['meminfo'],
  display: ['display'],
  mobile: ['telephony_registry', 'isub'],
  screen: ['wm', 'display'],
  name: [],
  root: ['su_id'],
  readiness: [],
  browsers: ['packages'],
  identifiers: ['iphonesubinfo', 'siminfo', 'isub'],
  network: ['connectivity'],
};

const largestBytes = (folders: readonly string[]): number =>
  Math.max(
    0,
    ...folders.flatMap((folder) =>
      readdirSync(corpus + folder).map((file) => statSync(`${corpus}${folder}/${file}`).size),
    ),
  );

describe('what is read of an answer', () => {
  it('is looked at for every section', () => {
    expect(Object.keys(dumps)).toEqual(sections.map(({ name }) => name));
  });

  it.each<Section<unknown>>(sections)(
    'is at least three times what any known phone prints for $name',
    ({ name, limitBytes }) => {
      expect(largestBytes(dumps[name] ?? []) * 3).toBeLessThanOrEqual(limitBytes);
      const recorded = recordings.flatMap(({ answers }) =>
        Object.entries(answers).filter(([command]) => command.startsWith(`${name}.`)),
      );
      for (const [, answer] of recorded)
        expect(Buffer.byteLength(outputOf(answer).text) * 3).toBeLessThanOrEqual(limitBytes);
    },
  );

  it('is far less than 1 MiB of any section, and 4 KiB of a name', () => {
    expect(sections.filter(({ limitBytes }) => limitBytes > 512 * KIB)).toEqual([]);
    expect(sections.find(({ name }) => name === 'name')?.limitBytes).toBe(4 * KIB);
  });
});
