/** The package on a newer systemd, which opens the notify socket itself (`OpenFile=`, since 253). */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildPackage } from '../../packaging/package.ts';
import { describeWithPackageHost } from '../support/describe-with.ts';
import { Host } from '../systemd/host.ts';
import { prepareLab } from '../systemd/sources.ts';

const guide = readFileSync(new URL('../../systemd/README.md', import.meta.url), 'utf8');

describeWithPackageHost('a host with Debian 13', () => {
  let host: Host;

  /** The variables that the agent was started with. */
  const environment = async () => {
    const pid = await host.mainPid('hostnode');
    return (await host.guest.do(`tr '\\0' '\\n' < /proc/${pid}/environ`)).split('\n');
  };

  beforeAll(async () => {
    const folder = await prepareLab();
    await buildPackage({ folder, compression: 'none' });
    host = await Host.boot(folder, 'trixie');
  });

  afterAll(() => host?.end());

  it('has both services running after the installation', async () => {
    await host.guest.do('dpkg -i /src/hostnode_*.deb');
    await host.status(/^no phones; not reporting: no cloud configured$/);
    for (const unit of ['hostnode', 'hostnode-adb']) {
      expect(await host.guest.show(unit)).toMatchObject({ ActiveState: 'active', NRestarts: '0' });
    }
    expect((await environment()).join()).toContain('HOSTNODE_NOTIFY_FD=');
  });

  it('needs no perl to be told of, with the drop-in of the guide', async () => {
    const [, dropIn = ''] = /```ini\n(.*?)```/s.exec(guide) ?? [];
    expect(dropIn).toContain('OpenFile=');
    await host.dropIn('hostnode', `${dropIn}WatchdogSec=3`);
    const agent = await host.mainPid('hostnode');
    await host.status(/^no phones; not reporting: no cloud configured$/);
    const variables = await environment();
    expect(variables).toContain('LISTEN_FDNAMES=notify');
    expect(variables.join()).not.toContain('HOSTNODE_NOTIFY_FD=');

    // its watchdog is fed by that way: only a process that is stopped is missed
    await host.guest.do(`kill -STOP ${agent}`);
    await host.replaced('hostnode', agent);
    expect(await host.guest.show('hostnode')).toMatchObject({ NRestarts: '1' });
    await host.status(/^no phones;/);
  });
});
