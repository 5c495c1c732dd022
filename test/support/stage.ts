import { onTestFinished } from 'vitest';
import { AdbkitAdb } from '../../src/adb/adbkit.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { parseProbeScript, parseShellService, SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { outputOf, type Recording } from '../../src/demo/recording.ts';
import type { Facts } from '../../src/facts/index.ts';
import { sections as allSections } from '../../src/facts/index.ts';
import type { CommandOptions, Section } from '../../src/facts/section.ts';
import { PhoneProbe } from '../../src/probe/phone-probe.ts';
import type { Snapshot } from '../../src/probe/snapshot.ts';

export const commandOptions: Omit<CommandOptions, 'shellV2'> = {
  reachabilityHost: 'connectivitycheck.gstatic.com',
  reachabilityOnMetered: false,
  telephonyIdentifiers: true,
};

/** All sections, with the time limit of one of them changed, or of all (`*`). */
export const sectionsWithLimit = (name: string, limitSeconds: number): Section<unknown>[] =>
  allSections.map((section) =>
    name === '*' || section.name === name ? { ...section, limitSeconds } : section,
  );

export function recordingOf(serial: string): Recording {
  const found = recordings.find((recording) => recording.serial === serial);
  if (found === undefined) throw new Error(`no recording of ${serial}`);
  return found;
}

/** What the sections read from a recording, without any phone. */
export function factsIn({ sdk, answers }: Recording): Facts {
  return Object.fromEntries(
    allSections.flatMap((section: Section<unknown>) => {
      const commands = Object.keys(section.commands({ ...commandOptions, shellV2: sdk >= 24 }));
      const recorded = commands.map((command) => [
        command,
        outputOf(answers[`${section.name}.${command}`] ?? []).text,
      ]);
      return commands.length === 0 ? [] : [[section.name, section.parse(Object.fromEntries(recorded))]];
    }),
  );
}

export const without = (facts: Facts, ...names: (keyof Facts)[]): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => !names.includes(name as keyof Facts)));

/** What one round asked: the requests to the adb server, scripts shortened, and the commands of each script. */
export interface Asked {
  requests: string[];
  scripts: string[][];
}

export interface Stage {
  server: SimulatedAdbServer;
  phone: SimulatedPhone;
  round(signal?: AbortSignal): Promise<Snapshot>;
  /** What has been asked since the last time. */
  asked(): Asked;
}

export interface StageOptions {
  sections?: readonly Section<unknown>[];
  deadlineMs?: number;
  commandOptions?: Partial<CommandOptions>;
}

/** One recorded phone behind a simulated adb server, and the probe that asks it. */
export async function stageOf(recording: Recording, options: StageOptions = {}): Promise<Stage> {
  const server = await SimulatedAdbServer.start();
  onTestFinished(() => server.stop());
  const phone = new SimulatedPhone(recording);
  const adb = new AdbkitAdb({ host: '127.0.0.1', port: server.port, requestTimeoutMs: 5_000 });
  const device = { serial: recording.serial, state: 'device', transportId: server.plug(phone) };
  const probe = new PhoneProbe({
    adb,
    sections: options.sections ?? allSections,
    commandOptions: { ...commandOptions, ...options.commandOptions },
    deadlineMs: options.deadlineMs ?? 20_000,
  });
  return {
    server,
    phone,
    round: (signal = new AbortController().signal) => probe.collect(device, signal),
    asked() {
      const requests = server.requests.splice(0).map(({ request }) => request);
      const scripts = requests.flatMap((request) => scriptOf(request) ?? []);
      return {
        requests: requests.map((request) => (scriptOf(request) ? request.replace(/:.*/s, ':…') : request)),
        scripts: scripts.map(({ commands }) => commands.map(({ name }) => name)),
      };
    },
  };
}

const scriptOf = (request: string) => parseProbeScript(parseShellService(request)?.command ?? '');
