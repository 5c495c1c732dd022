/**
 * The configuration file, YAML 1.2, one document; and its drop-ins: the files of `conf.d` beside it, each over the one
 * before, in the order of their names.
 */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Document, LineCounter, Node } from 'yaml';
import { hasCode, throwIfPassing } from '../base/errors.ts';
import { systemReason } from '../host/state-errors.ts';
import { isTree, type Layer, type Tree } from './layer.ts';
import { readRegularFile } from './safe-file.ts';

type Yaml = typeof import('yaml');

/** A file as a layer; an empty one with its problems, where it cannot be read. */
export interface FileLayer extends Layer {
  readonly file: string;
  readonly problems: readonly string[];
  readonly isMissing?: boolean;
}

/** In place of what is not readable. */
const problemLayer = (file: string, ...problems: string[]): FileLayer => ({
  file,
  values: {},
  where: () => file,
  problems,
});

/** A section whose keys are all commented out reads as null; drop it. */
const withoutEmpty = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, isTree(value) ? withoutEmpty(value) : value]),
  );

/**
 * The line of the key at the end of `path` (its value may start lines below), in a list that of the item; else the line of
 * what is above it.
 */
function lineOf(
  { isMap, isScalar }: Yaml,
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const above = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const keys = isMap(above) ? above.items.map(({ key }) => key).filter(isScalar) : [];
    const key = keys.find(({ value }) => String(value) === path[length - 1]);
    const node = key ?? (document.getIn(path.slice(0, length), true) as Node | undefined);
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

/** What is not closed, by the parser's messages: it names the place where it gave up, not where it opens. */
const unclosed = [
  { message: /^Missing closing/, what: 'quote' },
  { message: /end with a [\]}]$/, what: 'bracket' },
] as const;

/** What a person meant, by the parser's codes: its messages quote the text. */
const meant: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'quote a value that starts with *',
  BAD_SCALAR_START: 'quote a value that starts with %, @ or `',
  MULTILINE_IMPLICIT_KEY: 'a key needs a colon and a space behind it',
  BLOCK_AS_IMPLICIT_KEY: 'a wrong indent, or a value with a colon: quote that',
  UNEXPECTED_TOKEN: 'unexpected token: quote a value with such characters',
};

/** What is wrong with the text, by where that begins. */
function complaintsOf({ isCollection, visit }: Yaml, document: Document): Map<number, string> {
  const errors = [...document.errors, ...document.warnings];
  /** Where each quoted text and each bracket begins, by where it ends; of several, the innermost. */
  const starts = new Map<number, number>();
  const complaints = new Map<number, string>();
  visit(document, {
    Scalar: (_, { type, range }) =>
      void (type?.startsWith('QUOTE') && range && starts.set(range[1], range[0])),
    Collection: (_, { flow, range }) => void (flow && range && starts.set(range[1], range[0])),
    // what a template has left: {{ name }}
    Pair: (_, { key }) =>
      void (
        isCollection(key) &&
        key.range &&
        complaints.set(key.range[0], 'a key in brackets: quote a value that starts with {')
      ),
  });
  for (const { message, code, pos } of errors) {
    const what = unclosed.find((kind) => kind.message.test(message))?.what;
    const start = (what && starts.get(pos[0])) ?? pos[0];
    const why = what
      ? `this ${what} is not closed`
      : (meant[code] ?? code.toLowerCase().replaceAll('_', ' '));
    if (!complaints.has(start)) complaints.set(start, why); // a quote swallows the brackets behind it
  }
  return complaints;
}

/**
 * Reads YAML text.
 *
 * @returns problems that give only the parser's code and position: its messages quote the text, which may hold a secret
 */
export async function parseFile(file: string, text: string): Promise<FileLayer> {
  // loaded here: a start without a file does not wait for it
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true });
  const where = (path: readonly PropertyKey[]) => {
    const line = lineOf(yaml, document, lines, path);
    return line === undefined ? file : `${file}:${line}`;
  };

  const complaints = new Map<number, string>(); // of a line the first one: the others follow from it
  for (const [start, why] of [...complaintsOf(yaml, document)].sort(([one], [other]) => one - other)) {
    const { line, col } = lines.linePos(start);
    if (!complaints.has(line)) complaints.set(line, `${file}:${line}:${col}: not valid YAML (${why})`);
  }
  if (complaints.size > 0) return problemLayer(file, ...complaints.values());
  try {
    const content: unknown = document.toJS() ?? {};
    if (!isTree(content)) return problemLayer(file, `${file}: must contain keys and values, such as "adb:"`);
    return { file, values: withoutEmpty(content), where, problems: [] };
  } catch (error) {
    const why = /unresolved alias/i.test(String(error))
      ? 'an alias without an anchor: quote a value that starts with *'
      : 'its aliases make too much of it: write the values out';
    return problemLayer(file, `${file}: not valid YAML (${why})`);
  }
}

const unreadableLayer = (file: string, error: unknown): FileLayer => ({
  ...problemLayer(file, `${file}: cannot be read (${systemReason(error)})`),
  isMissing: hasCode(error, 'ENOENT'),
});

export async function readConfigFile(file: string): Promise<FileLayer> {
  try {
    return await parseFile(file, readRegularFile(file));
  } catch (error) {
    throwIfPassing(file, error);
    return unreadableLayer(file, error);
  }
}

const MAIN_FILE = 'hostnode.yaml';

/**
 * Where the drop-ins of a configuration file lie. Only a `hostnode.yaml` has them: another file in its folder may belong
 * to a second agent.
 */
export const dropInFolder = (file: string): string | undefined =>
  basename(file) === MAIN_FILE ? join(dirname(file), 'conf.d') : undefined;

/** The configuration file of a folder with drop-ins; it need not exist. */
export const mainFileIn = (folder: string): string => join(folder, MAIN_FILE);

/** More files than this are a mistake. */
const MOST_FILES = 1000;

/**
 * Reads all `*.yaml` files of the folder, by the order of their names' bytes. Hidden files do not count: an editor or a
 * copy that is under way leaves those.
 *
 * @returns the files, or what prevented reading the folder; and a warning for each file that looks as if it was meant
 */
export async function readDropIns(
  folder: string,
): Promise<{ files: readonly FileLayer[]; warnings: readonly string[] }> {
  let names: string[] = [];
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch (error) {
    throwIfPassing(folder, error);
    const isMissing = hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
    if (!isMissing) return { files: [unreadableLayer(folder, error)], warnings: [] };
  }
  const wanted = names
    .filter((name) => name.endsWith('.yaml'))
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  if (wanted.length > MOST_FILES)
    return { files: [problemLayer(folder, `${folder}: more than ${MOST_FILES} files`)], warnings: [] };
  const files: FileLayer[] = [];
  for (const name of wanted) files.push(await readConfigFile(join(folder, name)));
  const warnings = names
    .filter((name) => name.endsWith('.yml'))
    .map((name) => `${join(folder, name)}: ignored, because only *.yaml is read; rename it`);
  return { files, warnings };
}
