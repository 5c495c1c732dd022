/** How well incidents of the real world are judged; `months.test.ts`: how quiet the months are in which nothing is wrong. */
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { admitted } from '../../../src/history/events/event.ts';
import { incidents, months } from './all.ts';
import { FLOORS, isOfPart, parts, shownOf } from './floors.ts';
import { inZone, Lab } from './lab.ts';
import { told, zoneOf } from './story.ts';
import { momentsOf, Sweep } from './sweep.ts';
import { type Verdict, verdictOn } from './verdict.ts';

describe.each(parts)('the incidents that are %s', (part) => {
  const verdicts: (Verdict & { canShow: boolean })[] = [];
  const floor = FLOORS[part];
  const shown = shownOf(part);

  it('are judged as the agent judges', { timeout: 1_500_000 }, async () => {
    verdicts.length = 0; // of a first try
    for (const incident of incidents.filter(isOfPart(part))) {
      verdicts.push({ ...verdictOn(incident), canShow: incident.cannotShow === undefined });
      await setImmediate(); // whoever reports the test's life has a turn
    }
    expect(verdicts.length).toBeGreaterThan(20);
  });

  it('name the right cause and a remedy that fits, as often as before', ({ task }) => {
    const can = verdicts.filter(({ canShow }) => canShow);
    const right = can.filter(({ outcome }) => outcome === 'right').length;
    const wrong = verdicts.filter(({ outcome }) => outcome === 'wrong');
    const percent = ((right * 100) / can.length).toFixed(0);
    task.meta.findingScores = [
      `incidents ${part}: ${right} of ${can.length} right (${percent} %), ${wrong.length} of ${verdicts.length} blamed on a wrong one`,
    ];
    const others = can.filter(({ outcome }) => outcome !== 'right');
    expect.soft(right, shown(others.map(({ name }) => name)).join('\n')).toBeGreaterThanOrEqual(floor.right);
    expect(wrong.length, shown(wrong.map(({ name }) => name)).join('\n')).toBeLessThanOrEqual(floor.wrong);
  });

  it.runIf(part === 'worked')('are told alike by the causes and by why', () => {
    expect(
      verdicts.flatMap(({ name, contradictions }) => contradictions.map((each) => `${name}: ${each}`)),
    ).toEqual([]);
  });
});

describe('the scenes', () => {
  it('are sixty or more of each; each has a name of its own, each incident a source and what it says', () => {
    expect(incidents.length).toBeGreaterThanOrEqual(60);
    expect(months.length).toBeGreaterThanOrEqual(60);
    const names = [...incidents, ...months].map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const { source, seen, cause, did } of incidents) {
      expect(source).toMatch(/^([\w.-]+\/[\w.-]+#\d+(, (#\d+|[\w.-]+\/[\w.-]+#\d+))*|https?:\/\/\S+)$/);
      for (const text of [seen, cause, did]) expect(text.length).toBeGreaterThan(3);
    }
  });

  it('are judged at least as well as the document says', () => {
    const document = readFileSync(new URL('../../../docs/findings.md', import.meta.url), 'utf8');
    for (const part of parts) {
      const ofPart = incidents.filter(isOfPart(part));
      const can = ofPart.filter(({ cannotShow }) => cannotShow === undefined);
      const { right, wrong, loud, minor } = FLOORS[part];
      const cells = [part, `${right} of ${can.length}`, `${wrong} of ${ofPart.length}`, loud, minor];
      expect(document).toContain(`| ${cells.join(' | ')} |`);
    }
  });

  it('hold only what the agent can record; no phone goes while it is away, or comes while it is there', () => {
    for (const scene of [...incidents, ...months]) {
      const { lab, recorded } = inZone(zoneOf(scene), () => {
        const { lab } = told(scene);
        return { lab, recorded: lab.recorded() };
      });
      const there = lab.phones.filter(({ isThereAtFirst }) => isThereAtFirst);
      const attached = new Set(there.map(({ udid }) => udid));
      const odd: string[] = [];
      for (const { id, ...event } of recorded.map((each) => each.event)) {
        const { kind, udid = '' } = event;
        const isOdd = (kind === 'attached') === attached.has(udid) && moves.has(kind);
        if (isOdd || admitted(event) === undefined)
          odd.push(`${kind} ${udid} ${new Date(event.at).toISOString()}`);
        if (kind === 'attached') attached.add(udid);
        if (kind === 'detached') attached.delete(udid);
      }
      expect(odd, scene.name).toEqual([]);
      expect(recorded.length, scene.name).toBeGreaterThan(0);
    }
  });
});

const moves: ReadonlySet<string> = new Set(['attached', 'detached', 'state']);

it('the agent judges 4 s after something, and 13 s, 76 s and later after the last thing that happened', () => {
  const second = 1000;
  const [start, end] = [0, 3_600_000 * 11];
  expect(momentsOf([100 * second, 102 * second, 110 * second], { start, end }, 100)).toEqual([
    104 * second,
    114 * second,
    123 * second,
    186 * second,
    770 * second,
    1970 * second,
  ]);
});

it('a phone is as its last event left it, in the time zone of its lab', () => {
  inZone('Australia/Sydney', () => {
    const lab = new Lab({ from: '2026-04-04', days: 3 }, 1);
    expect((lab.at(2) - lab.at(0)) / 3_600_000).toBe(49); // clocks go back on April 5
    lab.lose(lab.pinned(0), lab.at(1, '12:00'), { forMs: 60_000, backAs: 'unauthorized' });
    const context = new Sweep(lab).contextAt(lab.at(1, '13:00'));
    expect(context?.now.phones[0]).toMatchObject({ state: 'unauthorized', attached: true });
    expect(context?.events.map(({ kind }) => kind)).toEqual(['detached', 'attached']);
  });
});
