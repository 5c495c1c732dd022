/** Hosts that take the package from a signed apt repository, as docs/install.md says. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { architectures } from '../../packaging/architecture.ts';
import { buildRepository, KEYRING } from '../../packaging/repository.ts';
import { builtPackage } from '../support/built-package.ts';
import { describeWithRepository } from '../support/describe-with.ts';
import { Host } from '../systemd/host.ts';
import { prepareLab } from '../systemd/sources.ts';

const run = promisify(execFile);

const guide = await readFile(new URL('../../docs/install.md', import.meta.url), 'utf8');
/** What a host runs once, from the guide, with this lab's own server. */
const unitsGuide = await readFile(new URL('../../systemd/README.md', import.meta.url), 'utf8');
const [, LINES = ''] = /```sh\n(curl [^`]*signed-by[^`]*)```/.exec(guide) ?? [];
const ADDRESS = 'http://127.0.0.1:8099';
/** Serves /src, as a lab's web server does. */
const SERVER =
  'require("http").createServer((question, answer) => require("fs").readFile("/src" + question.url, (error, bytes) => answer.writeHead(error ? 404 : 200).end(bytes))).listen(8099)';

const date = new Date(1_700_000_000_000);
const names = [architectures[process.arch]?.name ?? ''];

describeWithRepository('hosts', (release) => {
  let host: Host;
  let folder: string;
  let keys: string;
  let env: NodeJS.ProcessEnv;

  /** A key without a passphrase, in a keyring of the test's own. */
  const newKey = (name: string, ends = 'never', home = env) =>
    run('gpg', ['--batch', '--passphrase', '', '--quick-gen-key', name, 'ed25519', 'sign', ends], {
      env: home,
    });
  const publishAt = (at: Date, place: string, key: string, ...packages: string[]) =>
    buildRepository({ folder: join(folder, place), packages, architectures: names, key, date: at, env });
  const publish = (place: string, key: string, ...packages: string[]) =>
    publishAt(date, place, key, ...packages);
  const older = () => builtPackage(folder, '0.0.9');
  const newer = () => builtPackage(folder, '0.0.10');
  const installed = async () => (await host.guest.do('dpkg-query --show hostnode')).split('\t')[1]?.trim();

  beforeAll(async () => {
    keys = await mkdtemp(join(tmpdir(), 'hostnode-keys-'));
    env = { ...process.env, GNUPGHOME: keys };
    folder = await prepareLab();
    await newKey('lab@example.com');
    await newKey('stranger@example.com');
    await publish('apt', 'lab@example.com', await older());
    host = await Host.boot(folder, release);
    const { guest } = host;
    await guest.do('rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/*');
    await guest.do(`systemd-run -q --unit=web /src/node -e '${SERVER}'`);
    await guest.do(`until bash -c '</dev/tcp/127.0.0.1/8099'; do sleep 0.2; done`);
    // minbase has no curl: the guide's first line, with what is there
    await guest.do(
      `cat > /usr/local/bin/curl <<'END'\n#!/src/node\nconst [file, url] = process.argv.slice(-2);\nfetch(url).then((answer) => answer.bytes()).then((bytes) => require("fs").writeFileSync(file, bytes));\nEND\nchmod 755 /usr/local/bin/curl`,
    );
  });

  afterAll(async () => {
    await host?.end();
    for (const home of [keys, join(keys, 'then')])
      await run('gpgconf', ['--homedir', home, '--kill', 'all']).catch(() => {});
    await rm(keys, { recursive: true, force: true });
  });

  it('install it by the three lines of the guide', async () => {
    expect(LINES.trim().split('\n')).toHaveLength(3);
    const lines = LINES.replaceAll('https://apt.example.com/hostnode', `${ADDRESS}/apt`).replaceAll(
      'sudo ',
      '',
    );
    await host.guest.do(lines.trim().replaceAll('\n', ' && '));
    expect(await installed()).toBe('0.0.9');
    await host.status(/^no phones; not reporting: no cloud configured$/, 60_000);
    for (const unit of ['hostnode', 'hostnode-adb'])
      expect(await host.guest.show(unit)).toMatchObject({ ActiveState: 'active', NRestarts: '0' });
  });

  it('take the next version, which stands beside the one before, and keep their configuration', async () => {
    await host.configure('log: { level: warn }\n');
    await publish('apt', 'lab@example.com', await newer());
    await host.guest.do('apt-get -q update && apt-get -q -y upgrade');
    expect(await installed()).toBe('0.0.10');
    expect(await host.guest.do('cat /etc/hostnode/hostnode.yaml')).toBe('log: { level: warn }\n');
    expect(await host.guest.do('apt-cache -q madison hostnode')).toMatch(/0\.0\.10(.|\n)*0\.0\.9/);
  });

  it('refuse what another key signed, and what was changed after it was signed', async () => {
    const { guest } = host;
    await publish('stranger', 'stranger@example.com', join(folder, `hostnode_0.0.10_${names[0]}.deb`));
    const list = '/etc/apt/sources.list.d/hostnode.list';
    const was = await guest.do(`cat ${list}`);
    await guest.do(`sed -i 's,/apt ,/stranger ,' ${list}`);
    const stranger = await guest.run('apt-get -q update');
    expect(stranger.output).toMatch(/NO_PUBKEY|not signed|is not available/);
    expect(await guest.do('apt-cache policy hostnode')).not.toContain('/stranger');

    await guest.do(`cat > ${list} <<'END'\n${was}END`);
    await guest.do(
      `mkdir -p /srv/apt && cp -r /src/apt/. /srv/apt && sed -i 's,${ADDRESS}/apt,file:/srv/apt,' ${list}`,
    );
    await guest.do(`sed -i 's/Version: 0.0.10/Version: 9.9.9/' /srv/apt/dists/stable/main/binary-*/Packages`);
    await guest.do('rm /srv/apt/dists/stable/main/binary-*/Packages.gz && rm -rf /var/lib/apt/lists/*');
    expect((await guest.run('apt-get -q update')).code).not.toBe(0);
    expect((await guest.run('apt-get -q -y install hostnode=9.9.9')).code).not.toBe(0);
    await guest.do(`cat > ${list} <<'END'\n${was}END`);
  });

  it('do not go back to an old index that somebody plays to them again, nor to an older version', async () => {
    const { guest } = host;
    const list = '/etc/apt/sources.list.d/hostnode.list';
    const was = await guest.do(`cat ${list}`);
    const [old, fresh] = ['0.0.9', '0.0.10'].map((version) =>
      join(folder, `hostnode_${version}_${names[0]}.deb`),
    );
    const candidate = async () => {
      await guest.run('apt-get -q update');
      return /Candidate: (\S+)/.exec(await guest.do('apt-cache policy hostnode'))?.[1];
    };
    await publish('replay', 'lab@example.com', String(old));
    await cp(join(folder, 'replay/dists'), join(folder, 'replay/old-dists'), { recursive: true });
    const later = new Date(date.getTime() + 24 * 3_600_000);
    await publishAt(later, 'replay', 'lab@example.com', String(fresh));
    await guest.do(`sed -i 's,/apt ,/replay ,' ${list}`);
    expect(await candidate()).toBe('0.0.10');
    await rm(join(folder, 'replay/dists'), { recursive: true });
    await cp(join(folder, 'replay/old-dists'), join(folder, 'replay/dists'), { recursive: true });
    expect(await candidate()).toBe('0.0.10');
    // one that never saw the newer index has nothing to compare with: but what is installed does not go back
    await guest.do('rm -rf /var/lib/apt/lists/*');
    await guest.do('apt-get -q update && apt-get -q -y upgrade');
    expect(await installed()).toBe('0.0.10');
    await guest.do(`cat > ${list} <<'END'\n${was}END`);
  });

  it('take nothing new of a key that has expired', async () => {
    const { guest } = host;
    const file = join(folder, `hostnode_0.0.10_${names[0]}.deb`);
    const ofThen = { ...env, GNUPGHOME: join(keys, 'then') };
    const settings = join(ofThen.GNUPGHOME, 'gpg.conf');
    await mkdir(ofThen.GNUPGHOME, { mode: 0o700 });
    // "!": it stands still, else what signs may be a second before what made the key
    await writeFile(settings, 'faked-system-time 20240101T000000!\n');
    await newKey('late@example.com', '1d', ofThen);
    const publishLate = () =>
      buildRepository({
        ...{ folder: join(folder, 'late'), packages: [file], architectures: names },
        ...{ key: 'late@example.com', date, env: ofThen },
      });
    await publishLate();
    const [list, ring] = [
      '/etc/apt/sources.list.d/hostnode.list',
      `$(sed 's/.*signed-by=\\([^] ]*\\).*/\\1/' /etc/apt/sources.list.d/hostnode.list)`,
    ];
    await guest.do(`cp ${list} /root/list && cp ${ring} /root/ring && cp /src/late/${KEYRING} ${ring}`);
    await guest.do(`sed -i 's,/apt ,/late ,' ${list}`);
    const { output } = await guest.run('apt-get -q update');
    // Debian 13 asks sqv, which takes what a key signed while it was valid
    if (release === 'bookworm') expect(output).toMatch(/EXPKEYSIG/);
    const policy = await guest.do('apt-cache policy hostnode');
    expect(policy.includes('/late')).toBe(release !== 'bookworm');
    await guest.do(`cp /root/ring ${ring} && cp /root/list ${list}`);
    // today it signs nothing
    await rm(settings);
    await expect(publishLate()).rejects.toThrow(/expired|[Uu]nusable/);
  });

  // which opens the notify socket itself: `OpenFile=`, since 253
  it.runIf(release === 'trixie')('need no perl to be told of, with the drop-in of the guide', async () => {
    const pidOfAgent = () => host.mainPid('hostnode');
    const variables = async () =>
      (await host.guest.do(`tr '\\0' '\\n' < /proc/${await pidOfAgent()}/environ`)).split('\n');
    expect((await variables()).join()).toContain('HOSTNODE_NOTIFY_FD=');
    const [, dropIn = ''] = /```ini\n(.*?)```/s.exec(unitsGuide) ?? [];
    expect(dropIn).toContain('OpenFile=');
    await host.dropIn('hostnode', `${dropIn}WatchdogSec=3`);
    const agent = await pidOfAgent();
    await host.status(/^no phones; not reporting: no cloud configured$/);
    expect(await variables()).toContain('LISTEN_FDNAMES=notify');
    expect((await variables()).join()).not.toContain('HOSTNODE_NOTIFY_FD=');

    // its watchdog is fed by that way: only a process that is stopped is missed
    await host.guest.do(`kill -STOP ${agent}`);
    await host.replaced('hostnode', agent);
    expect(await host.guest.show('hostnode')).toMatchObject({ NRestarts: '1' });
    await host.status(/^no phones;/);
  });

  it('have nothing of it left after a purge', async () => {
    await host.guest.do('apt-get -q -y purge hostnode');
    const paths =
      '/etc/hostnode /usr/lib/hostnode /var/lib/hostnode /var/lib/hostnode-adb /var/cache/hostnode';
    expect((await host.guest.run(`ls -d ${paths} 2>/dev/null`)).output).toBe('');
  });

  it.runIf(release === 'bookworm')('of one commit get the same bytes, but for the signatures', async () => {
    const file = join(folder, `hostnode_0.0.10_${names[0]}.deb`);
    await mkdir(join(folder, 'other'));
    for (const place of ['one', 'two']) await publish(place, 'lab@example.com', file);
    for (const name of ['dists/stable/Release', `dists/stable/main/binary-${names[0]}/Packages.gz`, KEYRING])
      expect(await readFile(join(folder, 'one', name))).toEqual(await readFile(join(folder, 'two', name)));
    await writeFile(join(folder, `other/hostnode_0.0.10_${names[0]}.deb`), 'of the same version');
    await expect(
      publish('one', 'lab@example.com', join(folder, `other/hostnode_0.0.10_${names[0]}.deb`)),
    ).rejects.toThrow(/the repository has another package of this version; raise the version/);
  });
});
