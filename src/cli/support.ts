/** `hostnode support`: writes one archive for whoever helps this lab, without personal data and secrets. */
import { existsSync } from 'node:fs';
import { exitCode } from '../base/exit-code.ts';
import { printable } from '../base/printable.ts';
import type { AgentOption } from './agent.ts';
import { endSoon } from './doctor.ts';
import { writeNewFiles } from './output-files.ts';
import { archiveOf, bundleOf, listLines } from './support/bundle.ts';
import { collectParts } from './support/parts.ts';
import { ProgressLine, say, sayError } from './terminal.ts';

export interface SupportOptions extends AgentOption {
  output?: string;
  yes?: boolean;
  force?: boolean;
}

const LONGEST_LINE = 700;

export async function support({
  output,
  yes = false,
  force = false,
  ...option
}: SupportOptions): Promise<void> {
  const now = new Date();
  const path = output ?? `hostnode-support-${now.toISOString().slice(0, 16).replace(/[-:]/g, '')}.tar.gz`;
  if (!force && existsSync(path)) {
    sayError(`${path} already exists; use --force to overwrite, or --output to name another file`);
    return endSoon(exitCode.usage);
  }
  const progress = new ProgressLine();
  progress.show('collecting: this takes up to a minute …');
  const { parts, known } = await collectParts(option).finally(() => progress.clear());
  const { files, list } = bundleOf(parts, known);
  say(...listLines(list).map((line) => printable(line, LONGEST_LINE)));
  say(
    'Random values replace the identifiers, addresses and names that hostnode recognised. Other personal data may remain,',
    'as in notes: read the files before you share them.',
  );
  if (!yes && !(await isWanted(path))) return endSoon(exitCode.failed);
  try {
    await writeNewFiles([{ path, text: archiveOf(files, now), mode: 0o600 }], force);
    say(`Wrote ${path}`);
    endSoon(exitCode.ok);
  } catch (error) {
    sayError(`cannot write the bundle: ${error instanceof Error ? error.message : error}`);
    endSoon(exitCode.failed);
  }
}

async function isWanted(path: string): Promise<boolean> {
  const { hasPerson, isConfirmed } = await import('./questions.ts');
  if (hasPerson() && (await isConfirmed(`Write ${printable(path)}?`))) return true;
  sayError(`Nothing was written${hasPerson() ? '' : ': use --yes to write without a question'}`);
  return false;
}
