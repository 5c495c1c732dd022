/**
 * Where the roster is kept while `roster.json` cannot be written: in `roster.spare` beside it, whose blocks were taken
 * while the disk had some, and in the host's memory, where there is a directory for that. So what the cloud has heard of
 * outlives the agent; what only the memory holds does not outlive the host's next boot.
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
/** Stand for the checksum of a `roster.json` that is not there, and of one that cannot be read. */
const [NO_FILE, UNREADABLE] = ['none', 'unreadable'];

const content = z.object({
  stateDir: z.string(),
  /** Of the text of the `roster.json` that could not be replaced: a later one counts more than this. */
  after: z.string(),
  /** Ms since the epoch. */
  keptAt: z.number(),
  roster: rosterSchema,
});
type Content = z.infer<typeof content>;

/** In the state directory. */
const besideRoster = (stateDir: string): string => join(stateDir, NAME);

/**
 * In memory: what systemd gives the service, else the user's, else root's. The last two are for all agents of that
 * user, so there each has a name of its own.
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

  /** The roster itself is written: only takes the blocks for when it cannot be. Never throws. */
  async isNotNeeded(): Promise<void> {
    await clearSpareFile(this.#beside);
    await prepareSpareFile(this.#beside);
    if (this.#memory !== undefined) await unlink(this.#memory).catch(() => {});
  }

  /**
   * Never throws.
   *
   * @returns where it is kept now; none where no place takes it
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
 * What an earlier run could keep only there, where nothing newer has been written since. To be called before
 * `roster.json` is read, which is set aside where it cannot be used. Never throws.
 *
 * @returns `isNewest` where it counts more than the `roster.json` that is there now
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
