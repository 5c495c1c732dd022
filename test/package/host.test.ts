/** One host from the installation of the package to its removal; the tests are its days, in this order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks, section } from '../docs/pages.ts';
import { builtPackage } from '../support/built-package.ts';
import { describeWithPackageHost } from '../support/describe-with.ts';
import type { Guest } from '../systemd/guest.ts';
import { everySecond, Host } from '../systemd/host.ts';
import { keys } from '../systemd/keys.ts';
import { prepareLab } from '../systemd/sources.ts';
import { usbDevice } from './usb-device.ts';

const KEY_FILE = '/var/lib/hostnode-adb/.android/adbkey';

describeWithPackageHost('a host with the package', () => {
  let host: Host;
  let guest: Guest;
  let untouched: string;

  /** All files of the guest's own root. */
  const files = () => guest.do('find / -xdev | sort');
  const install = (version: string) => guest.do(`dpkg -i /src/hostnode_${version}_*.deb`);

  beforeAll(async () => {
    const folder = await prepareLab();
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await builtPackage(folder, version);
    host = await Host.boot(folder);
    guest = host.guest;
    untouched = await files();
  });

  afterAll(() => host?.end());

  it('runs as soon as it is installed, and says that it has no cloud to report to', async () => {
    const [, lines = ''] = codeBlocks(section('docs/install.md', '## Debian package'), 'sh');
    const [installs = '', status = '', doctor = ''] = lines.split('\n');
    await guest.do('mkdir -p /var/tmp/copied && cp /src/hostnode_1.0.0_*.deb /var/tmp/copied');
    await guest.do(installs, '/var/tmp/copied');
    await host.status(/^no phones;/);
    expect(await guest.do(status)).toContain('not reporting: no cloud configured');
    expect((await guest.run(doctor)).output).toContain('no cloud is configured');
    for (const unit of ['hostnode', 'hostnode-adb']) {
      expect(await guest.show(unit)).toMatchObject({
        ActiveState: 'active',
        UnitFileState: 'enabled',
        NRestarts: '0',
      });
    }
    await host.status(/^no phones; not reporting: no cloud configured$/);
    expect(await guest.do('hostnode config check')).toContain('/etc/hostnode/hostnode.yaml');
    await guest.do('cmp /usr/share/hostnode/hostnode.yaml /etc/hostnode/hostnode.yaml');
    expect(await guest.do('id -nG hostnode-adb')).toBe('hostnode-adb plugdev\n');
    expect(await guest.do('stat -c "%U:%G %a" /run/hostnode')).toBe('hostnode:hostnode 750\n');
  });

  it('reads the log of the kernel once the lines of the guide were typed', async () => {
    const [lines = ''] = codeBlocks(section('docs/operate.md', "## The kernel's log"), 'sh');
    const groups = () => guest.do('systemctl show --property=SupplementaryGroups hostnode');
    await guest.do(`set -e\n${lines}`);
    expect(await groups()).toContain('systemd-journal');
    await guest.do('rm -r /etc/systemd/system/hostnode.service.d && systemctl daemon-reload');
    await guest.do('systemctl restart hostnode');
    expect(await groups()).not.toContain('systemd-journal');
  });

  it('has no adb server of root, whatever root asks for while its own is stopped', async () => {
    await guest.do('systemctl stop hostnode-adb');
    const { code, output } = await guest.run('hostnode inventory 2>&1; pgrep -x adb');
    await guest.do('systemctl start hostnode-adb');
    expect({ code, output }).toEqual({
      code: 1, // pgrep finds none
      output: expect.stringContaining('systemctl start hostnode-adb'),
    });
  });

  it('shows a phone on its adb server', async () => {
    await host.startLab('tester');
    await expect.poll(() => host.printed('tester')).toContain('1');
    await host.status(/^1 phone, 1 answers; not reporting: no cloud configured$/, 60_000);
    const phones = JSON.parse(await guest.do('hostnode inventory --json 2>/dev/null'));
    expect(phones.devices).toHaveLength(1);
  });

  it('shows it to its operators, by its page and by its socket, and by that to nobody else', async () => {
    const page = 'fetch("http://127.0.0.1:9477/").then((answer) => console.log(answer.status))';
    expect(await guest.do(`/src/node -e '${page}'`)).toBe('200\n');
    const as = (group: string) =>
      guest.run(`HOME=/tmp setpriv --reuid=nobody --regid=${group} --clear-groups hostnode status --all`);
    const [operator, stranger] = [await as('hostnode'), await as('nogroup')];
    expect(operator).toMatchObject({ code: 0, output: expect.stringContaining('RE47644423') });
    expect(stranger.code).not.toBe(0);
  });

  describe('while a test runs on the phone', () => {
    let adb: string;
    let key: string;

    /** The test has gone on from `since`, without a gap. */
    const goesOn = async (since: number) => {
      await expect.poll(async () => Number((await host.printed('tester')).at(-1))).toBeGreaterThan(since);
      const numbers = (await host.printed('tester')).map(Number);
      expect(numbers).toEqual(numbers.map((_, index) => index));
      expect(await host.mainPid('hostnode-adb')).toBe(adb);
    };
    const reached = async () => Number((await host.printed('tester')).at(-1));

    beforeAll(async () => {
      adb = await host.mainPid('hostnode-adb');
      key = await guest.do(`cat ${KEY_FILE}`);
    });

    it('cuts it by no restart and by no kill of the agent', async () => {
      const since = await reached();
      const agent = await host.mainPid('hostnode');
      await guest.do('systemctl restart hostnode');
      await guest.do('systemctl kill -s KILL --kill-who=main hostnode');
      await host.replaced('hostnode', agent);
      await host.status(/^1 phone, 1 answers;/, 30_000);
      await goesOn(since);
    });

    it('cuts neither the test nor the round in hand by an upgrade, and keeps what was configured', async () => {
      await host.configure(everySecond);
      await host.storeKey(keys.first);
      await host.startLab('cloud', 'slow');
      await guest.do('systemctl restart hostnode');
      await host.status(/; reported \d+ s ago$/, 30_000);

      const since = await reached();
      const agent = await host.mainPid('hostnode');
      const begun = count(await host.printed('cloud'), 'PUT begins');
      await expect.poll(async () => count(await host.printed('cloud'), 'PUT begins')).toBeGreaterThan(begun);
      await install('1.1.0');
      expect(await host.mainPid('hostnode')).not.toBe(agent);
      expect(await guest.do('dpkg-query --show hostnode')).toBe('hostnode\t1.1.0\n');
      await host.status(/^1 phone, 1 answers; reported \d+ s ago$/, 30_000);
      await goesOn(since);

      expect(await guest.do('cat /etc/hostnode/hostnode.yaml')).toBe(everySecond);
      expect(await guest.do(`cat ${KEY_FILE}`)).toBe(key);
      const said = await host.printed('cloud');
      // all that began has been answered, but for the one in hand now
      expect(count(said, 'PUT begins') - count(said, 'PUT 200')).toBeLessThanOrEqual(1);
      expect(count(said, 'PUT 200')).toBeGreaterThan(begun);
    });
  });

  it('does not start what was disabled, by an upgrade', async () => {
    await guest.do('systemctl disable --now hostnode');
    await install('1.2.0');
    expect(await guest.show('hostnode')).toMatchObject({
      ActiveState: 'inactive',
      UnitFileState: 'disabled',
    });
    expect(await guest.show('hostnode-adb')).toMatchObject({
      ActiveState: 'active',
      UnitFileState: 'enabled',
    });
  });

  describe('its udev rule', () => {
    /** What udev does with a USB device of this interface, without its node being touched. */
    const judge = async (kind: string) => {
      const { description, syspath } = usbDevice(kind);
      await guest.do(`cat > /run/device.umockdev <<'END'\n${description}END`);
      const { output } = await guest.run(
        `umockdev-run -d /run/device.umockdev -- udevadm test --action=add ${syspath}`,
      );
      expect(output).toContain(`ID_USB_INTERFACES=:${kind}:`);
      return output
        .split('\n')
        .filter((line) => line.includes('72-hostnode.rules') && /GROUP|MODE/.test(line));
    };

    it('lets the group plugdev open a phone that offers adb or fastboot', async () => {
      const group = (await guest.do('getent group plugdev')).split(':')[2];
      for (const kind of ['ff4201', 'ff4203']) {
        const lines = (await judge(kind)).join('\n');
        expect(lines).toContain(`GROUP ${group}`);
        expect(lines).toContain('MODE 0660');
      }
    });

    it('leaves every other device alone', async () => {
      for (const kind of ['060101', 'ff4202', '030101']) expect(await judge(kind)).toEqual([]);
    });
  });

  it('moves to another machine by the lines of the guide, with its name, its phones and its key', async () => {
    const [leave = '', arrive = ''] = codeBlocks(section('docs/moving.md', '## Replace a host'), 'sh');
    const own = async () => [
      JSON.parse(await guest.do('hostnode inventory --json 2>/dev/null')).nodeId,
      await guest.do(`cat ${KEY_FILE}`),
    ];
    await guest.do('systemctl enable --now hostnode-adb hostnode');
    await host.status(/^1 phone/, 60_000);
    const before = await own();
    await guest.do(`set -e\n${leave}`);
    expect((await guest.run('systemctl is-active hostnode hostnode-adb')).output).not.toMatch(/^active$/m);
    await guest.do('dpkg --purge hostnode && test ! -e /var/lib/hostnode');
    await install('1.2.0');
    await host.storeKey(keys.first);
    const checked = await guest.run(`set -e\n${arrive}`);
    expect(checked.output).not.toContain('two hosts may report');
    await host.status(/reported \d+ s ago$/, 60_000);
    expect(await own()).toEqual(before);
    expect(await guest.do('cat /var/lib/hostnode/roster.json')).toContain('RE47644423');
    expect(await guest.do('journalctl -u hostnode -o cat')).not.toContain('two hosts may report');
    expect((await guest.run('test -e /var/tmp/hostnode-move.tar.gz')).code).not.toBe(0);
  });

  it('is given up by the lines of the guide, and tells the cloud that its phones are unplugged', async () => {
    const [leave = ''] = codeBlocks(section('docs/moving.md', '## Merge two hosts into one'), 'sh');
    const puts = count(await host.printed('cloud'), 'PUT 200');
    await guest.do(`set -e\n${leave}`);
    expect(count(await host.printed('cloud'), 'PUT 200')).toBeGreaterThan(puts);
    expect(JSON.parse(await guest.do('cat /var/lib/hostnode/roster.json')).devices).toMatchObject([
      { attached: false, isGoneStored: true },
    ]);
    await guest.do('rm /etc/hostnode/conf.d/leaving.yaml && systemctl enable --now hostnode-adb');
  });

  it('stops both services when it is removed, and keeps configuration, state and keys', async () => {
    await guest.do('systemctl enable --now hostnode');
    await guest.do('dpkg --remove hostnode');
    expect((await guest.run('systemctl is-active hostnode hostnode-adb')).output).not.toMatch(/^active$/m);
    expect(await guest.do(`ls /usr/lib/hostnode 2>&1 || true`)).toContain('No such file');
    await guest.do(
      `test -e ${KEY_FILE} && test -e /etc/hostnode/hostnode.yaml && test -e /var/lib/hostnode/roster.json`,
    );
  });

  it('leaves nothing behind when it is purged', async () => {
    await guest.do('systemctl stop tester cloud || true');
    await guest.do('rm -rf /var/tmp/*');
    await guest.do('dpkg --purge hostnode');
    const before = new Set(untouched.split('\n'));
    const left = (await files()).split('\n').filter((file) => !before.has(file));
    // the accounts stay, as Debian wants it, apt's own records, and what a user's own runs have cached in his home; the
    // administrator made the folder of the credential
    const own =
      /^\/etc\/(?:\.pwd\.lock|(?:passwd|group|shadow|gshadow)-?|credstore)$|^\/root\/\.cache\b|^\/var\/log\/journal\/|^\/var\/(?:cache|lib|log)\/apt\/|^\/var\/lib\/dpkg\//;
    expect(left.filter((file) => !own.test(file))).toEqual([]);
    expect(await guest.do("grep -rl 'hostnode' /etc /var/lib/dpkg/status || true")).toMatch(
      /^(?:\/etc\/(?:passwd|group|shadow|gshadow)-?\n)*$/,
    );
  });
});

const count = (lines: readonly string[], line: string) => lines.filter((each) => each === line).length;
