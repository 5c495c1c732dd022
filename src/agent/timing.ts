import type { Logger } from '../base/log.ts';

/** How long the agent waits for what, ms; tests run it with shorter ones. */
export interface AgentTiming {
  /** A phone has to stay as it is for so long before its change is told. */
  quietMs: number;
  /** The same for a phone that turned `offline`: adbd is for a second or two when it restarts. */
  quietOfflineMs: number;
  /** A phone that never comes to rest is told nevertheless, so long after its first change. */
  longestUnrestMs: number;
  /** After a change the cloud hears of the phone so long after it came to rest, also when it is still being asked. */
  factsWaitMs: number;
  /** A full report waits so long for the phones, and never over half a period; slower ones follow on their own. */
  roundWaitMs: number;
  /** Between two readings of adb's list without an event. */
  relistMs: number;
  /** An adb server that has just come back lists its phones one by one: for so long what is missing may be on its way. */
  recoveryMs: number;
  /** A phone that is starting, locked or broke off is asked again so long after, … */
  collectSoonMs: number;
  /** … so many times in a row. */
  collectSoonTimes: number;
  /** Between two tries to start an adb server. */
  startAdbEveryMs: number;
  /** Before a refused device is sent again for the first time; it doubles with each refusal. */
  firstRefusalDelayMs: number;
  /** A conversation in hand may go on so long after the agent was told to stop, … */
  stopCollectingMs: number;
  /** … and the round as a whole so long. */
  stopMs: number;
}

export const standardTiming: AgentTiming = {
  quietMs: 250,
  quietOfflineMs: 700,
  longestUnrestMs: 5_000,
  factsWaitMs: 400,
  roundWaitMs: 10_000,
  relistMs: 10_000,
  recoveryMs: 3_000,
  collectSoonMs: 5_000,
  collectSoonTimes: 60,
  startAdbEveryMs: 30_000,
  firstRefusalDelayMs: 2_000,
  stopCollectingMs: 4_000,
  stopMs: 9_000,
};

/** Resolves after `ms` and keeps no process alive. */
export const pause = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());

/** Work that nobody waits for: what it throws is logged and does not end the process. */
export function inBackground(work: Promise<unknown>, log: Logger): void {
  work.catch((error) => log.error({ err: error }, 'this should not have happened'));
}
