/** What several checks need: the configuration in force, this host's accounts, and adb's answers. */
import type { ListedDevice } from '../adb/adb.ts';
import { type Environment, type HostKind, isLoopback } from '../base/environment.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Config } from '../config/load.ts';
import { assembleAdb } from '../daemon/assemble-phones.ts';
import { readHostKind } from '../host/host-kind.ts';
import { type Accounts, readAccounts } from './accounts.ts';
import { type Neighbourhood, readNeighbourhood } from './adb-process.ts';
import { lookAtServer } from './adb-server.ts';
import { type ConfigurationLook, lookAtConfiguration } from './configuration.ts';
import { type Finding, perform } from './finding.ts';

/** Where the doctor looks. */
export interface Examination {
  readonly env: Environment;
  /** The configuration file named on the command line. */
  readonly file?: string;
  /** Of the file system: `/`; a folder in tests. */
  readonly root: string;
  /** Of this process. */
  readonly uid: number;
  /** Hears the serials and names of the phones that the findings tell of. */
  readonly meet?: (names: readonly string[]) => void;
}

export interface Context extends Examination {
  readonly configuration: ConfigurationLook;
  readonly config: Config;
  readonly accounts: Accounts;
  readonly hostKind: HostKind;
  readonly server: ServerAnswer;
  /** Listeners around the adb server's port; absent if the server is on another machine. */
  readonly neighbourhood?: Neighbourhood;
}

/** What the adb server says. */
export interface ServerAnswer {
  readonly findings: readonly Finding[];
  /** It answers as an adb server does. */
  readonly isAdb: boolean;
  /** Absent if adb does not answer. */
  readonly listed?: readonly ListedDevice[];
}

const MARGIN_MS = 1_000;

export async function readContext(examination: Examination): Promise<Context> {
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
  return {
    ...examination,
    ...omitUndefined({ neighbourhood }),
    configuration,
    config,
    accounts,
    hostKind,
    server,
  };
}

/** Its version, and its list of phones. */
async function askServer(config: Config, hostKind: HostKind): Promise<ServerAnswer> {
  const adb = assembleAdb(config);
  let isAdb = false;
  let listed: readonly ListedDevice[] | undefined;
  const findings = await perform({
    name: 'adb server',
    limitMs: 2 * config.adb.requestTimeoutSeconds * 1000 + MARGIN_MS,
    look: async (signal) => {
      const look = await lookAtServer(adb, hostKind, signal);
      isAdb = look.isAdb;
      if (isAdb) listed = await adb.listDevices(signal);
      return look.finding;
    },
  });
  return { findings, isAdb, ...omitUndefined({ listed }) };
}
