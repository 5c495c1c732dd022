/** One host from the installation on; the tests are its days, in this order. */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithSystemd } from './describe-with-systemd.ts';
import { Guest } from './guest.ts';
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

const wrong = 'report: { schedule: sometimes }\nlog: { level: loud }\n';
const toCloud = 'cloud: { baseUrl: "http://127.0.0.1:8080/v1", username: lab }\n';
const everySecond = `${toCloud}report: { schedule: "* * * * * *" }\n`;

describeWithSystemd('a host with systemd', () => {
  let guest: Guest;
  let sources: string;

  const configure = (text: string) => guest.do(`cat > /etc/hostnode/hostnode.yaml <<'END'\n${text}END`);
  const storeKey = (key: string) =>
    guest.do(
      `install -d -m 700 /etc/credstore && install -m 600 /dev/stdin /etc/credstore/hostnode.cloud-api-key <<'END'\n${key}\nEND`,
    );
  const startLab = (part: string, ...args: string[]) =>
    guest.do(`systemd-run -q --unit=${part} /opt/hostnode/node /src/lab.mjs ${[part, ...args].join(' ')}`);
  const status = (pattern: RegExp) =>
    guest.until('hostnode', ({ StatusText = '' }) => pattern.test(StatusText));
  const mainPid = async (unit: string) => (await guest.show(unit)).MainPID;
  const running = (pid: string | undefined) => (shown: Record<string, string>) =>
    shown.MainPID !== pid && shown.ActiveState === 'active';

  beforeAll(async () => {
    sources = await prepareSources();
    guest = await Guest.boot(sources);
  }, 300_000);

  afterAll(async () => {
    await guest?.end();
    await rm(sources, { recursive: true, force: true });
  }, 30_000);

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
      await status(/^no phones; not reporting: no cloud configured$/);
    }, 60_000);

    it('is called hostnode and runs as hostnode, without a core dump and without a capability', async () => {
      const [pid, uid] = [await mainPid('hostnode'), (await guest.do('id -u hostnode')).trim()];
      const [name, state, limits] = await Promise.all([
        guest.do(`cat /proc/${pid}/comm`),
        guest.do(`cat /proc/${pid}/status`),
        guest.do(`cat /proc/${pid}/limits`),
      ]);
      expect(name).toBe('hostnode\n');
      expect(state).toMatch(new RegExp(`^Uid:\\s+${uid}\\s`, 'm'));
      expect(state).toMatch(/^CapEff:\s+0+$/m);
      expect(limits).toMatch(/^Max core file size\s+0\s+0\s/m);
    });

    it('has its adb server back after it was killed, and goes on itself', async () => {
      const [agent, adb] = [await mainPid('hostnode'), await mainPid('hostnode-adb')];
      await guest.do('systemctl kill -s KILL hostnode-adb');
      await guest.until('hostnode-adb', running(adb));
      await status(/^no phones;/);
      expect(await mainPid('hostnode')).toBe(agent);
    });
  });

  describe('with phones on an adb server that somebody else runs', () => {
    /** A watchdog of 3 s instead of 30: also the status is said anew each second. */
    beforeAll(() =>
      guest.do(`set -e
        mkdir -p /run/systemd/system/hostnode.service.d
        printf '[Service]\\nWatchdogSec=3\\n' > /run/systemd/system/hostnode.service.d/soon.conf
        systemctl daemon-reload
        systemctl restart hostnode`),
    );

    it('leaves that server alone, and counts the phones', async () => {
      await guest.do('systemctl stop hostnode-adb');
      await startLab('phones');
      await status(/^8 phones, 7 answer, 1 unauthorized; not reporting: no cloud configured$/);
      await guest.do('systemctl start hostnode-adb');
      expect(await guest.show('hostnode-adb')).toMatchObject({ ActiveState: 'active', NRestarts: '0' });
      expect(await guest.do('systemctl show -P ActiveState phones')).toBe('active\n');
    });

    it('without a key says that it is missing, once, and lives', async () => {
      await configure(everySecond);
      await guest.do('systemctl restart hostnode');
      await status(/; not reporting: the API key is missing$/);
      const said = (await guest.journal('hostnode'))
        .split('\n')
        .filter((line) => line.includes('not reporting: the'));
      expect(said).toHaveLength(1);
    });

    it('takes the key from the credential store, and a new one at a restart', async () => {
      await startLab('cloud', 'first');
      await storeKey(keys.first);
      await guest.do('systemctl restart hostnode');
      await status(/^8 phones, 7 answer, 1 unauthorized; reported \d s ago$/);

      await guest.do('systemctl stop cloud');
      await status(/; reported \d+ s ago: .*nothing listens there/);
      await startLab('cloud', 'next');
      await status(/; reported \d+ s ago: .*401 Unauthorized/);
      await storeKey(keys.next);
      await guest.do('systemctl restart hostnode');
      await status(/; reported \d s ago$/);
    }, 60_000);

    it('comes back after a kill, and its adb server has not noticed', async () => {
      const [agent, adb] = [await mainPid('hostnode'), await mainPid('hostnode-adb')];
      await guest.do('systemctl kill -s KILL --kill-who=main hostnode');
      await guest.until('hostnode', running(agent));
      await status(/^8 phones, 7 answer/);
      expect(await mainPid('hostnode-adb')).toBe(adb);
    });

    it('is restarted by the watchdog when it hangs', async () => {
      const agent = await mainPid('hostnode');
      await guest.do(`kill -STOP ${agent}`);
      await guest.until('hostnode', running(agent));
      expect(await guest.journal('hostnode')).toContain('Watchdog timeout (limit 3s)!');
      await status(/^8 phones, 7 answer/);
    }, 60_000);
  });

  describe('a reload', () => {
    it('with a good configuration is over when the new one is in force', async () => {
      const agent = await mainPid('hostnode');
      await configure(`${everySecond}devices:\n  - { match: { udid: f12a8ec9 }, ignore: true }\n`);
      await guest.do('systemctl reload hostnode');
      await status(/^7 phones, 6 answer, 1 unauthorized; reported \d s ago$/);
      expect(await mainPid('hostnode')).toBe(agent);
    });

    it('with a wrong one fails where it was typed, the journal says why, and the old one stays in force', async () => {
      const agent = await mainPid('hostnode');
      await configure(wrong);
      expect((await guest.run('systemctl reload hostnode')).code).not.toBe(0);
      const journal = await guest.journal('hostnode');
      expect(journal).toContain('report.schedule = "sometimes"');
      expect(journal).toContain('log.level = "loud"');
      await status(/^7 phones, 6 answer, 1 unauthorized; reported \d s ago$/);
      expect(await mainPid('hostnode')).toBe(agent);
    });
  });

  it('is not started again with a wrong configuration', async () => {
    await configure(wrong);
    expect((await guest.run('systemctl restart hostnode')).code).not.toBe(0);
    expect(await guest.until('hostnode', ({ ActiveState }) => ActiveState === 'failed')).toMatchObject({
      Result: 'exit-code',
      ExecMainStatus: '78',
      NRestarts: '0',
    });
    await configure(everySecond);
    await guest.do('systemctl restart hostnode');
    await status(/^8 phones, 7 answer/);
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
