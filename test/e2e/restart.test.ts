import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { describeWhere, without } from '../support/machine-needs.ts';
import { Daemon, type Environment, hostnode } from '../support/program.ts';
import { phoneOf, poco, report, smartron, startHost } from '../support/program-lab.ts';
import { Terminal } from '../support/terminal.ts';

const WAITS = 'the cloud has these phones: the first report waits for its place';

let cloud: Sandbox;
let env: Environment;

/** The cloud has both phones from an earlier run. */
beforeEach(async () => {
  ({ cloud, env } = await startHost(phoneOf(poco), phoneOf(smartron)));
  const before = new Daemon(env);
  await before.says('round');
  await before.end();
});

describe('a restart with the same phones', () => {
  it('reports at the place of this host in the minute, and says when; report --now does not wait', async () => {
    const daemon = new Daemon(env);
    const { inSeconds } = await daemon.says(WAITS);
    expect(inSeconds).toBeGreaterThan(0);
    expect(inSeconds).toBeLessThanOrEqual(60);
    const { stdout } = await hostnode(['status'], env);
    expect(stdout).toMatch(/cloud: (not reported yet|reported \d+ s ago), next in \d+/);
    const reported = report(cloud);
    expect((await hostnode(['report', '--now'], env)).stdout).toContain('the cloud stored 2, rejected 0');
    expect((await reported).devices).toHaveLength(2);
    expect((await daemon.end()).code).toBe(0);
  });
});

describeWhere('a restart on a terminal', { missing: without(['script']) }, () => {
  it('reports at once', async () => {
    const reported = report(cloud);
    const terminal = new Terminal('hostnode run', { ...env, HOSTNODE_LOG_FORMAT: 'json' });
    await terminal.shows('"msg":"round"');
    expect(terminal.shown).not.toContain(WAITS);
    expect((await reported).devices).toHaveLength(2);
    terminal.close();
  });
});
