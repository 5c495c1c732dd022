/** The arguments and flags of an operation's command, from its inputs in the contract, as commander has them. Pure. */
import { Argument, Option } from 'commander';
import { midSentence, quoted } from '../../base/words.ts';
import { flagOf, type Input, inputsOf, valueOfText } from '../../cloud/contract/inputs.ts';
import type { Operation } from '../../cloud/contract/operation.ts';
import { NEW_USER_PASSWORD } from '../../config/environment.ts';

/** A value that stands in the command line by its place: `<app-ids...>`. */
export interface Positional {
  readonly input: Input;
  readonly argument: Argument;
}

export interface Flag {
  readonly input: Input;
  readonly option: Option;
  readonly isFile?: true;
}

const isList = ({ kind }: Input): boolean => kind === 'integers' || kind === 'texts';

const VALUES: Readonly<Record<Input['kind'], string>> = {
  text: '<text>',
  integer: '<id>', // no number of the API is anything else
  boolean: '[boolean]',
  integers: '<ids>',
  texts: '<text>',
  json: '<json>',
};

export function positionalsOf(operation: Operation): Positional[] {
  const inputs = inputsOf(operation);
  return operation.positional.map((name) => {
    const input = inputs.find((each) => each.name === name);
    if (input === undefined) throw new RangeError(`${operation.id} has no input ${name}`);
    const words = `${flagOf(name).slice(2)}${isList(input) ? '...' : ''}`;
    // a body of one's own stands in for the inputs of the body
    const isKnown = operation.id === 'groups.list'; // from the profile
    const isOptional = isKnown || (operation.isPartlyKnown && input.place === 'body');
    const term = isOptional ? `[${words}]` : `<${words}>`;
    return { input, argument: new Argument(term, phrase(input.description)) };
  });
}

export const flagsOf = (operation: Operation): Flag[] =>
  inputsOf(operation)
    .filter(({ name }) => !operation.positional.includes(name))
    .flatMap(flagsFor);

function flagsFor(input: Input): Flag[] {
  const flag = flagOf(input.name);
  const need = input.isSecret ? `needed; ${NEW_USER_PASSWORD} or a question hides it` : 'required';
  const notes = [input.isRequired && need, isList(input) && 'repeat, or separate with commas'].filter(
    Boolean,
  );
  const noted = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  const option = new Option(`${flag} ${VALUES[input.kind]}`, `${phrase(input.description)}${noted}`.trim());
  if (isList(input)) option.argParser((text: string, before: string[] = []) => [...before, text]);
  if (input.kind !== 'json' && !input.isLong) return [{ input, option }];
  const file = new Option(`${flag}-file <file>`, 'the same from a file; - is standard input');
  return [
    { input, option },
    { input, option: file.conflicts(option.attributeName()), isFile: true },
  ];
}

/** `the app's id` of `The app's id.`. */
export const phrase = (sentence: string): string => lowered(sentence.replace(/\.$/, ''));

/** A sentence as the style of our help has it: without a capital, unless its first word is a name. */
export const lowered = (sentence: string): string =>
  /^[A-Z][a-z']*\b/.test(sentence) ? midSentence(sentence) : sentence;

/** What commander hands over: texts, a list of them for a list, true for a flag without its value. */
export type Given = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/**
 * The input of an operation, from the texts of a command line. A text that means no value stays: the contract then says
 * what is wrong.
 */
export async function inputFrom(
  operation: Operation,
  texts: readonly (string | readonly string[] | undefined)[],
  given: Given,
  readFile: (name: string) => Promise<string>,
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const [index, { input: wanted }] of positionalsOf(operation).entries())
    Object.assign(input, entry(wanted, texts[index]));
  for (const { input: wanted, option, isFile } of flagsOf(operation)) {
    const value = given[option.attributeName()];
    const text = isFile && typeof value === 'string' ? await readFile(value) : value;
    Object.assign(input, entry(wanted, text));
  }
  return input;
}

function entry({ name, kind }: Input, value: string | readonly string[] | boolean | undefined): object {
  if (value === undefined || (typeof value === 'object' && value.length === 0)) return {};
  if (typeof value === 'boolean') return { [name]: value };
  return { [name]: valueOfText(kind, typeof value === 'string' ? value : value.join(',')) };
}

/** A problem of the contract in the words of the command line: `appIds[0] = "x": must be …` is about `<app-ids>`. */
export function problemInFlags(operation: Operation, problem: string): string {
  const names = new Map<string, string>();
  for (const { input, argument } of positionalsOf(operation)) names.set(input.name, `<${argument.name()}>`);
  for (const { input, option, isFile } of flagsOf(operation))
    if (!isFile) names.set(input.name, option.long ?? '');
  const first = /^\w+/.exec(problem)?.[0] ?? '';
  const known = names.get(first);
  if (known === undefined) return withNames(problem, names);
  const isListOfTexts = inputsOf(operation).some((each) => each.name === first && isList(each));
  const rest = problem.slice(first.length);
  return known + (isListOfTexts ? rest.replace(/^\[\d+\]/, '') : rest);
}

/** A sentence about several inputs; a name that is also an English word stays. */
const withNames = (sentence: string, names: ReadonlyMap<string, string>): string =>
  sentence.replace(/\w+/g, (word) => (/_|[a-z][A-Z]/.test(word) ? (names.get(word) ?? word) : word));

/** What stands behind the command of an operation, in its example, which needs no terminal but for secrets. */
export function exampleWords(operation: Operation): string[] {
  const { positional, example, isDestructive } = operation;
  const words = positional.flatMap((name) => [example[name]].flat().map(word));
  const flags = inputsOf(operation).filter(
    ({ name, isSecret }) => example[name] !== undefined && !isSecret && !positional.includes(name),
  );
  const given = flags.flatMap((each) => exampleFlags(each, example[each.name]));
  return [...words, ...given, ...(isDestructive ? ['--yes'] : [])];
}

function exampleFlags({ name, kind }: Input, value: unknown): string[] {
  const flag = flagOf(name);
  if (kind === 'boolean') return [value === true ? flag : `${flag}=${value}`];
  if (Array.isArray(value) && kind !== 'json') return value.map((each) => `${flag} ${word(each)}`);
  return [`${flag} ${word(value)}`];
}

const word = (value: unknown): string =>
  quoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
