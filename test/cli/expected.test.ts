import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/base/styled-text.ts';
import { fitted } from '../../src/cli/columns.ts';
import { expectedOf, expectedRows, expectedTable } from '../../src/cli/expected.ts';
import { listYaml } from '../../src/config/lists.ts';
import type { ExpectedPhone, SeenPhone } from '../../src/roster/expected-phones.ts';

const bays = ['bay 1', 'bay 2', 'bay 3'];
const slots = bays.map((name, index) => ({ name, paths: [`1-4.${index + 1}`] }));

const phone = (serial: string, bay: number, more: Partial<SeenPhone> = {}): SeenPhone => ({
  udid: serial,
  serial,
  serialNumber: serial,
  model: 'Pixel 5',
  name: 'Pixel 5',
  connection: 'usb',
  attached: true,
  state: 'device',
  where: { slot: `bay ${bay}`, devpath: `1-4.${bay}` },
  ...more,
});

const rowsOf = (expected: readonly ExpectedPhone[], phones: readonly SeenPhone[]) =>
  expectedRows(phones, { inventory: { expected }, slots });

describe('the phones beside the list of those that are expected', () => {
  it('are what it says', () => {
    const expected = [{ serial: 'A', slot: 'bay 1' }, { udid: 'B' }];
    expect(rowsOf(expected, [phone('A', 1), phone('B', 3)])).toEqual([]);
  });

  it('are missing, new, moved, cloned or attached twice, with what the list says of them', () => {
    const expected = [
      { serial: 'A', slot: 'bay 1', assetTag: 'LAB-1', owner: 'Anna' },
      { serial: 'B', model: 'Pixel 8' },
      { serial: 'C', model: 'Pixel 5', assetTag: 'LAB-3', slot: 'bay 3' },
      { serial: 'TWIN' },
    ];
    const phones = [
      phone('A', 2, { alsoAt: ['10.0.0.7:5555'] }),
      phone('B', 3),
      phone('C', 3, { attached: false, state: 'disconnected' }),
      phone('TWIN', 1),
      phone('TWIN', 1, { udid: 'TWIN@1-9', where: { devpath: '1-9' } }),
      phone('NEW', 1, { name: 'Guest’s phone' }),
      phone('emulator-5554', 1, { connection: 'emulator' }),
    ];
    const lines = fitted([expectedTable(rowsOf(expected, phones))]).map(textOf);
    expect(lines.map((line) => line.replaceAll(/ {2,}/g, '  '))).toEqual([
      'WHAT  PHONE  NAME  TAG  IS AT  BELONGS IN  EXPECTED MODEL  OWNER',
      'missing  C  Pixel 5  LAB-3  bay 3',
      'new  NEW  Guest’s phone  bay 1',
      'moved  A  Pixel 5  LAB-1  bay 2  bay 1  Anna',
      'cloned  TWIN  Pixel 5  bay 1',
      'cloned  TWIN@1-9  Pixel 5  USB port 1-9',
      'cloned  B  Pixel 5  bay 3  Pixel 8',
      'attached twice  A  Pixel 5  LAB-1  bay 2, 10.0.0.7:5555  bay 1  Anna',
    ]);
  });

  it('are not moved where no slot has the name that the list gives', () => {
    const placeless = phone('A', 1, { where: { devpath: '1-9' } });
    expect(rowsOf([{ serial: 'A', slot: 'bay 9' }], [placeless])).toEqual([]);
    expect(rowsOf([{ serial: 'A', slot: 'bay 2' }], [placeless])).toMatchObject([
      { what: 'moved', at: 'USB port 1-9', expectedSlot: 'bay 2' },
    ]);
  });
});

describe('the list of the phones as they are', () => {
  it('keeps asset tags and owners, and names each phone by its serial where that is its name', async () => {
    const before = [
      { serial: 'B', assetTag: 'LAB-2', owner: 'Anna', slot: 'bay 3' },
      { serial: 'GONE', assetTag: 'LAB-9' },
    ];
    const phones = [
      phone('X', 9, { udid: 'X@1-9', where: { devpath: '1-9' } }),
      phone('B', 2),
      phone('A', 1, { model: `${'m'.repeat(150)}\n` }),
    ];
    const list = expectedOf(phones, before);
    expect(list).toEqual([
      { serial: 'A', model: 'm'.repeat(100), slot: 'bay 1' },
      { serial: 'B', model: 'Pixel 5', assetTag: 'LAB-2', slot: 'bay 2', owner: 'Anna' },
      { udid: 'X@1-9', model: 'Pixel 5' },
    ]);
    expect(await listYaml({ inventory: { expected: list.slice(1) } })).toBe(
      'inventory:\n  expected:\n    - serial: B\n      model: Pixel 5\n      assetTag: LAB-2\n      slot: bay 2\n      owner: Anna\n    - udid: X@1-9\n      model: Pixel 5\n',
    );
  });

  it('differs from the phones in nothing', () => {
    const phones = [phone('A', 1), phone('X', 2, { udid: 'X@1-9' }), phone('X', 3)];
    expect(rowsOf(expectedOf(phones, []), phones).filter(({ what }) => what !== 'cloned')).toEqual([]);
  });
});
