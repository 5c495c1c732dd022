/** Keys and codes of older versions, in their new place: an old configuration still loads, with a warning. */
import * as z from 'zod';
import type { SettingName } from '../facts/preparation.ts';
import { type ConfigKey, keysOf } from './keys.ts';
import type { Entry } from './layer.ts';
import { findings, settings } from './schema.ts';

/** The switches of `findings.readiness`: the code that each found, and its name in `prepare.wants`. */
const switches: Readonly<Record<string, readonly [code: string, want: SettingName]>> = {
  screenLocked: ['SCREEN_LOCKED', 'screenLock'],
  screenOff: ['SCREEN_OFF', 'screenOn'],
  developerOptions: ['DEVELOPER_OPTIONS_OFF', 'developerOptions'],
  stayAwake: ['STAY_AWAKE_OFF', 'stayAwake'],
  dialog: ['DIALOG_IN_FRONT', 'dialog'],
};
const codes: readonly unknown[] = Object.values(switches).map(([code]) => code);

const OFF = 'findings.off';
const WANTS = 'prepare.wants';

const readiness = z.object(Object.fromEntries(Object.keys(switches).map((name) => [name, z.boolean()])));

/** What the environment may still say. */
export const movedKeys: readonly ConfigKey[] = keysOf(readiness, ['findings', 'readiness']);

/** The keys of now, and what files may still say. */
export const settingsAndMoved = settings.extend({ findings: findings.unwrap().extend({ readiness }) });

const isAt = ({ path }: Entry, name: string): boolean => path.join('.') === name;

const isSwitch = ({ path: [section, part, name = ''], value }: Entry): boolean =>
  section === 'findings' && part === 'readiness' && name in switches && typeof value === 'boolean';

const listsAt = (name: string, entries: readonly Entry[]): unknown[] =>
  entries.flatMap((each) => (isAt(each, name) && Array.isArray(each.value) ? each.value : []));

/**
 * @param sources the lowest first. A switch that is neither true nor false stays, and the check rejects it: so would a
 *   newer version
 */
export function carryOver(sources: readonly Entry[][]): { sources: Entry[][]; warnings: string[] } {
  const off = listsAt(OFF, sources.flat());
  const warnings: string[] = [];
  const isOn = new Map<string | undefined, unknown>();

  const withNewCodes = (entry: Entry): Entry => {
    const listed = listsAt(OFF, [entry]);
    const gone = listed.filter((code) => codes.includes(code));
    if (gone.length === 0) return entry;
    warnings.push(
      `${OFF} (${entry.where()}): ${gone.join(', ')}: NOT_PREPARED has taken its place, and finds only what prepare.wants lists; remove it here`,
    );
    return { ...entry, value: listed.filter((code) => !gone.includes(code)) };
  };

  const withWants = (entries: Entry[]): Entry[] => {
    const old = entries.filter(isSwitch);
    if (old[0] === undefined) return entries;
    const { where } = old[0];
    for (const { path, value } of old) isOn.set(path[2], value);
    const wanted = Object.entries(switches).filter(([name, [code]]) => isOn.get(name) && !off.includes(code));
    const value = [...new Set([...listsAt(WANTS, entries), ...wanted.map(([, [, want]]) => want)])];
    warnings.push(
      `findings.readiness (${where()}): has moved; write prepare.wants: [${value.join(', ')}] in its place (docs/preparing.md)`,
    );
    const own = entries.find((each) => isAt(each, WANTS)) ?? { path: WANTS.split('.'), where };
    return [...entries.filter((each) => !isSwitch(each) && !isAt(each, WANTS)), { ...own, value }];
  };

  return { sources: sources.map((entries) => withWants(entries.map(withNewCodes))), warnings };
}
