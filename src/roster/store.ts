/** Keeps the roster across restarts, in `roster.json` of the state directory. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type JsonFile, readJsonFile, stampOf, writeJsonFile } from '../state/json-file.ts';
import type { RosterRecord } from './roster.ts';

const VERSION = 1;
const optionalText = z.string().exactOptional();

const identity = z.object({
  serialNumber: optionalText,
  androidRelease: optionalText,
  sdk: z.number().exactOptional(),
  model: optionalText,
  brand: optionalText,
  manufacturer: optionalText,
  marketingName: optionalText,
  cpuAbi: optionalText,
  isEmulator: z.boolean(),
});

const device = z.object({
  udid: z.string().min(1),
  serial: z.string(),
  connection: z.enum(['usb', 'tcp', 'emulator']),
  devpath: optionalText,
  portPaths: z.array(z.string()).exactOptional(),
  attached: z.boolean(),
  state: z.string(),
  reason: optionalText,
  lastSeenAt: z.number(),
  identity: identity.exactOptional(),
  givenName: optionalText,
  boot: z.object({ id: z.string(), bootTimeSeconds: z.number() }).exactOptional(),
  goneAt: z.number().exactOptional(),
  reported: z.boolean().exactOptional(),
  wasStored: z.boolean().exactOptional(),
  isGoneStored: z.boolean().exactOptional(),
  supersededBy: optionalText,
});

const record = z.object({
  version: z.literal(VERSION),
  devices: z.array(device),
  sharedSerials: z.array(z.string()).default([]),
  /** The first files of this version have none. */
  partedPlaces: z.array(z.string()).default([]),
}) satisfies z.ZodType<RosterRecord>;

const pathIn = (stateDir: string): string => join(stateDir, 'roster.json');

/** Never throws: a file that cannot be used is set aside, and `trouble` says so. */
export const readRoster = (
  stateDir: string,
  options?: { mayRename?: boolean },
): Promise<JsonFile<RosterRecord>> => readJsonFile(pathIn(stateDir), record, VERSION, options);

/**
 * Also where somebody has removed the directory.
 *
 * @throws {StateUnwritableError} and the old file is as it was
 */
export async function writeRoster(stateDir: string, roster: RosterRecord): Promise<void> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 }).catch(() => {}); // the write says why not
  await writeJsonFile(pathIn(stateDir), { version: VERSION, ...roster });
}

/** Differs once somebody has removed or replaced what was written. */
export const rosterStamp = (stateDir: string): Promise<string | undefined> => stampOf(pathIn(stateDir));
