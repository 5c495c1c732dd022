/** What the history costs: its file, the memory of its thread, the agent's loop. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { SMALL } from '../../../src/base/v8.ts';
import { openDatabase } from '../../../src/history/store/database.ts';
import { historyFile } from '../../../src/history/store/file.ts';
import { Store } from '../../../src/history/store/store.ts';
import { DAY_MS, pastOf } from '../../support/history-days.ts';
import { type Setting, serviceEnv } from '../setting.ts';
import { type Goal, rounded } from './goal.ts';

const MB = 1024 * 1024;
const PAST = { phones: 60, days: 90 };
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** 60 phones, each lost and back eight times a day, for 90 days. */
export async function historyGoals({ stateDir, isQuick, env }: Setting): Promise<Goal[]> {
  const dir = stateDir();
  const { events } = fill(historyFile(dir));
  const fileMegabytes = statSync(historyFile(dir)).size / MB;
  const loopFile = join(dir, 'loop');
  const program = await bundled(dir);
  const said = execFileSync(
    process.execPath,
    [
      ...SMALL,
      '--import',
      join(root, 'test/bench/loop.js'),
      program,
      dir,
      String(PAST.phones),
      isQuick ? '20' : '100',
    ],
    { env: { ...serviceEnv(), ...env, BENCH_LOOP_FILE: loopFile }, encoding: 'utf8' },
  );
  const { moreMegabytes, workingMegabytes, startedMegabytes, roundMs } = JSON.parse(said);
  const { steady }: { steady: { ownMs: number }[] } = JSON.parse(readFileSync(loopFile, 'utf8'));
  const ofPast = `with ${PAST.days} days of ${PAST.phones} phones`;
  return [
    {
      what: `file of the history ${ofPast}`,
      value: fileMegabytes,
      unit: 'MB',
      atMost: 64,
      detail: `${events} events`,
    },
    {
      what: `history ${ofPast}: more memory, at rest`,
      value: moreMegabytes,
      unit: 'MB resident',
      atMost: 20,
      detail: `${rounded(startedMegabytes)} MB when the thread has started, ${rounded(workingMegabytes)} MB while it works`,
    },
    {
      what: `history ${ofPast}: event loop held at a time`,
      value: Math.max(...steady.map(({ ownMs }) => ownMs)),
      unit: 'ms',
      atMost: 20,
      detail: 'in the worst half minute; rounds, the questions of a page, and judgements',
    },
    { what: `history ${ofPast}: a round more`, value: roundMs, unit: 'ms', atMost: 2 },
  ];
}

/** Day by day, as the agent would, with what it erases and thins. */
function fill(path: string): { events: number } {
  writeFileSync(path, '', { mode: 0o600 });
  const until = Date.now();
  const store = new Store(openDatabase(path));
  const batches = [...pastOf({ ...PAST, until })];
  for (let hour = 0; hour < batches.length; hour += 24) {
    const changes = batches.slice(hour, hour + 24).flat();
    store.write(changes);
    const now = until - PAST.days * DAY_MS + ((hour + 24) * DAY_MS) / 24;
    store.keepWithin({ days: PAST.days, mostBytes: 248 * MB, now: Math.min(now, until) });
  }
  const events = store.events().length;
  store.close();
  return { events };
}

/** The process and its thread, bundled as the program is. */
async function bundled(outdir: string): Promise<string> {
  await build({
    ...{ bundle: true, platform: 'node', format: 'cjs', logLevel: 'warning', outdir },
    outExtension: { '.js': '.cjs' },
    entryPoints: [`${root}test/bench/history-process.ts`, `${root}src/diagnosis/history-worker.ts`],
    entryNames: '[name]',
    minifySyntax: true,
    minifyWhitespace: true,
    define: { HOSTNODE_VERSION: '"0.0.0"', 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  return join(outdir, 'history-process.cjs');
}
