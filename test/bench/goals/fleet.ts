/**
 * Ten thousand hosts and one cloud, in virtual time: on an ordinary day, after outages, in a rollout, and while the cloud
 * has a certificate that all reject. The goal is the busiest second.
 */
import {
  busiest,
  type Fleet,
  type FleetRun,
  type Rollout,
  rolloutOf,
  runFleet,
} from '../../support/many-hosts.ts';
import { type Goal, rounded } from './goal.ts';

const HOSTS = 10_000;
const ofHosts = { hosts: HOSTS, random: Math.random };
/** The trouble begins when each host has reported twice, seconds. */
const FROM = 120;
const WATCHED = 600;
/** One host of 100 has other phones after a restart. A batch begins when the one before has reported. */
const fewChanged = { ...ofHosts, from: FROM, atOnce: 0.01, restSeconds: 70 };
/** Ansible's `serial: [1, 5%, 25%, 100%]`. */
const batches = [1 / HOSTS, 0.05, 0.25, 1];
const atOneGo: Rollout = { ...fewChanged, batches, within: () => 5 };
/** 50 forks, 3 s for each host; the role has each host report now. */
const ansible: Rollout = { ...fewChanged, batches, within: (count) => (count / 50) * 3, atOnce: 1 };
/** A DaemonSet's `maxUnavailable: 5%`, where a new pod is ready within 15 s. */
const kubernetes: Rollout = {
  ...fewChanged,
  batches: new Array<number>(20).fill(0.05),
  within: () => 5,
  restSeconds: 10,
};

export async function fleetGoals(): Promise<Goal[]> {
  const [day] = await loadOf({ seconds: WATCHED });
  return [
    goal('on an ordinary day', day),
    ...(await outageGoals()),
    ...(await rolloutGoals()),
    ...(await certificateGoals()),
  ];
}

const goal = (what: string, value: number, atMost = 1.3, detail?: string): Goal => ({
  what: `${HOSTS} hosts, ${what}: the busiest second`,
  value,
  unit: '× the mean',
  atMost,
  ...(detail && { detail }),
});

/** The busiest second from `from` on, and the run. */
async function loadOf(
  { seconds, ...how }: Pick<Fleet, 'seconds' | 'fails' | 'restart'>,
  from = 0,
): Promise<[number, FleetRun]> {
  const fleet = { ...ofHosts, ...how, seconds };
  const run = await runFleet(fleet);
  return [busiest(run, fleet, from), run];
}

/** After an outage of this length: the busiest second of the ten minutes after it, and when the hosts came back. */
async function after(outageSeconds: number) {
  const end = FROM + outageSeconds;
  const fails = (at: number) => at >= FROM && at < end;
  const [load, { backAt }] = await loadOf({ seconds: end + WATCHED, fails }, end);
  const back = backAt.map((at) => at - end).toSorted((one, other) => one - other);
  return { load, halfBack: back[Math.floor(back.length / 2)] ?? 0, allBack: back.at(-1) ?? 0 };
}

async function outageGoals(): Promise<Goal[]> {
  const brief = new Map<number, Awaited<ReturnType<typeof after>>>();
  for (const seconds of [10, 20, 30, 45, 60]) brief.set(seconds, await after(seconds));
  const detail = [...brief]
    .map(
      ([seconds, { load, halfBack, allBack }]) =>
        `${seconds} s: ${rounded(load)} ×, half back after ${rounded(halfBack)} s, all after ${rounded(allBack)} s`,
    )
    .join('; ');
  const most = Math.max(...[...brief.values()].map(({ load }) => load));
  const long = async (what: string, seconds: number) =>
    goal(`the ten minutes after an outage of ${what}`, (await after(seconds)).load);
  return [
    goal('the ten minutes after an outage of 10 to 60 s', most, 2, detail),
    await long('two minutes', 120),
    await long('ten minutes', 600),
    await long('an hour', 3_600),
  ];
}

async function rolloutGoals(): Promise<Goal[]> {
  const during = async (what: string, rollout: Rollout) => {
    const { restarts, until } = rolloutOf(rollout);
    const restart = (host: number) => restarts[host];
    const [load] = await loadOf({ seconds: Math.ceil(until) + WATCHED, restart }, FROM);
    return goal(`a rollout ${what}`, load);
  };
  return [
    await during('in batches of 1, 5 %, 25 % and all others', atOneGo),
    await during('in the same batches, 50 hosts at a time that report now', ansible),
    await during('with 5 % away at a time', kubernetes),
  ];
}

/** The cloud's new certificate is rejected by all, for half an hour: each attempt is a handshake. */
async function certificateGoals(): Promise<Goal[]> {
  const until = FROM + 1_800;
  const seconds = until + 2 * WATCHED;
  const evenly = FROM + 120;
  const loads = async (how: Pick<Fleet, 'fails' | 'restart'>) => {
    const run = await runFleet({ ...ofHosts, ...how, seconds });
    const head = { ...run, requests: run.requests.slice(0, evenly) };
    return { head: busiest(head, ofHosts, FROM), rest: busiest(run, ofHosts, evenly) };
  };
  const atCloud = await loads({ fails: (at) => at >= FROM && at < until });
  const { restarts } = rolloutOf({ ...atOneGo, from: until });
  const atHosts = await loads({
    fails: (at, host) => at >= FROM && at < (restarts[host]?.until ?? seconds),
    restart: (host) => restarts[host],
  });
  return [
    goal('the first two minutes of a certificate that all reject', atCloud.head, 2),
    goal('half an hour of it from then on, and the cloud gets another one', atCloud.rest),
    goal('the same, and a rollout brings its CA to the hosts', atHosts.rest),
  ];
}
