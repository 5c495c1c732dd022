/** A story: phones, their past, and what happens to them. A YAML file, checked strictly. */
import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { attempt } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { pathText } from '../base/words.ts';

const MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Characters of a story. */
const LONGEST = 200_000;
/** So long ago the past may begin, ms: what the history keeps. */
const LONGEST_MS = 89 * MS.d;

/** `5s`, `10m`, `2h`, `6d`, in ms. */
const A_SPAN = 'must be a time such as 5s, 10m, 2h or 6d';
const span = z
  .string(A_SPAN)
  .regex(/^\d{1,5}[smhd]$/, A_SPAN)
  .transform((text) => Number(text.slice(0, -1)) * MS[text.at(-1) as keyof typeof MS])
  .refine((ms) => ms <= LONGEST_MS, 'must be at most 89d');
const text = z
  .string()
  .regex(
    /^(?=\S)\P{Cc}{1,200}(?<=\S)$/u,
    'must be a line of at most 200 characters, without leading or trailing blanks',
  );
const serial = z.string().regex(/^[A-Za-z0-9-]{1,40}$/, 'must be 1 to 40 letters, digits or -');
const hub = z
  .string()
  .regex(/^[1-9]\d{0,2}-[1-9]\d{0,2}(?:\.[1-9]\d{0,2}){0,4}$/, 'must be a USB hub such as 1-4');
const port = z
  .string()
  .regex(
    /^[1-9]\d{0,2}-[1-9]\d{0,2}(?:\.[1-9]\d{0,2}){0,5}$/,
    'must be a USB port such as 1-4.2, its hub 1-4',
  );
const celsius = z.number().min(-40).max(150);
const percent = z.int().min(0).max(100);

/** Which phones: named, those of a hub, else all. */
const which = { phones: z.array(serial).min(1).exactOptional(), hub: hub.exactOptional() };
const doing = <K extends string, S extends z.ZodRawShape>(what: K, shape: S) =>
  z.strictObject({ do: z.literal(what), ...shape });

const happening = z.discriminatedUnion('do', [
  doing('unplug', { at: span, ...which }),
  doing('plug', { at: span, ...which }),
  doing('hub off', { at: span, hub }),
  doing('hub on', { at: span, hub }),
  doing('reboot', { at: span, ...which }),
  doing('heat', { at: span, ...which, celsius }),
  doing('battery', { at: span, ...which, percent }),
  doing('restart adb', { at: span }),
  doing('note', { at: span, on: text, text }),
]);

/** `ago`: how long before the story begins. */
const earlier = z.discriminatedUnion('do', [
  doing('unplug', { ago: span, for: span, ...which }),
  doing('note', { ago: span, on: serial, text }),
  doing('readings', { ago: span, for: span, ...which, celsius, percent }),
]);

const schema = z.strictObject({
  title: text,
  phones: z
    .array(
      z.strictObject({
        serial,
        port,
        slot: text.max(100).exactOptional(),
        /** Part of the title of one of the demo's phones. */
        like: text.exactOptional(),
        celsius: celsius.default(28),
        percent: percent.default(80),
      }),
    )
    .min(1, 'must have 1 to 100')
    .max(100, 'must have 1 to 100'),
  past: z.array(earlier).max(1000).default([]),
  happenings: z.array(happening).max(1000).default([]),
});

export type Story = z.infer<typeof schema>;
export type StoryPhone = Story['phones'][number];

/** What is wrong with a story: the file, the line and what is allowed. */
export class StoryError extends Error {}

/**
 * @param name of the file, for errors
 * @throws {StoryError} the first problem
 */
export function parseStory(source: string, name: string): Story {
  const refuse = (why: string, offset?: number): never => {
    const line = offset === undefined ? '' : `:${lines.linePos(offset).line}`;
    throw new StoryError(`${printable(name, 500)}${line}: ${printable(why, 500)}`);
  };
  const lines = new LineCounter();
  if (source.length > LONGEST) refuse(`must have at most ${LONGEST} characters`);
  const document = parseDocument(source, {
    lineCounter: lines,
    prettyErrors: false,
    maxAliasCount: 0,
  } as object);
  const [broken] = document.errors;
  if (broken) refuse(broken.message, broken.pos[0]);
  const read = attempt(() => ({ content: document.toJS({ maxAliasCount: 0 }) as unknown }));
  if (read === undefined) return refuse('must have no aliases');
  const offsetOf = (path: readonly PropertyKey[]): number | undefined => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      const range = (node as { range?: [number, number, number] } | undefined)?.range;
      if (range) return range[0];
    }
    return undefined;
  };
  const { data, error } = schema.safeParse(read.content, { error: plainWords });
  if (data === undefined) {
    const { path = [], message = 'must be a story' } = error.issues[0] ?? {};
    return refuse(`${pathText(path) || 'the story'}: ${message}`, offsetOf(path));
  }
  const problem = unknownIn(data);
  return problem === undefined ? data : refuse(problem.why, offsetOf(problem.path));
}

/** In place of the words of the schema library: a person does not know our schema. */
function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') return `must have no key ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_union' && 'options' in issue)
    return `must be ${String(issue.options).replaceAll(',', ', ')}`;
  return issue.code === 'invalid_type'
    ? `must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}`
    : undefined;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  object: 'a mapping of keys and values',
  int: 'a whole number',
};

/** A name that no phone or hub of the story has, or one that two have. */
function unknownIn({ phones, past, happenings }: Story): { path: PropertyKey[]; why: string } | undefined {
  for (const [index, phone] of phones.entries())
    for (const key of ['serial', 'port'] as const)
      if (phones.findIndex((each) => each[key] === phone[key]) < index)
        return { path: ['phones', index, key], why: `${key} ${phone[key]} is that of another phone too` };
  for (const [list, all] of Object.entries({ past, happenings }))
    for (const [index, each] of all.entries()) {
      const named = 'phones' in each ? (each.phones ?? []) : list === 'past' && 'on' in each ? [each.on] : [];
      const missing = named.find((one) => !phones.some((phone) => phone.serial === one));
      const path = [list, index];
      if (missing !== undefined) return { path, why: `the story has no phone ${missing}` };
      if ('hub' in each && each.hub !== undefined && phonesOf(phones, each).length === 0)
        return { path, why: `no phone of the story is behind hub ${each.hub}` };
    }
  return undefined;
}

/** The phones that something concerns. */
export const phonesOf = (
  phones: readonly StoryPhone[],
  { phones: named, hub }: { phones?: readonly string[]; hub?: string },
): StoryPhone[] =>
  phones.filter(
    ({ serial, port }) =>
      (named === undefined || named.includes(serial)) && (hub === undefined || port.startsWith(`${hub}.`)),
  );
