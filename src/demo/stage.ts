/** The demo's environment: simulated phones behind an adb server, and a sandbox cloud. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox } from '../sandbox/sandbox.ts';
import { seedOfOneUser } from '../sandbox/seed.ts';
import { SimulatedAdbServer } from './adb-server.ts';
import { SimulatedPhone } from './phone.ts';
import { recordings as shipped } from './phones/index.ts';
import type { Recording } from './recording.ts';
import type { Story } from './story.ts';

export const credentials = { username: 'demo', apiKey: 'demo-key' };

export interface Stage {
  adb: SimulatedAdbServer;
  cloud: Sandbox;
  phones: SimulatedPhone[];
  /** What happens; absent: the tour. */
  story?: Story;
  /** Of the phones, in the same order. */
  recordings: readonly Recording[];
  env: Record<string, string>;
  close(): Promise<void>;
}

/**
 * @param schedule of full reports, cron fields
 * @param story its phones are these; they sit in its slots
 * @param port of the adb server; the cloud has the next one. 0: any free ones
 * @throws the system's error where a port is taken
 */
export async function openStage(
  schedule: string,
  recordings: readonly Recording[] = shipped,
  story?: Story,
  port = 0,
): Promise<Stage> {
  const adb = await SimulatedAdbServer.start({ port });
  const cloud = await Sandbox.start({
    port: port === 0 ? 0 : port + 1,
    seed: seedOfOneUser(credentials),
  }).catch(async (error) => {
    await adb.stop();
    throw error;
  });
  const stateDir = await mkdtemp(join(tmpdir(), 'hostnode-demo-'));
  const phones = recordings.map((recording) => {
    const phone = new SimulatedPhone(recording);
    enliven(phone);
    return phone;
  });
  return {
    adb,
    cloud,
    phones,
    recordings,
    ...(story && { story }),
    env: {
      ...(story && { HOSTNODE_SLOTS: JSON.stringify(slotsOf(story)) }),
      HOSTNODE_NODE_ID: 'demo-host',
      HOSTNODE_ADB_PORT: String(adb.port),
      HOSTNODE_CLOUD_BASE_URL: cloud.baseUrl,
      HOSTNODE_CLOUD_USERNAME: credentials.username,
      HOSTNODE_CLOUD_API_KEY: credentials.apiKey,
      HOSTNODE_CLOUD_READ_BACK: 'false', // the screen shows reports
      HOSTNODE_STATE_DIR: stateDir,
      HOSTNODE_REPORT_SCHEDULE: schedule,
      HOSTNODE_STATUS_PORT: '0',
    },
    async close() {
      await Promise.all([adb.stop(), cloud.stop(), rm(stateDir, { recursive: true, force: true })]);
    },
  };
}

const slotsOf = ({ phones }: Story) =>
  [...Map.groupBy(phones, ({ slot = '' }) => slot)].flatMap(([name, there]) =>
    name === '' ? [] : [{ name, paths: there.map(({ port }) => port) }],
  );

/** Starts the phone's clock: both numbers of `/proc/uptime`, the time since boot and the idle time, go on. */
export function enliven(phone: SimulatedPhone): void {
  const startedAt = Date.now();
  phone.alter('boot.clock', (text) =>
    text.replace(/^(\d+\.\d+) (\d+\.\d+)$/m, (_, ...[up, idle]: string[]) => {
      const seconds = (Date.now() - startedAt) / 1000;
      return [up, idle].map((value) => (Number(value) + seconds).toFixed(2)).join(' ');
    }),
  );
}
