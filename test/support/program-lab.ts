/** A host for the program to run on: an adb server with phones, a cloud, and a state directory. */

import { on, once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DeviceInfo, type DevicesBody } from '../../src/cloud/contract/report.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { SandboxRequest } from '../../src/sandbox/log.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { seedOfOneUser } from '../../src/sandbox/seed.ts';
import type { Environment } from './program.ts';

export const username = 'lab@example.com';
export const apiKey = 'k3y-that-nobody-may-see';
export const nodeId = 'rack-2';

/** A full report each second. */
export const everySecond = '* * * * * *';
/** No full report but the one at the start. */
export const never = '0 0 1 1 *';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hostnode-e2e-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function startCloud(): Promise<Sandbox> {
  const cloud = await Sandbox.start({ seed: seedOfOneUser({ username, apiKey }) });
  onTestFinished(() => cloud.stop().catch(() => {}));
  return cloud;
}

/** What tells the program of a cloud. Each request is one that a test expects. */
export const toCloud = (cloud: Sandbox): Environment => ({
  HOSTNODE_CLOUD_READ_BACK: 'false',
  HOSTNODE_CLOUD_BASE_URL: cloud.baseUrl,
  HOSTNODE_CLOUD_USERNAME: username,
  HOSTNODE_CLOUD_API_KEY: apiKey,
});

/** An environment without a cloud, whose adb server listens on this port. */
export const toAdb = (port: number, stateDir: string): Environment => ({
  HOSTNODE_NODE_ID: nodeId,
  HOSTNODE_ADB_PORT: String(port),
  HOSTNODE_STATE_DIR: stateDir,
  HOSTNODE_REPORT_SCHEDULE: never,
});

/** A recorded phone by its serial. */
export function phoneOf(serial: string): SimulatedPhone {
  const recording = recordings.find((phone) => phone.serial === serial);
  if (recording === undefined) throw new Error(`no recorded phone ${serial}`);
  return new SimulatedPhone(recording);
}

export const poco = 'f12a8ec9';
export const smartron = recordings[0]?.serial ?? '';

/** A simulated adb server with these phones plugged in. */
export async function startAdb(...phones: SimulatedPhone[]): Promise<SimulatedAdbServer> {
  const adb = await SimulatedAdbServer.start();
  onTestFinished(() => adb.stop().catch(() => {}));
  for (const phone of phones) adb.plug(phone);
  return adb;
}

export interface ProgramHost {
  adb: SimulatedAdbServer;
  cloud: Sandbox;
  stateDir: string;
  /** What the program needs to meet all of these. */
  env: Environment;
}

/** A host with these phones, a cloud and an empty state directory. */
export async function startHost(...phones: SimulatedPhone[]): Promise<ProgramHost> {
  const adb = await startAdb(...phones);
  const cloud = await startCloud();
  const stateDir = await temporaryFolder();
  return { adb, cloud, stateDir, env: { ...toAdb(adb.port, stateDir), ...toCloud(cloud) } };
}

/** Waits until a conversation with this phone begins. */
export async function conversation(adb: SimulatedAdbServer, serial: string): Promise<void> {
  for await (const [served] of on(adb, 'request', { signal: AbortSignal.timeout(50_000) })) {
    if (served.serial === serial) return;
  }
}

/** The body of a report as the cloud got it. */
export const bodyOf = ({ body }: SandboxRequest): DevicesBody => body as DevicesBody;

/** Waits for the next answered report of which this holds. */
export async function report(
  cloud: Sandbox,
  holds: (body: DevicesBody) => boolean = () => true,
): Promise<DevicesBody> {
  const signal = AbortSignal.timeout(50_000);
  for (;;) {
    const [request] = await once(cloud, 'answered', { signal });
    if (holds(bodyOf(request))) return bodyOf(request);
  }
}

/** Waits until the cloud holds a device of which this is true. */
export async function stored(cloud: Sandbox, holds: (device: DeviceInfo) => boolean): Promise<DeviceInfo> {
  const signal = AbortSignal.timeout(50_000);
  for (;;) {
    const found = cloud
      .devices()
      .map(({ info }) => DeviceInfo.parse(info))
      .find(holds);
    if (found) return found;
    await once(cloud, 'answered', { signal });
  }
}

/** All text of a folder's files. */
export async function textsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
  );
  return texts.join('\n');
}

/** The telephony identifiers among what the cloud holds. */
export const identifiersOf = (cloud: Sandbox): string[] =>
  cloud
    .devices()
    .flatMap(({ info }) => info.telephony?.carriersInfo ?? [])
    .flatMap(({ imei, meid, iccid }) => [imei, meid, iccid])
    .filter((id) => id !== undefined);
