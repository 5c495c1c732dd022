/**
 * Ten thousand hosts and one cloud, in virtual time: each host reports once a minute at its own place, and tries again
 * when the cloud is down, by the product's own rules. Counts the requests of each second.
 */
import { offsetShare } from '../../../src/agent/schedule.ts';
import { Outage } from '../../../src/cloud/retry.ts';
import { type Goal, rounded } from './goal.ts';

const HOSTS = 10_000;
const PERIOD_SECONDS = 60;
const WATCHED_SECONDS = 600;

export interface FleetOptions {
  hosts: number;
  /** For how long the cloud is down, seconds. */
  outageSeconds: number;
  /** From 0 to below 1. */
  random(): number;
}

/** @returns the requests of each second in the ten minutes after the outage */
export function requestsAfter({ hosts, outageSeconds, random }: FleetOptions): number[] {
  const downFrom = PERIOD_SECONDS;
  const upFrom = downFrom + outageSeconds;
  const counts = new Array<number>(WATCHED_SECONDS).fill(0);
  for (let host = 0; host < hosts; host++) {
    const place = offsetShare(`host-${host}`) * PERIOD_SECONDS;
    const outage = new Outage();
    for (let due = place; due < upFrom + WATCHED_SECONDS; due += PERIOD_SECONDS) {
      // a report is tried again until the next one is due
      for (let at = due; at <= due + PERIOD_SECONDS; ) {
        const second = Math.floor(at - upFrom);
        if (second >= 0 && second < WATCHED_SECONDS) counts[second] = (counts[second] ?? 0) + 1;
        if (at < downFrom || at >= upFrom) {
          outage.end();
          break;
        }
        at += outage.goesOn(random()) / 1000;
      }
    }
  }
  return counts;
}

export function fleetGoals(): Goal[] {
  const busiest = (outageSeconds: number) => {
    const counts = requestsAfter({ hosts: HOSTS, outageSeconds, random: Math.random });
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    return Math.max(...counts) / mean;
  };
  const goal = (what: string, outageSeconds: number): Goal => ({
    what: `${HOSTS} hosts, ${what}: the busiest second`,
    value: busiest(outageSeconds),
    unit: '× the mean',
    atMost: 1.3,
  });
  const brief = [10, 30, 60, 120, 300]
    .map((seconds) => `${seconds} s: ${rounded(busiest(seconds))} ×`)
    .join(', ');
  return [
    goal('on an ordinary day', 0),
    { ...goal('the ten minutes after an outage of ten', 600), detail: `after shorter ones: ${brief}` },
    goal('the ten minutes after an outage of an hour', 3_600),
  ];
}
