import { describe, expect, it } from 'vitest';
import { Random } from '../findings/random.ts';
import { busiest, type Fleet, type FleetRun, rolloutOf, runFleet } from '../support/many-hosts.ts';

const HOSTS = 2_000;
/** Of so few hosts, a single second varies too much. */
const WINDOW_SECONDS = 5;
const FROM = 120;

function fleetOf(how: Pick<Fleet, 'seconds' | 'fails' | 'restart'>): Fleet {
  const chance = new Random(1);
  return { hosts: HOSTS, random: () => chance.number(), ...how };
}

const busiestOf = (run: FleetRun, fleet: Fleet, from = 0) => busiest(run, fleet, from, WINDOW_SECONDS);
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

describe('two thousand hosts in virtual time', () => {
  it('report once a minute, each at its own second', async () => {
    const fleet = fleetOf({ seconds: 180 });
    const { requests, backAt } = await runFleet(fleet);
    const minutes = [0, 60, 120].map((from) => requests.slice(from, from + 60));
    expect(minutes.map(sum)).toEqual([HOSTS, HOSTS, HOSTS]);
    expect(minutes[1]).toEqual(minutes[0]);
    expect(backAt).toEqual([]);
  });

  it.each([10, 30, 60])(
    'make at most twice the load after an outage of %i s, and are back in a minute',
    async (seconds) => {
      const end = FROM + seconds;
      const fleet = fleetOf({ seconds: end + 240, fails: (at) => at >= FROM && at < end });
      const run = await runFleet(fleet);
      expect(busiestOf(run, fleet, FROM)).toBeLessThan(2);
      expect(run.backAt.length).toBeGreaterThan(HOSTS * (seconds / 60) * 0.9);
      expect(Math.max(...run.backAt)).toBeLessThanOrEqual(end + 60);
      // some come back before their next report is due
      expect(sum(run.requests.slice(end, end + 60))).toBeGreaterThan(HOSTS * 1.05);
    },
  );

  it('come back evenly after a longer outage', async () => {
    const end = FROM + 120;
    const fleet = fleetOf({ seconds: end + 240, fails: (at) => at >= FROM && at < end });
    expect(busiestOf(await runFleet(fleet), fleet, end)).toBeLessThan(1.3);
  });

  it('try evenly from the third minute of a failure on', async () => {
    const fleet = fleetOf({ seconds: 1_200, fails: (at) => at >= FROM });
    const run = await runFleet(fleet);
    expect(busiestOf(run, fleet, FROM)).toBeLessThan(2);
    expect(busiestOf(run, fleet, FROM + 120)).toBeLessThan(1.3);
  });

  describe('in a rollout', () => {
    const chance = new Random(2);
    const { restarts, until } = rolloutOf({
      hosts: HOSTS,
      batches: [1 / HOSTS, 0.05, 0.25, 1],
      from: FROM,
      within: () => 5,
      restSeconds: 70,
      atOnce: 0.01,
      random: () => chance.number(),
    });
    const restart = (host: number) => restarts[host];

    it('restart all, two of three in the last batch', () => {
      const inBatch = (index: number) =>
        restarts.filter(({ from }) => from >= FROM + index * 75 && from < FROM + (index + 1) * 75).length;
      expect([0, 1, 2, 3].map(inBatch)).toEqual([1, 100, 500, HOSTS - 601]);
      expect(until).toBe(FROM + 4 * 75);
    });

    it('make no more load than on an ordinary day', async () => {
      const fleet = fleetOf({ seconds: until + 240, restart });
      expect(busiestOf(await runFleet(fleet), fleet, FROM)).toBeLessThan(1.3);
    });

    it('make no more where it ends a failure', async () => {
      const fails = (at: number, host: number) => at < (restart(host)?.until ?? 0);
      const fleet = fleetOf({ seconds: until + 240, restart, fails });
      const run = await runFleet(fleet);
      expect(run.backAt).toHaveLength(HOSTS);
      expect(busiestOf(run, fleet, FROM)).toBeLessThan(1.3);
    });
  });

  it('that all reported at once after a restart would be noticed', async () => {
    const restart = () => ({ from: FROM, until: FROM + 5, isAtOnce: true });
    const fleet = fleetOf({ seconds: 300, restart });
    expect(busiestOf(await runFleet(fleet), fleet, FROM)).toBeGreaterThan(10);
  });
});
