/** The one place that writes to a phone: values of Android's settings, by `hostnode prepare`. */
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { printable } from '../base/printable.ts';
import { Deadline } from '../base/time.ts';
import { type Place, places } from '../facts/preparation.ts';
import { converse, overShell, type ShellService } from './conversation.ts';
import { composeScript, type ProbeCommand } from './script.ts';

/** Limit of one command, seconds: before Android 8 each starts a Java process. */
const LIMIT_SECONDS = 10;
const DEADLINE_MS = 60_000;
/** Kept of what a command prints, bytes: Android prints a stack where it refuses. */
const MOST_BYTES = 4096;
/** Shown of it, characters. */
const LONGEST = 200;

/** `value` undefined: nobody has set it. */
export interface Write {
  readonly place: Place;
  readonly value: number | undefined;
}

/** A line of the phone's shell, of nothing but names of our own table and a number. */
export function commandOf({ place, value }: Write): string {
  if (!places.includes(place)) throw new RangeError(`no setting of ours: ${place}`);
  if (value === undefined) return `settings delete ${place}`;
  if (!/^-?\d{1,15}(?:\.\d{1,10})?$/.test(String(value))) throw new RangeError(`no value of ours: ${value}`);
  return `settings put ${place} ${value}`;
}

/**
 * Sends all in one conversation. Whether it took only reading shows: `settings put` of many makers refuses with exit code 0.
 *
 * @returns what the phone said against it, a line each
 * @throws {AdbRefusedError} when the phone is unplugged or not authorized
 * @throws {AdbUnavailableError}
 * @throws {RangeError} before anything is sent
 */
export async function writeSettings(
  adb: Adb,
  device: ListedDevice,
  writes: readonly Write[],
): Promise<string[]> {
  const commands = writes.map((write, index): ProbeCommand => {
    const limits = { limitSeconds: LIMIT_SECONDS, limitBytes: MOST_BYTES };
    return { name: `prepare.${index}`, ...limits, text: commandOf(write) };
  });
  const { script, left } = composeScript(commands);
  if (left.length > 0) throw new RangeError('more settings than fit into one conversation');
  using deadline = new Deadline(DEADLINE_MS);
  const talk = (service: ShellService) => converse(adb, device, service, script, deadline.signal);
  const { outcomes } = (await overShell(talk)).transcript;
  return commands.flatMap(({ name, text }) => {
    const outcome = outcomes.get(name);
    if (outcome?.kind !== 'answered') return [`${text}: ${outcome?.kind ?? 'no answer'}`];
    const said = printable(outcome.text, LONGEST);
    const isDone = said === '' || (outcome.exitCode === 0 && said.startsWith('Deleted'));
    return isDone ? [] : [`${text}: ${said}`];
  });
}
