/** Files that a command line names as values; `-` is standard input. */
import { createReadStream } from 'node:fs';
import { parseJson } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { systemReason } from '../host/state-errors.ts';
import { UsageError } from './terminal.ts';

const MOST_MIB = 16;

/** @throws {RangeError} `is larger than 16 MiB`; or the system's error */
export async function bytesOfFile(name: string, mostMib: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of name === '-' ? process.stdin : createReadStream(name)) {
    pieces.push(Buffer.from(piece));
    bytes += piece.length;
    if (bytes > mostMib * 1024 ** 2) throw new RangeError(`is larger than ${mostMib} MiB`);
  }
  return Buffer.concat(pieces);
}

export async function textOfFile(name: string): Promise<string> {
  const shown = name === '-' ? 'standard input' : printable(name, 300);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await bytesOfFile(name, MOST_MIB));
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${shown}: too large (over ${MOST_MIB} MiB)`);
    if (error instanceof TypeError) throw new UsageError(`${shown}: must be text in UTF-8`);
    throw new UsageError(`${shown}: cannot be read (${systemReason(error)})`);
  }
}

export async function objectOfFile(name: string): Promise<object> {
  const value = parseJson(await textOfFile(name));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UsageError(`--body ${printable(name, 300)}: must be a JSON object`);
}
