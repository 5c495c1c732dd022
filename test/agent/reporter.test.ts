import { EventEmitter, getEventListeners, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CloudHealth } from '../../src/agent/cloud-health.ts';
import { notifyAll } from '../../src/agent/observer.ts';
import { standardTiming } from '../../src/agent/options.ts';
import { Reporter } from '../../src/agent/reporter.ts';
import type { Logger } from '../../src/base/log.ts';
import { AgentClient } from '../../src/cloud/agent-client.ts';
import type { DeviceInfo } from '../../src/cloud/contract/report.ts';
import { Delivery } from '../../src/cloud/delivery.ts';
import { CloudUnavailableError } from '../../src/cloud/errors.ts';
import { gotEngine } from '../../src/cloud/got-engine.ts';
import { Roster } from '../../src/roster/roster.ts';
import { machine, TestServer } from '../support/cloud-server.ts';
import { keptLog, silentLog } from '../support/log.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A reporter whose cloud is this. */
function reporterTo(
  client: Pick<AgentClient, 'putDevices'>,
  log: Logger = silentLog,
  { prepare }: { prepare(udids?: ReadonlySet<string>): string[] } = { prepare: () => ['A'] },
): Reporter {
  const observer = notifyAll([]);
  const delivery = new Delivery(client);
  return new Reporter({
    nodeId: 'node-1',
    delivery,
    roster: new Roster({ nodeId: 'node-1', offlineNetworkMs: 0 }),
    readMachine: async () => machine,
    save: async () => {},
    refusedRetries: 0,
    timing: { ...standardTiming, firstRefusalDelayMs: 1 },
    observer,
    log,
    source: {
      prepare: (udids) => prepare(udids).map((udid) => ({ udid }) as DeviceInfo),
      forget: () => {},
    },
    cloudHealth: new CloudHealth({ delivery, observer, log }),
    collector: { collect: async () => undefined },
    schedule: { msToNext: 60_000 },
    watcher: { look() {} },
  });
}

describe('Reporter', () => {
  it('leaves nothing behind on the signal that ends it, however many reports there were', async () => {
    await using cloud = await TestServer.listen((_, response) => void response.end('{"failedDevices":[]}'));
    const client = new AgentClient({
      engine: gotEngine,
      baseUrl: `http://127.0.0.1:${cloud.port}/v1`,
      username: 'lab',
      apiKey: 'lab-key',
      userAgent: 'test',
    });
    const signals = new Set<AbortSignal>();
    const reporter = reporterTo({
      putDevices(body, signal) {
        if (signal) signals.add(signal);
        return client.putDevices(body, signal);
      },
    });
    for (let reports = 0; reports < 20; reports += 1) await reporter.full();
    expect(cloud.received).toHaveLength(20);
    expect([...signals].map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0]);
    await reporter.stop();
    client.close();
  });

  it.each([
    ['a change', 'within 1 s', (reporter: Reporter) => reporter.some(['A']), 500],
    ['a start', 'within 1 s', (reporter: Reporter) => reporter.full(), 500],
    ['the schedule', 'within 90 s', (reporter: Reporter) => reporter.full(false), 45_000],
  ])('tries a failed report of %s again %s', async (_, __, report, halfMs) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { log, lines } = keptLog('debug');
    const reporter = reporterTo(
      {
        putDevices: async () => {
          void setImmediate().then(() => reporter.finish());
          throw new CloudUnavailableError('down', { request: 'PUT' });
        },
      },
      log,
    );
    await report(reporter);
    const again = lines.filter(({ msg }) => msg === 'the report will be tried again');
    expect(again.map(({ delayMs }) => delayMs)).toEqual([halfMs]);
    await reporter.stop();
  });

  it('sends a change at once while a failed report waits, and that report with it; after two failures both wait', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.1); // the next attempts are 9 s and 48 s away
    const failed = new EventEmitter();
    const sent: unknown[] = [];
    const { log } = keptLog('debug', ({ msg }) => {
      if (msg === 'the report will be tried again') failed.emit('again');
    });
    const reporter = reporterTo(
      {
        async putDevices({ devices }) {
          sent.push(devices?.map(({ udid }) => udid));
          throw new CloudUnavailableError('down', { request: 'PUT' });
        },
      },
      log,
      { prepare: (udids) => ['A', 'B'].filter((udid) => udids?.has(udid) ?? true) },
    );
    const full = reporter.full(false);
    await once(failed, 'again');
    const secondFailed = once(failed, 'again');
    const change = reporter.some(['B']);
    await secondFailed;
    const later = reporter.some(['A']);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    expect(await full).toEqual({ kind: 'superseded' });
    expect(sent).toEqual([
      ['A', 'B'],
      ['A', 'B'],
    ]);
    await reporter.stop();
    expect([await change, await later]).toEqual([{ kind: 'superseded' }, { kind: 'superseded' }]);
    expect(sent).toHaveLength(2);
  });
});
