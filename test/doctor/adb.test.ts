import { describe, expect, it, onTestFinished } from 'vitest';
import { AdbkitAdb } from '../../src/adb/adbkit.ts';
import { anyHost, type HostKind } from '../../src/base/environment.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { readAccounts } from '../../src/doctor/accounts.ts';
import {
  checkAdbPrograms,
  checkNeighbourhood,
  keyFolder,
  lacksUsb,
  lookAtServer,
  readAdbPrograms,
  readNeighbourhood,
  strangerOn,
} from '../../src/doctor/adb.ts';
import { examine } from '../../src/doctor/examination.ts';
import { accountFiles, hostTree } from '../support/host-tree.ts';
import { freePort, RawServer } from '../support/raw-server.ts';

/** A line of /proc/net/tcp as Linux 6 prints it. */
const socket = (local: string, uid: number, inode: number, state = '0A') =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 ${inode} 1 000000006d114a6d 100 0 0 10 0\n`;

const status = (name: string, uid: number) =>
  `Name:\t${name}\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\nGid:\t46\t46\t46\t46\nGroups:\t46 997 \n`;

/** The lab's server on 5037, and somebody's own on 5038. */
async function host(address = '0100007F', more = {}) {
  return hostTree(
    {
      ...accountFiles,
      'proc/net/tcp':
        socket(`${address}:13AD`, 997, 501) +
        socket('0100007F:13AE', 1000, 502) +
        socket('0100007F:13AD', 0, 503, '01'),
      'proc/700/status': status('adb', 997),
      'proc/700/environ': 'PATH=/bin\0HOME=/srv/adb-home\0',
      'proc/701/status': status('adb', 1000),
      'proc/702/status': status('sshd', 0),
      ...more,
    },
    {
      'proc/700/exe': '/usr/bin/adb',
      'proc/700/fd/3': 'socket:[501]',
      'proc/701/fd/9': 'socket:[502]',
    },
  );
}

describe('the process behind the port', () => {
  it('is named with its user and its key, and so is a rival', async () => {
    const root = await host();
    const found = checkNeighbourhood(await readNeighbourhood(root, 5037), await readAccounts(root), true);
    expect(found).toEqual([
      {
        name: 'server process',
        status: 'ok',
        seen: '/usr/bin/adb (process 700 of hostnode-adb) listens on port 5037; its key is /srv/adb-home/.android/adbkey',
      },
      {
        name: 'other adb server',
        status: 'warning',
        seen: 'adb (process 701 of anna) is another adb server, on port 5038',
        remedy: 'Two servers on one host compete for the phones: stop the one that you do not need',
      },
    ]);
  });

  it('is told by its user alone where it cannot be seen', async () => {
    const root = await hostTree({ ...accountFiles, 'proc/net/tcp': socket('0100007F:13AD', 1000, 501) });
    const neighbourhood = await readNeighbourhood(root, 5037);
    const accounts = await readAccounts(root);
    expect(checkNeighbourhood(neighbourhood, accounts, false)).toEqual([
      {
        name: 'server process',
        status: 'ok',
        seen: 'a process of anna (run as root to see its name) listens on port 5037',
      },
    ]);
    expect(neighbourhood.server && keyFolder(neighbourhood.server, accounts)).toBe('/home/anna/.android');
  });

  it('is of an unknown user where its user is of another user namespace', async () => {
    const root = await hostTree({
      'etc/passwd': 'nobody:x:4000:4000::/nonexistent:/usr/sbin/nologin\n',
      'proc/sys/kernel/overflowuid': '4000\n',
      'proc/net/tcp': socket('0100007F:13AD', 4000, 501),
    });
    const neighbourhood = await readNeighbourhood(root, 5037);
    expect(neighbourhood.server).toEqual({ isOpen: false });
    expect(checkNeighbourhood(neighbourhood, await readAccounts(root), true)).toEqual([
      {
        name: 'server process',
        status: 'ok',
        seen: 'a process of a user outside this user namespace listens on port 5037',
      },
    ]);
  });

  it('that listens for the whole network is a warning', async () => {
    const root = await host('00000000');
    const [, open] = checkNeighbourhood(await readNeighbourhood(root, 5037), await readAccounts(root), true);
    expect(open).toMatchObject({ name: 'server address', status: 'warning' });
  });

  it('has a /dev without USB, or one with it, or one that we may not see', async () => {
    const local = '127.0.0.1:5037';
    const without = await host(undefined, { 'proc/700/root/dev/null': '' });
    expect(await lacksUsb(without, local)).toBe(true);
    expect(await lacksUsb(without, '192.0.2.1:5037')).toBe(false);
    expect(await lacksUsb(await host(undefined, { 'proc/700/root/dev/bus/usb/001/001': '' }), local)).toBe(
      false,
    );
    expect(await lacksUsb(await host(), local)).toBe(false);
  });

  it('is found on this machine', async () => {
    await using server = await RawServer.start();
    const { server: found } = await readNeighbourhood('/', server.port);
    expect(found).toMatchObject({ uid: process.getuid?.(), isOpen: false, process: { pid: process.pid } });
  });

  it('is not there where nobody listens', async () => {
    const root = await hostTree({ 'proc/net/tcp': socket('0100007F:13AE', 0, 5) });
    expect(checkNeighbourhood(await readNeighbourhood(root, 5037), await readAccounts(root), false)).toEqual([
      { name: 'server process', status: 'skipped', seen: 'nothing on this host listens on port 5037' },
    ]);
  });
});

describe('the adb programs', () => {
  const debian = {
    'usr/lib/android-sdk/platform-tools/adb': '',
    'var/lib/dpkg/info/adb.list': '/.\n/usr/lib/android-sdk/platform-tools/adb\n',
    'var/lib/dpkg/status':
      'Package: acl\nVersion: 2.3\n\nPackage: adb\nStatus: install ok installed\nVersion: 1:29.0.6-28\n\nPackage: zip\nVersion: 3.0\n',
  };
  const sdk = {
    'home/anna/Android/Sdk/platform-tools/adb': '',
    'home/anna/Android/Sdk/platform-tools/source.properties': 'Pkg.UserSrc=false\nPkg.Revision=36.0.0\n',
  };

  it('of two versions are a warning: their clients kill each other’s server', async () => {
    const root = await hostTree({ ...debian, ...sdk });
    const found = await readAdbPrograms(root, { HOME: '/home/anna' });
    expect(checkAdbPrograms(found, false, anyHost)).toMatchObject({
      status: 'warning',
      seen: `2 adb programs, of different or unknown versions: ${root}usr/lib/android-sdk/platform-tools/adb (29.0.6), ${root}home/anna/Android/Sdk/platform-tools/adb (36.0.0)`,
    });
  });

  it('are one where a link leads to the same file', async () => {
    const root = await hostTree(debian, { 'usr/bin/adb': '../lib/android-sdk/platform-tools/adb' });
    expect(checkAdbPrograms(await readAdbPrograms(root, {}), true, anyHost)).toMatchObject({
      status: 'ok',
      seen: `${root}usr/lib/android-sdk/platform-tools/adb (29.0.6)`,
    });
  });

  const none = { name: 'adb programs', seen: 'no adb program in the usual folders' };

  it('are none: one has to be installed where a server is to run, and none does', async () => {
    const root = await hostTree({ 'opt/adb-35': '' });
    const found = await readAdbPrograms(root, {});
    expect([checkAdbPrograms(found, true, anyHost), checkAdbPrograms(found, false, anyHost)]).toEqual([
      {
        ...none,
        status: 'failed',
        remedy: 'Install adb (Debian: apt-get install adb); then run adb start-server',
      },
      { ...none, status: 'skipped' },
    ]);
    const configured = await readAdbPrograms(root, {}, '/opt/adb-35');
    expect(checkAdbPrograms(configured, true, anyHost)).toMatchObject({
      status: 'ok',
      seen: `${root}opt/adb-35 (version unknown)`,
    });
  });

  it('are missed on a host of its own with nothing on the port, but in no container', async () => {
    const env = { HOSTNODE_ADB_PORT: String(await freePort()), STATE_DIRECTORY: '/proc/nowhere' };
    const about = async (root: string) => {
      const groups = await examine({ env, root, uid: 0 });
      return groups.flatMap(({ findings }) => findings).find(({ name }) => name === none.name);
    };
    expect(await about(await hostTree(accountFiles))).toMatchObject({ ...none, status: 'failed' });
    const inContainer = await hostTree({ ...accountFiles, '.dockerenv': '' });
    expect(await about(inContainer)).toEqual({ ...none, status: 'skipped' });
  });
});

async function simulated(): Promise<SimulatedAdbServer> {
  const server = await SimulatedAdbServer.start();
  onTestFinished(() => server.stop());
  return server;
}

async function look(port: number, hostKind: HostKind = anyHost, stranger?: string) {
  const adb = new AdbkitAdb({ host: '127.0.0.1', port, requestTimeoutMs: 200 });
  return await lookAtServer(adb, hostKind, new AbortController().signal, stranger);
}

describe('the adb server', () => {
  it('that answers is fine, and is asked for nothing but its version', async () => {
    const server = await simulated();
    expect(await look(server.port)).toEqual({
      name: 'adb server',
      status: 'ok',
      seen: expect.stringMatching(
        new RegExp(`^version 1\\.0\\.41 answers at 127\\.0\\.0\\.1:${server.port} within \\d+ ms$`),
      ),
    });
    expect(server.requests).toEqual([{ request: 'host:version' }]);
  });

  it('of old times is a warning', async () => {
    await using server = await RawServer.start((socket) => {
      socket.once('data', () => socket.end('OKAY00040020'));
    });
    expect(await look(server.port)).toMatchObject({
      status: 'warning',
      seen: expect.stringContaining('version 1.0.32 answers'),
    });
  });

  it('that is silent is wedged, and is left alone', async () => {
    const server = await simulated();
    server.faults.silent = true;
    expect(await look(server.port)).toEqual({
      name: 'adb server',
      status: 'failed',
      seen: `the adb server at 127.0.0.1:${server.port} accepts connections but did not answer within 0.2 s`,
      remedy:
        'Restart the server, which is wedged: end its process by its number, which hostnode doctor names; if it hangs again, find what runs `adb kill-server`, and stop that',
    });
    expect(server.requests).toEqual([{ request: 'host:version' }]);
  });

  it('that is another program is no wedged server, and gets no tick', async () => {
    await using silent = await RawServer.start();
    const [accounts, neighbourhood] = await Promise.all([
      readAccounts('/'),
      readNeighbourhood('/', silent.port),
    ]);
    const stranger = strangerOn(neighbourhood.server, accounts);
    expect(stranger).toMatch(new RegExp(`node.* \\(process ${process.pid} of `));
    expect(await look(silent.port, anyHost, stranger)).toMatchObject({
      status: 'failed',
      remedy: `Stop ${stranger}, which is no adb server, or set adb.port`,
    });
    const alone = { ...neighbourhood, rivals: [] }; // another test may run an adb server now
    expect(checkNeighbourhood(alone, accounts, false)).toEqual([
      {
        name: 'server process',
        status: 'skipped',
        seen: `${stranger} listens on port ${silent.port}: it is no adb server`,
      },
    ]);
  });

  it.each([
    ['HTTP/1.1 400 Bad Request\r\n\r\n', 'is not an adb server'],
    ['OKAY0004wxyz', 'is not an adb server'],
    ['', 'closed the connection'],
  ])('that answers %j is none, or is ending', async (answer, words) => {
    await using server = await RawServer.start((socket) => {
      socket.once('data', () => socket.end(answer));
    });
    expect(await look(server.port)).toMatchObject({
      status: 'failed',
      seen: expect.stringContaining(words),
      remedy: 'Find which process holds the port: if it is adb, restart it; if not, move it or set adb.port',
    });
  });

  it('that is not there is said, and none is started', async () => {
    const port = await freePort();
    expect(await look(port, { hasSystemd: true, units: ['hostnode-adb'], inContainer: false })).toMatchObject(
      {
        seen: `no adb server at 127.0.0.1:${port}`,
        remedy: expect.stringMatching(/^Start the lab’s server \(systemctl start hostnode-adb\)/),
      },
    );
    expect(await look(port)).toMatchObject({ seen: `no adb server at 127.0.0.1:${port}` });
  });
});
