/**
 * What keeps a test from working on a phone, and is seen in the present alone: it does not answer, has no internet, shows its
 * lock screen or a dialog. Its changes are kept as events, so that a verdict finds it later.
 */
import { preparations, type SettingName } from '../../facts/preparation.ts';
import type { NewEvent } from '../../history/events/event.ts';
import { evaluate } from '../evaluate.ts';
import type { RuleInput } from '../rule-input.ts';
import { ruleOf } from '../rules/index.ts';

/** Rules of the present that are not kept otherwise. */
const rules = ['silent', 'locked', 'network'].flatMap((code) => ruleOf(code) ?? []);

interface Screen {
  sign: string;
  setting: SettingName;
}

/** Settings that differ from what a test needs. They are known only where the lab has them collected. */
const screens: Readonly<Record<string, Screen>> = {
  screenLocked: { sign: 'screen locked', setting: 'screenLock' },
  screenOff: { sign: 'screen off', setting: 'screenOn' },
  dialog: { sign: 'dialog in front', setting: 'dialog' },
};

/** A test itself may lock the screen, or open a dialog. */
export const isOfScreen = (code: string): boolean => Object.hasOwn(screens, code);

/** `screen locked`, `no internet`. */
export const hindranceInWords = (code: string): string =>
  (isOfScreen(code) ? screens[code]?.sign : ruleOf(code)?.sign) ?? code;

/** What was last recorded of each phone, by udid: codes, with commas. */
export type RecordedHindrances = Map<string, string>;

/** An event for each phone that something else hinders than was recorded; what is recorded follows. */
export function hindranceEvents(input: RuleInput, recorded: RecordedHindrances): NewEvent[] {
  const found = evaluate(rules, { now: input, events: [], samplesOf: () => [] });
  const ofPhones = Map.groupBy(found, ({ udids: [udid = ''] }) => udid);
  return input.phones.flatMap((phone): NewEvent[] => {
    const { udid, where, readiness = {}, isInMaintenance, state } = phone;
    const isAsked = state === 'device' && !isInMaintenance;
    const shown = Object.entries(screens).flatMap(([code, { setting }]) => {
      const row = preparations.find(({ name }) => name === setting);
      return isAsked && row?.isRight(readiness) === false ? [{ code, remedy: row.remedy }] : [];
    });
    const all = [...(ofPhones.get(udid) ?? []).map(({ code, remedy }) => ({ code, remedy })), ...shown];
    const codes = all.map(({ code }) => code).join();
    if (codes === (recorded.get(udid) ?? '')) return [];
    recorded.set(udid, codes);
    const [first] = all;
    return [{ kind: 'hindered', at: input.at, udid, where, codes, ...(first && { remedy: first.remedy }) }];
  });
}
