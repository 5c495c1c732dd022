/** Which programs this machine has. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/sbin', '/sbin');

/** Where a program is; undefined where this machine has none. */
export const pathOf = (program: string): string | undefined =>
  folders.map((folder) => join(folder, program)).find(isExecutable);

/** Those of the programs that this machine does not have. */
export const without = (programs: readonly string[]): string[] =>
  programs.filter((program) => pathOf(program) === undefined);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
