/**
 * The words of the adb server's protocol. A request is four hex digits of length and the text; the answer is OKAY or
 * FAIL, with four hex digits of length before a text. Source: AOSP adb/SERVICES.TXT, adb/OVERVIEW.TXT.
 */
import { AdbRefusedError } from '../base/errors.ts';

/** Where the server's answer is read from. */
export interface ByteSource {
  /** Exactly so many bytes; rejects where the connection ends before. */
  readBytes(length: number): PromiseLike<Buffer>;
}

/** What was said is none of the server's words. */
export class ForeignWordError extends Error {}

/** adb's own refusals are of two or three lines, characters. */
const LONGEST_REFUSAL = 1000;

/** @throws {RangeError} beyond the 65,535 bytes that four digits can say */
export function encode(request: string): Buffer {
  const body = Buffer.from(request, 'utf8');
  if (body.length > 0xffff) throw new RangeError(`a request to adb of ${body.length} bytes`);
  return Buffer.concat([Buffer.from(body.length.toString(16).padStart(4, '0').toUpperCase()), body]);
}

/**
 * @throws {AdbRefusedError} FAIL, with its text
 * @throws {ForeignWordError}
 */
export async function readStatus(source: ByteSource): Promise<void> {
  const status = (await source.readBytes(4)).toString('latin1');
  if (status === 'OKAY') return;
  if (status === 'FAIL') throw new AdbRefusedError((await readText(source)).slice(0, LONGEST_REFUSAL));
  throw new ForeignWordError(`${JSON.stringify(status)} in place of OKAY or FAIL`);
}

/**
 * A text behind its length, UTF-8.
 *
 * @throws {ForeignWordError}
 */
export async function readText(source: ByteSource): Promise<string> {
  const bytes = await source.readBytes(await readLength(source));
  return bytes.toString('utf8');
}

/** @throws {ForeignWordError} */
export async function readLength(source: ByteSource): Promise<number> {
  const digits = (await source.readBytes(4)).toString('latin1');
  if (/^[0-9a-f]{4}$/i.test(digits)) return Number.parseInt(digits, 16);
  throw new ForeignWordError(`${JSON.stringify(digits)} in place of four hex digits`);
}
