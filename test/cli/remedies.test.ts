import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { adbRemedyOf } from '../../src/adb/remedy.ts';
import { anyHost, type HostKind } from '../../src/base/environment.ts';
import type { AdbFailureKind } from '../../src/base/errors.ts';
import { placesFor } from '../../src/cli/config-init.ts';
import { startRefusalOf } from '../../src/daemon/load-state.ts';
import { evaluatePresent } from '../../src/diagnosis/evaluate.ts';
import { presentRules } from '../../src/diagnosis/rules/index.ts';
import { checkAdbPrograms } from '../../src/doctor/adb.ts';
import { examine } from '../../src/doctor/examination.ts';
import { checkUnit, lookAtUnits, type Unit } from '../../src/doctor/host.ts';
import { checkClock } from '../../src/doctor/network.ts';
import { checkRules, checkUsb } from '../../src/doctor/usb.ts';
import { StateOwnerError } from '../../src/host/state-errors.ts';
import { accountFiles, hostTree } from '../support/host-tree.ts';
import { freePort } from '../support/raw-server.ts';

const hostKinds = {
  'without systemd': anyHost,
  'in a container': { ...anyHost, inContainer: true },
  'with systemd, from a checkout': { ...anyHost, hasSystemd: true },
  'of the package, without adb': {
    ...{ hasSystemd: true, units: ['hostnode', 'hostnode-adb'], inContainer: false, lacksAdb: true },
  },
  'of the package': { hasSystemd: true, units: ['hostnode', 'hostnode-adb'], inContainer: false },
} satisfies Record<string, HostKind>;

/** Programs that come with systemd, and hostnode's units. */
const ofSystemd = /systemctl|journalctl|timedatectl/;
const ofUnits = /systemctl|journalctl|hostnode-adb/;

const kinds: readonly AdbFailureKind[] = ['absent', 'unreachable', 'silent', 'closed', 'foreign'];
const NOW = Date.parse('2026-11-21T12:00:00Z');

/** Every remedy of the program that depends on the place; a test below finds those that are not here. */
function remediesAt(hostKind: HostKind): string[] {
  const adb = ['127.0.0.1', 'adb.example'].flatMap((host) =>
    kinds.flatMap((kind) => Object.values(adbRemedyOf(kind, { host, port: 5037, hostKind }))),
  );
  const owner = { uid: 0, gid: 46, mode: 0o600 };
  const phone = { port: '1-4', usbPath: '1-4', hasAdb: true, node: '/dev/bus/usb/001/007' };
  const server = {
    uid: 997,
    isOpen: false,
    process: { pid: 1, name: 'adb', uid: 997, gids: [], sockets: [] },
  };
  const usb = { accounts: { users: [], groups: [] }, inContainer: hostKind.inContainer, server };
  const findings = [
    checkClock(new Date(NOW - 3_600_000).toUTCString(), NOW, hostKind),
    checkAdbPrograms([], true, hostKind),
    checkRules([], hostKind.inContainer),
    ...checkUsb({ ...usb, phones: [phone], listed: [] }),
    ...checkUsb({ ...usb, phones: [{ ...phone, owner }], listed: [] }),
  ];
  return [
    ...adb,
    startRefusalOf(new StateOwnerError('/state', 997), hostKind)?.message ?? '',
    ...findings.flatMap((result) => result.remedy ?? []),
    ...placesFor(
      {},
      { isRoot: true, hasService: hostKind.units.includes('hostnode'), cwd: '/', program: 'hostnode' },
    ).next,
  ];
}

describe('the remedies', () => {
  it.each(['without systemd', 'in a container'] as const)('%s name no program of systemd', (name) => {
    const remedies = remediesAt(hostKinds[name]);
    expect(remedies.length).toBeGreaterThan(20);
    expect(remedies.filter((remedy) => ofSystemd.test(remedy) || ofUnits.test(remedy))).toEqual([]);
  });

  it('with systemd and without our units name no unit', () => {
    expect(
      remediesAt(hostKinds['with systemd, from a checkout']).filter((text) => ofUnits.test(text)),
    ).toEqual([]);
  });

  it('on a host of the package name its units', () => {
    const named = remediesAt(hostKinds['of the package']).filter((text) => ofUnits.test(text));
    expect(named.length).toBeGreaterThan(5);
  });

  it('on another machine are of its adb server, not of ours', () => {
    const at = { host: 'adb.example', port: 5037, hostKind: hostKinds['of the package'] };
    for (const kind of ['absent', 'silent'] as const) {
      expect(adbRemedyOf(kind, at)).toEqual({
        remedy: expect.stringContaining('adb.example'),
        command: 'hostnode doctor',
      });
    }
  });

  it('name the port of the adb server that they start', () => {
    const { command } = adbRemedyOf('absent', { host: '127.0.0.1', port: 5038, hostKind: anyHost });
    expect(command).toBe('adb -P 5038 start-server');
  });

  it('of the page are those of the place', () => {
    const adb = { address: '', state: 'unreachable', failureKind: 'absent', since: NOW - 60_000 } as const;
    const commandsAt = (hostKind: HostKind) => {
      const host = { adb, adbAt: { host: '127.0.0.1', port: 5037, hostKind }, reports: {} };
      return evaluatePresent(presentRules, { phones: [], host }, NOW).map(({ command }) => command);
    };
    expect(commandsAt(hostKinds['of the package'])).toEqual(['systemctl start hostnode-adb']);
    expect(commandsAt(anyHost)).toEqual(['adb start-server']);
  });

  it('of the units are given only where systemd runs', async () => {
    expect(await lookAtUnits(anyHost, undefined)).toEqual([
      { name: 'units', status: 'skipped', seen: 'systemd does not run here' },
    ]);
    const unit: Unit = {
      ...{ Id: 'hostnode.service', LoadState: 'loaded', UnitFileState: 'enabled', ActiveState: 'failed' },
      ...{ SubState: 'failed', Result: 'exit-code', NRestarts: '1', MainPID: '0' },
    };
    expect(checkUnit(unit, undefined)).toEqual({
      name: 'hostnode',
      status: 'failed',
      seen: 'failed (failed), ended by exit-code, restarted 1 time',
      remedy: 'Run journalctl -u hostnode -n 50 for the reason, then systemctl restart hostnode',
    });
  });

  it.each(['.dockerenv', 'etc/hostname'])(
    'of a whole examination without systemd name none of its programs: with %s',
    async (mark) => {
      const root = await hostTree({ ...accountFiles, [mark]: '' });
      const env = {
        HOSTNODE_ADB_PORT: String(await freePort()),
        HOSTNODE_CLOUD_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`,
        HOSTNODE_CLOUD_USERNAME: 'lab',
        HOSTNODE_CLOUD_API_KEY: 'k3y',
        HOSTNODE_STATE_DIR: root,
      };
      const groups = await examine({ env, root, uid: 12345 });
      const remedies = groups.flatMap(({ findings }) => findings.flatMap(({ remedy }) => remedy ?? []));
      expect(remedies.length).toBeGreaterThan(2);
      expect(remedies.filter((remedy) => ofSystemd.test(remedy) || ofUnits.test(remedy))).toEqual([]);
    },
  );

  it('that name such programs are all known here', () => {
    const src = new URL('../../src/', import.meta.url);
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    const naming = files.filter((name) =>
      readFileSync(new URL(name, src), 'utf8')
        .split('\n')
        .some((line) => ofSystemd.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line)),
    );
    expect(naming.toSorted()).toEqual([
      'adb/remedy.ts',
      'cli/config-init.ts',
      'cli/support/parts.ts', // which runs it
      'config/schema.ts', // a key that says what it reads
      'daemon/load-state.ts',
      'doctor/host.ts',
      'doctor/network.ts',
      'host/kernel-log.ts', // which runs it
    ]);
  });
});
