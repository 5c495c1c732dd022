import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inner } from '../../src/base/schema.ts';
import { DeviceInfo, Machine } from '../../src/cloud/contract/report.ts';
import { sections } from '../../src/facts/index.ts';
import { codeSpans, rows, section } from './pages.ts';

/** Every value in a schema: `battery.percentage`, `installedBrowsers[].name`. */
function leaves(schema: z.ZodType, path: string): string[] {
  const bare = inner(schema);
  if (bare instanceof z.ZodArray) return leaves(bare.element as z.ZodType, `${path}[]`);
  if (!(bare instanceof z.ZodObject)) return [path];
  const shape: Record<string, z.ZodType> = bare.shape;
  return Object.entries(shape).flatMap(([key, value]) => leaves(value, path === '' ? key : `${path}.${key}`));
}

const page = 'docs/reported.md';

const tables = {
  '## The phone (DeviceInfo)': DeviceInfo,
  '## The host (Machine)': Machine,
};

/** What all sections ask, on phones of all ages. */
const commands = [true, false]
  .flatMap((shellV2) => {
    const options = {
      shellV2,
      telephonyIdentifiers: true,
      reachabilityHost: 'example.com',
      reachabilityOnMetered: false,
    };
    return sections.flatMap((each) => Object.values<string>(each.commands(options)));
  })
  .join('\n');

describe.each(Object.entries(tables))('docs/reported.md, %s', (heading, schema) => {
  it('has one row for each field of the contract, and no other', () => {
    const fields = rows(section(page, heading)).flatMap(([field = '']) => codeSpans(field));
    expect(fields.toSorted()).toEqual(leaves(schema, '').toSorted());
  });

  it('says of each field what it is, where it is read and when it is absent', () => {
    for (const row of rows(section(page, heading)))
      expect(
        row.filter((cell) => cell === ''),
        row[0],
      ).toEqual([]);
  });
});

describe('docs/reported.md on what a phone is asked', () => {
  it('names commands that the phones are really asked', () => {
    const named = rows(section(page, '## The phone (DeviceInfo)')).flatMap(([, , source = '']) =>
      codeSpans(source),
    );
    expect(new Set(named).size).toBeGreaterThan(15);
    expect(named.filter((command) => !commands.includes(command))).toEqual([]);
  });
});
