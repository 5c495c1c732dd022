/**
 * A receiver of OTLP that is not ours: Debian 13's VictoriaMetrics, in a root of Debian 13. It scrapes too, and answers
 * Prometheus' queries. Debian builds Prometheus itself without its OTLP receiver.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, onTestFinished } from 'vitest';
import { CACHE, forbiddenForGuest, guestRoot, missingForGuest } from '../systemd/guest-root.ts';
import { describeWhere } from './machine-needs.ts';
import { temporaryFolder } from './program-lab.ts';
import { freePort } from './raw-server.ts';

const RELEASE = 'trixie';

/** With that receiver. */
export const describeWithReceiver = (title: string, tests: () => void): void =>
  describeWhere(title, { missing: missingForGuest(), forbidden: forbiddenForGuest }, () => {
    beforeAll(() => void unpacked(guestRoot(RELEASE)), 300_000); // once on a machine
    tests();
  });

/** Unpacks Debian's package into $2, unless somebody has done so meanwhile; $1 is the root, whose sources name it. */
const UNPACK = `
  test -d "$2" && exit
  rm -rf "$2.new" && trap 'rm -rf "$2.new"' EXIT
  mkdir -p "$2.new/lists/partial" && cd "$2.new" || exit
  for step in update "download victoria-metrics"; do
    apt-get -qq -o Dir="$1" -o Dir::State::lists="$2.new/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \\
      -o APT::Sandbox::User=root $step || exit
  done
  dpkg-deb -x victoria-metrics_*.deb all && mv all/usr/bin/victoria-metrics . && rm -rf all lists *.deb && mv "$2.new" "$2"`;

/** $1: the root, which nobody writes to; $2: the unpacked package; $3: a folder for it; then its options. */
const RUN = `
  mount --bind "$2" "$1/mnt" && mount --bind "$3" "$1/tmp" && root="$1" && shift 3 &&
  exec chroot "$root" /mnt/victoria-metrics "$@"`;

function unpacked(root: string): string {
  const kind = createHash('sha256').update(UNPACK).digest('hex').slice(0, 8);
  const folder = join(CACHE, `victoria-metrics-${process.arch}-${kind}`);
  if (existsSync(folder)) return folder;
  execFileSync('flock', [`${folder}.lock`, 'sh', '-c', UNPACK, 'sh', root, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}

/** A series as it is answered. */
export interface Series {
  metric: Record<string, string>;
  value: [at: number, value: string];
}

export interface Receiver {
  /** Where metrics are pushed. */
  endpoint: string;
  /** Evaluates a query now. */
  query(expression: string): Promise<Series[]>;
}

/** @param scraped addresses that it scrapes each second, as the job `scraped` */
export async function startReceiver({ scraped = [] }: { scraped?: string[] } = {}): Promise<Receiver> {
  const root = guestRoot(RELEASE);
  const program = unpacked(root);
  const folder = await temporaryFolder();
  const port = await freePort();
  const scrape = { job_name: 'scraped', scrape_interval: '1s', static_configs: [{ targets: scraped }] };
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'scrape.json'), JSON.stringify({ scrape_configs: [scrape] }));
  const options = [
    ...['-promscrape.config=/tmp/scrape.json', '-storageDataPath=/tmp/data', '-loggerLevel=ERROR'],
    ...[`-httpListenAddr=127.0.0.1:${port}`, '-opentelemetry.usePrometheusNaming'],
    ...['-search.latencyOffset=0s', '-search.disableCache', '-memory.allowedBytes=128MiB'], // answer what is newest
  ];
  const child = spawn('unshare', ['-m', 'sh', '-c', RUN, 'sh', root, program, folder, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
  });
  const address = `http://127.0.0.1:${port}`;
  const isReady = async () => (await fetch(`${address}/health`).catch(() => undefined))?.ok === true;
  const signal = AbortSignal.timeout(30_000);
  while (!(await isReady())) {
    if (signal.aborted || child.exitCode !== null) throw new Error(`VictoriaMetrics did not start\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    endpoint: `${address}/opentelemetry/v1/metrics`,
    async query(expression) {
      const answer = await fetch(`${address}/api/v1/query?${new URLSearchParams({ query: expression })}`);
      const { data, error } = (await answer.json()) as { data?: { result: Series[] }; error?: string };
      if (data === undefined) throw new Error(error);
      return data.result;
    },
  };
}
