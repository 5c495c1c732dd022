import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CloudHealth } from '../../src/agent/cloud-health.ts';
import { Reporter } from '../../src/agent/reporter.ts';
import { createLogger } from '../../src/base/log.ts';
import { CloudClient } from '../../src/cloud/client.ts';
import { Delivery } from '../../src/cloud/delivery.ts';
import { machine, TestServer } from '../support/cloud-server.ts';

const { logger: log } = createLogger({ level: 'silent', format: 'json', destination: () => {} });

describe('Reporter', () => {
  it('leaves nothing behind on the signal that ends it, however many reports there were', async () => {
    await using cloud = await TestServer.listen((_, response) => void response.end('{"failedDevices":[]}'));
    const client = new CloudClient({
      baseUrl: `http://127.0.0.1:${cloud.port}/v1`,
      username: 'lab',
      apiKey: 'lab-key',
      version: '0',
    });
    const signals = new Set<AbortSignal>();
    const reporter = new Reporter({
      nodeId: 'node-1',
      delivery: new Delivery((body, signal) => {
        signals.add(signal);
        return client.putDevices(body, signal);
      }),
      readMachine: async () => machine,
      save: async () => {},
      reportSource: { announce: () => [], knownUdids: new Set(), settled: () => {} },
      cloudHealth: new CloudHealth({ onChanged: () => {}, log }),
      collect: async () => {},
      msToNext: () => 60_000,
      refusedRetries: 0,
      firstRefusalDelayMs: 1,
      observer: { changed: () => {}, sent: () => {} },
      log,
    });
    for (let reports = 0; reports < 20; reports += 1) await reporter.full();
    expect(cloud.received).toHaveLength(20);
    expect([...signals].map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0]);
    await reporter.stop();
    client.close();
  });
});
