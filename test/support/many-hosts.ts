/**
 * Thousands of hosts and one cloud, in virtual time: each host reports once a minute, tries again and restarts by the
 * agent's own functions. The hosts know nothing of each other, so each has a clock of its own. Counts the requests of
 * each second: also those that the cloud does not answer, like a TLS handshake that fails.
 */

import { standardTiming } from '../../src/agent/options.ts';
import { offsetShare, placeAfter } from '../../src/agent/schedule.ts';
import { CloudUnavailableError } from '../../src/cloud/errors.ts';
import { type Clock, Outage, reportDelays, withRetry } from '../../src/cloud/retry.ts';

/** The default schedule. */
const PERIOD_MS = 60_000;

/** A restart of one agent, seconds. */
export interface Restart {
  /** When it ends. */
  from: number;
  /** When the next one has adb's list. */
  until: number;
  /** It then reports at once: its phones changed meanwhile, or somebody ran `report --now`. */
  isAtOnce: boolean;
}

export interface Fleet {
  hosts: number;
  /** For how long the requests are counted, seconds. */
  seconds: number;
  /** From 0 to below 1. */
  random(): number;
  /** Is this host's request in vain at this time? */
  fails?(atSeconds: number, host: number): boolean;
  restart?(host: number): Restart | undefined;
}

export interface FleetRun {
  /** The requests of each second. */
  requests: number[];
  /** When each host that ever failed was stored again for the first time, seconds. */
  backAt: number[];
}

const down = new CloudUnavailableError('down', { request: 'PUT' });
const { signal } = new AbortController();

export async function runFleet(fleet: Fleet): Promise<FleetRun> {
  const run: FleetRun = { requests: new Array<number>(fleet.seconds).fill(0), backAt: [] };
  await Promise.all(Array.from({ length: fleet.hosts }, (_, host) => liveOf(host, fleet, run)));
  return run;
}

async function liveOf(host: number, fleet: Fleet, run: FleetRun): Promise<void> {
  const share = offsetShare(`host-${host}`);
  const endMs = fleet.seconds * 1000;
  const restart = fleet.restart?.(host);
  const failed = { isBack: false, hasFailed: false };
  const agent = (firstMs: number, untilMs: number) =>
    reportAll({ host, share, firstMs, untilMs, failed }, fleet, run);
  const firstMs = placeAfter(-1, share, PERIOD_MS);
  if (restart === undefined) return agent(firstMs, endMs);
  await agent(firstMs, restart.from * 1000);
  const beganMs = restart.until * 1000;
  await agent(restart.isAtOnce ? beganMs : placeAfter(beganMs, share, standardTiming.firstReportMs), endMs);
}

interface Living {
  host: number;
  /** Its place in the minute. */
  share: number;
  /** When its first report is due, and when it ends. */
  firstMs: number;
  untilMs: number;
  failed: { hasFailed: boolean; isBack: boolean };
}

/** One agent, from its first report to its end. */
async function reportAll({ host, share, firstMs, untilMs, failed }: Living, fleet: Fleet, run: FleetRun) {
  let nowMs = firstMs;
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  };
  const attempt = async () => {
    if (nowMs >= untilMs) return;
    const at = nowMs / 1000;
    run.requests[Math.floor(at)] = (run.requests[Math.floor(at)] ?? 0) + 1;
    if (fleet.fails?.(at, host)) {
      failed.hasFailed = true;
      throw down;
    }
    if (failed.hasFailed && !failed.isBack) run.backAt.push(at);
    failed.isBack = failed.hasFailed;
  };
  const options = { signal, outage: new Outage(reportDelays), isUrgent: false, random: fleet.random, clock };
  for (let dueMs = firstMs; dueMs < untilMs; ) {
    nowMs = dueMs;
    const nextMs = placeAfter(dueMs, share, PERIOD_MS);
    await withRetry(attempt, { ...options, forMs: nextMs - dueMs }).catch((error) => {
      if (error !== down) throw error;
    });
    dueMs = nextMs;
  }
}

/**
 * The most requests of `seconds` in a row, compared with what as many seconds have on an ordinary day.
 *
 * @param from the first second that counts
 */
export function busiest(
  { requests }: FleetRun,
  { hosts }: Pick<Fleet, 'hosts'>,
  from = 0,
  seconds = 1,
): number {
  const mean = (hosts / (PERIOD_MS / 1000)) * seconds;
  let most = 0;
  for (let at = from; at + seconds <= requests.length; at += 1) {
    const count = requests.slice(at, at + seconds).reduce((sum, each) => sum + each, 0);
    most = Math.max(most, count);
  }
  return most / mean;
}

/** All hosts restart, in batches. */
export interface Rollout {
  hosts: number;
  /** The share of all hosts in each batch. */
  batches: readonly number[];
  /** When the first batch begins, seconds. */
  from: number;
  /** How long it takes until so many agents were ended, seconds. */
  within(hosts: number): number;
  /** From the last end in a batch to the next batch, seconds. */
  restSeconds: number;
  /** The share of hosts that report as soon as they are back: their phones changed, or they are told to. */
  atOnce: number;
  random(): number;
}

/** An agent is away for 2 to 10 s. */
const awaySeconds = (random: number) => 2 + 8 * random;

/** @returns of each host, and when the last batch is over, seconds */
export function rolloutOf(rollout: Rollout): { restarts: readonly Restart[]; until: number } {
  const { hosts, batches, from, within, restSeconds, atOnce, random } = rollout;
  const restarts: Restart[] = [];
  let begins = from;
  for (const share of batches) {
    const count = Math.min(hosts - restarts.length, Math.ceil(share * hosts));
    const seconds = within(count);
    for (let each = 0; each < count; each += 1) {
      const ends = begins + random() * seconds;
      restarts.push({ from: ends, until: ends + awaySeconds(random()), isAtOnce: random() < atOnce });
    }
    begins += seconds + restSeconds;
  }
  return { restarts, until: begins };
}
