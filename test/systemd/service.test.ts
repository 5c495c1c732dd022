/** One host from the installation on; the tests are its days, in this order. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithSystemd } from '../support/describe-with.ts';
import type { Guest } from './guest.ts';
import { everySecond, Host, wrong } from './host.ts';
import { keys } from './keys.ts';
import { prepareSources } from './sources.ts';

const guide = readFileSync(new URL('../../systemd/README.md', import.meta.url), 'utf8');

/** The lines that the guide has typed as root under a heading; there is no udev in a container. */
const steps = (heading: string): string => {
  const [, section = ''] = guide.split(`\n## ${heading}\n`);
  const blocks = [
    ...section
      .split('\n## ', 1)
      .join('')
      .matchAll(/```sh\n(.*?)```/gs),
  ].map(([, text = '']) => text);
  return (blocks.find((text) => text.includes('install -')) ?? '').replace(/^udevadm .*\n/gm, '');
};

const NODE = '/usr/lib/hostnode/node';
const PROGRAM = '/usr/lib/hostnode/hostnode.cjs';

describeWithSystemd('a host with systemd', () => {
  let host: Host;
  let guest: Guest;

  beforeAll(async () => {
    host = await Host.boot(await prepareSources());
    guest = host.guest;
  });

  afterAll(() => host?.end());

  describe('after the steps of the guide', () => {
    it('runs, is ready, and says that it has no cloud to report to', async () => {
      const lines = steps('Install');
      expect(lines).toContain('systemctl enable --now hostnode-adb hostnode');
      await guest.do(`set -e\n${lines}`, '/src');
      expect(await guest.show('hostnode')).toMatchObject({
        ActiveState: 'active',
        Type: 'notify',
        NotifyAccess: 'main',
        UnitFileState: 'enabled',
        NRestarts: '0',
      });
      await host.status(/^no phones; not reporting: no cloud configured$/);
    });

    it('is called hostnode and runs as hostnode, without a core dump and without a capability', async () => {
      const [pid, uid] = [await host.mainPid('hostnode'), (await guest.do('id -u hostnode')).trim()];
      const [name, state, limits] = await Promise.all([
        guest.do(`cat /proc/${pid}/comm`),
        guest.do(`cat /proc/${pid}/status`),
        guest.do(`cat /proc/${pid}/limits`),
      ]);
      expect(name).toBe('hostnode\n');
      expect(state).toMatch(new RegExp(`^Uid:\\s+${uid}\\s`, 'm'));
      expect(state).toMatch(/^CapEff:\s+0+$/m);
      expect(limits).toMatch(/^Max core file size\s+1\s+1\s/m);
    });

    it('has its adb server back after it was killed, and goes on itself', async () => {
      const [agent, adb] = [await host.mainPid('hostnode'), await host.mainPid('hostnode-adb')];
      await guest.do('systemctl kill -s KILL --kill-who=main hostnode-adb');
      await host.replaced('hostnode-adb', adb);
      await host.status(/^no phones;/);
      expect(await host.mainPid('hostnode')).toBe(agent);
    });
  });

  it('names an adb server that answers nothing, and gets a new one', async () => {
    await host.configure('report: { schedule: "* * * * * *" }\nadb: { requestTimeoutSeconds: 1 }\n');
    await guest.do('systemctl restart hostnode');
    await host.dropIn('hostnode-adb', '[Service]\nWatchdogSec=20');
    await host.status(/^no phones;/);
    await guest.until('hostnode-adb', ({ StatusText }) => StatusText === 'answers');
    const adb = await host.mainPid('hostnode-adb');
    await guest.do(`kill -STOP ${adb}`);

    await host.status(/^cannot reach adb: .* did not answer within 1 s \(systemctl restart hostnode-adb\)/);
    expect(await guest.journal('hostnode')).toContain('accepts connections but did not answer within 1 s');
    const doctor = await guest.run(`${NODE} ${PROGRAM} doctor`);
    expect(doctor.code).toBe(4);
    expect(doctor.output).toContain('systemctl restart hostnode-adb');
    await guest.until('hostnode-adb', ({ StatusText }) => StatusText === 'does not answer');

    await host.replaced('hostnode-adb', adb, 60_000);
    expect(await guest.journal('hostnode-adb')).toContain('Watchdog timeout (limit 20s)!');
    await host.status(/^no phones;/, 30_000);
  });

  describe('with phones on an adb server that somebody else runs', () => {
    /** A watchdog of 3 s instead of 30: also the status is said anew each second. */
    beforeAll(() => host.dropIn('hostnode', '[Service]\nWatchdogSec=3'));

    it('leaves that server alone, and counts the phones', async () => {
      await guest.do('systemctl stop hostnode-adb');
      await host.startLab('phones');
      await host.status(/^8 phones, 7 answer, 1 unauthorized; not reporting: no cloud configured$/);
      await guest.do('systemctl start hostnode-adb');
      await guest.until('hostnode-adb', ({ StatusText, NRestarts }) => {
        return StatusText === 'waiting: another process holds port 5037' && NRestarts === '0';
      });
      expect(await guest.do('systemctl show -P ActiveState phones')).toBe('active\n');
    });

    it('without a key says that it is missing, once, and lives', async () => {
      await host.configure(everySecond);
      await guest.do('systemctl restart hostnode');
      await host.status(/; not reporting: the API key is missing$/);
      const said = (await guest.journal('hostnode'))
        .split('\n')
        .filter((line) => line.includes('not reporting: the'));
      expect(said).toHaveLength(1);
    });

    it('takes the key from the credential store, and a new one at a restart', async () => {
      await host.startLab('cloud', 'first');
      await host.storeKey(keys.first);
      await guest.do('systemctl restart hostnode');
      await host.status(/^8 phones, 7 answer, 1 unauthorized; reported \d s ago$/);

      await guest.do('systemctl stop cloud');
      await host.status(/; reported \d+ s ago: .*nothing listens there/);
      await host.startLab('cloud', 'next');
      await host.status(/; reported \d+ s ago: .*401 Unauthorized/);
      await host.storeKey(keys.next);
      await guest.do("install -m 600 /dev/stdin /etc/credstore/hostnode.otlp-headers <<'END'\nX-Lab: 7\nEND");
      await guest.do('systemctl restart hostnode');
      await host.status(/; reported \d s ago$/);
      // the headers of the metrics' push lie beside it
      expect(await guest.do('ls /run/credentials/hostnode.service')).toBe('cloud-api-key\notlp-headers\n');
    });

    it('comes back after a kill, and its adb server has not noticed', async () => {
      const [agent, adb] = [await host.mainPid('hostnode'), await host.mainPid('hostnode-adb')];
      await guest.do('systemctl kill -s KILL --kill-who=main hostnode');
      await host.replaced('hostnode', agent);
      await host.status(/^8 phones, 7 answer/);
      expect(await host.mainPid('hostnode-adb')).toBe(adb);
    });

    it('is restarted by the watchdog when it hangs', async () => {
      const agent = await host.mainPid('hostnode');
      await guest.do(`kill -STOP ${agent}`);
      await host.replaced('hostnode', agent);
      expect(await guest.journal('hostnode')).toContain('Watchdog timeout (limit 3s)!');
      await host.status(/^8 phones, 7 answer/);
    });
  });

  describe('a reload', () => {
    it('with a good configuration is over when the new one is in force', async () => {
      const agent = await host.mainPid('hostnode');
      await host.configure(`${everySecond}devices:\n  - { match: { udid: f12a8ec9 }, ignore: true }\n`);
      await guest.do('systemctl reload hostnode');
      await host.status(/^7 phones, 6 answer, 1 unauthorized; reported \d s ago$/);
      expect(await host.mainPid('hostnode')).toBe(agent);
    });

    it('with a wrong one fails where it was typed, the journal says why, and the old one stays in force', async () => {
      const agent = await host.mainPid('hostnode');
      await host.configure(wrong);
      expect((await guest.run('systemctl reload hostnode')).code).not.toBe(0);
      const journal = await guest.journal('hostnode');
      expect(journal).toContain('report.schedule = "sometimes"');
      expect(journal).toContain('log.level = "loud"');
      await host.status(/^7 phones, 6 answer, 1 unauthorized; reported \d s ago$/);
      expect(await host.mainPid('hostnode')).toBe(agent);
    });
  });

  it('is not started again with a wrong configuration', async () => {
    await host.configure(wrong);
    expect((await guest.run('systemctl restart hostnode')).code).not.toBe(0);
    expect(await guest.until('hostnode', ({ ActiveState }) => ActiveState === 'failed')).toMatchObject({
      Result: 'exit-code',
      ExecMainStatus: '78',
      NRestarts: '0',
    });
    await host.configure(everySecond);
    await guest.do('systemctl restart hostnode');
    await host.status(/^8 phones, 7 answer/);
  });

  it('has written its key nowhere', async () => {
    await guest.do('systemctl stop hostnode');
    const journal = await guest.do('journalctl --no-pager -q -u hostnode');
    expect(journal).toContain('hostnode starts');
    const everywhere = '/etc/hostnode /run /tmp /var/cache /var/lib /var/log';
    const { output } = await guest.run(`grep -rlE '${Object.values(keys).join('|')}' ${everywhere}`);
    expect(Object.values(keys).filter((key) => journal.includes(key))).toEqual([]);
    expect(output).toBe('');
  });

  it('ends within its time, and rates 1.5 or better while it lives', async () => {
    await guest.do('systemctl start hostnode');
    for (const unit of ['hostnode', 'hostnode-adb']) {
      const rating = await guest.do(`systemd-analyze security --no-pager ${unit}`);
      const [, level] = /Overall exposure level for \S+: ([\d.]+)/.exec(rating) ?? [];
      expect(Number(level)).toBeLessThanOrEqual(1.5);
    }
    await guest.do('systemctl stop hostnode');
    expect(await guest.show('hostnode')).toMatchObject({ ActiveState: 'inactive', Result: 'success' });
  });
});
