/** The configuration file: YAML 1.2, one document. */
import { readFileSync } from 'node:fs';
import type { Document, LineCounter, Node } from 'yaml';
import { hasCode, throwIfPassing } from '../errors.ts';
import { isTree, type Layer, type Tree } from './layer.ts';

type Yaml = typeof import('yaml');

/** A file as a layer, or why it cannot be one. An empty layer stands in for a file with problems. */
export interface FileLayer {
  readonly layer: Layer;
  readonly problems: readonly string[];
}

/** A section whose keys are all commented out reads as null: it says nothing. */
function withoutEmpty(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      if (value === null) return [];
      return [[key, isTree(value) ? withoutEmpty(value) : value]];
    }),
  );
}

/** The key at the end of `path` as it was written, which may be lines above its value; in a list, what stands there. */
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

/** The line of what is at `path`, or of the nearest thing above it that is there. */
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
 * Reads YAML text. What the parser complains about is named by its code and place only: its own messages quote the
 * text, which may be a secret.
 */
async function parseFile(file: string, text: string): Promise<FileLayer> {
  // loaded here: without a file the start need not wait for it
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
    if (!isTree(content)) return fail(`${file}: must be a list of keys and values, such as "adb:"`);
    return { layer: { values: withoutEmpty(content), where }, problems: [] };
  } catch {
    return fail(`${file}: not valid YAML (an alias without its anchor: quote a value that begins with *)`);
  }
}

/**
 * Reads a configuration file.
 *
 * @param mustExist whether it was asked for by name
 * @returns undefined when the file is not there and need not be
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
