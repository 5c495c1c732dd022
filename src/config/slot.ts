import * as z from 'zod';
import { plainPath } from '../roster/slot-name.ts';

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
  .regex(/^(?=\S)\P{Cc}{1,100}(?<=\S)$/u)
  .meta({
    description: 'The name of the bay. Text before the last comma groups slots, e.g. by shelf.',
    allowed: 'a unique name of at most 100 characters, without leading or trailing blanks',
  });

const slotPath = z
  .string()
  .regex(new RegExp(`^(?:${devpath}|${controllerPath}|${address}|${service})$`))
  .meta({
    allowed:
      'a USB port (pci-0000:00:14.0-usb-0:4.2, or 1-4.2) or adb’s name for a network phone (192.168.1.7:5555), each in one slot only',
  });

/** A place where a phone sits. */
export const slot = z.strictObject({
  name: slotName,
  paths: z.array(slotPath).min(1).meta({
    description: 'The USB ports of the bay, by controller or as adb lists them, or network phones.',
    allowed: 'a list of at least one USB port or network phone',
  }),
});

/** Slots; no two share a name or a path. */
export const slots = z.array(slot).superRefine((list, context) => {
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [index, { name, paths: own }] of list.entries()) {
    if (names.has(name)) context.addIssue({ code: 'custom', path: [index, 'name'] });
    names.add(name);
    for (const [place, written] of own.entries()) {
      const path = plainPath(written);
      if (paths.has(path)) context.addIssue({ code: 'custom', path: [index, 'paths', place] });
      paths.add(path);
    }
  }
});

/** Slots as a section of a configuration file. */
export async function slotsYaml(
  list: readonly { name: string; paths: readonly string[] }[],
): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify({ slots: list }, { lineWidth: 0 });
}
