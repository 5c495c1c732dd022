/**
 * Gives every reader of foreign input made-up inputs for as long as wanted, and looks whether what must hold of each
 * does: see `targets/`. The same seed makes the same inputs.
 *
 *     npm run fuzz -- [--minutes 1] [--seed 1] [--target NAME]
 *
 * Ends with 1 when something was found: its target, seed and path are printed, its input is in a file. Ends with 2
 * when the command line is wrong. Where HOSTNODE_FUZZ_REPORT names a file, a report as vitest's is written there.
 */
import { writeFileSync } from 'node:fs';
import { type FuzzOptions, readOptions, UsageError, usage } from './options.ts';
import { again, asTestReport, row, type Tally, writeFinding } from './report.ts';
import { Runner } from './runner.ts';
import { targets } from './targets/index.ts';

const targetNames = targets.map(({ name }) => name);

/** A target's turn: long enough to be worth its start, short enough that all have had one early, ms. */
const LONGEST_TURN_MS = 20_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

async function fuzz({ minutes, seed, target, path, findings }: FuzzOptions): Promise<Tally[]> {
  const names = target === undefined ? targetNames : [target];
  const tallies = new Map<string, Tally>(names.map((name) => [name, { target: name, runs: 0, ms: 0 }]));
  const rounds = Math.ceil((minutes * 60_000) / names.length / LONGEST_TURN_MS);
  const forMs = (minutes * 60_000) / names.length / rounds;
  const runner = new Runner();
  for (let round = 0; round < (path === undefined ? rounds : 1); round += 1) {
    for (const tally of tallies.values()) {
      if (tally.finding !== undefined) continue; // one a target: it would be found again
      const began = performance.now();
      const order = { target: tally.target, seed: (seed + round) % 0x80000000, forMs, ...(path && { path }) };
      const { runs, finding } = await runner.run(order);
      tally.runs += runs;
      tally.ms += performance.now() - began;
      if (finding === undefined) continue;
      tally.finding = finding;
      print(
        `\n${tally.target}: ${finding.what}\n  ${again(finding)}\n  ${writeFinding(findings, finding)}\n`,
      );
    }
  }
  await runner.stop();
  return [...tallies.values()];
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), targetNames);
  if (options === 'help') process.stdout.write(usage);
  if (options === 'list') print(targetNames.join('\n'));
  if (typeof options === 'string') return 0;
  print(`seed ${options.seed}, ${options.minutes} minutes`);
  const tallies = await fuzz(options);
  for (const tally of tallies) print(row(tally));
  const found = tallies.filter(({ finding }) => finding !== undefined).length;
  const runs = tallies.reduce((sum, tally) => sum + tally.runs, 0);
  const seconds = tallies.reduce((sum, tally) => sum + tally.ms, 0) / 1000;
  print(
    `${tallies.length} targets, ${runs} inputs, ${Math.round(runs / seconds)} a second, ${found} with findings`,
  );
  const reportFile = process.env.HOSTNODE_FUZZ_REPORT;
  if (reportFile) writeFileSync(reportFile, JSON.stringify(asTestReport(tallies)));
  return found === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`fuzz: ${error.message}\n`);
  process.exitCode = 2;
}
