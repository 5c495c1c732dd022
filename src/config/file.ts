/** The configuration file: YAML 1.2, one document. */
import { readFileSync } from 'node:fs';
import type { Document, LineCounter, Node } from 'yaml';
import { hasCode, throwIfPassing } from '../base/errors.ts';
import { isTree, type Layer, type Tree } from './layer.ts';

type Yaml = typeof import('yaml');

/** A file as a layer, or its problems and an empty layer. */
export interface FileLayer {
  readonly layer: Layer;
  readonly problems: readonly string[];
}

/** A section whose keys are all commented out reads as null; drop it. */
function withoutEmpty(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      if (value === null) return [];
      return [[key, isTree(value) ? withoutEmpty(value) : value]];
    }),
  );
}

/** The node of the key at the end of `path` (its value may start lines below); in a list, the node of the item. */
function nodeAt(
  { isMap, isScalar }: Yaml,
  document: Document,
  path: readonly PropertyKey[],
): Node | undefined {
  const last = path.at(-1);
  const above = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const keys = isMap(above) ? above.items.map(({ key }) => key).filter(isScalar) : [];
  const key = keys.find(({ value }) => String(value) === last);
  return key ?? (document.getIn(path, true) as Node | undefined);
}

/** The line of the node at `path`, or of its nearest existing parent. */
function lineOf(
  yaml: Yaml,
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const start = nodeAt(yaml, document, path.slice(0, length))?.range?.[0];
    if (start !== undefined) return lines.linePos(start).line;
  }
  return undefined;
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
  const fail = (...problems: string[]) => ({ layer: { values: {}, where }, problems });

  const complaints = [...document.errors, ...document.warnings].map(({ code, pos }) => {
    const { line, col } = lines.linePos(pos[0]);
    return `${file}:${line}:${col}: not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`;
  });
  if (complaints.length > 0) return fail(...complaints);
  try {
    const content: unknown = document.toJS() ?? {};
    if (!isTree(content)) return fail(`${file}: must contain keys and values, such as "adb:"`);
    return { layer: { values: withoutEmpty(content), where }, problems: [] };
  } catch {
    return fail(`${file}: not valid YAML (an alias without an anchor: quote a value that starts with *)`);
  }
}

/**
 * Reads a configuration file.
 *
 * @param mustExist the command line named it
 * @returns undefined if an optional file does not exist
 * @throws {ConfigUnreadableError}
 */
export async function readConfigFile(file: string, mustExist: boolean): Promise<FileLayer | undefined> {
  try {
    return await parseFile(file, readFileSync(file, 'utf8'));
  } catch (error) {
    throwIfPassing(file, error);
    if (!mustExist && hasCode(error, 'ENOENT')) return undefined;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { layer: { values: {}, where: () => file }, problems: [`${file}: cannot be read (${reason})`] };
  }
}
