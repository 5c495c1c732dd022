/** A maintenance mutes every finding whose phones are all in it, whatever its code and however they were named. */
import { expect, it } from 'vitest';
import { findingKey } from '../../src/diagnosis/finding.ts';
import type { RuleContext } from '../../src/diagnosis/rule.ts';
import { findingCodes } from '../../src/diagnosis/rules/index.ts';
import { FindingsBoard } from '../../src/status/findings-board.ts';
import { resolvePhones } from '../../src/status/names.ts';
import { findingsIn } from '../support/findings-in.ts';
import { silentLog } from '../support/log.ts';
import { stories } from './all-stories.ts';
import { scenesOf } from './story.ts';
import { at, contextOf, lost, phone } from './told.ts';

/** The same host, with these phones in maintenance. */
const maintained = (context: RuleContext, udids: readonly string[]): RuleContext => {
  const phones = context.now.phones.map((each) => ({
    ...each,
    isInMaintenance: each.isInMaintenance || udids.includes(each.udid),
  }));
  return { ...context, now: { ...context.now, phones } };
};

/** They affect no phone: the host, and phones that adb does not list (`rules/usb-unlisted.test.ts` has one that it knows). */
const OF_NO_PHONE = ['ADB_RESTARTING', 'HOST_SLEEPS', 'NOT_IN_ADB', 'USB_UNREADABLE'];

it('by each code: no finding is left about a phone in maintenance', () => {
  const walked = new Set<string>();
  for (const { name, context, expected } of scenesOf(stories, [1, 2])) {
    if (expected.every(({ code }) => walked.has(code))) continue;
    const all = findingsIn(context);
    const fresh = all.filter(({ code, udids }) => udids.length > 0 && !walked.has(code));
    for (const { code, udids, subject } of fresh) {
      walked.add(code);
      const left = findingsIn(maintained(context, udids));
      expect(left.map(findingKey), `${code} of ${name}`).not.toContain(findingKey({ code, subject }));
      expect(left.filter((finding) => finding.udids.some((udid) => udids.includes(udid)))).toEqual([]);
    }
  }
  expect(findingCodes.filter((code) => !walked.has(code))).toEqual(OF_NO_PHONE);
});

const bays = ['A', 'B', 'C', 'D'].map((udid, index) => ({
  udid,
  where: at(`${index + 1}`, `s2, bay ${udid}`),
}));
const gone = bays.flatMap(({ udid, where }, index) => lost(1000 + index * 0.2, udid, where));
const away = [
  ...bays.map(({ udid, where }) => phone(udid, where, { attached: false, state: 'disconnected' })),
  phone('H', at('1-2.1')),
];

it.each([
  ['the hub', ['hub 1-4']],
  ['the shelf', ['s2']],
  ['a glob of its slots', ['s2, bay *']],
  ['its slots', bays.map(({ where }) => where.slot ?? '')],
  ['its phones', ['A', 'B', 'C', 'Pixel D']],
])('ends a HUB_LOST, named by %s', (_, names) => {
  const context = contextOf(1012, gone, away);
  expect(findingsIn(context).map(({ code }) => code)).toEqual(['HUB_LOST']);
  const udids = names.flatMap((name) => resolvePhones(name, away, []).map((each) => each.udid));
  expect(findingsIn(maintained(context, udids))).toEqual([]);
});

it('ends it at once, also while nothing can be evaluated', () => {
  const { now, ...context } = contextOf(1012, gone, away);
  const board = new FindingsBoard(silentLog);
  board.take(findingsIn({ now, ...context }), now);
  const changes: (readonly string[])[] = [];
  board.onChange = (udids) => changes.push(udids);
  board.maintained((udid) => udid === 'A');
  expect(board.current).toMatchObject([{ code: 'HUB_LOST', udids: ['B', 'C', 'D'] }]);
  board.maintained(() => true);
  expect(board.current).toEqual([]);
  expect(changes).toEqual([['A'], ['B', 'C', 'D']]);
});
