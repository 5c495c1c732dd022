/** The state of a host through an upgrade and a downgrade of the package. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtPackage } from '../support/built-package.ts';
import { describeWithPackageHost } from '../support/describe-with.ts';
import { newer, older } from '../support/versions.ts';
import type { Guest } from '../systemd/guest.ts';
import { Host } from '../systemd/host.ts';
import { prepareLab } from '../systemd/sources.ts';

const STATE = '/var/lib/hostnode';

describeWithPackageHost('the state of a host', () => {
  let host: Host;
  let guest: Guest;

  /** Installs a version while the agent is stopped, with these files in the state directory, and waits for its agent. */
  const install = async (version: string, files: Readonly<Record<string, string>> = {}) => {
    await guest.do('systemctl stop hostnode 2>/dev/null || true');
    for (const [name, text] of Object.entries(files))
      await guest.do(
        `install -d -o hostnode -g hostnode -m 700 ${STATE} && cat > ${STATE}/${name} <<'END'\n${text}END\nchown hostnode:hostnode ${STATE}/${name}`,
      );
    await guest.do(`dpkg -i /src/hostnode_${version}_*.deb && systemctl start hostnode`);
    await host.status(/not reporting: no cloud configured$/, 60_000);
  };
  const json = async (name: string) => JSON.parse(await guest.do(`cat ${STATE}/${name}`));
  const udids = async () => (await json('roster.json')).devices.map(({ udid }: { udid: string }) => udid);
  const maintained = async () =>
    (await json('maintenance.json')).phones.map(({ reason }: { reason: string }) => reason);

  beforeAll(async () => {
    const folder = await prepareLab();
    for (const version of ['1.0.0', '1.1.0']) await builtPackage(folder, version);
    host = await Host.boot(folder);
    guest = host.guest;
    await install('1.0.0');
  });

  afterAll(() => host?.end());

  it('goes through an upgrade, although an older version wrote it', async () => {
    await install('1.1.0', older);
    expect(await udids()).toEqual(['RE47644423']);
    expect(await maintained()).toEqual(['new battery']);
    expect(await guest.do(`ls ${STATE}`)).toContain('history.sqlite');
    expect(await guest.do(`cat ${STATE}/node-id`)).toBe(older['node-id']);
  });

  it('goes through a downgrade', async () => {
    await install('1.0.0');
    expect(await udids()).toEqual(['RE47644423']);
    expect(await maintained()).toEqual(['new battery']);
    expect(await guest.do(`cat ${STATE}/node-id`)).toBe(older['node-id']);
  });

  it('is kept, and said, where a newer version wrote it, and is still there after the next upgrade', async () => {
    await install('1.0.0', newer);
    const said = await guest.do('journalctl --no-pager -q -o cat -u hostnode');
    for (const name of Object.keys(newer))
      expect(said).toMatch(new RegExp(`${name} was written by a newer hostnode`));
    await install('1.1.0');
    for (const [name, text] of Object.entries(newer))
      expect(await guest.do(`cat ${STATE}/${name}.newer-*`)).toBe(text);
    expect(await guest.do(`cat ${STATE}/node-id`)).toBe(older['node-id']);
  });
});
