/**
 * On which host a state directory was written, so that a copy of it on another host can be told. It is kept there as
 * `host-mark.json`: a few bits of each sign of the host, salted, which do not give the sign away.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { type JsonFile, type ReadOptions, readJsonFile, writeJsonFile } from './json-file.ts';

const VERSION = 1;
/** 20 bits: sixteen of the 2^24 cards with one maker's prefix have the same. */
const HEX_DIGITS = 5;

const hostMark = z.object({
  version: z.literal(VERSION),
  /** The host's name in the cloud when this was written. */
  nodeId: z.string(),
  salt: z.string(),
  signs: z.array(z.string()).min(1),
});

export type HostMark = z.infer<typeof hostMark>;

export const hostMarkName = 'host-mark.json';

const saltedBits = (sign: string, salt: string) =>
  createHash('sha256').update(`${salt}:${sign}`).digest('hex').slice(0, HEX_DIGITS);

/** @param signs of this host, at least one */
export function markHost(
  nodeId: string,
  signs: readonly string[],
  salt: string = randomBytes(8).toString('hex'),
): HostMark {
  return { version: VERSION, nodeId, salt, signs: signs.map((sign) => saltedBits(sign, salt)).toSorted() };
}

/**
 * Not one sign is as it was. A new network card or a new disk alone is the same host, and so is the disk that moved
 * into another machine; a host that shows no sign says nothing.
 */
export function isAnotherHost({ salt, signs: kept }: HostMark, signs: readonly string[]): boolean {
  return signs.length > 0 && !signs.some((sign) => kept.includes(saltedBits(sign, salt)));
}

/** Never throws: a file that cannot be used is set aside, one that cannot be read stays, and `problem` says so. */
export const readHostMark = (stateDir: string, options?: ReadOptions): Promise<JsonFile<HostMark>> =>
  readJsonFile(join(stateDir, hostMarkName), hostMark, VERSION, options);

/** @throws {StateUnwritableError} and the old file is as it was */
export const writeHostMark = (stateDir: string, mark: HostMark): Promise<void> =>
  writeJsonFile(join(stateDir, hostMarkName), mark);
