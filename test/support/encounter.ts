import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AdbkitAdb } from '../../src/adb/adbkit.ts';
import { ProbePool } from '../../src/agent/probe-pool.ts';
import { createLogger } from '../../src/base/log.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import type { CapturedPhone } from '../../src/cli/inspect/capture.ts';
import type { Encounter } from '../../src/cli/inspect/explanation.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { sections } from '../../src/facts/index.ts';
import type { CommandOptions } from '../../src/facts/section.ts';
import { HostReport } from '../../src/report/host-report.ts';
import { ClockStep } from '../../src/roster/clock-step.ts';
import { Roster } from '../../src/roster/roster.ts';

export const allCommands: Omit<CommandOptions, 'shellV2'> = {
  reachabilityHost: 'connectivitycheck.gstatic.com',
  reachabilityOnMetered: true,
  telephonyIdentifiers: true,
};

/** Plugs one phone in and reads it as an inventory does. */
export async function meet(phone: SimulatedPhone, commandOptions = allCommands): Promise<Encounter> {
  const server = await SimulatedAdbServer.start();
  server.plug(phone);
  const { logger: log } = createLogger({ level: 'silent', format: 'json', destination: 'stderr' });
  const adb = new AdbkitAdb({ host: '127.0.0.1', port: server.port, requestTimeoutMs: 5_000 });
  const roster = new Roster({ nodeId: 'host', offlineNetworkMs: 0 });
  const options = { concurrency: 1, deadlineMs: 10_000, keepAnswers: true };
  const clockStep = new ClockStep({ roster, log });
  const probePool = new ProbePool({ adb, roster, clockStep, sections, commandOptions, log, ...options });
  const hostReport = new HostReport({
    roster,
    phones: probePool,
    rules: [],
    adbHost: '127.0.0.1',
    adbPort: 5037,
  });
  try {
    roster.observe(await adb.listDevices(), Date.now());
    const [known] = roster.devices;
    if (known === undefined) throw new Error('adb lists no phone');
    const { error } = await probePool.collect(known.udid, new AbortController().signal);
    const [device] = hostReport.devices();
    if (device === undefined) throw new Error('no phone in the picture');
    const { udid } = device;
    const [remembered, listed] = [roster.get(udid), roster.listed(udid)];
    return omitUndefined({ device, remembered, listed, snapshot: probePool.snapshot(udid), error });
  } finally {
    await server.stop();
  }
}

/** All files of a folder that a capture made, by their names. */
export const filesOf = (folder: string): Map<string, string> =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** Plays a folder that a capture made. */
export function playCapture(folder: string): SimulatedPhone {
  const files = filesOf(folder);
  const { serial, state, sdk = 0, exitCodes } = JSON.parse(files.get('phone.json') ?? '') as CapturedPhone;
  files.delete('phone.json');
  const names = Array.from(files.keys(), (file) => basename(file, '.txt'));
  const answers = Object.fromEntries(
    names.map((name) => [name, { lines: [], exitCode: exitCodes[name] ?? 0 }]),
  );
  const phone = new SimulatedPhone({ title: folder, origin: [], serial, state, sdk, answers });
  for (const name of names) phone.alter(name, () => files.get(`${name}.txt`) ?? '');
  return phone;
}
