import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { DeviceInfo } from '../../src/cloud/contract/report.ts';
import { sections } from '../../src/facts/index.ts';
import { elsewhere, sources } from '../../src/report/sources.ts';

type Definition = {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  shape?: Record<string, z.ZodType>;
};

/** The paths of all values in a schema, `[]` for each element of a list. */
function leaves(schema: z.ZodType, path = ''): string[] {
  const { innerType, element, shape } = schema.def as unknown as Definition;
  if (innerType) return leaves(innerType, path);
  if (element) return leaves(element, `${path}[]`);
  if (!shape) return [path];
  return Object.entries(shape).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`));
}

const isBelow = (leaf: string, path: string) =>
  leaf === path || leaf.startsWith(`${path}.`) || leaf.startsWith(`${path}[]`);

describe('the sources', () => {
  const paths = Object.keys(sources);

  it('name for each field of the report the one place that it comes from', () => {
    const counted = leaves(DeviceInfo).map((leaf) => [
      leaf,
      paths.filter((path) => isBelow(leaf, path)).length,
    ]);
    expect(counted.length).toBeGreaterThan(50);
    expect(counted.filter(([, count]) => count !== 1)).toEqual([]);
  });

  it('name no field that the report does not have', () => {
    const all = leaves(DeviceInfo);
    expect(paths.filter((path) => !all.some((leaf) => isBelow(leaf, path)))).toEqual([]);
  });

  it('name the commands that are sent to phones, and all of them', () => {
    const options = {
      shellV2: true,
      reachabilityHost: 'host.example',
      reachabilityOnMetered: true,
      telephonyIdentifiers: true,
    };
    const asked = sections.flatMap((section) =>
      Object.keys(section.commands(options)).map((command) => `${section.name}.${command}`),
    );
    const onlyForFindings = ['wear.charge'];
    const named = new Set(Object.values(sources).flatMap(({ from }) => from));
    expect([...named, ...onlyForFindings].filter((name) => !(name in elsewhere)).sort()).toEqual(
      asked.sort(),
    );
  });
});
