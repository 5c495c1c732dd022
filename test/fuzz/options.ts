/** What the fuzz command is asked for. */
import { parseArgs } from 'node:util';

export interface FuzzOptions {
  /** How long all targets together run. */
  minutes: number;
  /** The first target's and each other's first seed, a whole number of 32 bits. */
  seed: number;
  /** The only target that runs; absent for all of them. */
  target?: string;
  /** One input of this target and this seed, as a finding names it, e.g. `17:0:2`. */
  path?: string;
  /** Where inputs that found something are written. */
  findings: string;
}

/** The command line is wrong. The message is one line: the input, what is wrong, what is allowed. */
export class UsageError extends Error {}

export const usage = `usage: npm run fuzz -- [--minutes N] [--seed S] [--target NAME [--path P]] [--findings FOLDER] [--list]

  --minutes N        for how long, all targets together; default 1
  --seed S           a whole number, 0 to 2147483647; default: another one each time, which is printed
  --target NAME      this target alone
  --path P           one input of the target and seed, as a finding names it
  --findings FOLDER  where the inputs that found something are written; default fuzz-findings
  --list             print the targets' names
  --help             print this
`;

const number = '(\\d+(?:\\.\\d+)?)';

/**
 * @param names of the targets
 * @throws {UsageError}
 */
export function readOptions(
  args: readonly string[],
  names: readonly string[],
): FuzzOptions | 'help' | 'list' {
  const { help, list, minutes = '1', seed, target, path, findings = 'fuzz-findings' } = parsed(args);
  if (help) return 'help';
  if (list) return 'list';
  if (!new RegExp(`^${number}$`).test(minutes) || !(Number(minutes) > 0))
    throw new UsageError(`--minutes ${JSON.stringify(minutes)}: must be a number above 0`);
  const chosen = seed === undefined ? Date.now() % 1_000_000 : Number(seed);
  if ((seed !== undefined && !/^\d{1,10}$/.test(seed)) || chosen > 0x7fffffff)
    throw new UsageError(`--seed ${JSON.stringify(seed)}: must be a whole number from 0 to 2147483647`);
  if (target !== undefined && !names.includes(target))
    throw new UsageError(`--target ${JSON.stringify(target)}: must be one of ${names.join(', ')}`);
  if (path !== undefined && !/^\d+(?::\d+)*$/.test(path))
    throw new UsageError(`--path ${JSON.stringify(path)}: must be numbers with colons between, e.g. 17:0:2`);
  if (path !== undefined && (target === undefined || seed === undefined))
    throw new UsageError('--path: must stand beside --target and --seed');
  return {
    minutes: Number(minutes),
    seed: chosen,
    findings,
    ...(target !== undefined && { target }),
    ...(path !== undefined && { path }),
  };
}

const known = {
  minutes: { type: 'string' },
  seed: { type: 'string' },
  target: { type: 'string' },
  path: { type: 'string' },
  findings: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
