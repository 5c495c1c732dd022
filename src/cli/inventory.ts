/** `hostnode inventory`: reads all phones once and prints them; with --report the cloud hears of them too. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { Picture } from '../agent/picture.ts';
import { assembleCloud, assemblePhones, readHost } from '../assembly.ts';
import type { DeviceInfo, DevicesBody } from '../cloud/contract.ts';
import { CloudError } from '../cloud/errors.ts';
import type { Config } from '../config/load.ts';
import { AdbUnavailableError } from '../errors.ts';
import { createLogger } from '../log.ts';
import { readNodeId } from '../machine/node-id.ts';
import { present } from '../present.ts';
import { buildBody } from '../report/body.ts';
import { readRoster } from '../roster/store.ts';
import { type ConfigOption, loadOrExplain } from './configuration.ts';
import { exitCode } from './exit-code.ts';
import type { Encounter } from './explanation.ts';
import { tableOf } from './table.ts';
import { ProgressLine, say, sayError, terminalWidth } from './terminal.ts';

export interface InventoryOptions extends ConfigOption {
  json?: boolean;
  report?: boolean;
  /** Serials or udids. */
  serial?: string[];
  /** Print why each field is what it is. */
  explain?: boolean;
  showIdentifiers?: boolean;
  /** Where to write what the phones printed. */
  capture?: string;
}

/** States that a phone passes through while its server, or the phone, comes up. */
const PASSING = new Set(['connecting', 'authorizing', 'offline']);
const PASSING_LIMIT_MS = 3_000;
/** A server that we have just started needs a moment to see what is plugged in. */
const FRESH_SERVER_MS = 1_500;
const LOOK_EVERY_MS = 100;

export async function inventory(options: InventoryOptions): Promise<void> {
  const loaded = await loadOrExplain(options);
  if (loaded === undefined) return;
  const { config, warnings } = loaded;
  for (const warning of warnings) sayError(warning);
  const cloud = options.report ? assembleCloud(config) : undefined;
  if (options.report && cloud === undefined) {
    sayError(
      'no cloud is configured to report to: set HOSTNODE_CLOUD_BASE_URL, HOSTNODE_CLOUD_USERNAME and HOSTNODE_CLOUD_API_KEY',
    );
    process.exitCode = exitCode.config;
    return;
  }
  const { level } = config.log;
  const log = createLogger({
    level: level === 'info' ? 'error' : level,
    format: config.log.format,
    destination: 'stderr',
  });
  try {
    const { body, encounters, unread, unknown } = await readPhones(config, log.logger, options);
    if (options.explain || options.capture !== undefined) {
      if (!(await inspect(encounters, options, config))) process.exitCode = exitCode.device;
    } else if (options.json) say(JSON.stringify(body, null, 2));
    else print(body.devices ?? []);
    for (const serial of unknown) sayError(`no phone is called ${serial}`);
    for (const [udid, error] of unread) sayError(`${udid} could not be read: ${error.message}`);
    if (unread.size > 0 || unknown.length > 0) process.exitCode = exitCode.device;
    if (cloud) {
      const signal = new AbortController().signal;
      const { failedDevices } = await cloud.delivery.putAll(body.nodeId, body.machine, body.devices, signal);
      for (const { udid, message } of failedDevices) sayError(`the cloud refused ${udid}: ${message}`);
      if (failedDevices.length > 0) process.exitCode = exitCode.device;
    }
  } catch (error) {
    if (!(error instanceof AdbUnavailableError || error instanceof CloudError)) throw error;
    sayError(error.message);
    process.exitCode = error instanceof CloudError ? exitCode.cloud : exitCode.adb;
  } finally {
    cloud?.client.close();
    await log.flush();
  }
}

interface Reading {
  body: DevicesBody;
  /** The same phones, with what they printed where that was to be kept. */
  encounters: Encounter[];
  /** Phones that are online and did not answer, by udid. */
  unread: Map<string, Error>;
  /** Names that were asked for and that no phone has. */
  unknown: string[];
}

async function readPhones(
  config: Config,
  log: ReturnType<typeof createLogger>['logger'],
  { serial: wanted, explain = false, capture }: InventoryOptions,
): Promise<Reading> {
  const stateDir = config.state.dir;
  const { nodeId } = await readNodeId(config.nodeId, stateDir);
  const { value: record } = await readRoster(stateDir);
  const { adb, roster, collector } = assemblePhones({
    config,
    nodeId,
    log,
    keepAnswers: explain || capture !== undefined,
    ...(record && { record }),
  });
  const picture = new Picture({
    roster,
    collector,
    rules: config.devices,
    adbHost: adb.host,
    adbPort: adb.port,
  });
  roster.observe(await listPhones(adb, config), Date.now());

  const isWanted = ({ udid, serial }: { udid: string; serial: string }) =>
    wanted === undefined || wanted.includes(udid) || wanted.includes(serial);
  const chosen = roster.devices.filter((device) => !picture.isIgnored(device) && isWanted(device));
  const online = chosen.filter(({ state }) => state === 'device');
  const unread = new Map<string, Error>();
  const progress = new ProgressLine();
  const signal = new AbortController().signal;
  let read = 0;
  const places = new Map(online.map(({ udid }) => [udid, roster.listed(udid)]));
  const machine = readHost();
  progress.show(`reading ${online.length} phones …`);
  await Promise.all(
    online.map(async ({ udid }) => {
      const { error } = await collector.collect(udid, signal);
      if (error) unread.set(udid, error);
      read += 1;
      progress.show(`reading phones: ${read} of ${online.length}`);
    }),
  );
  progress.clear();
  // A network phone may have told its own serial, and goes by it now.
  const udids = new Set(chosen.map(({ udid }) => udid));
  for (const { udid, attached } of roster.devices) {
    if (attached && [...places.values()].includes(roster.listed(udid))) udids.add(udid);
  }
  const devices = picture.devices(udids);
  const unknown = (wanted ?? []).filter((name) => !devices.some((device) => isNamed(device, name)));
  const errors = new Map([...unread].map(([udid, error]) => [places.get(udid), error]));
  const encounters = devices.map((device) => {
    const listed = roster.listed(device.udid);
    return present({ device, listed, snapshot: collector.snapshot(device.udid), error: errors.get(listed) });
  });
  return { body: buildBody({ nodeId, machine: await machine, devices }), encounters, unread, unknown };
}

/** @returns whether it could be done for every phone */
async function inspect(
  encounters: readonly Encounter[],
  options: InventoryOptions,
  config: Config,
): Promise<boolean> {
  const { captureAll, sayExplanations } = await import('./inspect.ts');
  if (options.capture !== undefined) return captureAll(encounters, options.capture, config);
  sayExplanations(encounters, options);
  return true;
}

const isNamed = ({ udid, serialNumber, adbTunnelInfo }: DeviceInfo, name: string): boolean =>
  name === udid || name === serialNumber || name === adbTunnelInfo?.serial;

/** adb's list, after a moment for the phones that are just coming up. */
async function listPhones(adb: Adb, config: Config): Promise<ListedDevice[]> {
  let startedPid: number | undefined;
  if (config.adb.start !== false) {
    const { startServerIfNone } = await import('../adb/server-start.ts');
    startedPid = await startServerIfNone(config.adb);
    if (startedPid !== undefined)
      sayError(`started an adb server (process ${startedPid}); it goes on running`);
  }
  const since = performance.now();
  for (;;) {
    const devices = await adb.listDevices();
    const elapsedMs = performance.now() - since;
    const isPassing = devices.some(({ state }) => PASSING.has(state));
    const isFresh = startedPid !== undefined && elapsedMs < FRESH_SERVER_MS;
    if ((!isPassing && !isFresh) || elapsedMs > PASSING_LIMIT_MS) return devices;
    await pause(LOOK_EVERY_MS);
  }
}

function print(devices: readonly DeviceInfo[]): void {
  if (devices.length === 0)
    say('No phones: adb lists none. Is one plugged in, with USB debugging switched on?');
  else say(...tableOf(devices, terminalWidth(process.stdout)));
}
