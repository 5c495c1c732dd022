/**
 * Saves the phones' output as files that can become fixtures: one folder per phone, with one file per command
 * (`battery.dump.txt`) and `phone.json`. Replaces personal data with stand-ins of the same form.
 */
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../errors.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import { present } from '../present.ts';
import { personalSerial } from '../privacy/personal.ts';
import { Redactor } from '../privacy/redactor.ts';
import { StandIns } from '../privacy/stand-in.ts';
import type { Heard } from '../probe/heard.ts';
import { version } from '../version.ts';
import type { Encounter } from './explanation.ts';

/** `phone.json`. */
export interface CapturedPhone {
  /** A stand-in. */
  serial: string;
  /** adb's word. */
  state: string;
  /** The API level. */
  sdk?: number;
  shellService?: string;
  /** The day, UTC, as in 2026-01-31. */
  capturedOn: string;
  hostnode: string;
  /** Exit codes other than 0, by `section.command`. */
  exitCodes: Record<string, number>;
  /** Commands that have no file, and why. */
  unanswered: Record<string, string>;
}

export interface CaptureOptions {
  /** Parent of the folders; created if missing. */
  directory: string;
  /** Further private values of the lab, such as the host that its phones probe. */
  known: readonly string[];
  now: Date;
}

/**
 * @returns the folder; undefined for a phone without output
 * @throws the system's error if it cannot write
 */
export async function capture(
  { device, listed, snapshot }: Encounter,
  { directory, known, now }: CaptureOptions,
): Promise<string | undefined> {
  const heard = snapshot?.heard;
  if (heard === undefined || listed === undefined) return undefined;
  const standIns = new StandIns();
  const redactor = new Redactor({
    texts: [listed.serial, ...printedBy(heard).values()],
    known: [...known, ...[listed.serial, device.serialNumber].flatMap(personalSerial)],
    learn: (value) => standIns.reserve(value),
    replace: (value) => standIns.of(value),
  });
  const { identity } = snapshot?.facts ?? {};
  const folder = await makeFolder(directory, folderName(identity));
  for (const [name, text] of printedBy(heard)) await write(join(folder, `${name}.txt`), redactor.text(text));
  const phone = phoneOf(heard, { serial: redactor.text(listed.serial), state: listed.state, identity, now });
  await write(join(folder, 'phone.json'), `${JSON.stringify(phone, null, 2)}\n`);
  return folder;
}

const printedBy = ({ answers }: Heard): Map<string, string> =>
  new Map(
    [...answers].flatMap(([name, { outcome }]) =>
      outcome?.kind === 'answered' ? [[name, outcome.text] as const] : [],
    ),
  );

function phoneOf(
  { service, answers }: Heard,
  {
    serial,
    state,
    identity,
    now,
  }: { serial: string; state: string; identity: IdentityFacts | undefined; now: Date },
): CapturedPhone {
  const outcomes = [...answers].map(([name, { outcome }]) => [name, outcome] as const);
  return present({
    serial,
    state,
    sdk: identity?.sdk,
    shellService: service,
    capturedOn: now.toISOString().slice(0, 10),
    hostnode: version,
    exitCodes: Object.fromEntries(
      outcomes.flatMap(([name, outcome]) =>
        outcome?.kind === 'answered' && outcome.exitCode !== 0 ? [[name, outcome.exitCode]] : [],
      ),
    ),
    unanswered: Object.fromEntries(
      outcomes.flatMap(([name, outcome]) =>
        outcome?.kind === 'answered' ? [] : [[name, outcome?.kind ?? 'not reached']],
      ),
    ),
  });
}

/** `samsung-sm-g991b-android-14`. */
function folderName(identity: IdentityFacts | undefined): string {
  const { manufacturer, brand, model, androidRelease } = identity ?? {};
  const words = [
    manufacturer ?? brand ?? 'unknown',
    model ?? 'phone',
    'android',
    androidRelease ?? 'unknown',
  ];
  return words
    .map((word) =>
      word
        .toLowerCase()
        .replace(/[^a-z0-9.]+/g, '-')
        .replace(/\.{2,}/g, '.')
        .replace(/^[-.]+|[-.]+$/g, '')
        .slice(0, 40),
    )
    .filter(Boolean)
    .join('-');
}

/** A new folder, or an empty one; `name-2` if that name is taken. */
async function makeFolder(directory: string, name: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (let number = 1; ; number += 1) {
    const folder = join(directory, number === 1 ? name : `${name}-${number}`);
    if (await isNewOrEmpty(folder)) return folder;
  }
}

async function isNewOrEmpty(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const entries = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOTDIR')) return ['a file'];
    throw error;
  });
  if (entries.length > 0) return false;
  await chmod(folder, 0o700);
  return true;
}

const write = (path: string, text: string): Promise<void> =>
  writeFile(path, text, { mode: 0o600, flag: 'wx' });
