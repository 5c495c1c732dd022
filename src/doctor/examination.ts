/** The whole examination: every group of checks, in parallel where possible. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { version } from '../base/version.ts';
import { assembleCloud } from '../daemon/assemble-cloud.ts';
import { judgeNeighbourhood, keyFolder } from './adb-process.ts';
import { judgeAdbPrograms, readAdbPrograms } from './adb-programs.ts';
import { cloudChecks } from './cloud.ts';
import { type Context, type Examination, readContext } from './context.ts';
import { type Check, type Finding, notChecked, ok, performAll, skipped } from './finding.ts';
import { lookAtIdentity } from './identity.ts';
import { metricsChecks } from './metrics.ts';
import { readPhones } from './phone-reading.ts';
import { judgeKey, judgePhones } from './phones.ts';
import type { Area, Group } from './report.ts';
import { lookAtState } from './state.ts';
import { lookAtUnits } from './units.ts';
import { readUsbPhones } from './usb.ts';
import { judgeRules, judgeUsb, readRules } from './usb-access.ts';

const LOCAL_MS = 5_000;
const PHONES_MS = 60_000;

/** The package's state directory, and its owner. */
const SERVICE = { stateDir: '/var/lib/hostnode', user: 'hostnode' };

export async function examine(examination: Examination): Promise<Group[]> {
  const context = await readContext(examination);
  const groups = await Promise.all([
    group('Configuration', 'configuration', [], context.configuration.findings),
    group('This host', 'host', hostChecks(context)),
    group('adb', 'adb', adbChecks(context), context.server.findings),
    group('USB', 'host', usbChecks(context)),
    group('Phones', 'host', phoneChecks(context)),
    group('Cloud', 'cloud', cloudChecksOf(context)),
    group('Metrics', 'host', metricsChecksOf(context)),
  ]);
  return groups.filter(({ findings }) => findings.length > 0);
}

async function group(
  title: string,
  area: Area,
  checks: readonly Check[],
  known: readonly Finding[] = [],
): Promise<Group> {
  return { title, area, findings: [...known, ...(await performAll(checks))] };
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
      : judgeNeighbourhood(neighbourhood, accounts, server.isAdb);
  // a container's server usually runs outside it
  const isWanted =
    neighbourhood !== undefined && !neighbourhood.server && !server.isAdb && !hostKind.inContainer;
  return [
    local('adb key', () => judgeKey(server.listed ?? [], folder) ?? []),
    local('server process', () => listening),
    local('adb programs', async () =>
      judgeAdbPrograms(await readAdbPrograms(root, env, config.adb.bin), isWanted, hostKind),
    ),
  ];
}

function usbChecks({ root, accounts, hostKind, server, neighbourhood }: Context): Check[] {
  if (neighbourhood === undefined) return []; // the phones are on another machine
  const { inContainer } = hostKind;
  const known = {
    accounts,
    inContainer,
    ...omitUndefined({ listed: server.listed, server: neighbourhood.server }),
  };
  return [
    local('USB', async () => judgeUsb({ ...known, phones: await readUsbPhones(root) })),
    local('udev rule', async () => judgeRules(await readRules(root), inContainer)),
  ];
}

function phoneChecks({ config, server: { listed }, meet = () => {} }: Context): Check[] {
  const look: Check['look'] = async (signal) => {
    if (listed === undefined) return notChecked('phones', 'adb server');
    meet(listed.map(({ serial }) => serial));
    if (judgeKey(listed)) return skipped('phones', `${listed.length}, all unauthorized: see the adb key`);
    const phones = await readPhones(config, listed, signal);
    meet(phones.flatMap(({ udid, deviceName = '' }) => [udid, deviceName]));
    return judgePhones(phones);
  };
  return [{ name: 'phones', limitMs: PHONES_MS, look }];
}

function metricsChecksOf({ env, config, configuration }: Context): Check[] {
  return metricsChecks(config.metrics.otlp, configuration.areHeadersHidden === true, env);
}

function cloudChecksOf({ env, config, configuration, hostKind }: Context): Check[] {
  if (configuration.isWrong) return [local('cloud', () => notChecked('cloud', 'configuration'))];
  return cloudChecks(
    config.cloud,
    () => (configuration.isKeyHidden ? undefined : assembleCloud(config, env)?.client),
    env,
    hostKind,
  );
}
