import { expect, it } from 'vitest';
import { demoPast } from '../../src/cli/demo.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { Lab, poco } from '../support/lab.ts';
import { MemoryHistory } from '../support/memory-history.ts';

it('gives a phone months of events and readings when the agent first knows it, before its own', async () => {
  await using lab = await Lab.open();
  const startedAt = Date.now();
  const history = new MemoryHistory();
  const agent = await lab.agent();
  const past = demoPast({ recordings }, startedAt, history, agent);
  agent.observe(past);
  agent.observe(history);
  agent.start();
  lab.adb.plug(poco('f12a8ec9', '1-4.2')); // the serial of a recording
  await lab.until(() => agent.state.phones.some(({ snapshot }) => snapshot !== undefined));
  const udids = ['f12a8ec9'];
  const events = (await history.events({ udids })).toReversed();
  const times = events.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  const kinds = events.filter(({ at }) => at < startedAt).map(({ kind }) => kind);
  expect(kinds[0]).toBe('attached');
  expect(kinds.slice(-2)).toEqual(['refused', 'stored']);
  const days = await history.uptime('f12a8ec9', 90);
  expect(days.filter(({ onlineRatio }) => onlineRatio !== undefined).length).toBeGreaterThan(75);
  expect(days.filter(({ onlineRatio }) => onlineRatio === undefined).length).toBeGreaterThan(3);
  await past.whole;
  expect(events[0]).toMatchObject({ where: { devpath: '1-4.2', hub: '1-4' } });
  expect((await history.samples('f12a8ec9', startedAt - 86_400_000)).length).toBeGreaterThan(200);
  expect((await history.samples('f12a8ec9', startedAt - 90 * 86_400_000)).length).toBeGreaterThan(1000);
  past.changed(); // only once
  const again = await history.events({ udids });
  expect(again.filter(({ at }) => at < startedAt)).toHaveLength(kinds.length);
  await agent.stop();
  history.close();
});
