/**
 * Keeps the roster while `roster.json` cannot be written: in `roster.spare` beside it, whose blocks were allocated
 * while the disk had space, and whole in memory (a tmpfs), if there is a directory for it. If the first is too small,
 * it holds only what we need to report phones as unplugged. So after a restart the agent still knows which phones it
 * reported. The copy in memory does not survive a reboot of the host.
 */
import { createHash } from 'node:crypto';
import { mkdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Environment } from '../base/environment.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { type JsonBounds, parseWithin } from '../host/json-bounds.ts';
import { writeFileWhole } from '../host/json-file.ts';
import { readStateText } from '../host/reading.ts';
import { clearSpareFile, prepareSpareFile, readSpareFile, writeSpareFile } from '../host/spare-file.ts';
import { type RosterDevice, type RosterRecord, rosterSchema } from './device.ts';
import { rosterBounds, rosterPath, written } from './store.ts';

const NAME = 'roster.spare';
/** Used in place of a checksum if `roster.json` does not exist or cannot be read. */
const [NO_FILE, UNREADABLE] = ['none', 'unreadable'];

const content = z.object({
  stateDir: z.string(),
  /** Checksum of the `roster.json` that could not be replaced: a later file wins over this copy. */
  after: z.string(),
  /** Ms since the epoch. */
  keptAt: z.number(),
  roster: rosterSchema,
});
type Content = z.infer<typeof content>;

/** Most phones need a fifth of this, and a phone of which we keep only what we must, at most half. */
const PACKED_BYTES_OF_PHONE = 512;

/** Versions for a file that is too small: without texts, without phones that the cloud need not get. */
function* shorterTexts(roster: RosterRecord, textOf: (record: RosterRecord) => string): Iterable<string> {
  const devices = roster.devices.map(withoutTexts);
  yield textOf({ ...roster, devices });
  const owed = devices.filter(({ reported, isGoneStored }) => reported && !isGoneStored);
  yield textOf({ ...roster, devices: owed });
  yield textOf({ ...roster, devices: owed, sharedSerials: [], partedPlaces: [] });
}

/** What we need to recognize the phone and to report it as unplugged. */
function withoutTexts({ identity, ...device }: RosterDevice): RosterDevice {
  const { givenName, reason, boot, slowSections, portPaths, ...kept } = device;
  if (identity === undefined) return kept;
  const { serialNumber, isEmulator } = identity;
  return { ...kept, identity: omitUndefined({ serialNumber, isEmulator }) };
}

const besideRoster = (stateDir: string): string => join(stateDir, NAME);

/**
 * In memory: systemd's directory for the service, else the user's, else root's. All agents of a user share the last
 * two, so each agent has its own file name there.
 */
function inMemory(stateDir: string, { RUNTIME_DIRECTORY, XDG_RUNTIME_DIR }: Environment): string | undefined {
  const [fromSystemd] = (RUNTIME_DIRECTORY ?? '').split(':');
  if (fromSystemd) return join(fromSystemd, NAME);
  const ofUser = XDG_RUNTIME_DIR || (process.getuid?.() === 0 ? '/run' : undefined);
  const mark = createHash('sha256').update(stateDir).digest('hex').slice(0, 12);
  return ofUser && join(ofUser, 'hostnode-agent', `${mark}.spare`);
}

/** A larger `roster.json` counts as unreadable. */
const MOST_SUMMED_BYTES = rosterBounds(100_000).mostBytes;

export class RosterSpare {
  readonly #stateDir: string;
  readonly #beside: string;
  readonly #memory: string | undefined;

  constructor(stateDir: string, env: Environment) {
    this.#stateDir = stateDir;
    this.#beside = besideRoster(stateDir);
    this.#memory = inMemory(stateDir, env);
  }

  /** The roster itself was written: clears the copies and reserves blocks for later. Never throws. */
  async isNotNeeded(roster?: RosterRecord): Promise<void> {
    await clearSpareFile(this.#beside);
    await prepareSpareFile(this.#beside, roster && PACKED_BYTES_OF_PHONE * roster.devices.length);
    if (this.#memory !== undefined) await unlink(this.#memory).catch(() => {});
  }

  /**
   * Never throws.
   *
   * @returns the places that hold the roster now; empty if none could
   */
  async keep(roster: RosterRecord): Promise<string[]> {
    const [stateDir, memory] = [this.#stateDir, this.#memory];
    const [after, keptAt] = [await sumOfRoster(stateDir), Date.now()];
    const textOf = (record: RosterRecord) =>
      JSON.stringify({ stateDir, after, keptAt, roster: written(record, keptAt) });
    const text = textOf(roster);
    const put = async (place: string) => {
      await prepareSpareFile(place, PACKED_BYTES_OF_PHONE * roster.devices.length);
      await writeSpareFile(place, text, shorterTexts(roster, textOf));
      return place;
    };
    const putInMemory = async (place: string) => {
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await writeFileWhole(place, text);
      return place;
    };
    const done = await Promise.allSettled([put(this.#beside), ...(memory ? [putInMemory(memory)] : [])]);
    return done.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }
}

/**
 * Reads the newest copy of an earlier run. Call it before reading `roster.json`, which may set that file aside. Never
 * throws.
 *
 * @param maxPhones `roster.maxPhones`
 * @returns `isNewest` if the copy is newer than the current `roster.json`
 */
export async function readSpareRoster(
  stateDir: string,
  env: Environment,
  maxPhones?: number,
): Promise<{ roster: RosterRecord; isNewest: boolean } | undefined> {
  const memory = inMemory(stateDir, env);
  const bounds = rosterBounds(maxPhones);
  const texts = await Promise.all([
    memory && readWhole(memory, bounds.mostBytes), // first: of two copies of one time, the whole one
    readSpareFile(besideRoster(stateDir)),
  ]);
  const sum = await sumOfRoster(stateDir);
  const found = texts
    .flatMap((text) => parse(text, bounds) ?? [])
    .filter((one) => one.stateDir === stateDir)
    .map(({ roster, after, keptAt }) => ({ roster, keptAt, isNewest: after === sum }))
    .sort((one, other) => Number(other.isNewest) - Number(one.isNewest) || other.keptAt - one.keptAt);
  return found[0];
}

async function readWhole(path: string, mostBytes: number): Promise<string | undefined> {
  const found = await readStateText(path, true, mostBytes);
  return found.kind === 'text' ? found.text : undefined;
}

function parse(text = '', bounds: JsonBounds): Content | undefined {
  try {
    return content.safeParse(parseWithin(text, bounds)).data;
  } catch {
    return undefined;
  }
}

async function sumOfRoster(stateDir: string): Promise<string> {
  const found = await readStateText(rosterPath(stateDir), true, MOST_SUMMED_BYTES);
  if (found.kind === 'text') return createHash('sha256').update(found.text).digest('hex');
  return found.kind === 'none' ? NO_FILE : UNREADABLE;
}
