import { expect, it } from 'vitest';
import { earlierOf } from '../../src/daemon/earlier.ts';
import type { HistoryEvent } from '../../src/diagnosis/events/event.ts';
import { keptLog } from '../support/log.ts';
import { MemoryHistory } from '../support/memory-history.ts';

const phone = { udid: 'A', where: {} };

/** A history whose thread answers as this store does. */
const answering = (history: MemoryHistory) => ({
  events: (query: Parameters<MemoryHistory['events']>[0]) => history.events(query),
  ask: async (): Promise<HistoryEvent[]> => history.store.lastStates(),
});

it('is what the history was told last of phones and host, and since when a phone is so', async () => {
  const history = new MemoryHistory();
  const at = Date.now();
  await history.record([
    { kind: 'attached', state: 'device', at: at - 9000, ...phone },
    { kind: 'adbLost', at: at - 8000 },
    { kind: 'cloudLost', at: at - 7000 },
    { kind: 'cloudBack', at: at - 6000 },
    { kind: 'state', state: 'offline', before: 'device', at: at - 5000, ...phone },
    { kind: 'rebooted', at: at - 4000, ...phone },
  ]);
  const { log, lines } = keptLog('info');
  const { told, lastStates } = await earlierOf(answering(history), log);
  expect(told).toMatchObject({ isAdbLost: true, isCloudLost: false });
  expect([...(told.connections ?? [])]).toEqual([['A', { attached: true, state: 'offline' }]]);
  expect([...lastStates]).toEqual([['A', { state: 'offline', at: at - 5000 }]]);
  expect(lines).toEqual([]);
  history.close();
});

it('is nothing where the history does not answer: the agent starts, and says it', async () => {
  const { log, lines } = keptLog('info');
  const dead = () => Promise.reject(new Error('its thread has died'));
  const { told, lastStates } = await earlierOf({ events: dead, ask: dead }, log);
  expect(told).toEqual({ isAdbLost: false, isCloudLost: false });
  expect(lastStates.size).toBe(0);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'cannot read the history: what happened while hostnode did not run may be missing',
  ]);
});
