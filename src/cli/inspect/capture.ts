/**
 * `inventory --capture`: saves the phones' output as files that can become fixtures: one folder per phone, with one file
 * per command (`battery.dump.txt`) and `phone.json`. Replaces personal data with stand-ins of the same form.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { version } from '../../base/version.ts';
import type { Config } from '../../config/load.ts';
import type { CapturedPhone } from '../../demo/captured.ts';
import type { IdentityFacts } from '../../facts/identity.ts';
import { Folder, plainMessage } from '../../host/folder.ts';
import { personalSerial } from '../redaction/personal.ts';
import { Redactor } from '../redaction/redactor.ts';
import { StandIns } from '../redaction/stand-in.ts';
import type { Encounter } from '../survey.ts';
import { say, sayError } from '../terminal.ts';

/**
 * @param known further private values of the lab, such as the host that its phones probe
 * @returns the folder, with all files; undefined for a phone without output
 * @throws what the file system says; then nothing of this phone is left
 */
export async function capture(
  { info, listed, snapshot }: Encounter,
  { directory, known, now }: { directory: string; known: readonly string[]; now: Date },
): Promise<string | undefined> {
  const rawAnswers = snapshot?.rawAnswers;
  if (rawAnswers === undefined || listed === undefined) return undefined;
  const printed = new Map<string, string>();
  const exitCodes: Record<string, number> = {};
  const unanswered: Record<string, string> = {};
  for (const [command, { outcome }] of rawAnswers.answers) {
    if (outcome?.kind !== 'answered') unanswered[command] = outcome?.kind ?? 'not reached';
    else {
      printed.set(command, outcome.text);
      if (outcome.exitCode !== 0) exitCodes[command] = outcome.exitCode;
    }
  }
  const redactor = new Redactor({
    texts: [listed.serial, ...printed.values()],
    known: [...known, ...[listed.serial, info.serialNumber].flatMap(personalSerial)],
    standIns: new StandIns(),
  });
  const { identity } = snapshot?.facts ?? {};
  await using above = await Folder.open(directory, { make: true });
  const { name, folder } = await makeFolder(above, folderName(identity));
  await using _ = folder;
  const phone: CapturedPhone = omitUndefined({
    serial: redactor.text(listed.serial),
    state: listed.state,
    sdk: identity?.sdk,
    shellService: rawAnswers.service,
    capturedOn: now.toISOString().slice(0, 10),
    hostnode: version,
    exitCodes,
    unanswered,
  });
  try {
    for (const [command, text] of printed) await write(folder.path(`${command}.txt`), redactor.text(text));
    await write(folder.path('phone.json'), `${JSON.stringify(phone, null, 2)}\n`);
  } catch (error) {
    await rm(above.path(name), { recursive: true, force: true });
    throw error;
  }
  return join(directory, name);
}

/** `samsung-sm-g991b-android-14`. */
function folderName(identity: IdentityFacts | undefined): string {
  const { manufacturer, brand, model, androidRelease } = identity ?? {};
  const maker = manufacturer ?? brand ?? 'unknown';
  const words = [maker, model ?? 'phone', 'android', androidRelease ?? 'unknown'];
  return words.map(plainWord).filter(Boolean).join('-');
}

function plainWord(word: string): string {
  const plain = word
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/\.{2,}/g, '.');
  return (/[a-z0-9](?:.*[a-z0-9])?/.exec(plain)?.[0] ?? '').slice(0, 40);
}

/** `name-2` if that name is taken. */
async function makeFolder(above: Folder, name: string): Promise<{ name: string; folder: Folder }> {
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name}-${number}`;
    const path = above.path(numbered);
    try {
      await mkdir(path, { mode: 0o700 });
      return { name: numbered, folder: await Folder.open(path) };
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

const write = (path: string, text: string): Promise<void> =>
  writeFile(path, text, { mode: 0o600, flag: 'wx' });

/** The usual host of the reachability check reveals nothing about a lab. */
const commonHost = /\.(?:gstatic|google)\.com$/;

export async function captureAll(
  encounters: readonly Encounter[],
  directory: string,
  { probe }: Config,
): Promise<boolean> {
  const { host } = probe.reachability;
  const options = { directory, known: commonHost.test(host) ? [] : [host], now: new Date() };
  const online = encounters.filter(({ info }) => info.state === 'device');
  const folders: string[] = [];
  try {
    for (const encounter of online) {
      const folder = await capture(encounter, options);
      if (folder !== undefined) folders.push(folder);
    }
  } catch (error) {
    sayError(`cannot write the capture: ${plainMessage(error)} '${directory}'`);
  }
  say(...folders.map((folder) => `wrote ${folder}`));
  if (folders.length > 0)
    say(
      'Random values replace the identifiers, addresses, phone numbers, cells, networks and names that hostnode recognised.',
      'Other personal data may remain: read the files before you share them.',
    );
  else say('Nothing was written.');
  return folders.length === online.length && online.length > 0;
}
