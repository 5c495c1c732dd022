/** Drop-ins: the files of `conf.d` beside the configuration file, each over the one before, in the order of their names. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasCode, throwIfPassing } from '../base/errors.ts';
import { valueAt } from '../base/words.ts';
import { type FileLayer, problemLayer, readConfigFile, unreadableLayer } from './file.ts';
import { type Layer, overlayKeys, type Tree } from './layer.ts';

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
 * @throws {ConfigUnreadableError}
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

/** Lists whose entries each stand for a thing of the lab: those of all files count. Other lists are replaced. */
const JOINED_LISTS: readonly (readonly string[])[] = [
  ['devices'],
  ['slots'],
  ['inventory', 'expected'],
  ['notify'],
];

/** Does each file that sets this key add to it? Else the last one replaces the others. */
export const isJoined = (path: readonly PropertyKey[]): boolean =>
  JOINED_LISTS.some((list) => list.length === path.length && list.every((part, at) => part === path[at]));

/**
 * The files as one layer, which knows the file and line of each value.
 *
 * @param files the lowest first
 */
export function joinFiles(files: readonly Layer[]): Layer {
  return {
    values: files.reduce<Tree>((below, { values }) => overlayKeys(below, values, isJoined), {}),
    where: (path) => placeIn(files, path),
  };
}

function placeIn(files: readonly Layer[], path: readonly PropertyKey[]): string {
  const list = JOINED_LISTS.find((each) => each.every((part, at) => part === path[at])) ?? [];
  let index = path[list.length];
  if (list.length > 0 && typeof index === 'number') {
    for (const layer of files) {
      const own = valueAt(layer.values, list);
      if (!Array.isArray(own)) continue;
      if (index < own.length) return layer.where([...list, index, ...path.slice(list.length + 1)]);
      index -= own.length;
    }
  }
  const set = files.findLast(({ values }) => valueAt(values, path) !== undefined) ?? files.at(-1);
  return set?.where(path) ?? 'default';
}
