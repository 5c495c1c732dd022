/** The whole examination: what several checks need, then every group of checks, in parallel where possible. */
import type { ListedDevice } from '../adb/adb.ts';
import { type Environment, type HostKind, isLoopback } from '../base/environment.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { version } from '../base/version.ts';
import type { Config } from '../config/load.ts';
import { createAdb } from '../daemon/host-parts.ts';
import { readHostKind } from '../host/host-kind.ts';
import { readAccounts } from './accounts.ts';
import {
  checkAdbPrograms,
  checkNeighbourhood,
  keyFolder,
  lookAtServer,
  readAdbPrograms,
  readNeighbourhood,
  strangerOn,
} from './adb.ts';
import { type Check, type CheckResult, notChecked, ok, perform, performAll, skipped } from './check.ts';
import { cloudChecks } from './cloud.ts';
import { lookAtConfiguration } from './configuration.ts';
import { lookAtIdentity, lookAtUnits } from './host.ts';
import { checkKey, checkPhones, readPhones } from './phones.ts';
import { lookAtPortPower } from './port-power.ts';
import { lookAtState } from './state.ts';
import { checkRules, checkUsb, readRules, readUsbPhones } from './usb.ts';

export interface Examination {
  readonly env: Environment;
  readonly file?: string;
  /** Of the file system; a folder in tests. */
  readonly root?: string;
  readonly uid?: number;
  readonly onNames?: (names: readonly string[]) => unknown;
}

/** The subject of a group; it decides the exit code of a failure. */
export type Area = 'configuration' | 'adb' | 'cloud' | 'host';

export interface Group {
  readonly title: string;
  readonly area: Area;
  /** As `doctor --json` calls them. */
  readonly findings: readonly CheckResult[];
}

const MARGIN_MS = 1_000;
const LOCAL_MS = 5_000;
const PHONES_MS = 60_000;

const local = (name: string, look: Check['look']): Check => ({ name, limitMs: LOCAL_MS, look });

const unknown = (name: string): CheckResult => notChecked(name, 'configuration');

/** The package's state directory, and its owner. */
const SERVICE = { stateDir: '/var/lib/hostnode', user: 'hostnode' };

export async function examine(where: Examination): Promise<Group[]> {
  const { env, file, root = '/', uid = process.getuid?.() ?? 0, onNames = () => {} } = where;
  const { results, config, isDoubtful } = await lookAtConfiguration({
    env,
    defaultFile: `${root}etc/hostnode/hostnode.yaml`,
    credential: `${root}etc/credstore/hostnode.cloud-api-key`,
    ...omitUndefined({ file }),
  });
  const { dir } = config.state;
  const { host, port } = config.adb;
  const hostKind = readHostKind(root, env);
  const { inContainer } = hostKind;
  const [accounts, neighbourhood] = await Promise.all([
    readAccounts(root),
    isLoopback(host) ? readNeighbourhood(root, port) : undefined,
  ]);
  const server = neighbourhood?.server;
  const { answers, isAdb, listed } = await askServer(config, hostKind, strangerOn(server, accounts));
  const isElsewhere = isDoubtful('adb') && !isAdb; // the server meant may be another one

  const node = `Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  const isService = dir === SERVICE.stateDir && accounts.users.some(({ name }) => name === SERVICE.user);
  const onlooker = { accounts, uid, ...(isService && { serviceUser: SERVICE.user }) };
  const hostChecks = [
    ok('program', `hostnode ${version}, ${node}${inContainer ? ', in a container' : ''}`),
    isDoubtful('nodeId') || isDoubtful('state')
      ? unknown('node id')
      : local('node id', () => lookAtIdentity(config.nodeId, dir, { root, env })),
    isDoubtful('state')
      ? unknown('state directory')
      : local('state directory', () => lookAtState(dir, onlooker)),
    local('units', () => lookAtUnits(hostKind, server?.process?.pid)),
  ];

  // a container's server usually runs outside it
  const isWanted = neighbourhood !== undefined && !isElsewhere && !server && !isAdb && !inContainer;
  const listening =
    neighbourhood === undefined
      ? [skipped('server process', `the adb server is on another machine, ${host}`)]
      : checkNeighbourhood(neighbourhood, accounts, isAdb);
  const otherKey = checkKey(listed ?? [], server && keyFolder(server, accounts));
  const adbChecks = [
    ...(isElsewhere ? [unknown('adb server')] : answers),
    ...(otherKey ? [otherKey] : []),
    ...listening,
    local('adb programs', async () =>
      checkAdbPrograms(await readAdbPrograms(root, env, config.adb.bin), isWanted, hostKind),
    ),
  ];

  const usb = omitUndefined({ listed, server, accounts, inContainer });
  const usbChecks = [
    local('USB', async () => checkUsb({ ...usb, phones: await readUsbPhones(root) })),
    local('udev rule', async () => checkRules(await readRules(root), inContainer)),
    ...(inContainer ? [] : [local('port power', () => lookAtPortPower(root, uid, env))]),
  ];

  const lookAtPhones: Check['look'] = async (signal) => {
    if (listed === undefined) return isElsewhere ? unknown('phones') : notChecked('phones', 'adb server');
    onNames(listed.map(({ serial }) => serial));
    if (otherKey) return skipped('phones', `${listed.length}, all unauthorized: see the adb key`);
    const phones = await readPhones(config, listed, signal);
    onNames(phones.flatMap(({ udid, deviceName = '' }) => [udid, deviceName]));
    return checkPhones(phones);
  };

  const noCloud = skipped('cloud', 'no cloud is configured: hostnode reports nothing');
  const ofCloud = isDoubtful('cloud')
    ? [unknown('cloud')]
    : config.cloud
      ? cloudChecks(config.cloud, env, hostKind)
      : [noCloud];

  const groups: readonly [title: string, area: Area, checks: readonly (Check | CheckResult)[]][] = [
    ['Configuration', 'configuration', results],
    ['This host', 'host', hostChecks],
    ['adb', 'adb', adbChecks],
    ['USB', 'host', neighbourhood === undefined ? [] : usbChecks], // else the phones are on another machine
    ['Phones', 'host', [{ name: 'phones', limitMs: PHONES_MS, look: lookAtPhones }]],
    ['Cloud', 'cloud', ofCloud],
  ];
  const examined = groups.map(async ([title, area, checks]) => ({
    title,
    area,
    findings: await performAll(checks),
  }));
  return (await Promise.all(examined)).filter(({ findings }) => findings.length > 0);
}

/** What the adb server says; `listed` is absent if it does not answer as one. */
async function askServer(config: Config, hostKind: HostKind, stranger: string | undefined) {
  const adb = createAdb(config);
  let isAdb = false;
  let listed: readonly ListedDevice[] | undefined;
  const answers = await perform({
    name: 'adb server',
    limitMs: 2 * config.adb.requestTimeoutSeconds * 1000 + MARGIN_MS,
    look: async (signal) => {
      const result = await lookAtServer(adb, hostKind, signal, stranger);
      isAdb = result.status !== 'failed';
      if (isAdb) listed = await adb.listDevices(signal);
      return result;
    },
  });
  return { answers, isAdb, listed };
}
