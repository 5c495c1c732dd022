import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CloudHealth } from '../../src/agent/cloud-health.ts';
import { notifyAll } from '../../src/agent/observer.ts';
import { Reporter } from '../../src/agent/reporter.ts';
import { standardTiming } from '../../src/agent/timing.ts';
import { AgentClient } from '../../src/cloud/agent-client.ts';
import { Delivery } from '../../src/cloud/delivery.ts';
import { Roster } from '../../src/roster/roster.ts';
import { machine, TestServer } from '../support/cloud-server.ts';
import { silentLog as log } from '../support/log.ts';

describe('Reporter', () => {
  it('leaves nothing behind on the signal that ends it, however many reports there were', async () => {
    await using cloud = await TestServer.listen((_, response) => void response.end('{"failedDevices":[]}'));
    const client = new AgentClient({
      baseUrl: `http://127.0.0.1:${cloud.port}/v1`,
      username: 'lab',
      apiKey: 'lab-key',
      userAgent: 'test',
    });
    const signals = new Set<AbortSignal>();
    const observer = notifyAll([]);
    const delivery = new Delivery({
      putDevices(body, signal) {
        if (signal) signals.add(signal);
        return client.putDevices(body, signal);
      },
    });
    const context = {
      nodeId: 'node-1',
      delivery,
      roster: new Roster({ nodeId: 'node-1', offlineNetworkMs: 0 }),
      readMachine: async () => machine,
      save: async () => {},
      refusedRetries: 0,
      timing: { ...standardTiming, firstRefusalDelayMs: 1 },
      observer,
      log,
    };
    const reporter = new Reporter(context, {
      reportSource: { prepare: () => [], forget: () => {} },
      cloudHealth: new CloudHealth({ delivery, observer, log }),
      collector: { collectFresh: async () => undefined },
      schedule: { msToNext: 60_000 },
      phoneEvents: { look() {} },
    });
    for (let reports = 0; reports < 20; reports += 1) await reporter.full();
    expect(cloud.received).toHaveLength(20);
    expect([...signals].map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0]);
    await reporter.stop();
    client.close();
  });
});
