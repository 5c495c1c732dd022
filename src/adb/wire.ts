/**
 * The adb server's protocol. A request is its length in four hex digits, then its text. The answer is OKAY or FAIL; a
 * text follows its length in four hex digits. Source: AOSP adb/SERVICES.TXT, adb/OVERVIEW.TXT.
 */
import { AdbRefusedError } from '../base/errors.ts';
import type { ListedDevice } from './adb.ts';

export interface ByteSource {
  /** Reads exactly this many bytes; rejects if the connection ends earlier. */
  readBytes(length: number): PromiseLike<Buffer>;
}

/** The answer is not part of adb's protocol. */
export class ForeignWordError extends Error {}

/** Limit of adb's error text, characters; its own have two or three lines. */
const LONGEST_REFUSAL = 1000;

/** @throws {RangeError} beyond 65,535 bytes, the most that four digits can express */
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
 * Reads a length and then a text of that length, UTF-8.
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

/**
 * The request that names the phone for the server: by transport id, which is unique (platform-tools 28+), else by the USB
 * path, which every server accepts, else by serial. A name that also leads to another phone is not used.
 *
 * @param isSameServer this server listed the phone: on another one, the id may belong to another phone
 * @param listed the last list
 * @throws {AdbRefusedError} when each name leads to another phone too
 */
export function transportRequest(
  device: ListedDevice,
  isSameServer: boolean,
  listed: readonly ListedDevice[],
): string {
  const { transportId, devpath, serial } = device;
  if (isSameServer && transportId !== undefined) return `host:transport-id:${transportId}`;
  const isOther = (other: ListedDevice) => other.serial !== serial || other.devpath !== devpath;
  const names = devpath === undefined ? [serial] : [`usb:${devpath}`, serial];
  // a server that finds a name among what phones say of themselves refuses one that leads to two (MatchesTarget)
  const isOfOther = (name: string) =>
    listed.some((other) => [other.serial, `usb:${other.devpath}`].includes(name) && isOther(other));
  const own = names.find((name) => name !== '' && !isOfOther(name));
  if (own !== undefined) return `host:transport:${own}`;
  throw new AdbRefusedError('another phone has the same name');
}
