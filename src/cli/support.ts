/** `hostnode support`: writes one archive for whoever helps this lab, without secrets, and with stand-ins for personal data. */
import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { exitCode } from '../base/exit-code.ts';
import { printable } from '../base/printable.ts';
import { quantity } from '../base/words.ts';
import type { AgentOptions } from './agent.ts';
import { endSoon } from './doctor.ts';
import { writeNewFiles } from './output-files.ts';
import { collectParts, type Part } from './support/parts.ts';
import { redaction } from './support/redaction.ts';
import { ProgressLine, say, sayError } from './terminal.ts';

export type SupportOptions = AgentOptions<'yes' | 'force', 'output'>;

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

/** Of all files together. */
export const MOST_BYTES = 5_000_000;
/** What the list, and the frame of the archive, may take. */
const FRAME_BYTES = 50_000;
const LONGEST_PROBLEM = 500;

export interface Listed {
  name: string;
  what: string;
  text?: string;
  /** Why it is not there, or not whole. */
  problem?: string;
}

type Content = Pick<Listed, 'text' | 'problem'>;

/** @param known personal values, to be replaced everywhere */
export function bundleOf(parts: readonly Part[], known: readonly string[], mostBytes = MOST_BYTES) {
  const contents = parts.map(({ value, entries, problem }) => ({ value, entries, problem }));
  const clean = redaction(contents, known);
  const isLog = ({ entries }: Pick<Part, 'entries'>) => entries !== undefined;
  let left = mostBytes - FRAME_BYTES;
  const list = parts.map((part, index): Listed => {
    const { name, what } = part;
    // the logs are the last, and share what the others leave
    const sharers = isLog(part) ? parts.slice(index).filter(isLog).length : 1;
    const content = contentOf(clean(contents[index] ?? {}), Math.floor(left / sharers));
    left -= Buffer.byteLength(content.text ?? '');
    return { name, what, ...content };
  });
  const readme = { name: 'README.txt', text: `${listLines(list).join('\n')}\n` };
  const there = list.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
  return { files: [readme, ...there], list };
}

function contentOf({ value, entries, problem }: Omit<Part, 'name' | 'what'>, room: number): Content {
  if (problem !== undefined) return { problem: printable(problem, LONGEST_PROBLEM) };
  if (entries !== undefined) return newest(entries, room);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  return Buffer.byteLength(text) > room ? { problem: 'left out: it is too long' } : { text };
}

function newest(entries: readonly unknown[], bytes: number): Content {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
  let room = bytes;
  const leftOut =
    1 +
    lines.findLastIndex((line) => {
      room -= Buffer.byteLength(line);
      return room < 0;
    });
  const text = lines.slice(leftOut).join('');
  if (leftOut === 0) return { text };
  return { text, problem: `the oldest ${quantity(leftOut, 'line')} left out: no room` };
}

export function listLines(list: readonly Listed[]): string[] {
  const width = Math.max(...list.map(({ name }) => name.length));
  return list.map(({ name, what, text, problem }) => {
    const size = text === undefined ? 'not there' : sizeOf(Buffer.byteLength(text));
    const why = problem === undefined ? '' : `: ${problem}`;
    return `${name.padEnd(width)}  ${size.padStart(9)}  ${what}${why}`;
  });
}

const sizeOf = (bytes: number): string => (bytes < 1000 ? `${bytes} B` : `${Math.ceil(bytes / 1000)} kB`);

export function archiveOf(files: ReturnType<typeof bundleOf>['files'], at: Date): Buffer {
  const attrs = { mode: '600', uid: 0, gid: 0, mtime: at.getTime() };
  return gzipSync(createTar(files.map(({ name, text }) => ({ name, data: Buffer.from(text), attrs }))));
}
