/**
 * `hostnode config check`: lists every problem in the configuration, or says that there is none; and which of its rules
 * matches which known phone, and which phone sits in which slot.
 */
import { stat } from 'node:fs/promises';
import { localTime } from '../base/calendar.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { mainFileIn } from '../config/file.ts';
import { type Config, filesOf, type LoadedConfig } from '../config/load.ts';
import { problemsOfProfiles } from '../config/profiles.ts';
import { withServiceEnvironment } from '../config/service-environment.ts';
import { topologyBehind, type UsbTopology } from '../host/usb-devices.ts';
import { matches, subjectOf } from '../report/policy.ts';
import type { RosterDevice } from '../roster/device.ts';
import { Slots } from '../roster/slots.ts';
import { readRoster } from '../roster/store.ts';
import { type Block, layOut, show } from './columns.ts';
import { type ConfigOptions, loadFor } from './configuration.ts';
import { say, sayError, sayJson, UsageError } from './terminal.ts';

/** @param folder holds the files to judge, in place of those of this host */
export async function configCheck(
  folder: string | undefined,
  { quiet, json, ...option }: ConfigOptions<'quiet' | 'json'>,
): Promise<void> {
  if (folder !== undefined && option.config !== undefined)
    throw new UsageError('give a folder or --config, not both');
  if (folder !== undefined && (await isFile(folder)))
    throw new UsageError(`${printable(folder, 300)} is a file: give its folder, or name it by --config`);
  const env = withServiceEnvironment(process.env, folder ?? option.config);
  const places = folder === undefined ? {} : { defaultFile: mainFileIn(folder) };
  const loaded = await loadFor(option, { env, takesHidden: true, ...places });
  if (folder !== undefined && filesOf(loaded) === undefined)
    throw new UsageError(`${folder}: has neither hostnode.yaml nor conf.d/*.yaml`);
  if (quiet) return;
  const { config, source } = loaded;
  const warnings = [...loaded.warnings, ...problemsOfProfiles(config.clouds, env)];
  for (const warning of warnings) sayError(warning);
  if (config.cloud?.apiKey.isEmpty) sayError('the API key is not checked: only root can read it');
  const cloud = config.cloud?.baseUrl ?? config.notReporting ?? 'no cloud configured';
  if (json) return sayJson({ ...source, cloud, warnings, ...(await matchOf(loaded)) });
  say(`the configuration is valid (file: ${filesOf(loaded) ?? 'none'}; cloud: ${cloud})`);
  if (config.devices.length === 0 && config.slots.length === 0) return;
  show(...matchLines(await matchOf(loaded)));
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false, // what reads the folder says why it cannot
  );

async function matchOf({ config }: LoadedConfig): Promise<ConfigMatch> {
  const { value, problem } = await readRoster(config.state.dir, {
    mayRename: false,
    maxPhones: config.roster.maxPhones,
  });
  if (problem !== undefined) sayError(problem);
  else if (value === undefined)
    sayError(`no phones known yet: no agent has run with state directory ${config.state.dir}`);
  return matchPhones(config, value?.devices ?? [], topologyBehind(config.adb.host));
}

type ConfigMatch = ReturnType<typeof matchPhones>;
type KnownPhone = ConfigMatch['withoutSlot'][number];

export function matchPhones(
  { devices: rules, slots }: Pick<Config, 'devices' | 'slots'>,
  devices: readonly RosterDevice[],
  topology: UsbTopology,
) {
  const places = new Slots(slots, topology);
  const current = devices.filter(({ supersededBy }) => supersededBy === undefined);
  const known = current.map((device) => {
    const { udid, givenName, identity, attached, lastSeenAt } = device;
    const slot = places.slotOf(device); // the current or last one
    const name = givenName ?? identity?.marketingName ?? identity?.model;
    const phone = omitUndefined({ udid, name, slot, attached, lastSeenAt });
    return { subject: subjectOf(device, slot), phone };
  });
  const phones = known.map(({ phone }) => phone);
  return {
    rules: rules.map(({ match, ...sets }) => ({
      match,
      sets,
      phones: known.filter(({ subject }) => matches(match, subject)).map(({ phone }) => phone),
    })),
    slots: slots.map((slot) => ({ ...slot, phones: phones.filter((phone) => phone.slot === slot.name) })),
    withoutSlot: phones.filter(({ slot }) => slot === undefined),
  };
}

export function matchLines(match: ConfigMatch): Block[] {
  const { rules, slots, withoutSlot } = match;
  const ruleRows = rules.flatMap(({ match, sets, phones }, index) => {
    const cells = phones.map(({ udid, name = '', slot = '' }) => [udid, name, slot]);
    return rowsOf([String(index + 1), wordsOf(match), wordsOf(sets)], cells, 'no known phone');
  });
  const bays = [
    ...slots,
    ...(withoutSlot.length > 0 ? [{ name: '(no slot)', paths: [], phones: withoutSlot }] : []),
  ];
  const slotRows = bays.flatMap(({ name, paths, phones }) =>
    rowsOf([name, paths.join(' ')], phones.map(cellsOf), ''),
  );
  const ruleTable = layOut(['RULE', 'MATCHES', 'SETS', 'UDID', 'NAME', 'SLOT'], ruleRows);
  const slotTable = layOut(['SLOT', 'PATHS', 'UDID', 'NAME', 'SEEN'], slotRows);
  return [...(rules.length > 0 ? ['', ruleTable] : []), ...(slots.length > 0 ? ['', slotTable] : [])];
}

const cellsOf = ({ udid, name = '', attached, lastSeenAt }: KnownPhone): string[] => [
  udid,
  name,
  attached ? 'plugged in' : `until ${localTime(lastSeenAt)}`,
];

function rowsOf(first: string[], phones: string[][], none: string): string[][] {
  const rows = phones.length > 0 ? phones : [[none]];
  return rows.map((cells, index) => [...(index === 0 ? first : first.map(() => '')), ...cells]);
}

/** `model "Pixel *", slot "rack 2*"`, `isHidden, support.appiumDisabled false`. */
function wordsOf(settings: object, above = ''): string {
  return Object.entries(settings)
    .map(([key, value]) => {
      if (value === true) return above + key;
      if (typeof value === 'object' && value !== null) return wordsOf(value, `${above}${key}.`);
      return `${above}${key} ${JSON.stringify(value)}`;
    })
    .join(', ');
}
