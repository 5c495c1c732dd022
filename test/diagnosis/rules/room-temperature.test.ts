import { expect, it } from 'vitest';
import { evaluate } from '../../../src/diagnosis/evaluate.ts';
import { roomWarm } from '../../../src/diagnosis/rules/room-temperature.ts';
import { contextOf, NOW, phoneOf, readings } from '../../findings/phones.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Room {
  /** Tenths of °C above the usual, for the last two hours. */
  above?: number;
  of?: number;
  days?: number;
  levelPercent?: (at: number) => number;
  slot?: (index: number) => string;
}

function judged(warm: number, { above = 60, of = 10, days = 8, levelPercent = () => 100, slot }: Room = {}) {
  const names = Array.from({ length: of }, (_, index) => `P${index}`);
  const samples = Object.fromEntries(
    names.map((name, index) => [
      name,
      readings(days * DAY, (at) => ({
        levelPercent: levelPercent(at),
        temperatureDecicelsius: 290 + index + (index < warm && at > NOW - 2 * HOUR ? above : 0),
      })),
    ]),
  );
  const phones = names.map((name, index) =>
    phoneOf(name, {
      battery: { temperatureDecicelsius: 300 },
      where: slot ? { slot: slot(index) } : {},
    }),
  );
  return evaluate([roomWarm], contextOf(phones, samples));
}

it('says how many phones are how much warmer, and where it is hottest', () => {
  const slot = (index: number) => `rack 1, shelf ${index < 5 ? 1 : 2}, bay ${index}`;
  expect(judged(9, { slot })).toEqual([
    {
      code: 'ROOM_WARM',
      severity: 'minor',
      subject: { kind: 'room' },
      certainty: 'likely',
      title:
        '9 of 10 phones are 6 °C warmer than at this hour of the last week; rack 1, shelf 2 is the hottest at 36 °C',
      remedy: 'Check the cooling of the room, its doors and windows, and what else heats it',
      since: NOW - 2 * HOUR + 300_000,
      udids: ['P0', 'P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8'],
      evidence: [],
    },
  ]);
});

it('is worse where the phones come near the limit of their batteries', () => {
  expect(judged(10, { above: 115 })[0]?.severity).toBe('major');
});

it.each<[string, number, Room?]>([
  ['few of the phones are warm', 6],
  ['there are few phones', 4, { of: 4 }],
  ['it is a little warmer', 10, { above: 30 }],
  ['the phones charge', 10, { levelPercent: (at) => 60 + (at - NOW) / (HOUR / 10) }],
  ['the last week is not known', 10, { days: 2 }],
])('says nothing when %s', (_why, warm, room) => {
  expect(judged(warm, room)).toEqual([]);
});
