import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Fleet, type FleetHost, type Program } from '../../support/fleet.ts';
import { describeWhere, without } from '../../support/machine-needs.ts';
import { dashboardQueries } from '../../support/metric-queries.ts';
import { Prometheus } from '../../support/prometheus.ts';

/** Ends a fleet that hangs: its agents start one after the other. */
const LIMIT_MS = 600_000;
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
const NEW_VERSION = '9.9.9';

/** In each rack: enough for every rule that wants some hosts before it says anything. */
const EACH = 5;
const PHONES = 3;
const rackOf = (site: string, rack: string) => Array.from({ length: EACH }, () => ({ site, rack }));
/** Two sites with two racks, and hosts of which nobody wrote down where they are. */
const places = [
  ...rackOf('blr', 'r1'),
  ...rackOf('blr', 'r2'),
  ...rackOf('aus', 'r1'),
  ...rackOf('aus', 'r2'),
  ...Array.from({ length: EACH }, () => ({})),
];

/** The same program under another version. */
async function otherVersion(programFolder: string, folder: string): Promise<string> {
  const copy = join(folder, 'program');
  await cp(programFolder, copy, { recursive: true, filter: (path) => !path.includes('.cache') });
  for (const name of (await readdir(copy)).filter((each) => each.endsWith('.cjs'))) {
    const text = await readFile(join(copy, name), 'utf8');
    await writeFile(join(copy, name), text.replaceAll(`"${version}"`, `"${NEW_VERSION}"`));
  }
  return join(copy, 'hostnode.cjs');
}

describeWhere(
  'many agents under Prometheus',
  { missing: without(['prometheus', 'prometheus-alertmanager', 'setpriv']) },
  () => {
    let folder: string;
    let fleet: Fleet;
    let prometheus: Prometheus;
    let program: Program;
    let scrapedFrom = 0;
    /** All report. */
    let steadyAt = 0;
    let troubled: FleetHost;
    /** Queries of panels that had no answer so far. */
    const unanswered = new Set<string>();

    /** Whole seconds, so that a look back by them never goes to before that time. */
    const secondsSince = (ms: number) => Math.floor((Date.now() - ms) / 1000);
    const overHosts = ['FleetSilent', 'SiteSilent', 'RackSilent', 'RackLostPhones', 'VersionFails'].map(
      (name) => `Hostnode${name}`,
    );
    const alertsOverHosts = (state: string) =>
      `ALERTS{alertname=~"${overHosts.join('|')}",alertstate=~"${state}"}`;

    const untilReporting = (count: number) =>
      prometheus.until(
        'sum(rack_state:hostnode_hosts:count{state="reporting"})',
        ([all]) => all?.value === count,
      );

    /** Each panel as somebody sees it who compares with some seconds ago. */
    async function lookAtPanels(agoSeconds: number): Promise<void> {
      const values = { instance: troubled.address, ago: `${agoSeconds}s`, __rate_interval: '20s' };
      const shown = dashboardQueries(values);
      for (const [index, { dashboard, panel, expr }] of dashboardQueries().entries()) {
        const answer = await prometheus.query(shown[index]?.expr ?? '');
        if (answer.some(({ value }) => !Number.isNaN(value)))
          unanswered.delete(`${dashboard} · ${panel} · ${expr}`);
      }
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'hostnode-fleet-'));
      fleet = await Fleet.open({ folder, places, phonesEach: PHONES, schedule: '*/5 * * * * *' });
      program = { file: join(inject('programFolder'), 'hostnode.cjs') };
      troubled = fleet.hosts[1] as FleetHost;
      for (const { dashboard, panel, expr } of dashboardQueries())
        unanswered.add(`${dashboard} · ${panel} · ${expr}`);
      // a minute of the rules is two seconds here
      prometheus = await Prometheus.start({ folder, intervalSeconds: 2, minuteSeconds: 2 });
    }, LIMIT_MS);

    afterAll(async () => {
      await fleet?.[Symbol.asyncDispose]();
      await prometheus?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }, LIMIT_MS);

    it('are all seen, in their racks, and raise no alert over hosts', async () => {
      await fleet.start(fleet.hosts, program);
      scrapedFrom = Date.now();
      await prometheus.scrape(fleet.hosts);
      await untilReporting(places.length);
      steadyAt = Date.now();
      const racks = await prometheus.query('rack:hostnode_hosts:count');
      expect(
        racks.map(({ labels: { site = '', rack = '' }, value }) => `${site} ${rack} ${value}`).sort(),
      ).toEqual(['  5', 'aus r1 5', 'aus r2 5', 'blr r1 5', 'blr r2 5']);
      await prometheus.until(
        'sum(rack_condition:hostnode_devices:sum)',
        ([all]) => all?.value === places.length * PHONES,
      );
      expect(await prometheus.query(alertsOverHosts('firing'))).toEqual([]);
      await lookAtPanels(secondsSince(scrapedFrom) + 10);
    });

    it('show a host whose phones get hot', async () => {
      troubled.celsius = 61;
      const shelves = await prometheus.until(
        'hostnode_shelf_temperature_average_celsius > 60',
        ({ length }) => length === 2,
      );
      expect(shelves.map(({ labels }) => [labels.instance, labels.shelf]).sort()).toEqual([
        [troubled.address, 'shelf 1'],
        [troubled.address, 'shelf 2'],
      ]);
      await prometheus.until('rack_code:hostnode_finding:sum{code="BATTERY_HOT"} > 0');
      await lookAtPanels(secondsSince(steadyAt));
    });

    it('raise one alert for a rack that is stopped, and one for a version that fails', async () => {
      const { stopped, renewed } = parts();
      const file = await otherVersion(inject('programFolder'), folder);
      await Promise.all([fleet.stop(stopped), fleet.stop(renewed)]);
      await fleet.start(renewed, { file, env: { HOSTNODE_CLOUD_API_KEY: 'not-the-key' } });

      await prometheus.until('ALERTS{alertname="HostnodeRackSilent",alertstate="firing"}');
      await prometheus.until('ALERTS{alertname="HostnodeVersionFails",alertstate="firing"}');
      const down = 'count(ALERTS{alertname="HostnodeAgentDown",alertstate="firing"})';
      await prometheus.until(down, ([all]) => all?.value === stopped.length);

      // of all alerts over hosts, that site with 6 of 10 hosts silent included
      const firing = await prometheus.query(alertsOverHosts('firing'));
      const named = firing.map(({ labels: { alertname, site, rack, version } }) =>
        [alertname, site, rack, version].join(' '),
      );
      expect(named.sort()).toEqual(['HostnodeRackSilent aus r1 ', `HostnodeVersionFails   ${NEW_VERSION}`]);
      // each waited first
      const pending = await prometheus.query(
        `max by (alertname) (max_over_time(${alertsOverHosts('pending')}[5m]))`,
      );
      expect(pending.map(({ labels }) => labels.alertname)).toEqual(
        expect.arrayContaining(['HostnodeRackSilent', 'HostnodeVersionFails']),
      );
      await expect
        .poll(() => prometheus.annotations('HostnodeRackSilent'))
        .toEqual({
          summary: 'Silent: 100% of the hosts of rack r1 in aus',
          description: expect.stringContaining(`By state: down ${EACH}, by version: ${version} ${EACH}, `),
        });
      await expect
        .poll(() => prometheus.annotations('HostnodeVersionFails'))
        .toEqual({
          summary: `Version ${NEW_VERSION} fails on 100% of its hosts`,
          description: expect.stringMatching(/Of the hosts with other versions [\d.]+% are silent\./),
        });
      await lookAtPanels(secondsSince(steadyAt));
    });

    it('are not sent one by one to those who were told of the rack', async () => {
      const aboutHosts = async () => {
        const sent = await prometheus.sent();
        return sent.filter(({ udid, code }) => udid === undefined && code === undefined);
      };
      await expect
        .poll(async () => (await aboutHosts()).map(({ alertname }) => alertname).sort())
        .toEqual(['HostnodeRackSilent', 'HostnodeVersionFails']);
    });

    it('raise no alert any more once the rack is started and the version is taken back', async () => {
      const { stopped, renewed } = parts();
      await fleet.stop(renewed);
      await fleet.start([...stopped, ...renewed], program);
      await untilReporting(places.length);
      await prometheus.until(alertsOverHosts('.+'), ({ length }) => length === 0);
      await lookAtPanels(secondsSince(steadyAt));
    });

    it('have answered the query of every panel', () => {
      expect([...unanswered]).toEqual([]);
    });

    /** A whole rack; and of all others each fourth host. */
    function parts() {
      const stopped = fleet.hosts.filter(({ labels }) => labels.site === 'aus' && labels.rack === 'r1');
      const others = fleet.hosts.filter((host) => !stopped.includes(host));
      return { stopped, renewed: others.filter((_, index) => index % 4 === 0) };
    }
  },
);
