/** Drop-ins: the files of `conf.d` beside the configuration file, each over the one before, in the order of their names. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasCode, throwIfPassing } from '../base/errors.ts';
import { type FileLayer, problemLayer, readConfigFile, unreadableLayer } from './file.ts';

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
