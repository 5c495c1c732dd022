/** `hostnode demo`: the real agent with simulated phones and a sandbox cloud. */
import { ActiveAgent } from '../agent/active-agent.ts';
import type { Agent } from '../agent/agent.ts';
import { notifyAll } from '../agent/observer.ts';
import { ruleInputOf, settingOf } from '../agent/rule-input.ts';
import { anyHost } from '../base/environment.ts';
import { exitCode } from '../base/exit-code.ts';
import { createLogger, type Logger } from '../base/log.ts';
import { printable } from '../base/printable.ts';
import { version } from '../base/version.ts';
import { type DeviceInfo, DevicesAnswer, DevicesBody } from '../cloud/contract/report.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { assembleAgent } from '../daemon/assemble-agent.ts';
import { CaptureUnreadableError, readCaptured } from '../demo/captured.ts';
import { recordings as shipped } from '../demo/phones/index.ts';
import { credentials, openStage, type Stage } from '../demo/stage.ts';
import { StoryError } from '../demo/story.ts';
import { recordingsOf, scenesOfStory } from '../demo/story-stage.ts';
import { scenesOf } from '../demo/tour.ts';
import { Diagnosis } from '../diagnosis/index.ts';
import type { SandboxRequest } from '../sandbox/log.ts';
import { AgentCommands } from '../status/agent-commands.ts';
import { Explainer } from '../status/explainer.ts';
import { FindingsBoard } from '../status/findings-board.ts';
import { MaintenancePlan } from '../status/maintenance.ts';
import { KeptPast } from '../status/phone-past.ts';
import type { PhonePast } from '../status/source.ts';
import { StatusModel } from '../status/status-model.ts';
import { StatusSide } from '../status/status-side.ts';
import { DemoPast, madeUpByStory, madeUpMonths } from './demo-past.ts';
import { Screen } from './demo-screen.ts';
import { readStory } from './demo-story.ts';
import { sayError } from './terminal.ts';

const SCHEDULE = '*/10 * * * * *';

export interface DemoOptions {
  once?: boolean;
  /** Folder of `inventory --capture`: its phones in place of ours. */
  phones?: string;
  /** A file, or the name of a story that ships. */
  story?: string;
}

export async function demo({ once: isOnce = false, phones, story: named }: DemoOptions): Promise<void> {
  const cast = await explained(async () => {
    const story = named === undefined ? undefined : await readStory(named);
    const played = story && recordingsOf(story);
    return { story, recordings: phones === undefined ? played : await readCaptured(phones) };
  });
  if (cast === undefined) return;
  const stage = await openStage(SCHEDULE, cast.recordings, cast.story);
  try {
    const isStored = await runDemo(stage, isOnce);
    if (isOnce && !isStored) process.exitCode = exitCode.cloud;
  } finally {
    await stage.close();
  }
}

/** Undefined after a printed problem. */
async function explained<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CaptureUnreadableError || error instanceof StoryError)) throw error;
    sayError(error.message);
    process.exitCode = exitCode.usage;
    return undefined;
  }
}

/**
 * Runs the demo until a person ends it.
 *
 * @param isOnce end after the first report, stored or failed
 * @returns whether the first report was stored; true if a person ended the demo before
 */
export async function runDemo(
  stage: Stage,
  isOnce: boolean,
  out: NodeJS.WriteStream = process.stdout,
): Promise<boolean> {
  const end = Promise.withResolvers<true>();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end.resolve(true));
  process.on('SIGHUP', () => end.resolve(true)); // a closing terminal may send it several times
  const { adb, cloud, phones } = stage;
  const { story } = stage;
  const { latecomer, scenes } = story ? { scenes: scenesOfStory(story, stage, note) } : scenesOf(stage);
  for (const phone of phones) if (isOnce || phone.serial !== latecomer) adb.plug(phone);

  function note(on: string, text: string): void {
    page?.commands
      .note(on, { text, by: 'the story' })
      .catch((error: Error) => screen.event(`· ${error.message}`));
  }

  const simulatedUntil = Date.now();
  let pageUrl: string | undefined;
  const screen = new Screen({
    out,
    title: () => titleOf(stage, isOnce, pageUrl),
    hints: () => hintsOf(stage, isOnce),
    devices: () => cloud.devices().map(({ info }) => withRefusal(info, statusModel)),
  });
  const { logger } = createLogger({
    level: 'info',
    format: 'json',
    destination: (line) => screen.event(logText(JSON.parse(line))),
  });
  const active = new ActiveAgent<Agent>();
  const { config } = await loadConfig({ env: stage.env, defaultFile: '' });
  // in memory: the demo leaves nothing behind
  const judged = story !== undefined && !isOnce; // what the tour does is no fault of the phones
  const board = new FindingsBoard({
    log: logger,
    onChange: (udids) => {
      for (const udid of udids) active.agent?.remarked(udid);
      statusModel.changed();
    },
  });
  const setting = settingOf(config);
  const diagnosis = new Diagnosis({
    input: () =>
      active.agent && ruleInputOf(active.agent.view, { setting, isInMaintenance: () => false }, Date.now()),
    hasUsb: () => false,
    board: judged ? board : { current: undefined, take: () => {} },
    log: logger,
  });
  if (!isOnce) await diagnosis.start(config.history);
  const { history } = diagnosis;
  const past = new KeptPast({ history, isKnown: (udid) => agent.whereOf(udid) !== undefined });
  const statusModel = new StatusModel({
    ...{ hostName: 'demo-host', version, simulatedUntil, past },
    ...(judged && { findings: board }),
  });
  const madeUp = story
    ? madeUpByStory(story, simulatedUntil)
    : madeUpMonths(stage.recordings, simulatedUntil);
  const demoPast = new DemoPast(madeUp, history);
  cloud.on('answered', (request) => screen.event(reportText(request)));
  const first = Promise.withResolvers<boolean>();
  const sent = ({ outcome }: { outcome: string }) => first.resolve(outcome === 'stored');
  // only the stage's environment: a proxy of this host cannot reach a cloud inside this process
  const agent = assembleAgent({
    config,
    env: stage.env,
    nodeId: config.nodeId ?? 'demo-host',
    log: logger,
    observer: notifyAll([...(isOnce ? [] : [demoPast]), statusModel, diagnosis, { sent }]),
    ...(judged && { remarkOf: (udid: string) => board.remarkOf(udid) }),
  });
  active.agent = agent;
  demoPast.follow(agent);
  agent.start();
  // the hints name the page: its log shows only problems
  const pageLog = logger.child({}, { level: 'warn' });
  const page = isOnce
    ? undefined
    : await openPage({ config, stage, agent, statusModel, diagnosis, past, log: pageLog });
  pageUrl = page?.side.pageUrl;
  if (pageUrl !== undefined) screen.event(`· the status page: ${pageUrl}`);

  const timers: NodeJS.Timeout[] = [];
  out.once('error', () => end.resolve(true)); // the reader has closed
  const isStored = await Promise.race([first.promise, end.promise]);
  if (!isOnce) {
    for (const { atSeconds, text, play } of scenes) {
      const scene = () => {
        screen.event(`· ${text}`);
        play();
      };
      timers.push(setTimeout(scene, atSeconds * 1000));
    }
    await end.promise;
  }
  for (const timer of timers) clearTimeout(timer);
  await page?.side.stop();
  await agent.stop();
  await diagnosis.close();
  cloud.removeAllListeners('answered');
  screen.end();
  return isStored;
}

interface PageParts {
  config: Config;
  stage: Stage;
  agent: Agent;
  statusModel: StatusModel;
  diagnosis: Diagnosis;
  past: PhonePast;
  log: Logger;
}

/** The page of this demo's agent, and its Unix socket. */
async function openPage(parts: PageParts): Promise<{ side: StatusSide; commands: AgentCommands }> {
  const { config, stage, agent, statusModel, diagnosis, past, log } = parts;
  const { history } = diagnosis;
  const slots = config.slots.map(({ name }) => name);
  const { env } = stage;
  const maintenance = await MaintenancePlan.read(config.state.dir, log);
  const commands = new AgentCommands(
    () => ({ agent, maintenance, slots, history }),
    () => statusModel.changed(),
  );
  const explainer = new Explainer({
    status: () => statusModel.status(),
    view: () => agent.view,
    timeline: (query) => diagnosis.explain(query),
  });
  const side = new StatusSide({ env, statusModel, commands, explainer, past, onMetrics() {}, log });
  statusModel.follow(agent, {
    adbAt: { host: config.adb.host, port: config.adb.port, hostKind: anyHost },
    slots,
    maintenanceOf: (udid) => maintenance.of(udid),
    pageUrl: () => side.pageUrl,
  });
  await side.prepare(config);
  await side.serve(config);
  return { side, commands };
}

/** One line of the agent's log, for a person. */
function logText({ level, msg, time: _, ...fields }: Record<string, unknown>): string {
  const details = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [`agent ${level}: ${msg}`, ...details].join('  ');
}

/** The request to the cloud, and its answer. */
function reportText({ method, path, body, status, answer }: SandboxRequest): string {
  const sent = DevicesBody.safeParse(body).data?.devices;
  const failed = DevicesAnswer.safeParse(answer).data?.failedDevices ?? [];
  const what =
    sent === undefined
      ? 'only this host'
      : sent.length === 1
        ? `1 device, ${sent[0]?.udid} (${sent[0]?.state})`
        : `${sent.length} devices`;
  const refused = failed.map(({ udid, message }) => `, rejected ${udid}: ${message}`).join('');
  return `cloud: ${method} ${path} with ${what} → ${status}${refused}`;
}

/** A phone as the cloud has it. Why the cloud rejects it only the agent knows: the cloud keeps what it stored before. */
function withRefusal(info: DeviceInfo, statusModel: StatusModel): DeviceInfo {
  const phone = statusModel.status()?.phones.find(({ udid }) => udid === info.udid);
  if (phone?.refused === undefined || info.message !== '') return info;
  return { ...info, message: `Fix what the cloud names: ${phone.refused}` };
}

const titleOf = ({ adb, cloud, phones }: Stage, isOnce: boolean, pageUrl?: string): string[] => [
  [
    'hostnode demo',
    ...(pageUrl === undefined ? [] : [`status page ${pageUrl}`]),
    ...(isOnce ? [] : ['Ctrl-C ends']),
  ].join(' · '),
  `${phones.length} simulated phones → adb server 127.0.0.1:${adb.port} → the agent → sandbox cloud ${cloud.baseUrl}`,
];

const aboutPhones = ({ recordings, story }: Stage): string => {
  if (story !== undefined) return `those of the story “${printable(story.title)}”`;
  return recordings === shipped ? 'five makers, Android 4.4 to 15' : 'as inventory --capture saved them';
};

const hintsOf = (stage: Stage, isOnce: boolean): string[] => [
  'What you see',
  ` - the phones: ${aboutPhones(stage)}. hostnode collects each ready phone in one shell conversation`,
  ` - WHAT TO DO, beside or below a phone: the remedy, or why you cannot use it.${stage.recordings === shipped ? ' One phone waits for its prompt' : ''}`,
  ...(isOnce
    ? [' - npm run demo: the same live, with phones plugged in and unplugged, and a cloud that rejects one']
    : [
        ' - "agent": the log, one info line per round; "cloud": each request; "·": what happens to the phones',
        ` - the same in a second terminal: npm run hostnode -- status --socket ${stage.env.HOSTNODE_STATE_DIR}/hostnode.sock`,
        ...(stage.story === undefined
          ? []
          : [
              ` - why a phone was lost: npm run hostnode -- why ${stage.phones[0]?.serial ?? 'NAME'} --socket ${stage.env.HOSTNODE_STATE_DIR}/hostnode.sock`,
            ]),
        ` - the cloud itself: curl -u ${credentials.username}:${credentials.apiKey} '${stage.cloud.baseUrl}/devices?isPlugged=true'`,
      ]),
];
