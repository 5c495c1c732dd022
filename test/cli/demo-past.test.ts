import { expect, it } from 'vitest';
import { notifyAll } from '../../src/agent/observer.ts';
import { anyHost } from '../../src/base/host-kind.ts';
import { DemoPast } from '../../src/cli/demo-past.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { StatusModel } from '../../src/status/status-model.ts';
import { Lab, poco } from '../support/lab.ts';

it('gives a phone a day of history when the agent first knows it, and says until when it is simulated', async () => {
  await using lab = await Lab.open();
  const startedAt = Date.now();
  const statusModel = new StatusModel({ hostName: 'demo-host', version: '1.2.3', simulatedUntil: startedAt });
  const past = new DemoPast(recordings, statusModel, startedAt);
  const agent = await lab.running({ observer: notifyAll([past, statusModel]) });
  past.follow(agent);
  const adbAt = { host: '127.0.0.1', port: 5037, hostKind: anyHost };
  statusModel.follow(agent, { adbAt, slots: [], maintenanceOf: () => undefined });
  const phone = poco('f12a8ec9'); // the serial of a recording
  lab.adb.plug(phone);
  await lab.until(() => agent.view.phones.some(({ snapshot }) => snapshot !== undefined));
  const [udid = ''] = agent.view.phones.map(({ device }) => device.udid);
  const detail = statusModel.phone(udid);
  expect(detail?.simulatedUntil).toBe(startedAt);
  expect(detail?.history.length).toBeGreaterThan(200);
  const before = detail?.timeline.filter(({ at }) => at < startedAt) ?? [];
  expect(before.at(-1)?.what).toBe('adb: device');
  past.changed(); // only once
  expect(statusModel.phone(udid)?.timeline.filter(({ at }) => at < startedAt)).toEqual(before);
});
