/** The push, received by a program that is not ours, which scrapes the same agent. */
import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import {
  describeWithReceiver,
  type Receiver,
  type Series,
  startReceiver,
} from '../../support/otlp-receiver.ts';
import { Daemon } from '../../support/program.ts';
import { nodeId, phoneOf, poco, smartron, startHost } from '../../support/program-lab.ts';
import { freePort } from '../../support/raw-server.ts';

/** Changes from one moment to the next. */
const RESTLESS = /"process_(?:cpu_seconds_total|resident_memory_bytes|open_fds)"/;

const scraped = '{__name__=~"(hostnode|process)_.+", job="scraped"}';
const pushed = `{__name__=~"(hostnode|process)_.+", service_name="hostnode", service_instance_id="${nodeId}"}`;

/** Each series with its value, without whose it is. */
const valuesOf = (series: readonly Series[]): Map<string, string> =>
  new Map(
    series.map(({ metric, value: [, value] }) => {
      const own = Object.entries(metric).filter(
        ([label]) => !/^(?:job|instance|service_.*|host_name)$/.test(label),
      );
      return [JSON.stringify(own.toSorted()), value];
    }),
  );

const calm = (values: Map<string, string>) => [...values].filter(([name]) => !RESTLESS.test(name)).toSorted();

/** An agent of two phones that pushes each second, and is scraped each second. */
async function pushingHost() {
  const port = await freePort();
  const receiver = await startReceiver({ scraped: [`127.0.0.1:${port}`] });
  const { env, adb } = await startHost(phoneOf(poco), phoneOf(smartron));
  const daemon = new Daemon({
    ...env,
    HOSTNODE_STATUS_PORT: String(port),
    HOSTNODE_METRICS_OTLP_ENDPOINT: receiver.endpoint,
    HOSTNODE_METRICS_OTLP_EVERY_SECONDS: '1',
  });
  await daemon.says('round');
  return { receiver, adb };
}

/** Waits until both ways give the same. */
async function untilSame({ query }: Receiver): Promise<Map<string, string>> {
  const signal = AbortSignal.timeout(50_000);
  for (;;) {
    const [one, other] = [valuesOf(await query(pushed)), valuesOf(await query(scraped))];
    const isSame = isDeepStrictEqual([...one.keys()].toSorted(), [...other.keys()].toSorted());
    if (one.size > 100 && isSame && isDeepStrictEqual(calm(one), calm(other))) return one;
    if (signal.aborted) expect([...one].toSorted()).toEqual([...other].toSorted());
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

describeWithReceiver('metrics that are pushed', () => {
  it('are the same series, with the same values, as those scraped from the same agent', async () => {
    const { receiver, adb } = await pushingHost();
    const values = await untilSame(receiver);
    expect([...values.keys()].filter((name) => name.includes(poco)).length).toBeGreaterThan(10);
    const answered = values.get('[["__name__","hostnode_probes_total"],["outcome","answered"]]');
    expect(Number(answered)).toBeGreaterThan(1);

    // a series that ends does so at once, as in a scrape: the phone has one state
    adb.unplug(smartron);
    const states = async () => {
      const series = await receiver.query(
        `hostnode_device_state{udid="${smartron}", service_name="hostnode"}`,
      );
      return series.map(({ metric: { state } }) => state);
    };
    await expect.poll(states).toEqual(['disconnected']);
    await untilSame(receiver);

    // whose they are: the host's name in the cloud, the machine, the version
    const [{ metric } = { metric: {} as Series['metric'] }] = await receiver.query(
      'hostnode_build_info{service_name="hostnode"}',
    );
    expect(metric).toMatchObject({ service_instance_id: nodeId, host_name: hostname() });
    expect(metric).toHaveProperty('service_version', metric.version);
  });
});
