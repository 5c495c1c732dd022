/** What a lab writes in lists: slots and expected phones. */
import * as z from 'zod';
import { LONGEST_IDENTIFIER } from '../base/printable.ts';
import type { ExpectedPhone } from '../roster/expected-phones.ts';
import { HOST_NAME, plainPath } from '../roster/slot-name.ts';
import type { Slot } from '../roster/slots.ts';

/** A USB port in adb's form: bus number, then the port of each hub on the way. */
const devpath = String.raw`(?:usb:)?\d+-\d+(?:\.\d+)*`;
/** A USB port by its controller, in the form of udev's ID_PATH and ID_PATH_WITH_USB_REVISION. */
const controllerPath = String.raw`[A-Za-z]\S*-usb(?:v\d)?-0:\d+(?:\.\d+)*`;
/** adb's name for a phone on the network that was connected by its address. */
const address = String.raw`(?:(?!usb:)[A-Za-z0-9][\w.-]*|\[[0-9A-Fa-f:.]+(?:%[\w.-]+)?\]):\d{1,5}`;
/** adb's name for a phone that it found by mDNS, e.g. by Android's wireless debugging; ` (2)` if two have the same name. */
const service = String.raw`adb-[^\s,]+(?: \(\d+\)[^\s,]*)?\._tcp\.?`;

export const slotName = z
  .string()
  .regex(new RegExp(String.raw`^(?=\S)(?!${HOST_NAME}$)\P{Cc}{1,100}(?<=\S)$`, 'u'))
  .meta({
    description: 'The name of the bay. Text before the last comma groups slots, e.g. by shelf.',
    allowed:
      'a unique name of at most 100 characters, without leading or trailing blanks; not "host", which is this host',
  });

const slotPath = z
  .string()
  .regex(new RegExp(`^(?:${devpath}|${controllerPath}|${address}|${service})$`))
  .meta({
    allowed:
      'a USB port (pci-0000:00:14.0-usb-0:4.2, or 1-4.2) or adb’s name for a network phone (192.168.1.7:5555), each in one slot only',
  });

export const slot = z.strictObject({
  name: slotName,
  paths: z.array(slotPath).min(1).meta({
    description: 'The USB ports of the bay, by controller or as adb lists them, or network phones.',
    allowed: 'a list of at least one USB port or network phone',
  }),
});

/** A name in an entry: names of one kind may occur once. The path leads to it from the entry. */
type Name = readonly [kind: string, name: string | undefined, ...path: PropertyKey[]];

/** A list in which no name occurs twice. */
const listOf = <T extends z.ZodType>(entry: T, namesIn: (value: z.output<T>) => readonly Name[]) =>
  z.array(entry).superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [index, value] of list.entries()) {
      for (const [kind, name, ...path] of namesIn(value)) {
        if (seen.has(`${kind} ${name}`)) context.addIssue({ code: 'custom', path: [index, ...path] });
        if (name !== undefined) seen.add(`${kind} ${name}`);
      }
    }
  });

/** Slots; no two share a name or a path. */
export const slots = listOf(slot, ({ name, paths }) => [
  ['name', name, 'name'],
  ...paths.map((path, place): Name => ['path', plainPath(path), 'paths', place]),
]);

/** Slots or expected phones as a section of a configuration file. */
export async function listYaml(
  lists: { slots: readonly Slot[] } | { inventory: { expected: readonly ExpectedPhone[] } },
): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(lists, { lineWidth: 0 });
}

/** Of models, asset tags and owners, characters. */
export const LONGEST_LABEL = 100;

/** Printable, without blanks around it. */
const plain = /^(?=\S)\P{Cc}+(?<=\S)$/u;
const identifier = z.string().max(LONGEST_IDENTIFIER).regex(plain).exactOptional();
const label = z
  .string()
  .max(LONGEST_LABEL)
  .regex(plain)
  .exactOptional()
  .meta({ allowed: `a text of at most ${LONGEST_LABEL} characters, without leading or trailing blanks` });

const TAG = 'a text of at most 100 characters, without leading or trailing blanks, which no other entry has';
const ONCE = `a text of at most ${LONGEST_IDENTIFIER} characters, which no other entry has`;

const phone = z
  .strictObject({
    serial: identifier.meta({ description: "adb's serial, or the phone's own.", allowed: ONCE }),
    udid: identifier.meta({ description: "The cloud's name for it.", allowed: ONCE }),
    model: label.meta({ description: 'Its model. Another phone with its serial is then found out.' }),
    assetTag: label.meta({ description: "The lab's own number for it.", allowed: TAG }),
    slot: slotName.exactOptional().meta({ description: 'The slot in which it belongs.' }),
    owner: label.meta({ description: 'Whom to ask about it.' }),
  })
  .refine(({ serial, udid }) => (serial === undefined) !== (udid === undefined))
  .meta({
    allowed: 'an entry with either serial or udid; also model, assetTag, slot and owner',
  }) satisfies z.ZodType<ExpectedPhone>;

/** No two have the same serial, udid or asset tag. */
export const expectedPhones = listOf(phone, ({ serial, udid, assetTag }) => [
  ['id', serial, 'serial'],
  ['id', udid, 'udid'],
  ['tag', assetTag, 'assetTag'],
]);
