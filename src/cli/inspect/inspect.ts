/** `inventory --explain` and `inventory --capture`. */
import type { Config } from '../../config/load.ts';
import { plainMessage } from '../../host/folder.ts';
import { say, sayError } from '../terminal.ts';
import { capture } from './capture.ts';
import { explanationLines } from './explain.ts';
import { type Encounter, explain, type Masker, maskerOf, noMask } from './explanation.ts';

export interface ExplainOptions {
  json?: boolean;
  showIdentifiers?: boolean;
}

export function sayExplanations(
  encounters: readonly Encounter[],
  { json = false, showIdentifiers = false }: ExplainOptions,
): void {
  const explained = encounters.map((encounter) => {
    const masker = showIdentifiers ? noMask : maskerOf(encounter);
    return { title: titleOf(encounter, masker), fields: explain(encounter, masker) };
  });
  if (json) say(JSON.stringify(explained, null, 2));
  else for (const { title, fields } of explained) say(...explanationLines(title, fields));
}

/** `Xiaomi 12X, Android 12 (******16)`. */
function titleOf({ device }: Encounter, masker: Masker): string {
  const { deviceName, platformVersion, udid } = device;
  const name = deviceName === undefined ? 'Phone' : masker.value(deviceName);
  const android = platformVersion === undefined ? '' : `, Android ${platformVersion}`;
  return `${name}${android} (${masker.value(udid)})`;
}

/** Masks a sentence about one of the phones, even if that phone has no explanation. */
export function masked(sentence: string, udid: string, encounters: readonly Encounter[]): string {
  const masker = maskerOf(encounters.find(({ device }) => device.udid === udid) ?? { device: { udid } });
  return masker.text(sentence.replaceAll(udid, masker.value(udid)));
}

/** The usual host of the reachability check reveals nothing about a lab. */
const commonHost = /\.(?:gstatic|google)\.com$/;

/**
 * Writes the captures and prints their folders.
 *
 * @returns whether it captured every online phone
 */
export async function captureAll(
  encounters: readonly Encounter[],
  directory: string,
  { probe }: Config,
): Promise<boolean> {
  const { host } = probe.reachability;
  const options = { directory, known: commonHost.test(host) ? [] : [host], now: new Date() };
  const online = encounters.filter(({ device }) => device.state === 'device');
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
