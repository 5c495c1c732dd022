/** Builds the agent from the configuration. */
import { Agent } from '../agent/agent.ts';
import type { AgentObserver } from '../agent/observer.ts';
import type { AgentTiming } from '../agent/options.ts';
import { DAY_MS } from '../base/calendar.ts';
import type { Environment } from '../base/environment.ts';
import { buildNumber } from '../base/version.ts';
import type { Checkpoint } from '../diagnosis/events/checkpoint.ts';
import type { Unread } from '../host/json-file.ts';
import { readMachine } from '../host/machine.ts';
import type { RosterRecord } from '../roster/device.ts';
import { RosterKeeper } from '../roster/keeper.ts';
import { assembleCloud } from './assemble-cloud.ts';
import { assemblePhones, type PhonesSetting } from './assemble-phones.ts';

export interface AgentSetting extends PhonesSetting {
  timing?: Partial<AgentTiming>;
  /** Names the proxy to the cloud. Default: the environment of the process. */
  env?: Environment;
  observer?: AgentObserver;
  storedAt?: number;
  checkpoint?: Checkpoint;
  unreadRoster?: Unread<RosterRecord>;
}

export function assembleAgent(host: AgentSetting): Agent {
  const { config, nodeId, log } = host;
  const { adb, roster, clockStep, probePool, hostReport } = assemblePhones(host);
  const cloud = assembleCloud(config, host.env);
  const stateDir = config.state.dir;
  const { unreadRoster } = host;
  const keeper = new RosterKeeper({
    stateDir,
    roster,
    log,
    ...(unreadRoster && {
      mayWrite: () => unreadRoster.tryAgain((record) => roster.join(record, Date.now())),
    }),
  });
  const agent = new Agent({
    nodeId,
    adb,
    roster,
    clockStep,
    probePool,
    hostReport,
    ...(cloud && { delivery: cloud.delivery, close: () => cloud.client.close() }),
    ...(config.notReporting !== undefined && { notReporting: config.notReporting }),
    readMachine: () => readMachine(buildNumber),
    save: () => {
      clockStep.check(); // before writing: adjusts the times to the current clock
      return keeper.save();
    },
    reportSchedule: config.report.schedule,
    refusedRetries: config.cloud?.refusedRetries ?? 0,
    forgetAfterMs: config.roster.forgetAfterDays * DAY_MS,
    unplugOnStop: config.report.onStop === 'unplugged',
    ...(config.adb.start === true && {
      startAdb: async (signal) => {
        const { startServerIfNone } = await import('../adb/server-start.ts');
        return startServerIfNone({ ...config.adb, env: host.env ?? process.env, signal });
      },
    }),
    ...(host.timing && { timing: host.timing }),
    ...(host.storedAt !== undefined && { storedAt: host.storedAt }),
    ...(host.checkpoint && { checkpoint: host.checkpoint }),
    log,
  });
  if (host.observer) agent.observe(host.observer);
  return agent;
}
