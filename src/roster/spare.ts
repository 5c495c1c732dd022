/**
 * Keeps the roster while `roster.json` cannot be written: in `roster.spare` beside it, whose blocks were allocated
 * while the disk had space, and in memory (a tmpfs), if there is a directory for it. So the agent still knows which
 * phones it reported after a restart. The copy in memory does not survive a reboot of the host.
 */
import { createHash } from 'node:crypto';
import { mkdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Environment } from '../base/environment.ts';
import { readStateText } from '../host/reading.ts';
import { clearSpareFile, prepareSpareFile, readSpareFile, writeSpareFile } from '../host/spare-file.ts';
import { type RosterRecord, rosterSchema } from './device.ts';
import { rosterPath, written } from './store.ts';

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
  async isNotNeeded(): Promise<void> {
    await clearSpareFile(this.#beside);
    await prepareSpareFile(this.#beside);
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
    const text = JSON.stringify({ stateDir, after, keptAt, roster: written(roster, keptAt) });
    const put = async (place: string) => {
      await prepareSpareFile(place);
      await writeSpareFile(place, text);
      return place;
    };
    const putInMemory = async (place: string) => {
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      return put(place);
    };
    const done = await Promise.allSettled([put(this.#beside), ...(memory ? [putInMemory(memory)] : [])]);
    return done.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }
}

/**
 * Reads the newest copy of an earlier run. Call it before reading `roster.json`, which may set that file aside. Never
 * throws.
 *
 * @returns `isNewest` if the copy is newer than the current `roster.json`
 */
export async function readSpareRoster(
  stateDir: string,
  env: Environment,
): Promise<{ roster: RosterRecord; isNewest: boolean } | undefined> {
  const memory = inMemory(stateDir, env);
  const places = [besideRoster(stateDir), ...(memory ? [memory] : [])];
  const texts = await Promise.all(places.map(readSpareFile));
  const sum = await sumOfRoster(stateDir);
  const found = texts
    .flatMap((text) => parse(text) ?? [])
    .filter((one) => one.stateDir === stateDir)
    .map(({ roster, after, keptAt }) => ({ roster, keptAt, isNewest: after === sum }))
    .sort((one, other) => Number(other.isNewest) - Number(one.isNewest) || other.keptAt - one.keptAt);
  return found[0];
}

function parse(text = ''): Content | undefined {
  try {
    return content.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function sumOfRoster(stateDir: string): Promise<string> {
  const found = await readStateText(rosterPath(stateDir), true);
  if (found.kind === 'text') return createHash('sha256').update(found.text).digest('hex');
  return found.kind === 'none' ? NO_FILE : UNREADABLE;
}
