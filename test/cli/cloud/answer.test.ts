import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { textOf } from '../../../src/base/styled-text.ts';
import {
  answerLines,
  checkFields,
  FORMATS,
  type Format,
  failuresIn,
  picked,
  sayAnswer,
  tsvOf,
} from '../../../src/cli/cloud/answer.ts';
import { contract } from '../../../src/cloud/contract/index.ts';

const { apps, devices, gestures, groups, dataSets, v2 } = contract;

interface Answering {
  answer: Parameters<typeof tsvOf>[1];
}

const lines = async (answer: unknown, { answer: schema }: Answering, format: Format, width?: number) =>
  format === 'tsv'
    ? tsvOf(answer, schema).split('\n').slice(0, -1)
    : (await answerLines(answer, schema, format, width)).map((line) => textOf(line).trimEnd());

const table = (answer: unknown, operation: Answering, width?: number) =>
  lines(answer, operation, 'table', width);
const tsv = (answer: unknown, operation: Answering) => lines(answer, operation, 'tsv');

const some = [
  { id: 3, organizationId: 1, name: 'Payments', description: 'tab\there\nand \u001b[31mred\u202e' },
  { id: 4, name: 'Search', extra: 'unknown' },
];

describe('a list', () => {
  it('is a table with the columns of the contract, and every control character visible', async () => {
    expect(await table(some, groups.list)).toEqual([
      'ID  ORGANIZATION ID  NAME      DESCRIPTION',
      '3   1                Payments  tab␉here␊and ␛[31mred\\u{202e}',
      '4                    Search',
    ]);
  });

  it('as TSV has all columns of the contract and no titles; no value adds a cell or a line', async () => {
    expect(await tsv(some, groups.list)).toEqual([
      '3\t1\tPayments\ttab\\there\\nand \\u001b[31mred\\u202e',
      '4\t\tSearch\t',
    ]);
    expect(await tsv([], groups.list)).toEqual([]);
  });

  it('as JSON is all that was received', async () => {
    expect(JSON.parse((await lines(some, groups.list, 'json')).join('\n'))).toEqual(some);
  });

  it.each(FORMATS)('that is nested too deep is refused as %s, and is no bug', async (output) => {
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    const said = sayAnswer([{ deep }], z.unknown(), { output });
    await expect(said).rejects.toMatchObject({ exitCode: 3 });
  });

  it('of several kinds of answers is a table too', async () => {
    expect(await table([{ id: 9, name: 'swipe', command: 'down; up' }], gestures.list)).toEqual([
      'ID  NAME   COMMAND',
      '9   swipe  down; up',
    ]);
  });

  it('says nested values in short, and as JSON for a program', async () => {
    const list = [
      { id: 12, name: 'Shop', privateAccess: false, versions: [{ id: 77, version: '1.2' }, { id: 78 }] },
    ];
    expect((await table(list, apps.list))[1]).toBe('12  Shop  no              1.2, 78');
    expect((await tsv(list, apps.list))[0]).toContain('\tfalse\t');
    expect((await tsv(list, apps.list))[0]).toContain('[{"id":77,"version":"1.2"},{"id":78}]');
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

  it('are one table that says which list a row is from', async () => {
    const [titles, first, second] = await table(answer, devices.list);
    expect(titles).toMatch(/^LIST +ID +UDID +BOOKED +ONLINE +MODEL NAME +RESOLUTION/);
    expect(first).toMatch(/^privateDevices +1 +A +yes +no +P +9 20/);
    expect(second).toMatch(/^cloudDevices +2 /);
  });

  it('fit a narrow terminal: addresses go first', async () => {
    const narrow = await table(answer, devices.list, 60);
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

  it('is its values, and then its lists as tables', async () => {
    expect(await table(answer, apps.get)).toEqual([
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

  it('as TSV is a line a value', async () => {
    expect(await tsv(answer, apps.get)).toContain('more.deep\ttrue');
    expect(await tsv(answer, apps.get)).toContain('versions\t[{"id":77,"state":"OK"}]');
  });

  it('within an object keeps the columns of the contract', async () => {
    const updated = {
      message: 'ok',
      data: { successfulActions: [], failedActions: [{ id: 1, commandId: 5 }] },
    };
    expect((await table(updated, dataSets.updateByCommand)).slice(-3)).toEqual([
      'data.failedActions:',
      'ID  COMMAND ID',
      '1   5',
    ]);
  });

  it('hides what is secret in every format', async () => {
    const target = { appPath: 'uploads/1', url: 'https://storage.example/?signature=s3cret' };
    for (const format of ['table', 'json', 'tsv'] as const)
      expect((await lines(target, apps.uploadUrl, format)).join('\n')).toMatch(/uploads\/1[\s\S]*\*\*\*/);
    expect((await lines(target, apps.uploadUrl, 'json')).join('\n')).not.toContain('s3cret');
  });
});

describe('failuresIn', () => {
  it('finds what did not succeed', async () => {
    expect(failuresIn({ deleted: 1, failed: 2 })).toEqual(['failed: 2']);
    expect(failuresIn({ deleted: 1, failed: 0, result: [] })).toEqual([]);
    expect(failuresIn({ data: { failedActions: [{}] } })).toEqual(['failedActions: 1']);
    expect(failuresIn({ failedDevices: [] })).toEqual([]);
    expect(failuresIn(undefined)).toEqual([]);
  });
});

it('names that the cloud made up are as harmless as its values', async () => {
  const answer = { 'a\tb\u001b': 1, failed: [] };
  expect(await tsv(answer, v2.terminateReservations)).toEqual(['a\\tb\\u001b\t1', 'failed\t[]']);
  expect((await table(answer, v2.terminateReservations))[0]).toMatch(/^a␉b␛ +1$/);
});

it('what is known in part passes through', async () => {
  expect(await table({ failed: ['A', 'B'], note: 7 }, v2.terminateReservations)).toEqual([
    'failed  A, B',
    'note    7',
  ]);
});

describe('the fields of --json', () => {
  const { answer } = contract.devices.list;

  it('are picked from each list, and from an object', () => {
    const device = { id: 1, udid: 'A', deviceName: 'Lab' };
    const lists = { privateDevices: [device], favoriteDevices: [], cloudDevices: [] };
    const expected = {
      privateDevices: [{ id: 1, deviceName: 'Lab' }],
      favoriteDevices: [],
      cloudDevices: [],
    };
    expect(picked(lists, answer, ['id', 'deviceName'])).toEqual(expected);
    expect(picked([{ id: 1, name: 'Shop' }], contract.apps.list.answer, ['name'])).toEqual([
      { name: 'Shop' },
    ]);
    expect(picked(device, contract.devices.get.answer, ['udid'])).toEqual({ udid: 'A' });
  });

  it('are known before anything is sent: an argument behind --json is none', () => {
    expect(() => checkFields(answer, { json: 'id,udid' })).not.toThrow();
    expect(() => checkFields(contract.apps.delete.answer, { json: '12' })).toThrow(
      '--json 12: unknown; known are',
    );
  });
});
