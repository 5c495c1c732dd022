import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/base/styled-text.ts';
import { fitted } from '../../src/cli/columns.ts';
import { verdictLines } from '../../src/cli/verdict.ts';
import type { Verdict } from '../../src/status/host-status.ts';

const at = (hour: number, minute: number): number => new Date(2026, 10, 22, hour, minute).getTime();
const now = at(11, 0);
const answer: Verdict = {
  ...{ verdict: 'nothing', phone: { udid: 'R58M1', name: 'Kiosk' }, from: at(9, 0), to: at(9, 30) },
  ...{ watchedRatio: 1, unwatched: [], faults: [], notLookedAt: [] },
};
const lines = (changes: Partial<Verdict>, width?: number) =>
  fitted(verdictLines({ ...answer, ...changes }, now), width).map(textOf);

describe('a verdict on a terminal', () => {
  it('says that nothing was seen', () => {
    expect(lines({})).toEqual([
      'Nothing seen: it was the test, as far as the lab was watched',
      'Kiosk (R58M1) · 09:00 to 09:30 · all of it watched',
    ]);
  });

  it('says what of the lab it was, who did it and what to do; what is possible comes last', () => {
    const blame: NonNullable<Verdict['faults'][number]['blame']> = {
      party: 'hub',
      certainty: 'certain',
      because: 'it left USB',
      evidence: [1],
    };
    const found = lines({
      verdict: 'lab',
      phone: { ...answer.phone, slot: 'rack 2, bay 4' },
      faults: [
        {
          kind: 'restarted',
          at: at(9, 1),
          until: at(9, 1),
          certainty: 'possible',
          title: 'restarted',
          remedy: '',
          evidence: [],
        },
        {
          kind: 'lost',
          at: at(9, 10),
          certainty: 'certain',
          title: 'adb did not list it',
          blame,
          remedy: 'Check it',
          evidence: [],
        },
        {
          kind: 'heat',
          at: at(9, 20),
          until: at(9, 25),
          certainty: 'likely',
          title: 'hot',
          remedy: 'Cool it',
          evidence: [],
        },
      ],
    });
    expect(found).toEqual([
      'The lab’s fault',
      'Kiosk (R58M1) · rack 2, bay 4 · 09:00 to 09:30 · all of it watched',
      ' ! since 09:10  adb did not list it; certainly the hub: it left USB',
      '   → Check it',
      ' ! 09:20 to 09:25  hot  (likely)',
      '   → Cool it',
      ' · 09:01  restarted  (possible)',
    ]);
  });

  it('says what was not watched, and never rounds it to all', () => {
    const unwatched = [{ from: at(9, 10) + 7_400, to: at(9, 12), because: 'hostnode did not run' }];
    expect(
      lines({ verdict: 'unwatched', watchedRatio: 0.9999, unwatched, notLookedAt: ['dialogs', 'storage'] }),
    ).toEqual([
      'Not watched: nothing seen in 99.9 % of the time, nobody knows of the rest',
      'Kiosk (R58M1) · 09:00 to 09:30 · 99.9 % of it watched',
      ' ? 09:10:07 to 09:12  not watched: hostnode did not run',
      'Not looked at: dialogs, storage',
    ]);
  });

  it('tells the first twenty faults, within the width', () => {
    const fault: Verdict['faults'][number] = {
      kind: 'adb',
      at: at(9, 1),
      until: at(9, 1),
      certainty: 'certain',
      title: 'x '.repeat(40),
      remedy: '',
      evidence: [],
    };
    const found = lines({ verdict: 'lab', faults: Array.from({ length: 25 }, () => fault) }, 60);
    expect(found.at(-1)).toBe('   … and 5 more: --json');
    expect(Math.max(...found.map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});
