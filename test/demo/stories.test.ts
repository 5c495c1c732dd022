import { expect, it } from 'vitest';
import { pastOfStory } from '../../src/demo/scenes.ts';
import { readStory } from '../../src/demo/stories.ts';
import { phonesOf, type Story } from '../../src/demo/story.ts';
import { evaluate } from '../../src/diagnosis/evaluate.ts';
import { historyRules } from '../../src/diagnosis/rules/index.ts';
import type { HistoryEvent, NewEvent } from '../../src/history/events/event.ts';
import { contextOf, phoneOf } from '../findings/phones.ts';

const HOUR = 3_600_000;
const MONDAY = Date.UTC(2026, 10, 23);

const isBack = { plug: true, 'hub on': true, unplug: false, 'hub off': false };

/** The codes at the end of a story that begins at this moment, by who is plugged in alone. */
function foundOf(story: Story, startedAt: number): string[] {
  const { phones, happenings } = story;
  const cast = phones.map((phone) => {
    const { serial, port, slot = serial } = phone;
    const where = { slot, devpath: port, usbPath: port, hub: port.replace(/\.\d+$/, '') };
    const of = { udid: serial, where };
    const before = pastOfStory(story, serial, startedAt)?.events ?? [];
    const live = happenings.flatMap((each): NewEvent[] => {
      if (!(each.do === 'plug' || each.do === 'unplug' || each.do === 'hub on' || each.do === 'hub off'))
        return [];
      if (!phonesOf(phones, each).includes(phone)) return [];
      const at = startedAt + each.at;
      return [
        isBack[each.do] ? { ...of, at, kind: 'attached', state: 'device' } : { ...of, at, kind: 'detached' },
      ];
    });
    const attached = live.at(-1)?.kind !== 'detached';
    const events = [...before.map((event): NewEvent => ({ ...of, ...event })), ...live];
    return { events, input: phoneOf(serial, { where, attached }) };
  });
  const ordered = cast.flatMap(({ events }) => events).sort((one, other) => one.at - other.at);
  const inputs = cast.map(({ input }) => input);
  const context = {
    ...contextOf(inputs, {}, { at: startedAt + 60_000 }),
    events: ordered.map((event, index): HistoryEvent => ({ ...event, id: index + 1 })),
  };
  return evaluate(historyRules, context).map(({ code }) => code);
}

it.each([
  ['dying-hub', 'HUB_LOST, HUB_UNSTABLE'],
  ['bad-cable', 'PORT_UNSTABLE'],
])('the story %s is found at whatever hour of the week it is played', async (name, codes) => {
  const story = await readStory(name);
  const hours = Array.from({ length: 7 * 24 * 2 }, (_, half) => half / 2);
  const found = (hour: number) =>
    foundOf(story, MONDAY + hour * HOUR)
      .sort()
      .join(', ');
  expect(hours.filter((hour) => found(hour) !== codes)).toEqual([]);
});
