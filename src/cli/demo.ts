/** `hostnode demo`: the real agent with simulated phones and a sandbox cloud. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { anyHost } from '../base/environment.ts';
import { exitCode } from '../base/exit-code.ts';
import { createLogger, type Logger } from '../base/log.ts';
import { printable } from '../base/printable.ts';
import { DeviceInfo, DevicesAnswer, DevicesBody } from '../cloud/contract/report.ts';
import { loadConfig } from '../config/load.ts';
import { closeCarried, createHost, type Host } from '../daemon/host.ts';
import { CaptureUnreadableError, readCaptured } from '../demo/captured.ts';
import { pastOf } from '../demo/past.ts';
import { recordings as shipped } from '../demo/phones/index.ts';
import { pastOfStory, recordingsOf, scenesOf, scenesOfStory } from '../demo/scenes.ts';
import { credentials, openStage, type Stage } from '../demo/stage.ts';
import { readStory } from '../demo/stories.ts';
import { StoryError } from '../demo/story.ts';
import type { NewEvent } from '../history/events/event.ts';
import { whereOf } from '../history/events/where.ts';
import type { HistoryClient } from '../history/store/client.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { SandboxRequest } from '../sandbox/log.ts';
import type { Options } from './configuration.ts';
import { createScreen } from './demo-screen.ts';
import { notWritten, writeNewFiles } from './output-files.ts';
import { notStarted } from './sandbox.ts';
import { UsageError } from './terminal.ts';

/** So long after its last happening a story is over: what follows from that is found by then. */
const OVER_SECONDS = 30;
const SCHEDULE = '*/10 * * * * *';

export type DemoOptions = Options<'once', 'phones' | 'story' | 'writeConfig'> & { port?: number };

export async function demo(options: DemoOptions): Promise<void> {
  const { once: isOnce = false, port, writeConfig } = options;
  const { story, shown } = await playOf(options).catch((error: unknown) => {
    const isSaid = error instanceof CaptureUnreadableError || error instanceof StoryError;
    throw isSaid ? new UsageError(error.message) : error;
  });
  const stage = await openStage(SCHEDULE, shown, story, port).catch(notStarted);
  try {
    if (writeConfig !== undefined) await writeConfigOf(stage, writeConfig);
    const isStored = await runDemo(stage, isOnce, { written: writeConfig });
    if (isOnce && !isStored) process.exitCode = exitCode.cloud;
  } finally {
    await stage.close();
  }
}

async function playOf({ phones, story: named }: DemoOptions) {
  const story = named === undefined ? undefined : await readStory(named);
  return { story, shown: phones === undefined ? story && recordingsOf(story) : await readCaptured(phones) };
}

const MARK = '# Written by `hostnode demo`: an agent with it has the phones and the cloud of that demo\n';

/** What an agent of one's own needs to run on this stage; its state lies beside the file. */
export const configOf = ({ adb, cloud }: Stage, file: string): string => `${MARK}nodeId: rack-1
adb: { port: ${adb.port} }
cloud: { baseUrl: "${cloud.baseUrl}", username: ${credentials.username}, apiKey: ${credentials.apiKey} }
state: { dir: ${JSON.stringify(resolve(dirname(file), 'demo-state'))} }
`;

/** Overwrites only what it wrote itself. */
async function writeConfigOf(stage: Stage, path: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => undefined);
  const isOurs = before?.startsWith(MARK) === true;
  if (!isOurs && existsSync(path))
    throw new UsageError(`${path} already exists, and no demo wrote it; name another file`);
  const file = { path, text: configOf(stage, path), mode: 0o600 };
  await writeNewFiles([file], isOurs).catch(notWritten('file'));
}

/** @returns whether the first report was stored; true if a person ended the demo before */
export async function runDemo(
  stage: Stage,
  isOnce: boolean,
  { out = process.stdout, written }: { out?: NodeJS.WriteStream; written?: string | undefined } = {},
): Promise<boolean> {
  const end = Promise.withResolvers<true>();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end.resolve(true));
  process.on('SIGHUP', () => end.resolve(true)); // a closing terminal may send it several times
  out.once('error', () => end.resolve(true)); // the reader has closed
  const { adb, cloud, phones, story } = stage;
  let pageUrl: string | undefined;
  const screen = createScreen({
    out,
    title: () => titleOf(stage, isOnce, pageUrl),
    hints: hintsOf(stage, isOnce, written),
    devices: () => {
      const stored = cloud.devices();
      const areOfMany = new Set(stored.map(({ nodeId }) => nodeId)).size > 1;
      return stored.flatMap(({ info: given, nodeId }) => {
        const info = DeviceInfo.safeParse(given).data;
        return info === undefined ? [] : { info, ...(areOfMany && { host: nodeId }) };
      });
    },
  });
  cloud.on('answered', (request) => {
    const sent = DevicesBody.safeParse(request.body).data?.devices;
    const failed = DevicesAnswer.safeParse(request.answer).data?.failedDevices ?? [];
    const text = reportText(request, sent, failed);
    const isFull = request.status === 200 && failed.length === 0 && sent?.length !== 1;
    screen.event(text, isFull ? text : undefined);
  });
  const { logger: log } = createLogger({
    level: 'info',
    format: 'json',
    destination: (text) => {
      const line: LogLine = JSON.parse(text);
      if (line.msg === 'status page') pageUrl = String(line.url);
      screen.event(logText(line), line.msg === 'round' ? 'round' : undefined);
    },
  });
  const host = await createDemoHost(stage, isOnce, log);
  const first = Promise.withResolvers<boolean>();
  host.agent.observe({ sent: ({ outcome }) => first.resolve(outcome === 'stored') });
  const note = (on: string, text: string) => {
    const written = host.service?.control.note(on, { text, by: 'the story' });
    written?.catch((error: Error) => screen.event(`· ${error.message}`));
  };
  const { latecomer, scenes } = story ? { scenes: scenesOfStory(story, stage, note) } : scenesOf(stage);
  for (const phone of phones) if (isOnce || phone.serial !== latecomer) adb.plug(phone);
  await host.run();
  const isStored = await Promise.race([first.promise, end.promise]);
  if (!isOnce) {
    const text = 'the story is over; the agent goes on: Ctrl-C ends';
    const atSeconds = Math.max(0, ...scenes.map((scene) => scene.atSeconds)) + OVER_SECONDS;
    const timers = [...scenes, ...(story ? [{ atSeconds, text, play() {} }] : [])].map(
      ({ atSeconds, text, play }) =>
        setTimeout(() => {
          screen.event(`· ${text}`);
          play();
        }, atSeconds * 1000),
    );
    await end.promise;
    for (const timer of timers) clearTimeout(timer);
  }
  await host.stop();
  await closeCarried(host.carried);
  cloud.removeAllListeners('answered');
  screen.end();
  return isStored;
}

type LogLine = Record<string, unknown>;

/** A host between these phones and this cloud. Its history is in memory: the demo leaves nothing behind. */
async function createDemoHost(stage: Stage, isOnce: boolean, log: Logger): Promise<Host> {
  const { env, story } = stage;
  const { config } = await loadConfig({ env, defaultFile: '' });
  const simulatedUntil = Date.now();
  const identity = { nodeId: config.nodeId ?? 'demo-host', source: 'configuration' } as const;
  const host = await createHost(
    config,
    { identity },
    {
      log,
      env, // only the stage's: a proxy of this machine cannot reach a cloud inside this process
      hostKind: anyHost,
      hostName: 'demo-host',
      history: isOnce ? 'none' : 'memory',
      hasUsb: false,
      hasFindings: story !== undefined,
      simulatedUntil,
    },
  );
  if (host.diagnosis) host.agent.observe(demoPast(stage, simulatedUntil, host.diagnosis.history, host.agent));
  return host;
}

type PastHistory = Pick<HistoryClient, 'record' | 'sample'>;

/** Gives phones made-up months before `startedAt`, each as soon as the agent knows it. */
export function demoPast(
  { recordings, story }: Pick<Stage, 'recordings' | 'story'>,
  startedAt: number,
  history: PastHistory,
  agent: Pick<Host['agent'], 'state'>,
) {
  const given = new Set<string>();
  /** That of the story, else months in which not much happened; undefined for a phone that has none. */
  const pastOfDevice = (device: RosterDevice) => {
    const isThis = ({ serial }: { serial: string }) => serial === device.serial;
    if (story !== undefined) {
      const past = pastOfStory(story, device.serial, startedAt);
      return past && { ...past, device, slot: story.phones.find(isThis)?.slot };
    }
    const place = recordings.findIndex(isThis);
    const recording = recordings[place];
    return recording && { ...pastOf(recording, place, startedAt), device, slot: undefined };
  };
  const past = {
    /** Until all readings are with the history. */
    whole: Promise.resolve(),
    /** Comes before what happens to a phone is recorded: the order in the history is that of the time. */
    changed() {
      const devices = agent.state.phones.map(({ device }) => device);
      const fresh = devices.filter(({ udid }) => !given.has(udid));
      if (fresh.length === 0) return;
      for (const { udid } of fresh) given.add(udid);
      const pasts = fresh.flatMap((device) => pastOfDevice(device) ?? []);
      const ofPhones = pasts.flatMap(({ device, slot, events }): NewEvent[] => {
        const where = whereOf(device, slot);
        return events.map((event) => ({ ...event, udid: device.udid, where }));
      });
      void history.record(ofPhones.sort((one, other) => one.at - other.at));
      past.whole = past.whole.then(async () => {
        // one phone after the other: more readings than those of a few would be dropped
        for (const { device, readings } of pasts)
          await history.sample(readings.map((reading) => ({ udid: device.udid, ...reading })));
      });
    },
  };
  return past;
}

function logText({ level, msg, time: _, ...fields }: LogLine): string {
  if (msg === 'status page') return `· the status page: ${fields.url}`;
  if (fields.code !== undefined && fields.title !== undefined)
    return `agent ${level}: ${msg}  ${fields.code}: ${fields.title}`;
  const details = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [`agent ${level}: ${msg}`, ...details].join('  ');
}

function reportText(
  { method, path, status }: SandboxRequest,
  sent: DevicesBody['devices'],
  failed: DevicesAnswer['failedDevices'],
): string {
  const what =
    sent === undefined
      ? 'only this host'
      : sent.length === 1
        ? `1 device, ${sent[0]?.udid} (${sent[0]?.state})`
        : `${sent.length} devices`;
  const refused = failed.map(({ udid, message }) => `, rejected ${udid}: ${message}`).join('');
  return `cloud: ${method} ${path} with ${what} → ${status}${refused}`;
}

const titleOf = ({ adb, cloud, env, phones }: Stage, isOnce: boolean, pageUrl?: string): string[] => [
  ['hostnode demo', pageUrl && `status page ${pageUrl}`, !isOnce && 'Ctrl-C ends']
    .filter(Boolean)
    .join(' · '),
  `${phones.length} simulated phones → adb server 127.0.0.1:${adb.port} → the agent → sandbox cloud ${cloud.baseUrl}`,
  ...(isOnce ? [] : [`Try: npm run hostnode -- status ${socketOption(env)}`]),
];

const socketOption = (env: Stage['env']): string => `--socket ${env.HOSTNODE_STATE_DIR}/hostnode.sock`;

const aboutPhones = ({ recordings, story }: Stage): string => {
  if (story !== undefined) return `those of the story “${printable(story.title)}”`;
  return recordings === shipped ? 'five makers, Android 4.4 to 15' : 'as inventory --capture saved them';
};

function hintsOf(stage: Stage, isOnce: boolean, written?: string): string[] {
  const { env, phones, story, cloud } = stage;
  const about = [
    'What you see',
    ` - the phones: ${aboutPhones(stage)}. hostnode collects each ready phone in one shell conversation`,
    ' - WHAT TO DO, beside or below a phone: the first step, or why you cannot use it',
  ];
  const live = story
    ? 'and what the story tells'
    : 'phones plugged in and unplugged, a cloud that rejects one';
  if (isOnce) return [...about, ` - without --once: the same live, ${live}`];
  const why = `npm run hostnode -- why ${phones[0]?.serial ?? 'NAME'} ${socketOption(env)}`;
  return [
    ...about,
    ' - "agent": the log, one info line per round; "cloud": each request; "·": what happens to the phones',
    ...(story ? [` - why a phone was lost: ${why}`] : []),
    ...(written ? [` - an agent of your own between them: npm run hostnode -- run --config ${written}`] : []),
    ` - the cloud itself: curl -u ${credentials.username}:${credentials.apiKey} '${cloud.baseUrl}/devices?isPlugged=true'`,
  ];
}
