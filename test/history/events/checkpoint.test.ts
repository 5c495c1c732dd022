import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpointIn } from '../../../src/history/events/checkpoint.ts';
import type { HostHappening, NewEvent } from '../../../src/history/events/event.ts';
import { keptLog } from '../../support/log.ts';
import { MemoryHistory } from '../../support/memory-history.ts';

describe('what earlier runs recorded last', () => {
  let history: MemoryHistory;
  beforeEach(() => {
    history = new MemoryHistory();
    return () => history.close();
  });
  const { log, lines } = keptLog('info');
  afterEach(() => expect(lines.splice(0)).toEqual([]));

  it('is how each phone was connected, and since when', async () => {
    const of = (udid: string, at: number) => ({ udid, where: {}, at });
    await history.record([
      { kind: 'attached', state: 'device', ...of('A', 1) },
      { kind: 'attached', state: 'device', ...of('B', 2) },
      { kind: 'attached', state: 'device', ...of('C', 3) },
      { kind: 'detached', ...of('B', 4) },
      { kind: 'state', state: 'offline', before: 'device', ...of('C', 5) },
      { kind: 'rebooted', ...of('C', 6) },
    ]);
    const { connections } = await checkpointIn(history, log);
    expect(Object.fromEntries(connections ?? [])).toEqual({
      A: { attached: true, state: 'device', at: 1 },
      B: { attached: false, state: 'disconnected', at: 4 },
      C: { attached: true, state: 'offline', at: 5 },
    });
  });

  it.each<[string, (HostHappening & { at: number })[], boolean, boolean]>([
    ['nothing', [], false, false],
    ['adb lost', [{ at: 9, kind: 'adbLost' }], true, false],
    [
      'adb back, by the order and not by a clock that was set back',
      [
        { at: 9, kind: 'adbLost' },
        { at: 5, kind: 'adbBack' },
      ],
      false,
      false,
    ],
    [
      'the cloud lost, adb replaced',
      [
        { at: 9, kind: 'cloudBack' },
        { at: 9, kind: 'adbReplaced' },
        { at: 5, kind: 'cloudLost' },
      ],
      false,
      true,
    ],
  ])('is whether adb and cloud were lost: %s', async (_, ofHost, isAdbLost, isCloudLost) => {
    await history.record(ofHost as NewEvent[]);
    expect(await checkpointIn(history, log)).toMatchObject({ isAdbLost, isCloudLost });
  });
});

it('is nothing where the history does not answer: the agent starts, and says it', async () => {
  const { log, lines } = keptLog('info');
  const dead = () => Promise.reject(new Error('its thread has died'));
  const checkpoint = await checkpointIn({ events: dead, lastStates: dead }, log);
  expect(checkpoint).toEqual({ isAdbLost: false, isCloudLost: false });
  expect(lines.map(({ msg }) => msg)).toEqual([
    'cannot read the history: what happened while hostnode did not run may be missing',
  ]);
});
