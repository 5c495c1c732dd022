/**
 * `hostnode prepare`: how a phone differs from what is wanted, as a checklist. `--apply` sets what the shell can set, if
 * the configuration allows it, and keeps each former value; `--undo` puts these back.
 */
import { createHash } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import type { Adb } from '../adb/adb.ts';
import { AdbRefusedError, attempt } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import type { Line } from '../base/styled-text.ts';
import { quantity, quoted } from '../base/words.ts';
import { CloudError } from '../cloud/errors.ts';
import type { Config } from '../config/load.ts';
import { createCloud } from '../daemon/host-parts.ts';
import {
  type Judgement,
  judged,
  type Place,
  type Profile,
  partsOf,
  places,
  type Want,
} from '../facts/preparation.ts';
import { Folder } from '../host/folder.ts';
import { readJsonFile, writeJsonFile } from '../host/json-file.ts';
import { openStateDirectory } from '../host/state-dir.ts';
import { StateLinkError, StateUnwritableError } from '../host/state-errors.ts';
import { commandOf, type Write, writeSettings } from '../probe/setting-writer.ts';
import { type ConfigOptions, loadFor } from './configuration.ts';
import { type Encounter, survey } from './survey.ts';
import { CommandError, FailedError, fail, say, sayError, sayJson, UsageError } from './terminal.ts';
import { adbFailure } from './trouble.ts';

export type PrepareOptions = ConfigOptions<'apply' | 'undo' | 'yes' | 'json'> & { profile?: Profile };

/** The cloud answers within its own limits; this one ends what hangs, ms. */
const CLOUD_MS = 60_000;
const VERSION = 1;

/** What was set on a phone, and what was there before; `former` absent: nobody had set it. */
const record = z.object({
  version: z.literal(VERSION),
  udid: z.string(),
  settings: z
    .array(z.object({ place: z.enum(places), set: z.number(), former: z.number().exactOptional() }))
    .max(places.length),
});
type Kept = z.infer<typeof record>['settings'][number];

export async function prepare(name: string, options: PrepareOptions): Promise<void> {
  const { apply, undo } = options;
  const { config, warnings } = await loadFor(options, { phonesOnly: !apply && !undo });
  for (const warning of warnings) sayError(warning);
  if ((apply || undo) && !config.prepare.apply)
    throw new CommandError(
      exitCode.config,
      'prepare.apply is off: hostnode sets nothing on phones until the configuration allows it',
    );
  const parts = [...partsOf(options.profile ? [options.profile] : []), ...places];
  const look = (who: string) => survey({ config, names: [who], parts });
  try {
    const { adb, encounters, unread, unknown } = await look(name);
    const [phone, other] = encounters;
    const close = unknown[0]?.close;
    if (phone === undefined)
      throw new FailedError(
        `no phone has the name ${name}${close === undefined ? '' : `; did you mean ${close}?`}`,
      );
    if (other) throw new FailedError(`${encounters.length} phones have the name ${name}`);
    const { udid } = phone.device;
    if (unread.has(udid) || phone.snapshot === undefined)
      throw new FailedError(`cannot read ${udid}: ${unread.get(udid)?.message ?? 'it is not online'}`);
    const session = { adb, phone, config, options, again: async () => (await look(udid)).encounters[0] };
    if (undo) await putBack(session);
    else if (apply) await setWanted(session);
    else tell(phone, options);
  } catch (error) {
    if (error instanceof StateUnwritableError || error instanceof StateLinkError)
      throw new FailedError(`${error.message}; nothing was set`);
    if (error instanceof AdbRefusedError) throw new FailedError(error.message);
    adbFailure(config)(error); // while it sets something
  }
}

interface Session {
  adb: Adb;
  phone: Encounter;
  config: Config;
  options: PrepareOptions;
  again(): Promise<Encounter | undefined>;
}

const wordOf = (judgement: Judgement): string =>
  typeof judgement === 'object' ? 'differs' : judgement === 'right' ? 'ok' : judgement;

const wantsOf = ({ wants = [] }: Encounter, { profile }: PrepareOptions): readonly Want[] =>
  profile ? [profile] : wants;

/** What is wanted of this phone, and how it is; without what it does not have. */
function itemsOf(phone: Encounter, options: PrepareOptions) {
  const { readiness = {}, identity } = phone.snapshot?.facts ?? {};
  return judged(wantsOf(phone, options), readiness, identity?.sdk).filter(
    ({ judgement }) => judgement !== 'absent',
  );
}

/** What the shell can set of these, and hostnode can put back: not where it cannot read what is there now. */
function writesOf(phone: Encounter, options: PrepareOptions): Write[] {
  if (!isRead(phone)) return [];
  return itemsOf(phone, options)
    .filter(({ judgement }) => typeof judgement === 'object' || judgement === 'unset')
    .flatMap(({ row: { puts = [] } }) => puts.map(writeOf))
    .filter(({ place, value }) => valueAt(phone, place) !== value)
    .filter(({ place }) => attempt(() => commandOf({ place, value: valueAt(phone, place) })));
}

const writeOf = ([place, value]: readonly [Place, number]): Write => ({ place, value });

const valueAt = ({ snapshot }: Encounter, place: Place): number | undefined =>
  snapshot?.facts.readiness?.settings?.[place];

/** Each phone that adb reaches has this key: the tables were read. */
const isRead = ({ snapshot }: Encounter): boolean =>
  snapshot?.facts.readiness?.settings?.['global adb_enabled'] !== undefined;

const titleOf = ({ info, device }: Encounter): string => `${info.deviceName ?? device.udid} (${device.udid})`;

/** Prints the checklist. The exit code is that of `inventory --expect`: 1 where something differs. */
function tell(phone: Encounter, options: PrepareOptions): void {
  const { udid } = phone.device;
  if (wantsOf(phone, options).length === 0)
    throw new FailedError(
      `nothing is wanted of ${udid}: give --profile, or set prepare.wants (docs/preparing.md)`,
    );
  const items = itemsOf(phone, options);
  const differing = items.filter(({ judgement }) => typeof judgement === 'object').length;
  if (differing > 0) process.exitCode = exitCode.failed;
  if (options.json) {
    const settings = items.map(({ row: { name, title, puts = [] }, judgement }) => ({
      ...{ setting: name, title, state: wordOf(judgement) },
      ...(typeof judgement === 'object' && { is: judgement.is, remedy: judgement.remedy }),
      ...(judgement !== 'right' && { commands: puts.map(writeOf).map(commandOf) }),
    }));
    sayJson({ udid, settings });
    return;
  }
  const mine = writesOf(phone, options).length;
  const unknown = items.filter(({ judgement }) => judgement === 'unknown').length;
  const notes = [
    unknown > 0 ? `, ${unknown} not known` : '',
    mine > 0 ? `; --apply sets ${quantity(mine, 'value')}` : '',
  ];
  say(titleOf(phone), ...items.flatMap((item) => itemLines(phone, item)));
  say(`${differing} of ${items.length} differ${notes.join('')}`);
}

function itemLines(phone: Encounter, { row, judgement }: ReturnType<typeof judged>[number]): Line[] {
  const line = `  ${wordOf(judgement).padEnd(8)} ${row.title}`;
  if (judgement === 'right' || judgement === 'unknown') return [line];
  const serial = phone.listed?.serial;
  const adb = `adb ${serial ? `-s ${quoted(serial)} ` : ''}shell`;
  const commands = (row.puts ?? []).map((put) => `${adb} ${commandOf(writeOf(put))}`);
  const remedy = typeof judgement === 'object' ? judgement.remedy : row.remedy;
  const menu = remedy.includes('adb shell') ? [] : [remedy];
  return [line, ...[...menu, ...commands].map((each) => `             ${each}`)];
}

async function setWanted(session: Session): Promise<void> {
  const { phone, config, options } = session;
  const writes = writesOf(phone, options);
  if (writes.length === 0) {
    say('There is nothing that hostnode can set');
    return tell(phone, options);
  }
  if (!(await mayWrite(session, writes))) return;
  const kept = await readKept(config, phone);
  const others = kept.filter(({ place }) => writes.every((write) => write.place !== place));
  const now = writes.map(({ place, value = 0 }): Kept => {
    const former = valueAt(phone, place);
    return { place, set: value, ...(former !== undefined && { former }) };
  });
  await keep(config, phone, [...others, ...now]); // before anything is set
  const { after } = await write(session, writes, 'set');
  if (after?.snapshot) tell(after, options);
}

async function putBack(session: Session): Promise<void> {
  const { phone, config } = session;
  const kept = await readKept(config, phone);
  if (kept.length > 0 && !isRead(phone))
    throw new FailedError(`${phone.device.udid} does not say how it is set`);
  const ours = kept.filter(({ place, set }) => valueAt(phone, place) === set);
  for (const { place, set } of kept.filter((each) => !ours.includes(each))) {
    const is = valueAt(phone, place) ?? 'not set';
    sayError(`left alone: ${place} is ${is} now, and hostnode had set ${set}`);
  }
  const writes = ours.map(({ place, former }): Write => ({ place, value: former }));
  if (writes.length > 0 && !(await mayWrite(session, writes))) return;
  const { failed } = await write(session, writes, 'put back');
  const left = kept.filter(({ place }) => failed.some((each) => each.place === place));
  await keep(config, phone, left).catch((error: Error) => sayError(error.message));
}

async function write({ adb, phone, again }: Session, writes: readonly Write[], done: string) {
  const { listed } = phone;
  const said = listed && writes.length > 0 ? await writeSettings(adb, listed, writes) : [];
  for (const line of said) sayError(line);
  const after = writes.length > 0 ? await again() : phone;
  const isTaken = ({ place, value }: Write) =>
    after !== undefined && isRead(after) && valueAt(after, place) === value;
  const failed = writes.filter((each) => !isTaken(each));
  say(`${phone.device.udid}: ${done} ${quantity(writes.length - failed.length, 'value')}`);
  if (failed.length > 0)
    fail(exitCode.failed, 'the phone did not take these:', ...failed.map((each) => `  ${commandOf(each)}`));
  return { after, failed };
}

/** @throws {CommandError} somebody has booked the phone, or there is nobody to ask */
async function mayWrite({ phone, config, options }: Session, writes: readonly Write[]): Promise<boolean> {
  const { udid } = phone.device;
  const { hasPerson, isConfirmed } = await import('./questions.ts');
  if (!options.yes && !hasPerson()) throw new UsageError('this asks on a terminal; without one, add --yes');
  const cloud = await createCloud(config, process.env);
  try {
    if (await cloud?.client.isBooked(udid, AbortSignal.timeout(CLOUD_MS)))
      throw new FailedError(
        `${udid} is booked; nothing was set. Wait until nobody uses it: hostnode drain --wait -- ${quoted(udid)}`,
      );
  } catch (error) {
    if (!(error instanceof CloudError && error.status === 404)) throw error; // the cloud does not have it
  } finally {
    cloud?.client.close();
  }
  for (const each of writes) sayError(`${titleOf(phone)}: ${commandOf(each)}`);
  return options.yes === true || (await isConfirmed(`Do this on ${titleOf(phone)}?`));
}

/** One file a phone, so that two people with two phones do not overwrite each other's. */
function keptPath({ state }: Config, { device }: Encounter): string {
  const name = createHash('sha256').update(device.udid).digest('hex').slice(0, 16);
  return join(state.dir, `prepared-${name}.json`);
}

/** @throws {CommandError} it cannot be read; nothing may be set then */
async function readKept(config: Config, phone: Encounter): Promise<Kept[]> {
  const path = keptPath(config, phone);
  const { value, problem } = await readJsonFile(path, record, VERSION, { mayRename: false });
  if (problem !== undefined) throw new FailedError(`${problem}; nothing was set`);
  return value?.settings ?? [];
}

async function keep(config: Config, phone: Encounter, settings: readonly Kept[]): Promise<void> {
  const path = keptPath(config, phone);
  await openStateDirectory(config.state.dir, { allowOtherOwner: true });
  if (settings.length > 0)
    return await writeJsonFile(path, { version: VERSION, udid: phone.device.udid, settings });
  await using folder = await Folder.open(dirname(path));
  await unlink(folder.path(basename(path))).catch(() => {}); // none, or it may stay: its values are no longer there
}
