/**
 * What Prometheus needs for the overview of 1000 hosts with 40 phones each. Two real agents with 40 phones give the size of a
 * scrape and the bytes of a sample on the disk; a thousand targets that repeat such a scrape give the time of the rules.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Fleet } from '../../support/fleet.ts';
import { alerts, recordings } from '../../support/metric-queries.ts';
import { Prometheus } from '../../support/prometheus.ts';
import { weightOf } from '../measure.ts';
import type { Setting } from '../setting.ts';
import { type Goal, rounded } from './goal.ts';

const HOSTS = 1000;
const RACK = 40;
const PHONES = 40;
/** Of Prometheus; config/prometheus/scrape.yml has it. */
const SCRAPES_A_DAY = (24 * 3600) / 30;
/** As many as Prometheus puts into a chunk. */
const SAMPLES = 130;
/** Two scrapes of each host. */
const WATCHED_MS = 60_000;
/** Each rule's query is asked so often. */
const TIMES = 3;

interface Measured {
  /** A scrape of a host with 40 phones. */
  text: string;
  samples: number;
  seconds: number;
  bytesPerSample: number;
  indexBytesPerSeries: number;
}

export async function overviewGoals(setting: Setting): Promise<Goal[]> {
  const real = await measureAgents(setting);
  const rules = await measureRules(setting, real.text);
  const perDay = HOSTS * real.samples * SCRAPES_A_DAY;
  // a block of two hours has an index of its own
  const indexPerDay = HOSTS * real.samples * real.indexBytesPerSeries * 12;
  return [
    {
      what: 'scrape of a host with 40 phones',
      value: real.text.length / 1024,
      unit: 'KiB',
      atMost: 128,
      detail: `${real.samples} samples`,
    },
    { what: 'scrape of a host with 40 phones', value: real.seconds * 1000, unit: 'ms', atMost: 100 },
    {
      what: 'sample on the disk of Prometheus',
      value: real.bytesPerSample,
      unit: 'bytes',
      atMost: 2.5,
      detail: `and ${rounded(real.indexBytesPerSeries)} bytes of index a series in each block`,
    },
    {
      what: 'a day of 1000 hosts with 40 phones, on the disk of Prometheus',
      value: (perDay * real.bytesPerSample + indexPerDay) / 1e9,
      unit: 'GB',
      atMost: 8,
    },
    {
      what: 'scrapes of 1000 hosts with 40 phones, each 30 s',
      value: rules.scrapesPercent,
      unit: '% of one core',
      atMost: 50,
    },
    {
      what: 'all rules over 1000 hosts with 40 phones, once',
      value: rules.rulesMs / 1000,
      unit: 's of CPU',
      atMost: 10,
      detail: `most for ${rules.slowest}`,
    },
    {
      what: 'Prometheus with 1000 hosts with 40 phones',
      value: rules.residentBytes / 2 ** 30,
      unit: 'GiB resident',
      atMost: 8,
      detail: `${rules.series} series`,
    },
  ];
}

/** Time runs fifteen times as fast: reports each 4 s and scrapes each 2 s, for each 60 and 30. */
async function measureAgents({ hostnode, stateDir, isQuick, say }: Setting): Promise<Measured> {
  const folder = stateDir();
  const [, file = ''] = hostnode;
  await using fleet = await Fleet.open({
    folder,
    places: [{}, {}],
    phonesEach: PHONES,
    schedule: '*/4 * * * * *',
  });
  await using prometheus = await Prometheus.start({ folder, intervalSeconds: 2, minuteSeconds: 2 });
  await fleet.start(fleet.hosts, { file });
  const [{ address = '' } = {}] = fleet.hosts;
  await prometheus.scrape(fleet.hosts);
  const all = (count: number) => `count(hostnode_device_temperature_celsius) == ${count}`;
  await prometheus.until(all(fleet.hosts.length * PHONES));
  const samples = isQuick ? 20 : SAMPLES;
  say(`scraping ${samples} times`);
  await wait(samples * 2000);
  const [scraped] = await prometheus.query(`max(scrape_samples_scraped{job="hostnode"})`);
  const [seconds] = await prometheus.query(`avg(avg_over_time(scrape_duration_seconds{job="hostnode"}[2m]))`);
  const text = await (await fetch(`http://${address}/metrics`)).text();
  const block = await prometheus.snapshot();
  return {
    text,
    samples: scraped?.value ?? 0,
    seconds: seconds?.value ?? 0,
    bytesPerSample: block.chunkBytes / block.samples,
    indexBytesPerSeries: block.indexBytes / block.series,
  };
}

/** A thousand targets that all answer with this text, at the usual intervals. */
async function measureRules({ stateDir, isQuick, say }: Setting, text: string) {
  const folder = stateDir();
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await using prometheus = await Prometheus.start({
      folder,
      intervalSeconds: 30,
      evaluationSeconds: 3600, // the rules' queries are asked below
      minuteSeconds: 60,
    });
    const hosts = isQuick ? HOSTS / 10 : HOSTS;
    await prometheus.scrape(
      Array.from({ length: hosts }, (_, index) => ({
        address: `127.0.0.1:${port}`,
        labels: { instance: `host-${index}:9477`, site: 'blr', rack: `r${Math.floor(index / RACK)}` },
      })),
    );
    say(`scraping ${hosts} targets`);
    await prometheus.until(`count(hostnode_device_info) == ${hosts * PHONES}`);
    const cpuMs = () => weightOf(prometheus.pid).cpuMs;
    const [before, beganAt] = [cpuMs(), performance.now()];
    await wait(WATCHED_MS);
    const scrapesShare = (cpuMs() - before) / (performance.now() - beganAt);
    const costs: { name: string; ms: number }[] = [];
    for (const rule of [...recordings, ...alerts]) {
      const [asked, askedAt] = [cpuMs(), performance.now()];
      for (let time = 0; time < TIMES; time++) await prometheus.query(rule.expr);
      const ms = (cpuMs() - asked - scrapesShare * (performance.now() - askedAt)) / TIMES;
      costs.push({ name: 'alert' in rule ? rule.alert : rule.record, ms: Math.max(ms, 0) });
    }
    costs.sort((one, other) => other.ms - one.ms);
    const { residentBytes } = weightOf(prometheus.pid);
    const [series] = await prometheus.query('sum(scrape_samples_scraped)');
    return {
      scrapesPercent: scrapesShare * 100,
      rulesMs: costs.reduce((sum, { ms }) => sum + ms, 0),
      slowest: costs
        .slice(0, 5)
        .map(({ name, ms }) => `${name} ${rounded(ms)} ms`)
        .join(', '),
      series: series?.value ?? 0,
      residentBytes,
    };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
