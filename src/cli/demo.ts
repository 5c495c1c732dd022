/** `hostnode demo`: the product running, between simulated phones and a sandbox cloud. */
import { once } from 'node:events';
import type { Agent } from '../agent/agent.ts';
import { assembleAgent } from '../assembly/agent.ts';
import { DevicesAnswer, DevicesBody } from '../cloud/contract.ts';
import { loadConfig } from '../config/load.ts';
import type { SandboxRequest } from '../demo/sandbox-cloud.ts';
import { Screen } from '../demo/screen.ts';
import { credentials, openStage, type Stage } from '../demo/stage.ts';
import { scenesOf } from '../demo/tour.ts';
import { createLogger } from '../log.ts';

const SCHEDULE = '*/10 * * * * *';

export async function demo({ once: isOnce = false }: { once?: boolean }): Promise<void> {
  const stage = await openStage(SCHEDULE);
  try {
    await perform(stage, isOnce);
  } finally {
    await stage.close();
  }
}

async function perform(stage: Stage, isOnce: boolean): Promise<void> {
  const { adb, cloud, phones } = stage;
  const { latecomer, scenes } = scenesOf(stage);
  for (const phone of phones) if (isOnce || phone.serial !== latecomer) adb.plug(phone);

  const screen = new Screen({
    out: process.stdout,
    title: titleOf(stage),
    hints: hintsOf(stage, isOnce),
    devices: () => cloud.devices().map(({ info }) => info),
  });
  cloud.on('answered', (request) => screen.event(reportText(request)));
  const agent = await startAgent(stage, screen);

  const timers: NodeJS.Timeout[] = [];
  const end = Promise.withResolvers<void>();
  process.once('SIGINT', () => end.resolve());
  process.once('SIGTERM', () => end.resolve());
  process.stdout.once('error', () => end.resolve()); // nobody looks any more
  await Promise.race([once(cloud, 'answered'), end.promise]);
  if (!isOnce) {
    for (const { atSeconds, told, play } of scenes) {
      const scene = () => {
        screen.event(`· ${told}`);
        play();
      };
      timers.push(setTimeout(scene, atSeconds * 1000));
    }
    await end.promise;
  }
  for (const timer of timers) clearTimeout(timer);
  await agent.stop();
  cloud.removeAllListeners('answered');
  screen.end();
}

async function startAgent({ env }: Stage, screen: Screen): Promise<Agent> {
  const { config } = await loadConfig({ env, defaultFile: '' });
  const { logger } = createLogger({
    level: 'info',
    format: 'json',
    destination: (line) => screen.event(logText(line)),
  });
  const agent = assembleAgent({ config, nodeId: config.nodeId ?? 'demo-host', log: logger });
  agent.start();
  return agent;
}

/** One line of the agent's log, for the eye. */
function logText(line: string): string {
  const { level, msg, time: _, ...fields } = JSON.parse(line);
  const details = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [`agent ${level}: ${msg}`, ...details].join('  ');
}

/** What the cloud got and answered. */
function reportText({ method, path, body, status, answer }: SandboxRequest): string {
  const sent = DevicesBody.safeParse(body).data?.devices;
  const failed = DevicesAnswer.safeParse(answer).data?.failedDevices ?? [];
  const what =
    sent === undefined
      ? 'this host alone'
      : sent.length === 1
        ? `1 device, ${sent[0]?.udid} (${sent[0]?.state})`
        : `${sent.length} devices`;
  const refused = failed.map(({ udid, message }) => `, refused ${udid}: ${message}`).join('');
  return `cloud: ${method} ${path} with ${what} → ${status}${refused}`;
}

const titleOf = ({ adb, cloud, phones }: Stage): string[] => [
  `hostnode demo: ${phones.length} simulated phones → adb server 127.0.0.1:${adb.port} → the agent → sandbox cloud ${cloud.url}`,
];

const hintsOf = ({ cloud }: Stage, isOnce: boolean): string[] => [
  'Look at',
  ' - the phones: five makers, Android 4.4 to 15; each that is ready was asked in one shell conversation; what it did not answer is not there',
  ' - WHAT TO DO: why a phone cannot be used, and what helps; one of them waits for somebody to accept the prompt',
  ...(isOnce
    ? [' - npm run demo: the same live, with phones that come and go and a cloud that refuses one']
    : [
        ' - "agent": its log, one info line a round; "cloud": each request; "·": what happens to the phones',
        ` - the cloud itself: curl -u ${credentials.username}:${credentials.apiKey} '${cloud.url}/devices?isPlugged=true'`,
        'Ctrl-C ends.',
      ]),
];
