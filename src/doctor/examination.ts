/** The whole examination: what several checks need, then every group of checks, in parallel where possible. */
import type { ListedDevice } from '../adb/adb.ts';
import { type Environment, type HostKind, isLoopback } from '../base/environment.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { version } from '../base/version.ts';
import type { Config } from '../config/load.ts';
import { createAdb, createCloud } from '../daemon/host-parts.ts';
import { readHostKind } from '../host/host-kind.ts';
import { type Accounts, readAccounts } from './accounts.ts';
import {
  checkAdbPrograms,
  checkNeighbourhood,
  keyFolder,
  lookAtServer,
  type Neighbourhood,
  readAdbPrograms,
  readNeighbourhood,
} from './adb.ts';
import {
  type Check,
  type CheckResult,
  notChecked,
  ok,
  perform,
  performAll,
  shown,
  skipped,
} from './check.ts';
import { cloudChecks } from './cloud.ts';
import { type ConfigurationLook, lookAtConfiguration } from './configuration.ts';
import { lookAtIdentity, lookAtUnits } from './host.ts';
import { metricsChecks } from './metrics.ts';
import { checkKey, checkPhones, readPhones } from './phones.ts';
import type { Area, Group } from './report.ts';
import { lookAtState } from './state.ts';
import { checkRules, checkUsb, readRules, readUsbPhones } from './usb.ts';

/** Where the doctor looks. */
export interface Examination {
  readonly env: Environment;
  /** The configuration file named on the command line. */
  readonly file?: string;
  /** Of the file system: `/`; a folder in tests. */
  readonly root: string;
  /** Of this process. */
  readonly uid: number;
  /** Gets the serials and names of the phones in the results. */
  readonly onNames?: (names: readonly string[]) => void;
}

interface Context extends Examination {
  readonly configuration: ConfigurationLook;
  readonly config: Config;
  readonly accounts: Accounts;
  readonly hostKind: HostKind;
  readonly server: ServerAnswer;
  /** Listeners around the adb server's port; absent if the server is on another machine. */
  readonly neighbourhood?: Neighbourhood;
}

/** What the adb server says. */
interface ServerAnswer {
  readonly results: readonly CheckResult[];
  /** It answers as an adb server does. */
  readonly isAdb: boolean;
  /** Absent if adb does not answer. */
  readonly listed?: readonly ListedDevice[];
}

const MARGIN_MS = 1_000;

async function readContext(examination: Examination): Promise<Context> {
  const { env, file, root } = examination;
  const configuration = await lookAtConfiguration({
    env,
    defaultFile: `${root}etc/hostnode/hostnode.yaml`,
    credential: `${root}etc/credstore/hostnode.cloud-api-key`,
    ...omitUndefined({ file }),
  });
  const { config } = configuration;
  const { host, port } = config.adb;
  const hostKind = await readHostKind(root, env);
  const [accounts, server, neighbourhood] = await Promise.all([
    readAccounts(root),
    askServer(config, hostKind),
    isLoopback(host) ? readNeighbourhood(root, port) : undefined,
  ]);
  const known = { configuration, config, accounts, hostKind, server };
  return { ...examination, ...known, ...omitUndefined({ neighbourhood }) };
}

/** Its version, and its list of phones. */
async function askServer(config: Config, hostKind: HostKind): Promise<ServerAnswer> {
  const adb = createAdb(config);
  let isAdb = false;
  let listed: readonly ListedDevice[] | undefined;
  const results = await perform({
    name: 'adb server',
    limitMs: 2 * config.adb.requestTimeoutSeconds * 1000 + MARGIN_MS,
    look: async (signal) => {
      const look = await lookAtServer(adb, hostKind, signal);
      isAdb = look.isAdb;
      if (isAdb) listed = await adb.listDevices(signal);
      return look.result;
    },
  });
  return { results, isAdb, ...omitUndefined({ listed }) };
}

const LOCAL_MS = 5_000;
const PHONES_MS = 60_000;

/** The package's state directory, and its owner. */
const SERVICE = { stateDir: '/var/lib/hostnode', user: 'hostnode' };

export async function examine(examination: Examination): Promise<Group[]> {
  const context = await readContext(examination);
  const groups = await Promise.all([
    group('Configuration', 'configuration', [], context.configuration.results),
    group('This host', 'host', hostChecks(context)),
    group('adb', 'adb', adbChecks(context), context.server.results),
    group('USB', 'host', usbChecks(context)),
    group('Phones', 'host', phoneChecks(context)),
    group('Cloud', 'cloud', cloudChecksOf(context)),
    group(
      'Metrics',
      'host',
      metricsChecks(
        context.config.metrics.otlp,
        context.configuration.areHeadersHidden === true,
        context.env,
      ),
    ),
  ]);
  return groups.filter(({ findings }) => findings.length > 0);
}

async function group(
  title: string,
  area: Area,
  checks: readonly Check[],
  known: readonly CheckResult[] = [],
): Promise<Group> {
  return { title, area, findings: [...known, ...(await performAll(checks))].map(shown) };
}

/** A check of this machine alone. */
const local = (name: string, look: Check['look']): Check => ({ name, limitMs: LOCAL_MS, look });

function hostChecks({ root, env, uid, config, accounts, hostKind, neighbourhood }: Context): Check[] {
  const { dir } = config.state;
  const isService = dir === SERVICE.stateDir && accounts.users.some(({ name }) => name === SERVICE.user);
  const node = `Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  const onlooker = { accounts, uid, ...(isService && { serviceUser: SERVICE.user }) };
  return [
    local('program', () =>
      ok('program', `hostnode ${version}, ${node}${hostKind.inContainer ? ', in a container' : ''}`),
    ),
    local('node id', () => lookAtIdentity(config.nodeId, dir, { root, env })),
    local('state directory', () => lookAtState(dir, onlooker)),
    local('units', () => lookAtUnits(hostKind, neighbourhood?.server?.process?.pid)),
  ];
}

function adbChecks(context: Context): Check[] {
  const { root, env, config, accounts, hostKind, server, neighbourhood } = context;
  const folder = neighbourhood?.server && keyFolder(neighbourhood.server, accounts);
  const listening =
    neighbourhood === undefined
      ? [skipped('server process', `the adb server is on another machine, ${config.adb.host}`)]
      : checkNeighbourhood(neighbourhood, accounts, server.isAdb);
  const isMissing = neighbourhood !== undefined && !neighbourhood.server && !server.isAdb;
  const isWanted = isMissing && !hostKind.inContainer; // a container's server usually runs outside it
  return [
    local('adb key', () => checkKey(server.listed ?? [], folder) ?? []),
    local('server process', () => listening),
    local('adb programs', async () =>
      checkAdbPrograms(await readAdbPrograms(root, env, config.adb.bin), isWanted, hostKind),
    ),
  ];
}

function usbChecks({ root, accounts, hostKind, server, neighbourhood }: Context): Check[] {
  if (neighbourhood === undefined) return []; // the phones are on another machine
  const { inContainer } = hostKind;
  const known = omitUndefined({ listed: server.listed, server: neighbourhood.server });
  return [
    local('USB', async () =>
      checkUsb({ ...known, accounts, inContainer, phones: await readUsbPhones(root) }),
    ),
    local('udev rule', async () => checkRules(await readRules(root), inContainer)),
  ];
}

function phoneChecks({ config, server: { listed }, onNames = () => {} }: Context): Check[] {
  const look: Check['look'] = async (signal) => {
    if (listed === undefined) return notChecked('phones', 'adb server');
    onNames(listed.map(({ serial }) => serial));
    if (checkKey(listed)) return skipped('phones', `${listed.length}, all unauthorized: see the adb key`);
    const phones = await readPhones(config, listed, signal);
    onNames(phones.flatMap(({ udid, deviceName = '' }) => [udid, deviceName]));
    return checkPhones(phones);
  };
  return [{ name: 'phones', limitMs: PHONES_MS, look }];
}

function cloudChecksOf({ env, config, configuration, hostKind }: Context): Check[] {
  if (configuration.isWrong) return [local('cloud', () => notChecked('cloud', 'configuration'))];
  return cloudChecks(
    config.cloud,
    async () => (configuration.isKeyHidden ? undefined : (await createCloud(config, env))?.client),
    env,
    hostKind,
  );
}
