/** Files that a command line names as values. */
import { createReadStream } from 'node:fs';
import { printable } from '../../base/printable.ts';
import { systemReason } from '../../host/state-errors.ts';
import { UsageError } from '../terminal.ts';

const MOST_MIB = 16;

/**
 * The text of a file, as it is.
 *
 * @param name `-` is standard input
 * @throws {UsageError} it cannot be read, is too large, or is no text
 */
export async function textOfFile(name: string): Promise<string> {
  const shown = name === '-' ? 'standard input' : printable(name, 300);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of name === '-' ? process.stdin : createReadStream(name)) {
      pieces.push(Buffer.from(piece));
      bytes += piece.length;
      if (bytes > MOST_MIB * 1024 * 1024) throw new UsageError(`${shown}: too large (over ${MOST_MIB} MiB)`);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof TypeError) throw new UsageError(`${shown}: must be text in UTF-8`);
    throw new UsageError(`${shown}: cannot be read (${systemReason(error)})`);
  }
}

/**
 * The JSON object in a file.
 *
 * @throws {UsageError}
 */
export async function objectOfFile(name: string): Promise<object> {
  const text = await textOfFile(name);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // it is no JSON
  }
  throw new UsageError(`--body ${printable(name, 300)}: must be a JSON object`);
}
