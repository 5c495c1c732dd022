/**
 * What keeps a test from working on a phone, and is seen in the present alone: it does not answer, has no internet, shows its
 * lock screen or a dialog. Its changes are kept as events, so that a verdict finds it later.
 */
import { preparations, type SettingName } from '../../facts/preparation.ts';
import type { NewEvent } from '../../history/events/event.ts';
import { evaluate } from '../evaluate.ts';
import { GO_ONLINE } from '../remedies.ts';
import type { RuleInput } from '../rule-input.ts';
import { ruleOf } from '../rules/index.ts';

/** Rules of the present that are not kept otherwise. */
const rules = ['silent', 'locked', 'network'].flatMap((code) => ruleOf(code) ?? []);

/**
 * What a test itself may cause: it switches Wi-Fi off, locks the screen, or opens a dialog. Settings are known only where the
 * lab has them collected.
 */
const byTests: ReadonlyMap<string, { sign: string; setting?: SettingName }> = new Map([
  ['internet', { sign: 'no internet' }],
  ['screenLocked', { sign: 'screen locked', setting: 'screenLock' }],
  ['screenOff', { sign: 'screen off', setting: 'screenOn' }],
  ['dialog', { sign: 'dialog in front', setting: 'dialog' }],
]);

export const mayBeByTest = (code: string): boolean => byTests.has(code);

/** `screen locked`, `no internet`. */
export const hindranceInWords = (code: string): string => (byTests.get(code) ?? ruleOf(code))?.sign ?? code;

/** Of each phone, by udid: the codes last recorded, with commas, and whether it had internet since this map is kept. */
export type RecordedHindrances = Map<string, { codes: string; hadInternet: boolean }>;

/** An event for each phone that something else hinders than was recorded; what is recorded follows. */
export function hindranceEvents(input: RuleInput, recorded: RecordedHindrances): NewEvent[] {
  const found = evaluate(rules, { now: input, events: [], samplesOf: () => [] });
  const ofPhones = Map.groupBy(found, ({ udids: [udid = ''] }) => udid);
  const known = new Set(input.phones.map(({ udid }) => udid));
  for (const udid of recorded.keys()) if (!known.has(udid)) recorded.delete(udid);
  return input.phones.flatMap((phone): NewEvent[] => {
    const { udid, where, readiness = {}, isInMaintenance, state, network } = phone;
    const before = recorded.get(udid) ?? { codes: '', hadInternet: false };
    const hadInternet = before.hadInternet || network === 'REACHABLE';
    const isAsked = state === 'device' && !isInMaintenance;
    const shown = [...byTests].flatMap(([code, { setting }]) => {
      const row = preparations.find(({ name }) => name === setting);
      return isAsked && row?.isRight(readiness) === false ? [{ code, remedy: row.remedy }] : [];
    });
    const own = ofPhones.get(udid) ?? [];
    // one that is away now has not said that it is back
    const isCut = network === undefined ? before.codes.includes('internet') : network === 'UNREACHABLE';
    const isTold = own.some(({ code }) => code === 'network');
    const cut = isCut && hadInternet && !isTold ? [{ code: 'internet', remedy: GO_ONLINE }] : [];
    const all = [...own.map(({ code, remedy }) => ({ code, remedy })), ...cut, ...shown];
    const codes = all.map(({ code }) => code).join();
    recorded.set(udid, { codes, hadInternet });
    if (codes === before.codes) return [];
    const [first] = all;
    return [{ kind: 'hindered', at: input.at, udid, where, codes, ...(first && { remedy: first.remedy }) }];
  });
}
