/** Makes a support bundle from its parts: without personal data, within its size, as a `.tar.gz`. */
import { gzipSync } from 'node:zlib';
import { quantity } from '../../base/words.ts';
import type { Collected, Part } from './parts.ts';
import { redaction } from './redaction.ts';

/** Of all files together. */
export const MOST_BYTES = 5_000_000;
/** What the list, and the frame of the archive, may take. */
const FRAME_BYTES = 50_000;
/** A longer problem is cut. */
const LONGEST_PROBLEM = 500;

/** What the list says of a file. */
export interface Listed {
  name: string;
  what: string;
  /** Absent for a file that is not there. */
  bytes?: number;
  /** Why it is not there, or not whole. */
  problem?: string;
}

export interface ArchiveFile {
  /** At most 100 bytes, no folder. */
  name: string;
  text: string;
}

export interface Bundle {
  files: ArchiveFile[];
  list: Listed[];
}

/** @param mostBytes of all files together */
export function bundleOf({ parts, known }: Collected, mostBytes = MOST_BYTES): Bundle {
  const contents = parts.map(({ value, entries, problem }) => ({ value, entries, problem }));
  const clean = redaction(contents, known);
  const redacted = parts.map((part, index) => ({ ...part, ...clean(contents[index]) }));
  let left = mostBytes - FRAME_BYTES;
  const list: Listed[] = [];
  const files: ArchiveFile[] = [];
  const add = (part: Part, text: string | undefined, problem?: string) => {
    const { name, what } = part;
    if (text === undefined) return void list.push({ name, what, problem: cut(problem ?? 'unknown') });
    const bytes = Buffer.byteLength(text);
    left -= bytes;
    files.push({ name, text });
    list.push({ name, what, bytes, ...(problem !== undefined && { problem }) });
  };
  const logs = redacted.filter(({ entries }) => entries !== undefined);
  for (const part of redacted.filter(({ entries }) => entries === undefined)) {
    const text = `${JSON.stringify(part.value, null, 2)}\n`;
    if (part.problem !== undefined) add(part, undefined, part.problem);
    else if (Buffer.byteLength(text) > left) add(part, undefined, 'left out: it is too long');
    else add(part, text);
  }
  logs.forEach((part, index) => {
    const share = Math.floor(left / (logs.length - index));
    const { lines, leftOut } = newest(part.entries ?? [], share);
    add(part, lines, leftOut === 0 ? undefined : `the oldest ${quantity(leftOut, 'line')} left out: no room`);
  });
  const order = parts.map(({ name }) => name);
  list.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  return { files: [{ name: 'README.txt', text: `${listLines(list).join('\n')}\n` }, ...files], list };
}

/** As lines, the newest ones for which there is room. */
function newest(entries: readonly unknown[], bytes: number): { lines: string; leftOut: number } {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
  let room = bytes;
  const last = lines.findLastIndex((line) => {
    room -= Buffer.byteLength(line);
    return room < 0;
  });
  return { lines: lines.slice(last + 1).join(''), leftOut: last + 1 };
}

const cut = (text: string): string =>
  text.length > LONGEST_PROBLEM ? `${text.slice(0, LONGEST_PROBLEM)}…` : text;

/** One line a file: name, size, what it is. */
export function listLines(list: readonly Listed[]): string[] {
  const width = Math.max(...list.map(({ name }) => name.length));
  return list.map(({ name, what, bytes, problem }) => {
    const size = bytes === undefined ? 'not there' : sizeOf(bytes);
    const why = problem === undefined ? '' : `: ${problem.replace(/\s+/g, ' ')}`;
    return `${name.padEnd(width)}  ${size.padStart(9)}  ${what}${why}`;
  });
}

const sizeOf = (bytes: number): string => (bytes < 1000 ? `${bytes} B` : `${Math.ceil(bytes / 1000)} kB`);

const BLOCK = 512;

/**
 * An archive of small files, in the format that every tar reads (POSIX ustar).
 *
 * @param at the time of all files
 */
export function archiveOf(files: readonly ArchiveFile[], at: Date): Buffer {
  const blocks = files.flatMap(({ name, text }) => {
    const content = Buffer.from(text);
    return [header(name, content.length, at), content, Buffer.alloc(-content.length & (BLOCK - 1))];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

/** Source: POSIX.1-2017, pax, "ustar Interchange Format". */
function header(name: string, bytes: number, at: Date): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  block.write(name, 0, 100);
  block.write(octal(0o600, 8), 100); // mode
  block.write(octal(0, 8), 108); // uid
  block.write(octal(0, 8), 116); // gid
  block.write(octal(bytes, 12), 124);
  block.write(octal(Math.floor(at.getTime() / 1000), 12), 136);
  block.write(' '.repeat(8), 148); // the checksum counts as blanks
  block.write('0', 156); // a regular file
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((before, byte) => before + byte, 0);
  block.write(`${octal(sum, 7)} `, 148);
  return block;
}
