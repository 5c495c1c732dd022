import { describe, expect, it } from 'vitest';
import { failuresIn, type RenderOptions, rendered } from '../../../src/cli/cloud/rendered.ts';
import { textOf } from '../../../src/cli/styled-text.ts';
import { contract } from '../../../src/cloud/contract/index.ts';

const { apps, devices, gestures, groups, dataSets, v2 } = contract;

const lines = (
  answer: unknown,
  { answer: schema }: { answer: Parameters<typeof rendered>[1] },
  options: RenderOptions,
) => rendered(answer, schema, options).map((line) => textOf(line).trimEnd());

const table = (answer: unknown, operation: { answer: Parameters<typeof rendered>[1] }, width?: number) =>
  lines(answer, operation, { format: 'table', width });
const tsv = (answer: unknown, operation: { answer: Parameters<typeof rendered>[1] }) =>
  lines(answer, operation, { format: 'tsv' });

const some = [
  { id: 3, organizationId: 1, name: 'Payments', description: 'tab\there\nand \u001b[31mred\u202e' },
  { id: 4, name: 'Search', extra: 'unknown' },
];

describe('a list', () => {
  it('is a table with the columns of the contract, and every control character visible', () => {
    expect(table(some, groups.list)).toEqual([
      'ID  ORGANIZATION ID  NAME      DESCRIPTION',
      '3   1                Payments  tab␉here␊and ␛[31mred\\u{202e}',
      '4                    Search',
    ]);
  });

  it('as TSV has all columns of the contract and no titles; no value adds a cell or a line', () => {
    expect(tsv(some, groups.list)).toEqual([
      '3\t1\tPayments\ttab\\there\\nand \\u001b[31mred\\u202e',
      '4\t\tSearch',
    ]);
    expect(tsv([], groups.list)).toEqual([]);
  });

  it('as JSON is all that was received', () => {
    expect(JSON.parse(lines(some, groups.list, { format: 'json' }).join('\n'))).toEqual(some);
  });

  it('of several kinds of answers is a table too', () => {
    expect(table([{ id: 9, name: 'swipe', command: 'down; up' }], gestures.list)).toEqual([
      'ID  NAME   COMMAND',
      '9   swipe  down; up',
    ]);
  });

  it('says nested values in short, and as JSON for a program', () => {
    const list = [
      { id: 12, name: 'Shop', privateAccess: false, versions: [{ id: 77, version: '1.2' }, { id: 78 }] },
    ];
    expect(table(list, apps.list)[1]).toBe('12  Shop  no              1.2, 78');
    expect(tsv(list, apps.list)[0]).toContain('\tfalse\t');
    expect(tsv(list, apps.list)[0]).toContain('[{"id":77,"version":"1.2"},{"id":78}]');
  });
});

describe('lists side by side', () => {
  const device = {
    id: 1,
    udid: 'A',
    isBooked: true,
    isOnline: false,
    modelName: 'P',
    resolution: { width: 9, height: 20 },
  };
  const answer = {
    privateDevices: [device],
    favoriteDevices: [],
    cloudDevices: [
      { id: 2, deviceImageUrl: 'https://cloud.example/a-very-long-address/that-nobody-reads.png' },
    ],
  };

  it('are one table that says which list a row is from', () => {
    const [titles, first, second] = table(answer, devices.list);
    expect(titles).toMatch(/^LIST +ID +UDID +BOOKED +ONLINE +MODEL NAME +RESOLUTION/);
    expect(first).toMatch(/^privateDevices +1 +A +yes +no +P +9 20/);
    expect(second).toMatch(/^cloudDevices +2 /);
  });

  it('fit a narrow terminal: addresses go first', () => {
    const narrow = table(answer, devices.list, 60);
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(narrow[0]).not.toContain('DEVICE IMAGE URL');
    expect(narrow[0]).toContain('UDID');
  });
});

describe('an object', () => {
  const answer = {
    id: 12,
    name: 'Shop',
    versions: [{ id: 77, state: 'OK' }],
    assignedTeams: [],
    more: { deep: true },
  };

  it('is its values, and then its lists as tables', () => {
    expect(table(answer, apps.get)).toEqual([
      'id             12',
      'name           Shop',
      'assignedTeams',
      'more.deep      yes',
      '',
      'versions:',
      'ID  STATE',
      '77  OK',
    ]);
  });

  it('as TSV is a line a value', () => {
    expect(tsv(answer, apps.get)).toContain('more.deep\ttrue');
    expect(tsv(answer, apps.get)).toContain('versions\t[{"id":77,"state":"OK"}]');
  });

  it('within an object keeps the columns of the contract', () => {
    const updated = {
      message: 'ok',
      data: { successfulActions: [], failedActions: [{ id: 1, commandId: 5 }] },
    };
    expect(table(updated, dataSets.updateByCommand).slice(-3)).toEqual([
      'data.failedActions:',
      'ID  COMMAND ID',
      '1   5',
    ]);
  });

  it('hides what is secret in every format', () => {
    const target = { appPath: 'uploads/1', url: 'https://storage.example/?signature=s3cret' };
    for (const format of ['table', 'json', 'tsv'] as const)
      expect(lines(target, apps.uploadUrl, { format }).join('\n')).toMatch(/uploads\/1[\s\S]*\*\*\*/);
    expect(lines(target, apps.uploadUrl, { format: 'json' }).join('\n')).not.toContain('s3cret');
  });
});

describe('failuresIn', () => {
  it('finds what did not succeed', () => {
    expect(failuresIn({ deleted: 1, failed: 2 })).toEqual(['failed: 2']);
    expect(failuresIn({ deleted: 1, failed: 0, result: [] })).toEqual([]);
    expect(failuresIn({ data: { failedActions: [{}] } })).toEqual(['failedActions: 1']);
    expect(failuresIn({ failedDevices: [] })).toEqual([]);
    expect(failuresIn(undefined)).toEqual([]);
  });
});

it('what is known in part passes through', () => {
  expect(table({ failed: ['A', 'B'], note: 7 }, v2.terminateReservations)).toEqual([
    'failed  A, B',
    'note    7',
  ]);
});
