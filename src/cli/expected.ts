/** `hostnode inventory --expect` and `--write-expected`: the attached phones beside the list of those that are expected. */
import { exitCode } from '../base/exit-code.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { quantity } from '../base/words.ts';
import { LONGEST_LABEL, listYaml } from '../config/lists.ts';
import type { Config } from '../config/load.ts';
import {
  differences,
  type ExpectedPhone,
  findExpected,
  placeOf,
  type SeenPhone,
} from '../roster/expected-phones.ts';
import { type Block, layOut, show } from './columns.ts';
import { writeOrPrint } from './output-files.ts';
import { bySlot } from './table.ts';
import { FailedError, say, sayError, sayJson, write } from './terminal.ts';

export interface ExpectedRow {
  what: 'missing' | 'new' | 'moved' | 'cloned' | 'attached twice';
  udid?: string;
  serial?: string;
  name?: string;
  assetTag?: string;
  owner?: string;
  at?: string;
  expectedSlot?: string;
  expectedModel?: string;
}

type Lists = Pick<Config, 'inventory' | 'slots'>;

export function compareExpected(phones: readonly SeenPhone[], lists: Lists, json = false): void {
  const { expected } = lists.inventory;
  if (expected.length === 0)
    throw new FailedError(
      'no phones are expected: set inventory.expected; hostnode inventory --write-expected - prints a list to start with',
    );
  const rows = expectedRows(phones, lists);
  if (json) sayJson({ expected: expected.length, differences: rows });
  else if (rows.length > 0) show(expectedTable(rows));
  else say(`${quantity(expected.length, 'phone')} expected, all here, no other`);
  if (rows.length > 0) process.exitCode = exitCode.failed;
}

export function expectedRows(phones: readonly SeenPhone[], { inventory, slots }: Lists): ExpectedRow[] {
  const named = findExpected(phones);
  const found = differences(inventory.expected, phones, new Set(slots.map(({ name }) => name)));
  const entryOf = (phone: SeenPhone) => inventory.expected.find((entry) => named(entry).includes(phone));
  const rowOf = (what: ExpectedRow['what'], phone: SeenPhone, more: Partial<ExpectedRow> = {}) => {
    const { udid, serial, name } = phone;
    return { what, udid, serial, name, at: placeOf(phone), ...aboutEntry(entryOf(phone)), ...more };
  };
  return [
    ...found.missing.map((entry): ExpectedRow => {
      const { udid, serial, model: name } = entry;
      return { what: 'missing', ...omitUndefined({ udid, serial, name }), ...aboutEntry(entry) };
    }),
    ...found.unexpected.map((phone) => rowOf('new', phone)),
    ...found.moved.map(({ phone }) => rowOf('moved', phone)),
    ...found.cloned.flatMap(({ phones: clones, expectedModel }) =>
      clones.map((phone) => rowOf('cloned', phone, omitUndefined({ expectedModel }))),
    ),
    ...found.twice.map((phone) =>
      rowOf('attached twice', phone, { at: [placeOf(phone), ...(phone.alsoAt ?? [])].join(', ') }),
    ),
  ];
}

const aboutEntry = (entry: ExpectedPhone | undefined): Partial<ExpectedRow> =>
  omitUndefined({ assetTag: entry?.assetTag, owner: entry?.owner, expectedSlot: entry?.slot });

const columns = [
  { title: 'WHAT', of: ({ what }: ExpectedRow) => what },
  { title: 'PHONE', leastWidth: 16, of: ({ udid, serial }: ExpectedRow) => udid ?? serial },
  { title: 'NAME', leastWidth: 12, of: ({ name }: ExpectedRow) => name },
  { title: 'TAG', leastWidth: 8, of: ({ assetTag }: ExpectedRow) => assetTag },
  { title: 'IS AT', leastWidth: 14, of: ({ at }: ExpectedRow) => at },
  { title: 'BELONGS IN', leastWidth: 14, of: ({ expectedSlot }: ExpectedRow) => expectedSlot },
  { title: 'EXPECTED MODEL', leastWidth: 12, of: ({ expectedModel }: ExpectedRow) => expectedModel },
  { title: 'OWNER', leastWidth: 8, of: ({ owner }: ExpectedRow) => owner },
];

export const expectedTable = (rows: readonly ExpectedRow[]): Block =>
  layOut(
    columns,
    rows.map((row) => columns.map(({ of }) => of(row) ?? '')),
  );

/** Keeps what the present list says of the attached phones: asset tags and owners. */
export async function writeExpected(
  phones: readonly SeenPhone[],
  { inventory }: Lists,
  file: string,
  force: boolean,
): Promise<void> {
  // emulators come and go as programs
  const attached = phones.filter((phone) => phone.attached && phone.connection !== 'emulator');
  if (attached.length === 0) throw new FailedError('no phone is attached: there is no list to write');
  const list = expectedOf(attached, inventory.expected);
  const left = inventory.expected.filter((entry) => findExpected(attached)(entry).length === 0).length;
  if (left > 0) sayError(`${quantity(left, 'expected phone')} not attached: left out of the new list`);
  const text = await listYaml({ inventory: { expected: list } });
  if (file === '-') return write(process.stdout, text);
  await writeOrPrint(file, text, force);
  sayError(`${file} has ${quantity(list.length, 'phone')}: copy the list into the configuration file.`);
}

export function expectedOf(phones: readonly SeenPhone[], before: readonly ExpectedPhone[]): ExpectedPhone[] {
  const named = findExpected(phones);
  const entries = phones.map((phone): ExpectedPhone => {
    const { assetTag, owner } = before.find((entry) => named(entry).includes(phone)) ?? {};
    const { udid, serial, where } = phone;
    const id = udid === serial ? { serial } : { udid };
    const model = printable(phone.model ?? '', LONGEST_LABEL) || undefined;
    return omitUndefined({ ...id, model, assetTag, slot: where.slot, owner });
  });
  return entries.sort(bySlot(({ serial, udid = '' }) => serial ?? udid));
}
