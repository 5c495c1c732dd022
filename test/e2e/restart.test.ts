import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { describeWhere, without, withoutPidNamespace } from '../support/machine-needs.ts';
import { Daemon, type Environment, hostnode, Program, programFile } from '../support/program.ts';
import { phoneOf, poco, report, smartron, startHost } from '../support/program-lab.ts';

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

/** As init starts it: in a PID namespace of its own. */
class Service extends Program {
  constructor(serviceEnv: Environment) {
    super(['unshare', '--pid', '--fork', '--kill-child', process.execPath, programFile(), 'run'], serviceEnv);
  }

  get said(): Record<string, unknown>[] {
    const lines = this.stdout.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === WAITS);
  }
}

describeWhere(
  'a service that restarts with the same phones',
  { missing: without(['unshare']), forbidden: withoutPidNamespace },
  () => {
    it('reports at the place of this host in the minute, and says when; report --now does not wait', async () => {
      const service = new Service(env);
      await expect.poll(() => service.said).toHaveLength(1);
      const [line] = service.said;
      expect(line?.inSeconds).toBeGreaterThan(0);
      expect(line?.inSeconds).toBeLessThanOrEqual(60);
      const { stdout } = await hostnode(['status'], env);
      expect(stdout).toMatch(/cloud: (not reported yet|reported \d+ s ago), next in \d+/);
      const reported = report(cloud);
      expect((await hostnode(['report', '--now'], env)).stdout).toContain('the cloud stored 2, rejected 0');
      expect((await reported).devices).toHaveLength(2);
    });

    it('reports at once to another cloud', async () => {
      const reported = report(cloud);
      const another = env.HOSTNODE_CLOUD_BASE_URL?.replace('127.0.0.1', 'localhost') ?? '';
      const service = new Service({ ...env, HOSTNODE_CLOUD_BASE_URL: another });
      expect((await reported).devices).toHaveLength(2);
      expect(service.said).toEqual([]);
    });
  },
);

describe('a restart by hand', () => {
  it('reports at once, and so does a reload', async () => {
    const started = report(cloud);
    const daemon = new Daemon(env);
    expect((await started).devices).toHaveLength(2);
    await daemon.says('round');
    const reloaded = report(cloud);
    daemon.child.kill('SIGHUP');
    await daemon.says('reading the configuration again');
    expect((await reloaded).devices).toHaveLength(2);
    expect(daemon.logged(WAITS)).toEqual([]);
  });
});
