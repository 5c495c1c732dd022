/** Messages about findings by the built program: an address that is down, answers wrongly or hangs; the test button. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SimulatedPhone } from '../../src/demo/phone.ts';
import { OtlpEndpoint } from '../support/otlp-endpoint.ts';
import { Daemon, hostnode } from '../support/program.ts';
import { everySecond, phoneOf, poco, smartron, startHost, temporaryFolder } from '../support/program-lab.ts';

async function newEndpoint(): Promise<OtlpEndpoint> {
  const endpoint = await OtlpEndpoint.start();
  onTestFinished(() => endpoint.shut());
  return endpoint;
}

/** A phone of which a finding begins with the first round. */
function burning(serial: string): SimulatedPhone {
  const phone = phoneOf(serial);
  phone.alter('battery.dump', (text) => text.replace(/^( *temperature: )-?\d+$/m, '$1650'));
  return phone;
}

const pathOf = (endpoint: OtlpEndpoint) => new URL('/hooks/xyz-generated-key', endpoint.url).href;

describe('messages about findings', () => {
  it('are told once the address is back, and not again after a restart', async () => {
    const endpoint = await newEndpoint();
    const { env, adb } = await startHost(burning(poco));
    const file = join(await temporaryFolder(), 'hostnode.yaml');
    await writeFile(file, JSON.stringify({ notify: [{ url: pathOf(endpoint) }] }), { mode: 0o600 });
    await endpoint.shut();
    const start = () => new Daemon({ ...env, HOSTNODE_REPORT_SCHEDULE: everySecond }, '--config', file);
    const daemon = start();
    const line = await daemon.says('a message about findings is not taken');
    expect(JSON.stringify(line)).toContain('nothing listens there');
    expect(JSON.stringify(daemon.log)).not.toContain('xyz-generated-key');
    await endpoint.open();
    const { headers, body } = await endpoint.pushed();
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body.toString())).toMatchObject({
      ...{ version: 1, host: 'rack-2', now: { critical: 1 } },
      findings: [{ change: 'began', code: 'BATTERY_HOT', udids: [poco] }],
    });
    await daemon.says('messages about findings are taken again');
    expect(await daemon.end()).toEqual({ code: 0 });
    adb.plug(burning(smartron));
    start();
    const next = await endpoint.pushed();
    expect(JSON.parse(next.body.toString())).toMatchObject({
      now: { critical: 2 },
      findings: [{ udids: [smartron] }],
    });
    expect(endpoint.pushes).toHaveLength(2);
  });
});

describe('hostnode notify', () => {
  it('lists the addresses without their secrets; with --test each gets a message', async () => {
    const [good, wrong] = [await newEndpoint(), await newEndpoint()];
    wrong.manner = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'no_service' };
    const targets = [
      { url: pathOf(good), format: 'slack' },
      { url: pathOf(wrong), severity: 'critical', codes: ['POWER_CUT'] },
    ];
    const env = { HOSTNODE_NODE_ID: 'rack-2', HOSTNODE_NOTIFY: JSON.stringify(targets) };
    const listed = await hostnode(['notify'], env);
    expect(listed.code).toBe(0);
    expect(listed.stdout.trim().split('\n')).toEqual([
      `notify.1 ${new URL(good.url).origin}/… (slack): major and worse, all codes`,
      `notify.2 ${new URL(wrong.url).origin}/… (json): critical and worse, POWER_CUT`,
    ]);
    expect(good.pushes).toEqual([]);
    const tested = await hostnode(['notify', '--test'], env);
    expect(tested.code).toBe(1);
    expect(tested.stdout).toContain('(slack): taken (200)');
    expect(tested.stdout).toContain('404 Not Found ("no_service"); check the address');
    expect(tested.stdout).not.toContain('xyz');
    expect(JSON.parse(good.pushes[0]?.body.toString() ?? '').text).toContain('rack-2: a test message');
    const none = await hostnode(['notify', '--test']);
    expect(none.code).toBe(78);
  });
});
