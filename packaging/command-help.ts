/** The commands and options of the program, read from what its `--help` prints (commander's layout). */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import pLimit from 'p-limit';

/** A line of a list: an option or a command with its description. */
export interface Entry {
  /** e.g. `-c, --config <file>`, `inventory [options]`. */
  readonly term: string;
  readonly text: string;
}

export interface CommandHelp {
  /** The words after `hostnode`: `['config', 'check']`; none for the program itself. */
  readonly words: readonly string[];
  /** Without the word `Usage:`. */
  readonly usage: string;
  readonly description: string;
  readonly arguments: readonly Entry[];
  readonly options: readonly Entry[];
  /** Those that it shares with the other commands of its group. */
  readonly commonOptions: readonly Entry[];
  readonly commands: readonly Entry[];
  /** The text below the lists. */
  readonly notes: string;
}

const LISTS = ['Arguments', 'Options', 'Common options', 'Commands'] as const;

export function parseHelp(words: readonly string[], text: string): CommandHelp {
  const [usage = '', description = '', ...rest] = text.trim().split('\n\n');
  const listOf = (title: string) =>
    entries(rest.find((part) => part.startsWith(`${title}:\n`))?.slice(title.length + 2) ?? '');
  return {
    words,
    usage: joined(usage).replace(/^Usage: /, ''),
    description: joined(description),
    arguments: listOf('Arguments'),
    options: listOf('Options'),
    commonOptions: listOf('Common options'),
    commands: listOf('Commands').filter(({ term }) => !term.startsWith('help ')),
    notes: rest.filter((part) => !LISTS.some((title) => part.startsWith(`${title}:\n`))).join('\n\n'),
  };
}

const joined = (text: string) => text.replace(/\s*\n\s*/g, ' ').trim();

/** A term starts in the third column; its text follows after two blanks and on further indented lines. */
function entries(list: string): Entry[] {
  const items = list.split(/\n(?= {2}\S)/).filter((item) => item !== '');
  return items.map((item) => {
    const [, term = '', text = ''] = /^ {2}(\S.*?)(?: {2,}(.*)|\n(.*))?$/s.exec(item) ?? [];
    return { term, text: joined(text) };
  });
}

/** All commands, each before its own subcommands. */
export async function readCommands(node: string, program: string): Promise<CommandHelp[]> {
  const limit = pLimit(availableParallelism());
  const read = async (words: readonly string[]): Promise<CommandHelp[]> => {
    const { stdout } = await limit(() => promisify(execFile)(node, [program, ...words, '--help']));
    const own = parseHelp(words, stdout);
    const below = await Promise.all(own.commands.map(({ term }) => read([...words, firstWord(term)])));
    return [own, ...below.flat()];
  };
  return read([]);
}

export const firstWord = (term: string): string => term.split(/[ |]/, 1)[0] ?? '';

/** The names of an option: `-c, --config <file>` has `-c` and `--config`. */
export const optionNames = (term: string): string[] => term.match(/(?<![\w-])--?[\w-]+/g) ?? [];

/** The value of an option: `file` of `-c, --config <file>`, `serial` of `<serial...>`; undefined for a switch. */
export const optionValue = (term: string): string | undefined => /[<[]([^>\].]+)/.exec(term)?.[1];
