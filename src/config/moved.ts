/** Keys and codes of older versions, in their new place: an old configuration still loads, with a warning. */
import * as z from 'zod';
import { valueAt } from '../base/words.ts';
import type { SettingName } from '../facts/preparation.ts';
import { type ConfigKey, keysOf } from './keys.ts';
import { isTree, type Layer, overlay, type Tree } from './layer.ts';

/** The switches of `findings.readiness`: the code that each found, and its name in `prepare.wants`. */
const switches: Readonly<Record<string, readonly [code: string, want: SettingName]>> = {
  screenLocked: ['SCREEN_LOCKED', 'screenLock'],
  screenOff: ['SCREEN_OFF', 'screenOn'],
  developerOptions: ['DEVELOPER_OPTIONS_OFF', 'developerOptions'],
  stayAwake: ['STAY_AWAKE_OFF', 'stayAwake'],
  dialog: ['DIALOG_IN_FRONT', 'dialog'],
};
const codes: readonly unknown[] = Object.values(switches).map(([code]) => code);

const READINESS = ['findings', 'readiness'];
const OFF = ['findings', 'off'];
const WANTS = ['prepare', 'wants'];

/** What the environment may still say. */
export const movedKeys: readonly ConfigKey[] = keysOf(
  z.object(Object.fromEntries(Object.keys(switches).map((name) => [name, z.boolean()]))),
  READINESS,
);

const listAt = ({ values }: Layer, path: readonly string[]): unknown[] | undefined => {
  const value = valueAt(values, path);
  return Array.isArray(value) ? value : undefined;
};

/**
 * @param layers the lowest first. One that a newer version would reject in any case (a switch that is neither true nor
 *   false) keeps its old keys, and the check names them
 */
export function carryOver(layers: readonly Layer[]): { layers: Layer[]; warnings: string[] } {
  const off = new Set(layers.flatMap((layer) => listAt(layer, OFF) ?? []));
  const warnings: string[] = [];
  let readiness: Tree = {};

  const withNewCodes = (layer: Layer): Layer => {
    const listed = listAt(layer, OFF) ?? [];
    const gone = listed.filter((code) => codes.includes(code));
    if (gone.length === 0) return layer;
    warnings.push(
      `findings.off (${layer.where(OFF)}): ${gone.join(', ')}: NOT_PREPARED has taken its place, and finds only what prepare.wants lists; remove it here`,
    );
    const kept = listed.filter((code) => !gone.includes(code));
    return { ...layer, values: overlay(layer.values, { findings: { off: kept } }) };
  };

  const withWants = (layer: Layer): Layer => {
    const own = valueAt(layer.values, READINESS);
    const isKnown = ([name, value]: [string, unknown]) => name in switches && typeof value === 'boolean';
    if (!(isTree(own) && Object.entries(own).every(isKnown))) return layer;
    readiness = { ...readiness, ...own };
    const wanted = Object.entries(switches).flatMap(([name, [code, want]]) =>
      readiness[name] === true && !off.has(code) ? [want] : [],
    );
    const where = layer.where([...READINESS, ...Object.keys(own).slice(0, 1)]);
    const wants = [...new Set([...(listAt(layer, WANTS) ?? []), ...wanted])];
    warnings.push(
      `findings.readiness (${where}): has moved; write prepare.wants: [${wants.join(', ')}] in its place (docs/preparing.md)`,
    );
    const { readiness: _, ...findings } = layer.values.findings as Tree;
    return {
      values: overlay({ ...layer.values, findings }, { prepare: { wants } }),
      where: (path) =>
        path[0] === 'prepare' && listAt(layer, WANTS) === undefined ? where : layer.where(path),
    };
  };

  return { layers: layers.map(withNewCodes).map(withWants), warnings };
}
