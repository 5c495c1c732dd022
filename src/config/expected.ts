/** The phones that a lab expects on this host. */
import * as z from 'zod';
import { LONGEST_IDENTIFIER } from '../base/printable.ts';
import type { ExpectedPhone } from '../diagnosis/rule-input.ts';
import { slotName } from './slot.ts';

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
export const expectedPhones = z.array(phone).superRefine((list, context) => {
  const seen = { name: new Set<string>(), assetTag: new Set<string>() };
  const once = (kind: keyof typeof seen, value: string | undefined, path: PropertyKey[]) => {
    if (value !== undefined && seen[kind].has(value)) context.addIssue({ code: 'custom', path });
    if (value !== undefined) seen[kind].add(value);
  };
  for (const [index, { serial, udid, assetTag }] of list.entries()) {
    once('name', serial, [index, 'serial']);
    once('name', udid, [index, 'udid']);
    once('assetTag', assetTag, [index, 'assetTag']);
  }
});

/** Expected phones as a section of a configuration file. */
export async function expectedYaml(expected: readonly ExpectedPhone[]): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify({ inventory: { expected } }, { lineWidth: 0 });
}
