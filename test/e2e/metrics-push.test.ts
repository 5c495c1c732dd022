/** The push of the metrics by the built program: started, changed and ended by its configuration. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OtlpEndpoint } from '../support/otlp-endpoint.ts';
import { Daemon, Program, programFile } from '../support/program.ts';
import { everySecond, phoneOf, poco, startHost, temporaryFolder } from '../support/program-lab.ts';

async function newEndpoint(): Promise<OtlpEndpoint> {
  const endpoint = await OtlpEndpoint.start();
  onTestFinished(() => endpoint.shut());
  return endpoint;
}

/** An agent that reports each second, whose configuration file can be changed. */
async function hostWith(yaml: string) {
  const { env } = await startHost(phoneOf(poco));
  const file = join(await temporaryFolder(), 'hostnode.yaml');
  await writeFile(file, yaml);
  const daemon = new Daemon({ ...env, HOSTNODE_REPORT_SCHEDULE: everySecond }, '--config', file);
  const reload = async (next: string) => {
    await writeFile(file, next);
    daemon.signal('SIGHUP');
    await daemon.says('reading the configuration again');
  };
  return { daemon, reload };
}

const to = ({ url }: OtlpEndpoint, more = '') =>
  `metrics: { otlp: { endpoint: "${url}", everySeconds: 1${more} } }\n`;

describe('the push of the metrics', () => {
  it('has its code in a file of its own, without which an agent that pushes nothing runs', async () => {
    const [folder, without] = [dirname(programFile()), join(await temporaryFolder(), 'program')];
    expect(await readFile(join(folder, 'otlp.cjs'), 'utf8')).toContain('service.instance.id');
    expect(await readFile(join(folder, 'main.cjs'), 'utf8')).not.toContain('service.instance.id');
    await cp(folder, without, { recursive: true, filter: (path) => !path.endsWith('/otlp.cjs') });
    const { env } = await startHost(phoneOf(poco));
    const program = new Program([process.execPath, join(without, 'hostnode.cjs'), 'run'], env);
    await expect.poll(() => program.stdout).toContain('"msg":"round"');
    expect(await program.end()).toEqual({ code: 0 });
  });

  it('needs no page', async () => {
    const endpoint = await newEndpoint();
    const { daemon } = await hostWith(`status: { enabled: false }\n${to(endpoint)}`);
    await daemon.says('round');
    const pushed = async () => (await endpoint.pushed()).body.toString('latin1');
    await expect.poll(pushed).toContain('Always 1: which phone it is');
  });

  it('begins, goes elsewhere and ends with a reload', async () => {
    const [one, other] = [await newEndpoint(), await newEndpoint()];
    const { daemon, reload } = await hostWith('');
    await daemon.says('round');
    await reload(to(one));
    await one.pushed(2);
    await reload(to(other));
    await other.pushed();
    const { length } = one.pushes;
    await other.pushed(2);
    expect(one.pushes).toHaveLength(length);
    await reload('');
    await daemon.says('round');
    const atEnd = other.pushes.length;
    await daemon.says('round');
    await daemon.says('round');
    expect([one.pushes.length, other.pushes.length]).toEqual([length, atEnd]);
    expect(daemon.logged('the metrics are not pushed')).toEqual([]);
  });

  it('holds up neither rounds nor the end while the endpoint hangs', async () => {
    const endpoint = await newEndpoint();
    endpoint.manner = 'silent';
    const { daemon } = await hostWith(to(endpoint, ', timeoutSeconds: 60'));
    await endpoint.pushed();
    for (let rounds = 0; rounds < 3; rounds += 1) await daemon.says('round');
    expect(endpoint.pushes).toHaveLength(1);
    expect(await daemon.end()).toEqual({ code: 0 });
    expect(daemon.log.at(-1)?.msg).toBe('stopped');
  });
});
