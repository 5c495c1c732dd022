/**
 * Marks a state directory with its host, so that we recognize a copy on another host. `host-mark.json` holds a few
 * salted bits of each sign of the host, too few to reveal the sign.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { type JsonFile, type ReadOptions, readJsonFile, writeJsonFile } from './json-file.ts';

const VERSION = 1;
/** 20 bits: of the 2^24 network cards with one maker's prefix, 16 share the same bits. */
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
 * True if no sign matches. A new network card or disk alone is the same host, and so is a disk that moved to another
 * machine. Without any sign we cannot know.
 */
export function isAnotherHost({ salt, signs: kept }: HostMark, signs: readonly string[]): boolean {
  return signs.length > 0 && !signs.some((sign) => kept.includes(saltedBits(sign, salt)));
}

/** Never throws: sets an unusable file aside, leaves an unreadable one, and returns `problem`. */
export const readHostMark = (stateDir: string, options?: ReadOptions): Promise<JsonFile<HostMark>> =>
  readJsonFile(join(stateDir, hostMarkName), hostMark, VERSION, options);

/** @throws {StateUnwritableError} the old file is unchanged */
export const writeHostMark = (stateDir: string, mark: HostMark): Promise<void> =>
  writeJsonFile(join(stateDir, hostMarkName), mark);
