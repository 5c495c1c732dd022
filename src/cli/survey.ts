/**
 * One look at all phones: lists them, asks those that are wanted, and builds the report. Writes no state; starts
 * an adb server where there is none and the configuration allows it.
 */
import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { isPassing } from '../adb/passing-state.ts';
import type { Collector } from '../agent/collector.ts';
import { assemblePhones } from '../assembly/phones.ts';
import type { DeviceInfo, DevicesBody } from '../cloud/contract.ts';
import type { Config } from '../config/load.ts';
import type { Logger } from '../log.ts';
import { readMachine } from '../machine/machine.ts';
import { type NodeIdPlace, type Objection, readNodeId, unfitForOnce } from '../machine/node-id.ts';
import { present } from '../present.ts';
import type { Snapshot } from '../probe/snapshot.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import { readRoster } from '../roster/store.ts';
import { connectionOf } from '../roster/udid.ts';
import { ownTurn } from '../turn.ts';
import { buildNumber } from '../version.ts';
import type { Encounter } from './explanation.ts';
import { type AdbListing, namelessWarnings } from './no-phones.ts';

export interface SurveyOptions {
  config: Config;
  /** This host. */
  place: Pick<NodeIdPlace, 'root' | 'env'>;
  log: Logger;
  /** Serials or udids; absent: all phones. */
  names?: readonly string[];
  /** Keeps what the phones print. */
  keepAnswers?: boolean;
  onProgress(asked: number, of: number): void;
  /** An adb server was started for this. */
  onStarted(pid: number): void;
}

export interface Survey {
  body: DevicesBody & { devices: DeviceInfo[] };
  /** The same phones, with what they printed where that was to be kept. */
  encounters: Encounter[];
  /** Counted, also what is not among these phones. */
  listing: AdbListing;
  /** Phones that are online and did not answer, or not to the end, by udid. */
  unread: Map<string, Error>;
  /** Names that no phone has. */
  unknown: string[];
  /** The slot in which a phone sits, or was last, by its udid. */
  slotOf(udid: string): string | undefined;
  /** What a person should know, one sentence each. */
  warnings: string[];
  /** Why the cloud must not be told of this host by the name that it has. */
  unfit?: Objection;
}

const PASSING_LIMIT_MS = 3_000;
/** A server that we have just started needs a moment to see what is plugged in. */
const FRESH_SERVER_MS = 1_500;
const LOOK_EVERY_MS = 100;

/** @throws {AdbUnavailableError} */
export async function survey(options: SurveyOptions): Promise<Survey> {
  const { config, place, log, names, keepAnswers = false } = options;
  const [name, { value: record, trouble }] = await Promise.all([
    readNodeId(config.nodeId, config.state.dir, { ...place, mayKeep: false }),
    readRoster(config.state.dir, { mayRename: false }),
  ]);
  const { nodeId } = name;
  const { adb, roster, collector, picture } = assemblePhones({
    config,
    nodeId,
    log,
    keepAnswers,
    ...(record && { record }),
  });
  const listed = await listPhones(adb, options);
  compileOnce();
  roster.observe(listed, Date.now());

  const ours = () =>
    roster.devices.filter((device) => device.supersededBy === undefined && !picture.isIgnored(device));
  const isNamed = (device: RosterDevice, name: string) => waysTo(device, roster, listed).includes(name);
  const named = (device: RosterDevice) => names?.some((name) => isNamed(device, name)) ?? true;
  // a name that nobody goes by yet may be the serial that a network phone tells when it is asked
  const isSettled = names?.every((name) => ours().some((device) => isNamed(device, name))) ?? true;
  const asking = ask(isSettled ? ours().filter(named) : ours(), collector, roster, options);
  const machine = ownTurn().then(() => readMachine(buildNumber)); // while the phones think
  const unread = await asking;

  const attached = roster.devices.filter((device) => device.attached);
  const ignored = attached.filter((device) => picture.isIgnored(device));
  const chosen = ours().filter(named);
  const devices = picture.devices(new Set(chosen.map(({ udid }) => udid)));
  return {
    body: { nodeId, machine: await machine, devices },
    encounters: devices.map((device) => {
      const { udid } = device;
      const [remembered, listed] = [roster.get(udid), roster.listed(udid)];
      const [snapshot, error] = [collector.snapshot(udid), unread.get(udid)];
      return present({ device, remembered, listed, snapshot, error });
    }),
    listing: {
      entries: listed.length,
      nameless: roster.nameless.length,
      phones: attached.length,
      ignored: ignored.length,
    },
    unread: new Map([...unread].filter(([udid]) => chosen.some((device) => device.udid === udid))),
    unknown: names?.filter((name) => !chosen.some((device) => isNamed(device, name))) ?? [],
    slotOf: (udid) => {
      const device = roster.get(udid);
      return device && picture.slotOf(device);
    },
    warnings: [
      ...[trouble, name.keptTrouble].filter((said) => said !== undefined),
      ...namelessWarnings(roster.nameless.length),
    ],
    ...present({ unfit: unfitForOnce(name) }),
  };
}

/**
 * From here on nothing is compiled a second time to run faster: on two cores V8's compilers stand in the way of the
 * answers of many phones, and all is over before that pays. Not from the start: what Node keeps compiled, of its own code
 * and of ours, it keeps for V8 as it comes.
 */
function compileOnce(): void {
  flushCompileCache();
  for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);
}

/** All that a phone may be called by: its udid, its own serial, and adb's name for each way to it. */
function waysTo(
  { udid, serial, identity }: RosterDevice,
  roster: Roster,
  listed: readonly ListedDevice[],
): string[] {
  const ways = listed.filter((way) => roster.udidAt(way) === udid).map((way) => way.serial);
  return [udid, serial, ...ways, ...(identity?.serialNumber === undefined ? [] : [identity.serialNumber])];
}

/** @returns why, of those that did not answer to the end, by the udid that they go by now */
async function ask(
  devices: readonly RosterDevice[],
  collector: Collector,
  roster: Roster,
  { onProgress }: SurveyOptions,
): Promise<Map<string, Error>> {
  const online = devices.filter(({ state }) => state === 'device');
  const { signal } = new AbortController();
  const unread = new Map<string, Error>();
  let asked = 0;
  onProgress(asked, online.length);
  await Promise.all(
    online.map(async ({ udid }) => {
      const listed = roster.listed(udid);
      const { snapshot, error } = await collector.collect(udid, signal);
      const why = error ?? (snapshot && lackOf(snapshot));
      if (why) unread.set((listed && roster.udidAt(listed)) ?? udid, why);
      asked += 1;
      onProgress(asked, online.length);
    }),
  );
  return unread;
}

/** What a reading of a phone lacks, if anything. */
function lackOf({ broken, facts }: Snapshot): Error | undefined {
  if (broken !== undefined) return new Error(broken);
  return Object.keys(facts).length === 0 ? new Error('none of its answers makes sense') : undefined;
}

/** adb's list, after a moment for the phones that are just coming up. */
async function listPhones(adb: Adb, { config, onStarted }: SurveyOptions): Promise<ListedDevice[]> {
  let isFresh = false;
  if (config.adb.start !== false) {
    const { startServerIfNone } = await import('../adb/server-start.ts');
    const pid = await startServerIfNone(config.adb);
    if (pid !== undefined) onStarted(pid);
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
    await pause(LOOK_EVERY_MS);
  }
}
