import { expect, it } from 'vitest';
import { toldBy } from '../../src/agent/told.ts';
import type { HistoryEvent } from '../../src/diagnosis/events/event.ts';

const of = (udid: string) => ({ udid, where: {}, at: 0 });

it('is how each phone was last connected', () => {
  const { connections } = toldBy(
    [
      { id: 3, kind: 'attached', state: 'device', ...of('A') },
      { id: 4, kind: 'detached', ...of('B') },
      { id: 5, kind: 'state', state: 'offline', before: 'device', ...of('C') },
    ],
    [],
  );
  expect(Object.fromEntries(connections)).toEqual({
    A: { attached: true, state: 'device' },
    B: { attached: false, state: 'disconnected' },
    C: { attached: true, state: 'offline' },
  });
});

it.each<[string, HistoryEvent[], boolean, boolean]>([
  ['nothing', [], false, false],
  ['adb lost', [{ id: 1, at: 9, kind: 'adbLost' }], true, false],
  [
    'adb back, by the order and not by a clock that was set back',
    [
      { id: 1, at: 9, kind: 'adbLost' },
      { id: 2, at: 5, kind: 'adbBack' },
    ],
    false,
    false,
  ],
  [
    'the cloud lost, adb replaced',
    [
      { id: 7, at: 5, kind: 'cloudLost' },
      { id: 2, at: 9, kind: 'cloudBack' },
      { id: 3, at: 9, kind: 'adbReplaced' },
    ],
    false,
    true,
  ],
])('is whether adb and cloud were lost: %s', (_, ofHost, isAdbLost, isCloudLost) => {
  expect(toldBy([], ofHost)).toMatchObject({ isAdbLost, isCloudLost });
});
