/** Takes over `history.json`, in which earlier versions kept a day of samples and happenings. */
import { unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { Folder } from '../../host/folder.ts';
import { readJsonFile, stampOf } from '../../host/json-file.ts';
import type { NewEvent } from '../events/event.ts';
import { admitted, keptText } from '../events/event-schema.ts';
import type { Change, PhoneSample } from './change.ts';
import type { HistoryRecord } from './former-record.ts';
import { SAMPLE_MS } from './resolution.ts';
import type { Store } from './store.ts';

/** A thread with a small heap reads it: this is room for 700 phones. */
const BOUNDS = { mostBytes: 8 * 1024 ** 2, mostMarks: 1_000_000 };

/**
 * Writes what the file holds into the store, once, and removes it as soon as that is on the disk.
 *
 * @param path of the new file, which is in the same directory
 * @param say is told if the file cannot be used
 * @throws {Error} SQLite's: the file stays, and the next start tries again
 */
export async function takeOverJson(
  path: string,
  store: Store,
  say: (problem: string) => void,
): Promise<void> {
  const old = join(dirname(path), 'history.json');
  const stamp = await stampOf(old);
  if (stamp === undefined) return;
  const { HistoryRecord } = await import('./former-record.ts'); // seldom needed, and large
  const { value, problem } = await readJsonFile(old, HistoryRecord, 1, { bounds: BOUNDS });
  if (problem !== undefined) say(problem);
  if (value === undefined) return;
  store.importOnce(stamp, changesOf(value));
  await using folder = await Folder.open(dirname(old));
  await unlink(folder.path(basename(old))).catch(() => {}); // the next start removes it
}

/** Happenings are sentences: only those that say adb's state have a kind. */
export function changesOf({ phones }: HistoryRecord): Change[] {
  const entries = Object.entries(phones).map(([udid, phone]) => ({ ...phone, udid: keptText(udid) }));
  const events = entries
    .flatMap(({ udid, happenings }) => eventsOf(udid, happenings.toReversed()))
    .flatMap((event) => admitted(event) ?? [])
    .toSorted((one, other) => one.at - other.at);
  const samples = entries.flatMap(({ udid, samples: kept }) => kept.map((sample) => sampleOf(udid, sample)));
  return [
    { kind: 'events', events },
    { kind: 'samples', samples: samples.filter(({ at }) => Number.isSafeInteger(at)) },
  ];
}

/** The word of the roster for a phone that adb no longer lists. */
const UNPLUGGED = 'disconnected';

function eventsOf(udid: string, oldestFirst: readonly { at: number; state?: string }[]): NewEvent[] {
  let before: string | undefined;
  return oldestFirst.flatMap(({ at, state }) => {
    if (state === undefined) return [];
    const phone = { udid, at, where: {} };
    const event: NewEvent =
      state === UNPLUGGED
        ? { kind: 'detached', ...phone }
        : before === undefined || before === UNPLUGGED
          ? { kind: 'attached', ...phone, state }
          : { kind: 'state', ...phone, state, before };
    before = state;
    return [event];
  });
}

const sampleOf = (
  udid: string,
  [at, level, temperature]: [number, number | null, number | null],
): PhoneSample =>
  omitUndefined({
    ...{ udid, at: at * SAMPLE_MS },
    levelPercent: level ?? undefined,
    temperatureDecicelsius: temperature ?? undefined,
  });
