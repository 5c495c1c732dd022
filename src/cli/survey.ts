/**
 * Lists all phones, collects the wanted ones, and builds the report. Writes no state. Starts an adb server if none
 * runs and the configuration allows it.
 */
import { type Adb, isPassing, type ListedDevice } from '../adb/adb.ts';
import type { ProbePool } from '../agent/probes.ts';
import { phoneInputOf } from '../agent/rule-input.ts';
import { type PhoneState, phonesOf } from '../agent/state.ts';
import { createLogger, type Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { sleep, yieldToLoop } from '../base/time.ts';
import { buildNumber } from '../base/version.ts';
import { quantity } from '../base/words.ts';
import type { Config } from '../config/load.ts';
import { createPhones, type PhonesSetting } from '../daemon/host-parts.ts';
import { readHostKind } from '../host/host-kind.ts';
import { type NodeIdPlace, readNodeId, unfitForOnce } from '../host/identity.ts';
import { readMachine } from '../host/machine.ts';
import type { Snapshot } from '../probe/snapshot.ts';
import { drainRemark, maintenanceRemark } from '../report/remark.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { SeenPhone } from '../roster/expected-phones.ts';
import type { Roster } from '../roster/roster.ts';
import { readRoster } from '../roster/store.ts';
import { connectionOf } from '../roster/udid.ts';
import { nearestName, phonesCalled } from '../status/names.ts';
import { PhonePlan } from '../status/phone-plan.ts';
import { ProgressLine, sayError } from './terminal.ts';
import { adbFailure } from './trouble.ts';

export interface SurveyOptions extends Pick<PhonesSetting, 'config' | 'keepAnswers' | 'parts'> {
  place?: Pick<NodeIdPlace, 'root' | 'env'>;
  /** Any names of phones: udids, serials, slots, names, models; absent: all phones. */
  names?: readonly string[];
}

/** A phone, and what one inventory learned about it. */
export interface Encounter extends PhoneState {
  listed?: ListedDevice;
  error?: Error;
}

const PASSING_LIMIT_MS = 3_000;
/** A fresh server needs this long to find the phones. */
const FRESH_SERVER_MS = 1_500;
const LIST_EVERY_MS = 100;

export async function survey(options: SurveyOptions) {
  const { config } = options;
  const { level, format } = config.log;
  const log = createLogger({ level: level === 'info' ? 'error' : level, format, destination: 'stderr' });
  return await look(options, log.logger)
    .catch(adbFailure(config))
    .finally(() => log.flush());
}

const HERE = { root: '/', env: process.env };

async function look(
  { config, place = HERE, names, keepAnswers = false, parts = [] }: SurveyOptions,
  log: Logger,
) {
  const [name, { value: record, problem }, maintenance, drain] = await Promise.all([
    readNodeId(config.nodeId, config.state.dir, { ...place, mayKeep: false }),
    readRoster(config.state.dir, { mayRename: false, maxPhones: config.roster.maxPhones }),
    PhonePlan.look('maintenance', config.state.dir, log),
    PhonePlan.look('drain', config.state.dir, log),
  ]);
  const nodeId = name.source === 'random' ? 'this-host' : name.nodeId; // the next run would have another
  const { adb, roster, probePool, hostReport } = createPhones({
    config,
    nodeId,
    log,
    keepAnswers,
    parts,
    remarkOf: (udid) => ({
      ...maintenanceRemark(maintenance.plan.of(udid), config.maintenance.hidesFromCloud),
      ...drainRemark(drain.plan.of(udid)),
    }),
    ...(record && { record }),
  });
  const listed = await listPhones(adb, config);
  roster.observe(listed, Date.now());

  const ours = () =>
    roster.devices.filter((device) => device.supersededBy === undefined && !hostReport.isIgnored(device));
  /** By its udid, its own serial, or adb's name for one of its connections. */
  const isAddressed = ({ udid, serial, identity }: RosterDevice, name: string) =>
    [udid, serial, identity?.serialNumber].includes(name) ||
    listed.some((entry) => entry.serial === name && roster.udidAt(entry) === udid);
  const phonesNow = () => phonesOf({ roster, hostReport, probePool });
  const udidsOf = (name: string): string[] =>
    [
      ...ours().filter((device) => isAddressed(device, name)),
      ...phonesCalled(name, phonesNow().map(seenOf)),
    ].map(({ udid }) => udid);
  const chosenNow = () => {
    const named = names && new Set(names.flatMap(udidsOf));
    return ours().filter(({ udid }) => named?.has(udid) ?? true);
  };
  // an unknown name may be a model, or the serial of a network phone, which only collecting shows
  const isSettled = names?.every((name) => ours().some((device) => isAddressed(device, name))) ?? true;
  const collecting = collectAll(isSettled ? chosenNow() : ours(), probePool, roster);
  const machine = yieldToLoop().then(() => readMachine(buildNumber)); // while the phones answer
  const unread = await collecting;

  const chosen = new Set(chosenNow().map(({ udid }) => udid));
  const unknown = names?.filter((name) => udidsOf(name).length === 0) ?? [];
  const shown = unknown.length === 0 ? [] : phonesNow().map(seenOf);
  const encounters = phonesNow()
    .filter(({ device }) => chosen.has(device.udid))
    .map((phone): Encounter => {
      const { udid } = phone.device;
      return { ...phone, ...omitUndefined({ listed: roster.listed(udid), error: unread.get(udid) }) };
    });
  const nameless = roster.nameless.length;
  return {
    body: { nodeId, machine: await machine, devices: encounters.map(({ info }) => info) },
    adb,
    encounters,
    listing: {
      entries: listed.length,
      ignored: roster.devices.filter((device) => device.attached && hostReport.isIgnored(device)).length,
    },
    /** Online phones that did not answer completely, by udid. */
    unread: new Map([...unread].filter(([udid]) => chosen.has(udid))),
    /** Names that no phone has, each with the one that was probably meant. */
    unknown: unknown.map((name) => omitUndefined({ name, close: nearestName(name, shown) })),
    warnings: [
      ...[problem, maintenance.problem, drain.problem, name.keptProblem].filter((said) => said !== undefined),
      ...(nameless === 0
        ? []
        : [
            `adb lists ${quantity(nameless, 'device')} without serial number and USB path: that is not reported`,
          ]),
    ],
    /** Why we must not report under this host's name. */
    unfit: unfitForOnce(name),
  };
}

export const seenOf = (phone: PhoneState): SeenPhone => phoneInputOf(phone, false);

/** @returns the error of each phone that did not answer completely, by its current udid */
async function collectAll(
  devices: readonly RosterDevice[],
  probePool: ProbePool,
  roster: Roster,
): Promise<Map<string, Error>> {
  const online = devices.filter(({ state }) => state === 'device');
  const { signal } = new AbortController();
  const unread = new Map<string, Error>();
  const progress = new ProgressLine();
  let collected = 0;
  const show = () => progress.show(`collecting phones: ${collected} of ${online.length}`);
  show();
  await Promise.all(
    online.map(async ({ udid }) => {
      const listed = roster.listed(udid);
      const { snapshot, error } = await probePool.collect(udid, signal);
      const why = error ?? (snapshot && lackOf(snapshot));
      if (why) unread.set((listed && roster.udidAt(listed)) ?? udid, why);
      collected += 1;
      show();
    }),
  ).finally(() => progress.clear());
  return unread;
}

function lackOf({ broken, facts }: Snapshot): Error | undefined {
  if (broken !== undefined) return new Error(broken);
  return Object.keys(facts).length === 0 ? new Error('no answer could be parsed') : undefined;
}

/** adb's list. Waits a moment for phones that are still connecting. */
async function listPhones(adb: Adb, config: Config): Promise<readonly ListedDevice[]> {
  let isFresh = false;
  if (config.adb.start !== false) {
    const { startServerIfNone } = await import('../adb/server-start.ts');
    const pid = await startServerIfNone({
      ...config.adb,
      env: process.env,
      hostKind: readHostKind('/', process.env),
    });
    if (pid !== undefined) sayError(`started an adb server (process ${pid}); it keeps running`);
    isFresh = pid !== undefined;
  }
  const since = performance.now();
  for (;;) {
    const devices = await adb.listDevices();
    const elapsedMs = performance.now() - since;
    // a network name may stay offline for days
    const isAnyPassing = devices.some((device) => isPassing(device.state) && connectionOf(device) !== 'tcp');
    const isComingUp = isAnyPassing || (isFresh && elapsedMs < FRESH_SERVER_MS);
    if (!isComingUp || elapsedMs > PASSING_LIMIT_MS) return devices;
    await sleep(LIST_EVERY_MS);
  }
}
